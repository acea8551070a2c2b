"""Classes in which ``*`` stands for any value: who could be meant by a row."""

from __future__ import annotations

from typing import overload

import numpy as np

from shoal.base.arrays import Bools, Floats, Ints
from shoal.judging.risk.identity.records import Records
from shoal.kernels.collapse import collapse


def star_patterns(found: Records) -> tuple[Bools, Ints]:
    """Find which columns are ``*``: the different patterns, and the pattern of each class."""
    starred = [codes == star for codes, star in zip(found.points, found.stars, strict=True)]
    which = collapse(starred, [2] * len(starred))
    first = np.unique(which, return_index=True)[1]
    return np.stack([each[first] for each in starred], axis=1), which


@overload
def wildcard_sizes(found: Records) -> Ints: ...
@overload
def wildcard_sizes(found: Records, weights: Floats) -> Floats: ...
def wildcard_sizes(found: Records, weights: Floats | None = None) -> Ints | Floats:
    """Count for each class the people who match it if ``*`` matches every value, and is matched.

    Two rows match if they have equal cells wherever neither has a ``*``. Rows with the same
    pattern of stars are compared with those of each other pattern at once, by the columns that
    both show: exact, and without looking at pairs of rows.

    Where people have several rows, a person may match by several of them. The result is then a
    number of people who surely match: the most that rows of one pattern hold.

    With weights, a row counts as many people of a population as it stands for.
    """
    joined = found.people is not None and weights is None
    held = found.rows_per_class if weights is None else np.bincount(found.classes, weights)
    if max(found.stars) < 0:
        return found.sizes if joined else held
    patterns, which = star_patterns(found)
    members = [np.flatnonzero(which == p) for p in range(len(patterns))]
    made = np.zeros(found.n_classes, dtype=held.dtype)
    for one, mine in zip(patterns, members, strict=True):
        # Patterns that leave the same columns to compare are compared together.
        by_columns: dict[tuple[int, ...], list[Ints]] = {}
        for other, theirs in zip(patterns, members, strict=True):
            columns = tuple(np.flatnonzero(~(one | other)).tolist())
            by_columns.setdefault(columns, []).append(theirs)
        for columns, several in by_columns.items():
            theirs = np.concatenate(several)
            own, of = _alike(found, columns, mine, theirs)
            width = int(max(own.max(), of.max())) + 1
            if joined:
                made[mine] = np.maximum(made[mine], _people(found, theirs, of, width)[own])
            else:
                made[mine] += np.bincount(of, held[theirs], width)[own].astype(held.dtype)
    return made


def _alike(found: Records, columns: tuple[int, ...], mine: Ints, theirs: Ints) -> tuple[Ints, Ints]:
    """Number some classes and others by equal cells of some columns."""
    if columns:
        every = np.concatenate([mine, theirs])
        codes = [found.points[j][every] for j in columns]
        numbers = collapse(codes, [len(found.columns[j]) for j in columns])
    else:
        numbers = np.zeros(len(mine) + len(theirs), dtype=np.int64)
    return numbers[: len(mine)], numbers[len(mine) :]


def _people(found: Records, theirs: Ints, of: Ints, width: int) -> Ints:
    """Count the people behind each number of some classes; the other rows get a number apart."""
    place = np.full(found.n_classes, width, dtype=np.int64)
    place[theirs] = of
    return found.people_per(place[found.classes], width + 1)
