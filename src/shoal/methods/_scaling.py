"""Distances as exact integers: fractions over one denominator, in one place for all methods.

Ties are common, and float sums break them at random. So weights are read as they are written, and
costs become whole multiples of a common denominator. Where sums of these do not fit in 64 bits,
positions go to a grid of 2²⁰ steps over the range of a column, and other costs are rounded to a
denominator of 2²⁰ · 720, the heaviest column weighing 1: still integers, still the same for every
implementation, but no longer the exact fractions.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from shoal.base.arrays import Ints
from shoal.table import NumericColumn, QuasiColumn

GRID = 2**20
"""What is measured, and has no exact fraction, is a whole multiple of 1 / GRID."""

FALLBACK = GRID * 720
"""The denominator of costs whose exact one is too large; 720 has many divisors."""

SUMS_BELOW = 2**62


def weight_of(column: QuasiColumn) -> Fraction:
    """Read a column's weight as it is written: 0.1 is a tenth."""
    return Fraction(str(column.weight))


def sums_fit(most: Fraction | int) -> bool:
    """Say whether sums of at most so much fit in 64 bits, with room to add two of them."""
    return most < SUMS_BELOW


def on_grid(value: float) -> int:
    """Round a number to steps of the grid.

    Examples
    --------
    >>> on_grid(0.5) == GRID // 2
    True
    """
    return round(value * GRID)


def positions(column: NumericColumn, whole: Fraction, *, exact: bool = True) -> Ints:
    """Scale a numeric column's values, so that its whole range is ``whole``, a common multiple.

    If not ``exact``, the range is ``whole`` only about: an even number of units per grid step, so
    that halves are whole.
    """
    offsets, reach = column.offsets, column.reach
    if reach == 0:
        return np.zeros(len(offsets), dtype=np.int64)
    if exact:
        return np.asarray(offsets.astype(np.int64) * int(whole / reach))
    steps = np.rint(offsets / reach * GRID).astype(np.int64)
    return np.asarray(steps * (2 * round(whole / GRID / 2)))
