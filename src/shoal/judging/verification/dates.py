"""Published ranges of dates, read anew: from the text of a cell alone."""

from __future__ import annotations

from datetime import date, timedelta

_DAY = timedelta(days=1)


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
    year, rest = text[:4], text[4:]
    if len(year) < 4 or not (year.isascii() and year.isdigit()):
        return None
    begins = int(year)
    if rest == "":
        return _until(begins, 1, 12)
    if rest == "s":
        if begins % 10:
            return None
        return _until(max(begins, 1), 1, 12 * 10 if begins else 12 * 9)
    if rest in ("-Q1", "-Q2", "-Q3", "-Q4"):
        return _until(begins, 3 * int(rest[2]) - 2, 3)
    parts = rest.split("-")
    numbers = [
        int(part) for part in parts[1:] if len(part) == 2 and part.isascii() and part.isdigit()
    ]
    if parts[0] or len(numbers) < len(parts) - 1 or len(numbers) not in (1, 2):
        return None
    if len(numbers) == 1:
        return _until(begins, numbers[0], 1)
    try:
        one = date(begins, *numbers)
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
