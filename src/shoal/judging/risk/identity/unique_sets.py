"""Minimal unique sets: which few columns single somebody out (SUDA2, Manning et al. 2008).

A set of columns is unique for a row if nobody else has the row's cells there, and minimal if no
smaller set in it is. The fewer columns it takes and the more such sets a row has, the easier is the
row's person to find (Elliot, Manning and Ford 2002).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import combinations
from math import comb, factorial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from shoal.base.arguments import one_of, require_whole
from shoal.base.arrays import Floats, Ints
from shoal.base.plural import counted
from shoal.errors import ParameterError
from shoal.judging.risk.identity.records import Records, records
from shoal.judging.risk.uniqueness.population import require_fraction
from shoal.kernels.ordering import order_by
from shoal.kernels.uniques.split import split
from shoal.table.schema import SchemaLike

Rows = npt.NDArray[np.int32]
Scoring = Literal["elliot", "ihsn"]

_MOST = 20_000
"""The most sets of columns that are examined."""

_NO_SET = 127


@dataclass(frozen=True)
class UniqueSet:
    """A set of columns that is minimal and unique for some people."""

    columns: tuple[str, ...]
    people: int

    def to_dict(self) -> dict[str, Any]:
        """Write it for programs."""
        return {**asdict(self), "columns": list(self.columns)}


@dataclass(frozen=True)
class UniqueSets:
    """Which sets of columns single people out, and how easily each row's person is found.

    Parameters
    ----------
    columns, largest
        The columns, and how many a set may have.
    sets
        The minimal unique sets, those of most people first; no cell is told.
    people, total
        How many people have one or more, and how many people there are; rows, where every row is
        a person.
    by_size
        How many people are singled out by each number of columns, and not by fewer.
    by_column
        Per column, how many people are singled out by a set with it.
    contributions
        Per column, the share of all scores that comes from sets with it. They add up to more than
        1, as a set has several columns.
    scores, dis_scores
        Per row: the SUDA score, and the estimate of how likely a unique match is right, given that
        the table is a sample.
    """

    columns: tuple[str, ...]
    largest: int
    sets: tuple[UniqueSet, ...]
    people: int
    total: int
    by_size: dict[int, int]
    by_column: dict[str, int]
    contributions: dict[str, float]
    scores: Floats = field(repr=False)
    dis_scores: Floats = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Write it for programs: no rows."""
        made = {each.name: getattr(self, each.name) for each in fields(self) if each.repr}
        del made["sets"]  # they come last
        by_size = {str(size): people for size, people in self.by_size.items()}
        sets = [each.to_dict() for each in self.sets]
        return made | {"columns": list(self.columns), "by_size": by_size, "sets": sets}


def unique_sets(
    table: Any,
    schema: SchemaLike | None = None,
    *,
    quasi: Sequence[str] | None = None,
    people: npt.ArrayLike | None = None,
    largest: int = 4,
    sampling_fraction: float = 0.01,
    scoring: Scoring = "elliot",
    progress: Callable[[int, int], None] | None = None,
) -> UniqueSets:
    """Find the minimal unique sets of columns, and score each row by them; private.

    Parameters
    ----------
    table, schema, quasi, people
        As in `reidentification`. Where people have several rows, a set is unique for a person if
        no other person has the cells.
    largest
        How many columns a set may have.
    sampling_fraction
        Which part of the population the table is; for ``dis_scores`` alone.
    scoring
        ``"elliot"``: a set of k columns adds the product of (columns - i) for i from k to the
        largest size (Elliot et al.). ``"ihsn"``: the weights of sdcMicro up to 5.0.
    progress
        Called with how many sets of columns are done, and how many there are.

    Notes
    -----
    A ``*`` shows nothing: sets in which a row has one are not unique for it.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": [20, 20, 20, 60], "sex": ["m", "m", "f", "m"],
    ...                       "job": ["cook", "nurse", "cook", "cook"]})
    >>> found = shoal.risk.unique_sets(table, quasi=["age", "sex", "job"])
    >>> [(each.columns, each.people) for each in found.sets[:4]]
    [(('age',), 1), (('sex',), 1), (('job',), 1), (('age', 'sex', 'job'), 1)]
    >>> found.scores.tolist(), found.by_size
    ([1.0, 2.0, 2.0, 2.0], {1: 3, 3: 1})
    """
    require_whole("largest", largest, 1, "Such as 4.")
    require_fraction(sampling_fraction)
    one_of("scoring", scoring, ("elliot", "ihsn"))
    found = records(table, schema, quasi=quasi, people=people)
    n = len(found.names)
    largest = min(largest, n)
    if (sets := _count(n, largest)) > _MOST:
        raise ParameterError(
            f"{counted(n, 'column')} have {sets:,} sets of up to {largest}, more than {_MOST:,}.",
            "Name fewer columns with quasi, or a smaller largest size.",
        )
    kept = _Kept.of(found)
    search = _Search(found, kept, largest, _weights(n, largest, scoring))
    if found.sizes.min(initial=1) == 1:  # who is not alone with all cells is not with some
        search.run((lambda done: None) if progress is None else lambda done: progress(done, sets))
    scores = search.scores[kept.place]
    sizes = kept.smallest_per_person(search.smallest)
    return UniqueSets(
        found.names,
        largest,
        tuple(sorted(search.sets, key=lambda each: (-each.people, len(each.columns)))),
        int((sizes < _NO_SET).sum()),
        found.n_people,
        {size: here for size in range(1, largest + 1) if (here := int((sizes == size).sum()))},
        search.by_column(),
        search.contributions(),
        scores,
        _dis(found, scores, sampling_fraction),
    )


