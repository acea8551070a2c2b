"""Requirements as plain numbers, for kernels: k people, and largest shares of kinds of values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from shoal.grouping import SUPPRESSED, Grouping, one_group
from shoal.kernels.descent import Bounds
from shoal.models import AlphaK, GroupStatistics, KAnonymity, LeveledAlphaK, Requirement
from shoal.table import Table

__all__ = ["bounds_of", "fitting", "without_surplus"]

Ints = npt.NDArray[np.int64]

_LARGEST = 2**62


def bounds_of(table: Table, require: Sequence[Requirement]) -> tuple[Bounds, bool]:
    """Write requirements as bounds; also say whether the bounds are all that is required.

    They are not where a requirement is none of those that bound sizes and shares, or where a
    share has too many digits for 64 bits.
    """
    whole = one_group(table, require)
    k, complete = 1, True
    kinds: list[Ints] = []
    units: list[Ints] = [] if table.people is None else [_dense(table.people)]
    shares: list[Fraction] = []
    for each in require:
        if type(each) is KAnonymity:
            k = max(k, each.k)
        elif isinstance(each, AlphaK | LeveledAlphaK) and _fits(each, table.n_rows):
            k = max(k, each.k)
            name, kind_of_code, largest = _kinds(each, whole)
            codes = table.sensitive[name].codes
            kinds.append(kind_of_code[codes] + len(shares))
            shares += largest
            if table.people is not None:  # a person counts once per value
                pairs = _dense(codes * (int(table.people.max()) + 1) + table.people)
                units.append(pairs + (int(units[-1].max()) + 1))
        else:
            complete = False
    bounds = Bounds(
        k=k,
        kind=np.array(kinds, dtype=np.int64).reshape(len(kinds), table.n_rows),
        unit=np.array(units, dtype=np.int64).reshape(len(units), table.n_rows),
        above=np.array([share.numerator for share in shares], dtype=np.int64),
        below=np.array([share.denominator for share in shares], dtype=np.int64),
    )
    return bounds, complete


def fitting(bounds: Bounds, rows: Ints) -> Ints:
    """Leave out the last rows of values that are too frequent even in all rows together.

    Examples
    --------
    Four of five are alike, and at most two thirds may be:

    >>> none = np.zeros((0, 5), dtype=np.int64)
    >>> alike = np.array([[0, 0, 1, 0, 0]])
    >>> two_thirds = Bounds(2, alike, none, np.array([2, 1]), np.array([3, 1]))
    >>> fitting(two_thirds, np.arange(5)).tolist()
    [0, 1, 2]
    """
    while True:
        before = len(rows)
        for column in range(len(bounds.kind)):
            people = rows if not len(bounds.unit) else np.unique(bounds.unit[0, rows])
            units = rows if not len(bounds.unit) else bounds.unit[column + 1, rows]
            held, first, unit = np.unique(units, return_index=True, return_inverse=True)
            kind = bounds.kind[column, rows[first]]
            # The r-th unit of its kind, in the order of their first rows.
            order = np.lexsort((first, kind))
            counts = np.bincount(kind, minlength=len(bounds.above))
            rank = np.empty(len(held), dtype=np.int64)
            rank[order] = np.arange(len(held)) - (np.cumsum(counts) - counts)[kind[order]]
            most = len(people) * bounds.above // bounds.below
            rows = rows[(rank < most[kind])[unit]]
        if len(rows) == before:
            return rows


def without_surplus(
    table: Table, require: Sequence[Requirement], group: Callable[[Table], Grouping]
) -> Grouping:
    """Group a table less the rows that are left out because their value is too frequent.

    A method that only merges cannot leave out single rows: with them, no union would hold.
    """
    rows = np.arange(table.n_rows)
    bounds, _ = bounds_of(table, require)
    kept = fitting(bounds, rows) if len(bounds.kind) else rows
    if len(kept) in (0, table.n_rows):
        return group(table)
    labels = np.full(table.n_rows, SUPPRESSED, dtype=np.int32)
    labels[kept] = group(table.take(kept)).labels
    return Grouping(labels)


def _fits(requirement: AlphaK | LeveledAlphaK, n: int) -> bool:
    shares = [requirement.share] if isinstance(requirement, AlphaK) else requirement.shares
    return max(share.denominator for share in shares) * n < _LARGEST


def _kinds(
    requirement: AlphaK | LeveledAlphaK, whole: GroupStatistics
) -> tuple[str, Ints, list[Fraction]]:
    """Find the column, the kind of each of its values, and the largest share of each kind."""
    name, found = whole.histogram(requirement.column)
    each = np.arange(len(found.labels))
    if isinstance(requirement, AlphaK):
        asked = [requirement.value in (None, label) for label in found.labels]
        return name, each, [requirement.share if yes else Fraction(1) for yes in asked]
    levels = requirement.level_of_codes(found)
    if requirement.scope == "level":
        return name, levels, list(requirement.shares)
    return name, each, [requirement.shares[level] for level in levels.tolist()]


def _dense(values: Ints) -> Ints:
    return np.unique(values, return_inverse=True)[1].astype(np.int64)
