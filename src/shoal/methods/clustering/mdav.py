"""MDAV: groups of k around the records that lie farthest out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from shoal.base.arrays import Ints, Small
from shoal.kernels.clustering.cuts import cut
from shoal.kernels.clustering.mdav import ALIVE, PEOPLE, Search, group
from shoal.kernels.clustering.points import NOWHERE, Nearest, Points
from shoal.kernels.clustering.squares import BINS, Reference, Space
from shoal.kernels.collapse import collapse
from shoal.kernels.ordering import order_by
from shoal.kernels.tree import FAN, MOST_LEVELS, levels
from shoal.methods._trimming import TrimmingMethod
from shoal.methods.base import Progress
from shoal.methods.clustering._greedy import order_points
from shoal.methods.clustering._space import space_of
from shoal.models import Requirement
from shoal.publications.groups.completing import complete, least_size
from shoal.publications.groups.grouping import SUPPRESSED, Grouping, number_by_first
from shoal.table import QuasiColumn, Table

BUDGET = 1_000_000
"""Boxes and points between two looks at the clock: a few hundredths of a second."""

CUTS = 128
"""More parts than wait to be cut at any time."""


@dataclass(frozen=True)
class MDAV(TrimmingMethod):
    """Group the record farthest from the mean with its nearest, then the one farthest from it.

    Microaggregation: groups have k records, the last one up to 2k − 1, so that one record can
    stand for each (`shoal.publications.Microaggregated`, the form it is made for). Choose it where
    readers compute with numbers, and want means and not intervals; `GAACP` looks at the cells of
    intervals and trees, and loses less of those. It draws nothing, and suppresses nothing.

    Notes
    -----
    Domingo-Ferrer and Torra's MDAV-generic: while 3k or more records are left, the record r
    farthest from the mean of what is left forms a group with the k − 1 nearest to it; then the
    record farthest from r does. Of 2k to 3k − 1 that are left the first group is made so, and the
    others are the last one; fewer than 2k are one group.

    The distance of two records is Euclidean (its square is compared): numbers count by their
    difference, categories by the length of the path between them in their tree, so that in a tree
    without inner nodes they are equal or not. Each column is divided by its variance, which for
    categories, too, is half of the mean squared distance of two records, and multiplied by its
    weight: columns of equal weights spread equally. The mean of categories need not be written
    down: as a point it has, for each node, the share of records below it. A missing cell is as far
    from any known one as the ends of the range, or of the tree, are from each other, or nearly.

    Where the schema names an entity column, k counts people: a group takes what is nearest until
    it holds k people, and the last one holds k people or more. Groups that fail a requirement
    besides k are merged with the nearest one, until all hold. Squared distances are exact integers,
    as the columns' factors are; numbers of more than 2¹⁴ steps go to a grid of so many. Ties go to
    the lowest row. Labels number the groups by their lowest row.

    Examples
    --------
    >>> import shoal
    >>> schema = shoal.Schema({
    ...     "name": shoal.identifier(), "age": shoal.quasi(), "sex": shoal.quasi(),
    ...     "zip": shoal.quasi(kind="numeric"), "disease": shoal.sensitive()})
    >>> release = shoal.anonymize(shoal.datasets.patients(1), schema,
    ...     require=[shoal.KAnonymity(2)], method=shoal.MDAV())
    >>> release.grouping.labels.tolist()
    [0, 0, 1, 0, 1]
    >>> release.table.select("age", "sex", "zip").row(2)
    ('50', 'female', '23068')

    References
    ----------
    Domingo-Ferrer, Torra: Ordinal, continuous and heterogeneous k-anonymity through
    microaggregation. Data Mining and Knowledge Discovery 11(2), 2005, 195–212.
    """

    name: ClassVar[str] = "mdav"
    publication: ClassVar[str] = "microaggregated"

    def describe(self) -> str:
        return "MDAV: groups of k around the records farthest from the mean"

    def group_rest(
        self, table: Table, require: Sequence[Requirement], rng: Generator, progress: Progress
    ) -> Grouping:
        """Make groups around far records until none is left; merge those that fail."""
        n, k = table.n_rows, least_size(require)
        space, search = _search(table, k)
        while group(space, search, k, BUDGET):
            progress(n - int(search.counters[ALIVE]), n)
        progress(n, n)
        labels = number_by_first(search.labels).astype(np.int32)
        return complete(table, Grouping(labels), require, table.quasi)


def _search(table: Table, k: int) -> tuple[Space, Search]:
    """Lay out the rows by point, and the points by what they have in common."""
    n, columns = table.n_rows, table.quasi
    space, sums, cells = space_of(columns)
    codes = [cell[column.codes] for cell, column in zip(cells, columns, strict=True)]
    number = collapse(codes, np.diff(space.start).tolist())
    _, firsts = np.unique(number, return_index=True)
    every = (np.stack(codes, axis=1)[firsts] + space.start[:-1]).astype(np.int32)
    laid = _laid(columns, space, every)
    rank = np.empty(len(laid), dtype=np.int64)
    rank[laid] = np.arange(len(laid))
    people = np.arange(n) if table.people is None else table.people
    rows_of = np.bincount(people).astype(np.int64)
    counters = np.zeros(5, dtype=np.int64)
    counters[[ALIVE, PEOPLE]] = n, np.count_nonzero(rows_of)
    tail = np.cumsum(np.bincount(rank[number])).astype(np.int64)
    level = levels(len(laid))
    boxes, d = int(level[-1, 1] - level[1, 0]), len(columns)
    points = Points(
        level=level,
        cells=every[laid],
        head=np.concatenate(([0], tail[:-1])),
        tail=tail,
        rows=order_by(rank[number], len(laid)).astype(np.int64),
        first=np.full(int(level[-1, 1]), NOWHERE, dtype=np.int64),
        ends=np.zeros((boxes, d, 2), dtype=np.int32),
        holds=np.zeros((boxes, d), dtype=np.int64),
        stack=np.zeros((FAN * MOST_LEVELS, 3), dtype=np.int64),
    )
    search = Search(
        points=points,
        sums=sums,
        reference=Reference(
            near=np.zeros(len(space.place), dtype=np.int64),
            own=np.zeros(d, dtype=np.int64),
            least=np.zeros((d, BINS), dtype=np.int64),
            most=np.zeros((d, BINS), dtype=np.int64),
        ),
        found=Nearest(
            heap=np.zeros((k, 2), dtype=np.int64),
            person=people.astype(np.int64),
            slot=np.full(len(rows_of), -1, dtype=np.int64),
        ),
        labels=np.full(n, SUPPRESSED, dtype=np.int32),
        rows_of=rows_of,
        taken=np.zeros(len(laid), dtype=np.int64),
        counters=counters,
    )
    return space, search


def _laid(columns: Sequence[QuasiColumn], space: Space, cells: Small) -> Ints:
    """Order points so that near ones lie side by side; several numbers count as one."""
    own = cells - space.start[:-1]
    numbers = np.flatnonzero(space.numeric)
    if len(numbers) > 1:
        tuples = collapse(list(own[:, numbers].T), np.diff(space.start)[numbers].tolist())
        _, firsts = np.unique(tuples, return_index=True)
        order = np.arange(len(firsts))
        alone = space._replace(factor=np.where(space.numeric, space.factor, 0))
        cut(alone, cells[firsts], order, np.zeros((CUTS, 2), dtype=np.int64))
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        own[:, numbers[0]] = rank[tuples]
    kept = [j for j in range(len(columns)) if j not in numbers[1:]]
    return order_points([columns[j] for j in kept], own.T[kept].astype(np.int64))