def largest_size(columns: int, most: int = 4) -> int:
    """Say how many columns a set may have, so that not too many sets are looked at."""
    while most > 1 and _count(columns, most) > _MOST:
        most -= 1
    return most


def _count(columns: int, largest: int) -> int:
    return sum(comb(columns, size) for size in range(1, largest + 1))


def _weights(n: int, largest: int, scoring: Scoring) -> list[float]:
    """Say what a minimal unique set adds to the score, by its size."""
    made = [0.0]
    for size in range(1, largest + 1):
        if scoring == "elliot":
            product = 1.0
            for i in range(size, min(largest, n - 1) + 1):
                product *= n - i
            made.append(product)
        else:
            rest = n - size
            made.append((2.0**rest - 1) * factorial(size) * factorial(rest) / factorial(n))
    return made


def _dis(found: Records, scores: Floats, fraction: float) -> Floats:
    """Spread how likely a unique match is right over rows, as scores say (Elliot 2000)."""
    uniques = int((found.rows_per_class == 1).sum())
    paired = 2 * int((found.rows_per_class == 2).sum())
    made = np.zeros(len(scores))
    hit = scores > 0
    if not uniques or not hit.any():
        return made
    risk = uniques * fraction / (uniques * fraction + paired * (1 - fraction))
    power = scores[hit] ** (1 + (8 - len(found.names)) / 20)
    made[hit] = 1 / (1 + (uniques / risk - uniques) / (power * (1 / power).sum()))
    return made


