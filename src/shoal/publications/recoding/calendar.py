"""The grid of rounded ranges of dates: whole weeks, months and years, coarser than the dates."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Ints

Ends = npt.NDArray[Any]

_STEPS_IN_RANGE = 20
_MONTH = 365.2425 / 12
_EPOCH = date(1970, 1, 1).toordinal()
_LAST = date.max.toordinal()


class CalendarStep(NamedTuple):
    """How far the grid's lines lie apart: weeks from Monday on, or months counted from year 0."""

    weeks: int = 0
    months: int = 0

    @property
    def days(self) -> float:
        """Its length in days, on average."""
        return 7 * self.weeks + _MONTH * self.months

    def first(self, days: Ints) -> Ints:
        """Find the first day of the step that each day lies in."""
        if self.weeks:
            return days - (days - 1) % 7  # the first day of year 1 is a Monday
        return np.maximum(_first_days(self._start(days)), 1)

    def last(self, days: Ints) -> Ints:
        """Find the last day of the step that each day lies in."""
        if self.weeks:
            return np.minimum(self.first(days) + 6, _LAST)
        return np.minimum(_first_days(self._start(days) + self.months) - 1, _LAST)

    def _start(self, days: Ints) -> Ints:
        """Number the months from that of January of the year 0, and find where steps start."""
        months = (days - _EPOCH).astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
        return (months + 1970 * 12) // self.months * self.months


def _first_days(months: Ints) -> Ints:
    found = (months - 1970 * 12).astype("datetime64[M]").astype("datetime64[D]")
    return np.asarray(found.astype(np.int64) + _EPOCH)


_STEPS = (
    CalendarStep(weeks=1),
    *(CalendarStep(months=m) for m in (1, 3, 6)),
    *(CalendarStep(months=12 * y) for y in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)),
)


def calendar_step(values: npt.NDArray[Any]) -> CalendarStep:
    """Choose a grid: a week, a month, a quarter, half a year, or 1, 2, 5, 10, 20, … years.

    As for numbers, it is the finest that is at least a twentieth of the range and has at most
    half of the dates at the end of a step: if all are first of January, years would hide nothing.

    ``values``: the different days that published ranges cover, rising.

    >>> births = np.arange(date(1930, 1, 1).toordinal(), date(2005, 1, 1).toordinal())
    >>> calendar_step(births), calendar_step(births[:200])
    (CalendarStep(weeks=0, months=60), CalendarStep(weeks=0, months=1))
    """
    days = values.astype(np.int64)
    if len(days) < 2:
        return _STEPS[1]
    step = _STEPS[0]
    for step in _STEPS:
        if step.days * _STEPS_IN_RANGE < days[-1] - days[0]:
            continue
        at_end = (step.first(days) == days) | (step.last(days) == days)
        if 2 * int(at_end.sum()) <= len(days) + 1:
            break
    return step


def calendar_outward(least: Ends, largest: Ends, step: CalendarStep) -> tuple[Ends, Ends]:
    """Move the ends of ranges to the first and the last day of their steps, never inward.

    A range of one day is left alone: everyone in its group holds it.

    >>> from shoal.base.cells import dates_text
    >>> days = [np.array([date(*each).toordinal()]) for each in ((1956, 3, 2), (1963, 7, 9))]
    >>> lo, hi = calendar_outward(*days, CalendarStep(months=60))
    >>> dates_text(int(lo[0]), int(hi[0]))
    '1955 to 1964'
    """
    shared = least == largest
    return (
        np.where(shared, least, step.first(least.astype(np.int64))),
        np.where(shared, largest, step.last(largest.astype(np.int64))),
    )
