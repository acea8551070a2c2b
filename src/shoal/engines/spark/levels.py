"""Groups in Spark by levels: one place sees the different points, and every row looks up its class.

A method that chooses one level per column for the whole table needs nothing but the points and how
many rows lie at each. So it finds the same levels as on one machine, whatever the number of rows,
and no row moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Ints
from shoal.engines.spark.columns import GROUP
from shoal.engines.spark.grouping import Chosen, Grouped, Work
from shoal.engines.spark.points import every_point
from shoal.methods import Progress
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import Recoded, generalize
from shoal.release.public_facts import most_frequent
from shoal.release.remarks import uneven_remark
from shoal.table import NumericColumn, QuasiColumn, Table

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import Column, DataFrame


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of chosen levels, found by the codes of a row that lies anywhere."""

    cells: tuple[Ints, ...]
    """By column, the node that each code shows at its level."""
    sizes: tuple[int, ...]
    """By column, how many cells there may be."""
    beginnings: tuple[Ints, ...]
    """By column, the different beginnings of classes up to it, sorted: each is a beginning up to
    the column before, times the size, plus a cell."""
    groups: Ints
    """The group of each class; below 0 if it is suppressed."""

    @classmethod
    def of(cls, points: Table, found: Grouping) -> Classes:
        """Put the classes of all points together."""
        assert found.levels is not None, "the method chooses one level per column"
        cells = tuple(_cells(column, found.levels[column.name]) for column in points.quasi)
        sizes = tuple(int(each.max()) + 1 for each in cells)
        at, beginnings = np.zeros(points.n_rows, dtype=np.int64), []
        for column, own, size in zip(points.quasi, cells, sizes, strict=True):
            known, at = np.unique(at * size + own[column.codes], return_inverse=True)
            beginnings.append(known)
        groups = np.empty(len(known), dtype=np.int64)
        groups[at] = found.labels
        return cls(cells, sizes, tuple(beginnings), groups)

    def find(self, codes: Sequence[npt.NDArray[Any]]) -> Ints:
        """Give the group of each row."""
        at = np.zeros(len(codes[0]), dtype=np.int64)
        levels = zip(codes, self.cells, self.sizes, self.beginnings, strict=True)
        for own, cells, size, known in levels:
            at = np.searchsorted(known, at * size + cells[own])
        return self.groups[at]


def _cells(column: QuasiColumn, level: int) -> Ints:
    """Give the node that each code of a column shows at a level.

    A missing cell, the last code, stands at the root: below it, it is a cell of its own.
    """
    every = replace(column, codes=np.arange(column.size + 1))
    leaves = every.tree if isinstance(every, NumericColumn) else every
    return leaves.hierarchy.at_level(level).astype(np.int64)[leaves.codes]


def group_by_levels(
    rows: DataFrame,
    work: Work,
    share: Callable[[Classes], Broadcast[Classes]],
    progress: Progress | None = None,
) -> Grouped:
    """Find levels for encoded rows; those of classes that fail have a group below 0.

    `share`: lets every worker know the classes.
    Raises `InfeasibleError` if there are more points than one place can hold, or no levels hold.
    """
    points = every_point(rows, work.domain, work.require)
    counts = points.multiplicity
    assert counts is not None
    rng = np.random.default_rng(work.seed)
    found = work.method.group(points, work.require, rng=rng, progress=progress)
    lost = int(counts[found.labels < 0].sum())
    group = _group(share(Classes.of(points, found)), work.domain.layout.codes)
    chosen = _chosen(points, found, generalize(points, found))
    return Grouped(rows.withColumn(GROUP, group), 1, lost, found.n_groups, chosen)


def _group(classes: Broadcast[Classes], codes: Sequence[str]) -> Column:
    """Look the group of a row up by its codes: nothing else of it goes to Python."""
    from pandas import Series  # type: ignore[import-untyped]
    from pyspark.sql.pandas.functions import pandas_udf

    def find(*codes):  # type: ignore[no-untyped-def]
        return Series(classes.value.find([each.to_numpy() for each in codes]))

    find.__annotations__ = {"codes": Series, "return": Series}  # Spark reads types, not their names
    looked_up: Any = pandas_udf(find, "long")  # type: ignore[call-overload]
    return cast("Column", looked_up(*codes))


def _chosen(points: Table, found: Grouping, shown: Recoded) -> Chosen:
    """Say what each group shows, and which cell of each column most rows show."""
    labels, counts = found.labels[found.rows], points.multiplicity
    assert counts is not None
    first = np.unique(labels, return_index=True)[1]
    cells = tuple(replace(each, index=each.index[first]) for each in shown.columns)
    sizes = np.bincount(labels, counts[found.rows], minlength=len(first))
    examples = {}
    for column, each in zip(points.quasi, cells, strict=True):
        words = each.texts()
        held = np.bincount(each.index, sizes, minlength=len(words))
        cell = most_frequent(words, held)
        if cell is not None:
            examples[column.name] = cell
    assert found.levels is not None
    remarks = uneven_remark(points.quasi, found.levels)
    return Chosen(cells, found.search or {}, examples, remarks)