@dataclass(frozen=True, eq=False)
class _Kept:
    """The rows that matter: of equal ones those of two people, who hide each other.

    ``rows`` says which rows of the table they are, and ``owner`` whose; ``place`` gives for each
    row of the table the one of them that it is, or is equal to.
    """

    rows: Ints
    owner: Rows
    place: Ints

    @classmethod
    def of(cls, found: Records) -> _Kept:
        # By class, and by person in it, with the first row of each.
        if found.people is None:
            people = np.arange(found.n_rows)
            order = order_by(found.classes, found.n_classes)
        else:
            people = found.people
            order = np.lexsort((people, found.classes))
        mine, whose = found.classes[order], people[order]
        fresh = np.ones(len(order), dtype=np.bool_)
        fresh[1:] = (mine[1:] != mine[:-1]) | (whose[1:] != whose[:-1])
        number = np.cumsum(fresh) - 1
        start = np.flatnonzero(np.concatenate([[True], mine[1:] != mine[:-1]]))
        rank = number - np.repeat(number[start], np.diff(np.append(start, len(order))))
        chosen = fresh & (rank < 2)
        numbered = np.cumsum(chosen) - 1
        place = np.empty(len(order), dtype=np.int64)
        place[order] = numbered
        rows = order[chosen]
        return cls(rows, people[rows].astype(np.int32), place)

    def smallest_per_person(self, smallest: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        """Give the size of each person's smallest set; ``_NO_SET`` where there is none."""
        made = np.full(int(self.owner.max(initial=-1)) + 1, _NO_SET, dtype=np.int8)
        np.minimum.at(made, self.owner, smallest)
        return made


class _Search:
    """Depth-first through the sets of columns, each after all its subsets.

    A row that is alone with some cells is alone with more of them, and nobody else's double: so it
    is left out of all larger sets, and the classes that remain shrink fast. A set is entered after
    its subsets if the columns of a set are added in falling order and tried in rising order.
    """

    def __init__(self, found: Records, kept: _Kept, largest: int, weights: Sequence[float]) -> None:
        n = len(kept.rows)
        self.found, self.kept, self.largest, self.weights = found, kept, largest, weights
        self.codes = [
            np.ascontiguousarray(column.codes[kept.rows]).astype(np.int32)
            for column in found.columns
        ]
        self.scores = np.zeros(n)
        self.smallest = np.full(n, _NO_SET, dtype=np.int8)
        self.total = np.zeros(len(found.names))
        self.points = np.zeros((len(found.names), n), dtype=np.bool_)
        self.sets: list[UniqueSet] = []
        self.unique: dict[frozenset[int], npt.NDArray[np.uint8]] = {}
        widest = max(len(column) for column in found.columns)
        self.held = np.zeros(widest, dtype=np.int64)
        self.first = np.zeros(widest, dtype=np.int32)
        self.place = np.zeros(widest, dtype=np.int64)
        self.met = np.zeros(widest, dtype=np.int64)
        self.alone = np.empty(n, dtype=np.int32)

    def run(self, tell: Callable[[int], None]) -> None:
        """Look at every set of columns, and tell how many are done."""
        self.tell, self.done = tell, 0
        n = len(self.kept.rows)
        self._below((), np.arange(n, dtype=np.int32), np.array([0, n], dtype=np.int64))

    def _below(self, columns: tuple[int, ...], rows: Rows, starts: Ints) -> None:
        for column in range(columns[-1] if columns else len(self.codes)):
            out = np.empty(len(rows), dtype=np.int32)
            out_starts = np.empty(len(rows) // 2 + 2, dtype=np.int64)
            n_classes, n_alone = split(
                rows,
                starts,
                len(starts) - 1,
                self.codes[column],
                self.found.stars[column],
                self.kept.owner,
                self.held,
                self.first,
                self.place,
                self.met,
                out,
                out_starts,
                self.alone,
            )
            chosen = (*columns, column)
            self._note(chosen, self.alone[:n_alone])
            self.done += 1
            if len(chosen) < self.largest and n_classes:
                self._below(chosen, out[: out_starts[n_classes]], out_starts[: n_classes + 1])
            else:
                self.done += _count(column, self.largest - len(chosen))
            self.tell(self.done)

    def _note(self, chosen: tuple[int, ...], alone: Rows) -> None:
        """Keep which rows a set is unique for, and count those for which it is minimal."""
        size = len(chosen)
        minimal = alone
        # The set without its last column is not unique for these rows, as they were left in.
        for fewer in combinations(chosen[:-1], size - 2) if size > 1 else ():
            smaller = self.unique[frozenset((*fewer, chosen[-1]))]
            minimal = minimal[(smaller[minimal >> 3] >> (minimal & 7)) & 1 == 0]
        if size < self.largest:
            held = np.zeros(len(self.kept.rows), dtype=np.bool_)
            held[alone] = True
            self.unique[frozenset(chosen)] = np.packbits(held, bitorder="little")
        if not len(minimal):
            return
        weight = self.weights[size]
        self.scores[minimal] += weight
        self.total[list(chosen)] += weight * len(minimal)
        for column in chosen:
            self.points[column, minimal] = True
        self.smallest[minimal] = np.minimum(self.smallest[minimal], size)
        names = tuple(self.found.names[j] for j in sorted(chosen))
        people = len(minimal)
        if self.found.people is not None:
            people = len(np.unique(self.kept.owner[minimal]))
        self.sets.append(UniqueSet(names, people))

    def by_column(self) -> dict[str, int]:
        """Count the people whom a set with the column singles out."""
        whose = [np.unique(self.kept.owner[marked]) for marked in self.points]
        return dict(zip(self.found.names, map(len, whose), strict=True))

    def contributions(self) -> dict[str, float]:
        """Give each column's share of all scores."""
        scored = float(self.scores.sum())
        shares = self.total / scored if scored else self.total
        return dict(zip(self.found.names, map(float, shares), strict=True))
