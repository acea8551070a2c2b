"""Which grid the ranges of a column end on: round numbers, or round places of the calendar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy.typing as npt

from shoal.recode.calendar import calendar_outward, calendar_step
from shoal.recode.grid import grid_step, outward
from shoal.table import NumericColumn

__all__ = ["Outward", "outward_of"]

Ends: TypeAlias = npt.NDArray[Any]

Outward: TypeAlias = Callable[[Ends, Ends], tuple[Ends, Ends]]
"""Moves the ends of ranges outward; a range of one number is left alone."""


def outward_of(
    column: NumericColumn, covered: npt.NDArray[Any] | None, step: float | None = None
) -> Outward:
    """Choose the grid of a column, and say where the ends of ranges go on it.

    Parameters
    ----------
    covered
        The codes of the different values that published ranges cover, rising: no others, since
        the grid would tell of people who are not published.
    step
        The grid of round numbers, where it is known already.
    """
    if step is not None:
        known = step
        return lambda least, largest: outward(least, largest, known)
    values = column.values[covered]
    if column.dates:
        days = calendar_step(values)
        return lambda least, largest: calendar_outward(least, largest, days)
    found = grid_step(values)
    return lambda least, largest: outward(least, largest, found)
