"""What missing cells cost: rows that were dropped, and known cells that are ``*`` beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from shoal.base.arrays import Bools
from shoal.base.cells import STAR
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding.cells import CategoryCells
from shoal.table import NumericColumn, QuasiColumn

if TYPE_CHECKING:
    from shoal.release import Release


@dataclass(frozen=True)
class MissingCost:
    """What was lost because cells were missing, and for no other reason (private: exact).

    ``rows``: rows that were dropped for a missing cell.
    ``cells``: known cells of published rows that are ``*`` because others were missing.
    ``share``: both as a share of all cells: what they add to the information loss rate at most.

    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"age": [30, 31, None, 50, 50, 50]})
    >>> schema = shoal.Schema({"age": shoal.quasi()})
    >>> MissingCost.of(shoal.anonymize(frame, schema, require=3, method="gaa-cp"))
    MissingCost(rows=0, cells=2, share=0.3333333333333333)
    """

    rows: int
    cells: int
    share: float

    @classmethod
    def of(cls, release: Release) -> MissingCost:
        """Count a release."""
        every = release.missingness.rows * len(release.missingness.columns)
        beside = release.beside_missing
        cells = sum(release.outcomes[name].starred for name in release.suppressed_columns)
        if beside is not None and not release.suppressed_columns:
            cells = int(beside.sum())
        lost = cells + release.n_dropped * len(release.missingness.columns)
        return cls(release.n_dropped, cells, lost / (every or 1))


def starred_beside_missing(release: Release) -> Bools | None:
    """Mark known cells that are ``*`` because a cell of their group was missing.

    A cell that would be ``*`` all the same, because its group shares no finer one, is not marked;
    nor is any where one level was chosen for the whole column. The mask is of the original's rows ×
    columns; ``None`` if there is no such cell.
    """
    table, grouping = release.pair.table, release.groups
    rows, found = release.pair.recoded.rows, None
    if grouping.levels is not None or release.pair.recoded.exact:
        return None
    for place, (column, cells) in enumerate(
        zip(table.quasi, release.pair.recoded.columns, strict=True)
    ):
        absent = table.missing[:, place]
        if column.name in release.suppressed_columns or not absent[rows].any():
            continue
        listed = isinstance(cells, CategoryCells) and cells.sets is not None
        if isinstance(column, NumericColumn) and release.method.numbers == "tree":
            column = column.tree
        holed = groups_with_missing(grouping, column, absent, listed=listed)
        marked = cells.star.take(cells.index) & holed[grouping.labels[rows]] & ~absent[rows]
        if marked.any():
            found = np.zeros(table.missing.shape, dtype=np.bool_) if found is None else found
            found[rows, place] = marked
    return found


def groups_with_missing(
    grouping: Grouping, column: QuasiColumn, absent: Bools, *, listed: bool = False
) -> Bools:
    """Mark the groups that show ``*`` in a column because a cell is missing, and only therefore.

    ``absent``: which cells are missing.
    ``listed``: whether categories are shown as sets of values.
    """
    holed = grouping.largest(absent.astype(np.uint8)) > 0
    return np.asarray(holed & ~_starred_anyway(grouping, column, absent, listed=listed))


def _starred_anyway(
    grouping: Grouping, column: QuasiColumn, absent: Bools, *, listed: bool
) -> Bools:
    """Mark the groups whose known values share no node below a root that is called ``*``."""
    if isinstance(column, NumericColumn) or column.hierarchy.labels[0] != STAR:
        return np.zeros(grouping.n_groups, dtype=np.bool_)
    tree, codes = column.hierarchy, column.codes.astype(np.int64)
    if listed:  # only of all values
        return grouping.distinct(codes) > tree.n_leaves
    least = grouping.least(np.where(absent, column.size, codes))
    largest = grouping.largest(np.where(absent, -1, codes))
    known = largest >= 0
    made = np.zeros(len(known), dtype=np.bool_)
    made[known] = tree.lca_of_codes(least[known], largest[known]) == 0
    return made
