"""GAA-CP: greedy clustering for mixed numeric and categorical quasi-identifiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from shoal.grouping import SUPPRESSED, Grouping
from shoal.kernels import GreedyState, assign, collapse, grow
from shoal.methods.base import Method, Progress, one_of
from shoal.methods.costs import attributes
from shoal.models import KAnonymity, Requirement
from shoal.table import Table

__all__ = ["GAACP"]

BUDGET = 20_000_000
"""Points visited between two looks at the clock: a few hundredths of a second."""


@dataclass(frozen=True)
class GAACP(Method):
    """Grow classes of k records, each time by the record that is nearest to the class.

    A good first choice: it handles numbers and hierarchies together, suppresses nothing,
    and its classes hold k to 2k − 1 records. The work grows with the square of the number
    of distinct records.

    Parameters
    ----------
    distance
        ``"paper"``: Definition 6, the mean over attributes of how far record and class
        must be generalized to meet. ``"loss"``: the exact information loss that the record
        would add, which Proposition 2 promises and Definition 6 only approximates.
    picks
        How the first record is chosen: ``"random"``, or ``"first"`` for the first row.
    seed
        Makes the random pick repeatable.

    Notes
    -----
    Readings of the paper: the pending seed counts as a remaining record, so no row is
    lost; one record joins at a time, also among equals; the next seed is the record
    farthest from the class just closed; left-over records join, in row order, the nearest
    class, which is updated after each. Ties go to the lowest row, or the earliest class.
    Ranges are those of the table. Distances are compared as exact integers. A missing cell
    stands at the root: between a missing and a known cell the difference is ½, so that
    Proposition 1 stays exact; a class with a missing cell is published as ``*``.
    Where the schema names an entity column, a class grows until it holds k people.

    Examples
    --------
    >>> import shoal
    >>> patients = shoal.datasets.patients(1)
    >>> schema = shoal.Schema({
    ...     "name": shoal.identifier(), "age": shoal.quasi(), "sex": shoal.quasi(),
    ...     "zip": shoal.quasi(kind="numeric"), "disease": shoal.sensitive()})
    >>> release = shoal.anonymize(patients, schema, require=[shoal.KAnonymity(2)],
    ...                           method=shoal.GAACP(picks="first"))
    >>> release.grouping.labels.tolist()
    [0, 0, 1, 0, 1]

    References
    ----------
    Jiang, Zeng, Ma: Greedy clustering-anonymity method for privacy preservation of table
    data-publishing. Journal of Software 28(2), 2017, 341–351.
    """

    distance: Literal["paper", "loss"] = "paper"
    picks: Literal["random", "first"] = "random"
    seed: int | None = None

    name: ClassVar[str] = "gaa-cp"
    carries: ClassVar[frozenset[str]] = frozenset({KAnonymity.name})

    def validate(self) -> None:
        """Refuse unknown distances and picks."""
        super().validate()
        one_of("distance", self.distance, ("paper", "loss"))
        one_of("picks", self.picks, ("random", "first"))

    def describe(self) -> str:
        """Say in words how groups are found."""
        by = "the distance of the paper" if self.distance == "paper" else "exact added loss"
        return f"GAA-CP: greedy clustering by {by}"

    def group(
        self,
        table: Table,
        require: Sequence[Requirement],
        *,
        rng: np.random.Generator,
        progress: Progress | None = None,
    ) -> Grouping:
        """Grow classes until fewer than k records are left, then place those."""
        k = max(r.k for r in require if isinstance(r, KAnonymity))
        n = table.n_rows
        attrs = attributes(table.quasi, exact_loss=self.distance == "loss", largest_class=n)
        state = _state(table, k)
        first = 0 if self.picks == "first" else int(rng.integers(n))
        _put_first(state, first)
        while grow(attrs, state, k, BUDGET):
            if progress:
                progress(n - int(state.counters[3]), n)
        labels = state.labels
        labels[labels >= state.counters[1]] = SUPPRESSED  # a class that could not be completed
        codes = np.stack([column.codes for column in table.quasi], axis=1).astype(np.int32)
        for done, row in enumerate(np.flatnonzero(labels == SUPPRESSED)):
            labels[row] = assign(attrs, state, codes[row])
            if progress and done % 64 == 0:
                progress(n - 1, n)
        if progress:
            progress(n, n)
        return Grouping(labels)


def _state(table: Table, k: int) -> GreedyState:
    """Lay out the distinct records as points, with their rows in ascending order."""
    n, d = table.n_rows, len(table.quasi)
    points = collapse([c.codes for c in table.quasi], [c.size + 1 for c in table.quasi])
    rows = np.argsort(points, kind="stable").astype(np.int64)
    ends = np.cumsum(np.bincount(points)).astype(np.int64)
    heads = np.concatenate(([0], ends[:-1])).astype(np.int64)
    codes = np.stack([c.codes[rows[heads]] for c in table.quasi]).astype(np.int32)
    people = np.arange(n, dtype=np.int64) if table.people is None else table.people
    places = sum(column.size + 1 for column in table.quasi)
    return GreedyState(
        codes=np.ascontiguousarray(codes),
        point=np.arange(len(ends), dtype=np.int32),
        distance=np.zeros(len(ends), dtype=np.int64),
        head=heads,
        tail=ends,
        rows=rows,
        person=people,
        seen=np.full(int(people.max()) + 1, -1, dtype=np.int64),
        labels=np.full(n, SUPPRESSED, dtype=np.int32),
        shapes=np.zeros((n // k + 1, d, 4), dtype=np.int64),
        sizes=np.zeros(n // k + 1, dtype=np.int64),
        table=np.zeros(places, dtype=np.int64),
        fresh=np.zeros(places, dtype=np.int64),
        counters=np.array([len(ends), 0, 0, n, 0], dtype=np.int64),
    )


def _put_first(state: GreedyState, row: int) -> None:
    """Make a row the first seed: it goes to the front of its point's rows."""
    where = int(np.flatnonzero(state.rows == row)[0])
    point = int(np.searchsorted(state.tail, where, side="right"))
    front = int(state.head[point])
    _rotate(state.rows[front : where + 1])
    state.counters[2] = point


def _rotate(rows: npt.NDArray[np.int64]) -> None:
    """Move the last entry to the front; the others keep their order."""
    rows[:] = np.roll(rows, 1)
