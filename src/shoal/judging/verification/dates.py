"""Published ranges of dates, read anew: from the text of a cell alone."""

from __future__ import annotations

import re
from datetime import date, timedelta

_DAY = timedelta(days=1)
_UNIT = re.compile(r"([0-9]{4})(?:(s)|-Q([1-4])|-([0-9]{2})(?:-([0-9]{2}))?)?")


def cell_days(text: str) -> tuple[date, date] | None:
    """Give the first and the last day that a cell covers; ``None`` if it says no dates."""
    ends = text.strip().split(" to ")
    if len(ends) > 2:
        return None
    spans = [_span(end) for end in ends]
    first, last = spans[0], spans[-1]
    if first is None or last is None or first[0] > last[1]:
        return None
    return first[0], last[1]


def _span(text: str) -> tuple[date, date] | None:
    """Read one unit of the calendar; its last day is the one before the next unit."""
    for midnight in ("T", " "):
        day, between, time = text.partition(midnight)
        if between and time and not time.strip("0:."):
            text = day
    found = _UNIT.fullmatch(text)
    if found is None:
        return None
    year, decade, quarter, month, day = found.groups()
    begins = int(year)
    if decade:
        return None if begins % 10 else _until(max(begins, 1), 1, 12 * 10 if begins else 12 * 9)
    if quarter:
        return _until(begins, 3 * int(quarter) - 2, 3)
    if not day:
        return _until(begins, int(month or 1), 1 if month else 12)
    try:
        one = date(begins, int(month), int(day))
    except ValueError:
        return None
    return one, one


def _until(year: int, month: int, months: int) -> tuple[date, date] | None:
    """Give the days from the first of a month on, for so many months."""
    after = year * 12 + month - 1 + months
    try:
        first = date(year, month, 1)
        if after // 12 == date.max.year + 1 and after % 12 == 0:
            return first, date.max
        return first, date(after // 12, after % 12 + 1, 1) - _DAY
    except ValueError:
        return None
