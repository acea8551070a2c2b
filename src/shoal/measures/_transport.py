"""The earth mover's distance of a column of numbers from what readers rebuild of it."""

from __future__ import annotations

import numpy as np

from shoal.base.arrays import Floats
from shoal.measures._margins import says_nothing
from shoal.publications.recoding import CategoryCells, NumberCells
from shoal.publications.recoding.counts import numbers_between
from shoal.table import NumericColumn

_POINT = 1e-9
"""What is narrower, as a share of the range, is a point: its density would hide all others."""


def cell_ends(column: NumericColumn, cells: NumberCells) -> tuple[Floats, Floats]:
    """Find the first and the last number that each distinct cell covers; ``*`` covers all.

    Numbers have the decimals of the column, if it has such: ``[20, 30)`` ends at 29.
    """
    least, largest = (float(end) for end in column.values[[0, -1]])
    lo, hi = cells.lo.astype(np.float64), cells.hi.astype(np.float64)
    if column.exact:
        scale = 10.0**column.decimals
        first, last = numbers_between(column, lo, hi, cells.open_end)
        inside = (first <= last) & ((lo < hi) | cells.open_end)
        lo, hi = np.where(inside, first / scale, lo), np.where(inside, last / scale, hi)
    return np.where(cells.star, least, lo), np.where(cells.star, largest, hi)


def earth_movers(column: NumericColumn, cells: NumberCells | CategoryCells) -> float:
    """Say how far numbers would have to move on average, as a share of the column's range.

    This is the area between the two cumulated distributions (Wasserstein's distance of order
    1). A number with the column's decimals stands for the step around it, so that ``[20, 21]``
    is exactly as far as 20 and 21 are. A constant column's unit is 1. 1 if nothing is left.
    """
    assert isinstance(cells, NumberCells)
    held = column.counts[: column.size]
    shown = np.bincount(cells.index, minlength=len(cells))
    if not held.sum():
        return 0.0
    if not shown.sum():
        return 1.0
    says = ~says_nothing(column, cells)
    if shown[says].any():
        shown = np.where(says, shown, 0)
    values = column.values.astype(np.float64)
    lo, hi = cell_ends(column, cells)
    half = (values[-1] / 2 - values[0] / 2) or 0.5  # the difference of two floats may be infinite
    step = 10.0**-column.decimals / 4 / half if column.exact else 0.0
    left = (np.concatenate([values, lo]) / 2 - values[0] / 2) / half
    right = (np.concatenate([values, hi]) / 2 - values[0] / 2) / half
    mass = np.concatenate([held / held.sum(), -shown / shown.sum()])
    return _area(left - step, right + step, mass)


def _area(left: Floats, right: Floats, mass: Floats) -> float:
    """Integrate the absolute value of a cumulated mass that lies evenly on intervals."""
    width = right - left
    wide = width > _POINT
    dense = np.where(wide, mass, 0.0) / np.where(wide, width, 1.0)
    jump = np.where(wide, 0.0, mass)
    places = np.concatenate([left, right])
    order = np.argsort(places, kind="stable")
    places = places[order]
    slope = np.cumsum(np.concatenate([dense, -dense])[order])[:-1]
    jumped = np.cumsum(np.concatenate([jump, np.zeros(len(jump))])[order])[:-1]
    length = np.diff(places)
    rise = slope * length
    start = jumped + np.cumsum(rise) - rise
    return float((_mean_size(start, start + rise) * length).sum())


def _mean_size(start: Floats, end: Floats) -> Floats:
    """Average the absolute value of what runs straight from start to end."""
    total = np.abs(start) + np.abs(end)
    crossing = start * end < 0
    squares = (start * start + end * end) / np.where(crossing, 2 * total, 1.0)
    return np.where(crossing, squares, total / 2)
