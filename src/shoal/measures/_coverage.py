"""How many values of its column a published cell covers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Bools, Floats
from shoal.publications.recoding import CategoryCells, NumberCells
from shoal.table import CategoricalColumn, NumericColumn, QuasiColumn
from shoal.table.table import GRID


def covered(column: QuasiColumn, cells: NumberCells | CategoryCells) -> Floats:
    """Count the values that each distinct cell covers; at least 1, at most the whole domain.

    A number covers itself, an interval the units of its column's smallest decimal between its
    ends (an open end excluded), a node the leaves under it, a set its values, and
    ``*`` the whole domain.
    """
    whole = _domain(column)
    if isinstance(cells, CategoryCells):
        count = cells.leaf_counts.astype(np.float64)
    else:
        assert isinstance(column, NumericColumn)
        count = _numbers_between(column, cells.lo, cells.hi, cells.open_end)
    return np.where(cells.star, whole, np.clip(count, 1.0, whole))


def _domain(column: QuasiColumn) -> float:
    """Count the values of a column's domain: its leaves, or the units of its range."""
    if isinstance(column, CategoricalColumn):
        return float(max(column.size, 1))
    if not column.size:
        return 1.0
    ends = column.values[[0, -1]]
    return float(_numbers_between(column, ends[:1], ends[1:], np.zeros(1, dtype=np.bool_))[0])


def _numbers_between(
    column: NumericColumn, lo: npt.NDArray[np.generic], hi: npt.NDArray[np.generic], open_end: Bools
) -> Floats:
    """Count the numbers a column could hold from ``lo`` to ``hi``.

    Numbers that are not short decimals lie on the column's grid of 2³² steps.
    """
    if column.exact and not column.decimals and lo.dtype == hi.dtype == np.int64:
        wide = hi.astype(np.uint64) - lo.astype(np.uint64)  # exact, also past 2**53
        return wide.astype(np.float64) + np.where(open_end, 0.0, 1.0)
    if column.exact:
        below, above = _grid(lo, column.decimals), _grid(hi, column.decimals)
    else:
        half = column.values[[0, -1]] / 2  # the difference of two floats may be infinite
        step = float(half[1] - half[0]) / GRID or 1.0
        below, above = (_near((end.astype(np.float64) / 2 - half[0]) / step) for end in (lo, hi))
    first, last = np.ceil(below), np.floor(above)
    last = np.where(open_end & (last == above), last - 1, last)
    return np.asarray(last - first + 1)


def _grid(values: npt.NDArray[np.generic], decimals: int) -> Floats:
    return _near(values.astype(np.float64) * 10.0**decimals)


def _near(values: Floats) -> Floats:
    """Take what is a whole number but for float dust as that number."""
    whole = np.rint(values)
    return np.where(np.abs(values - whole) <= 1e-9 * np.maximum(np.abs(whole), 1), whole, values)
