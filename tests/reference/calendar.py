"""Slow, obvious twins of the calendar's grid and of prepared cells: a day, a cell at a time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from math import floor

STEPS = (
    "week",
    *(1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12000),
)
"""A week, or so many months."""


def unit(day: date, step: str | int) -> object:
    """Name the step that a day lies in: days of one step have one name."""
    if step == "week":
        return day.toordinal() - day.weekday()
    assert isinstance(step, int)
    return (day.year * 12 + day.month - 1) // step


def first(day: date, step: str | int) -> date:
    """Walk back as long as the step is the same."""
    while day > date.min and unit(day - timedelta(1), step) == unit(day, step):
        day -= timedelta(1)
    return day


def last(day: date, step: str | int) -> date:
    """Walk on as long as the step is the same."""
    while day < date.max and unit(day + timedelta(1), step) == unit(day, step):
        day += timedelta(1)
    return day


def step_of(days: Sequence[date]) -> str | int:
    """Try one step after the other."""
    held = sorted(set(days))
    if len(held) < 2:
        return 1
    span = (held[-1] - held[0]).days
    for step in STEPS:
        length = Fraction(7) if step == "week" else Fraction(3652425, 120000) * int(step)
        at_end = sum(first(day, step) == day or last(day, step) == day for day in held)
        if length * 20 >= span and 2 * at_end <= len(held) + 1:
            return step
    return STEPS[-1]


def age(birth: date, day: date) -> int:
    """Count birthdays, one by one; 29 February is 1 March where there is none."""
    years = 0
    while True:
        year = birth.year + years + 1
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        month, number = birth.month, birth.day
        if (month, number) == (2, 29) and not leap:
            month, number = 3, 1
        if (year, month, number) > (day.year, day.month, day.day):
            return years
        years += 1


def nearest(value: Fraction, step: Fraction) -> Fraction:
    """Compare the two multiples around a number; the larger wins if they are equally near."""
    below = floor(value / step) * step
    above = below + step
    return above if above - value <= value - below else below
