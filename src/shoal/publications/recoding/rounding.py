"""Which grid the ranges of a column end on: round numbers, or round places of the calendar."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from shoal.publications.recoding.calendar import CalendarStep, calendar_outward, calendar_step
from shoal.publications.recoding.cells import Ends
from shoal.publications.recoding.grid import grid_step, outward
from shoal.table import NumericColumn

Step: TypeAlias = float | CalendarStep
"""How far the lines of a grid lie apart: of numbers, or of dates."""

Outward: TypeAlias = Callable[[Ends, Ends], tuple[Ends, Ends]]
"""Moves the ends of ranges outward; a range of one number is left alone."""


def outward_of(column: NumericColumn, covered: Ends | None, step: Step | None = None) -> Outward:
    """Choose the grid of a column, and say where the ends of ranges go on it.

    ``covered``: see `step_of`.
    ``step``: the grid, where it is known already.
    """
    found = step_of(column, covered) if step is None else step
    if isinstance(found, CalendarStep):
        return partial(calendar_outward, step=found)
    return partial(outward, step=found)


def step_of(column: NumericColumn, covered: Ends | None) -> Step:
    """Choose the grid of a column.

    ``covered``: the codes of the different values that published ranges cover, rising: no others,
        since the grid would tell of people who are not published.
    """
    values = column.values[covered]
    return calendar_step(values) if column.dates else grid_step(values)
