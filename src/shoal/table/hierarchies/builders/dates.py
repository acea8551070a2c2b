"""Builder: dates that lose precision along the calendar."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import ClassVar, NamedTuple

import polars as pl

from shoal.errors import HierarchyError, ParameterError
from shoal.table.hierarchies.base import Builder, require_root
from shoal.table.hierarchies.tree import Hierarchy
from shoal.table.hierarchies.values import distinct_texts

_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)([T ].+)?)?)?\Z", re.ASCII)


class _Day(NamedTuple):
    """A date as far as it is known; 0 stands for an unknown month or day."""

    year: int
    month: int
    day: int


# From fine to coarse: what the level needs to know, and how it is written.
_LEVELS: dict[str, tuple[str, Callable[[_Day], str]]] = {
    "day": ("day", lambda d: f"{d.year:04}-{d.month:02}-{d.day:02}"),
    "month": ("month", lambda d: f"{d.year:04}-{d.month:02}"),
    "quarter": ("month", lambda d: f"{d.year:04}-Q{(d.month + 2) // 3}"),
    "year": ("year", lambda d: f"{d.year:04}"),
    "decade": ("year", lambda d: f"{d.year // 10 * 10:04}s"),
}


@dataclass(frozen=True)
class Dates(Builder):
    """Climb the calendar: ``2024-03-17 → 2024-03 → 2024-Q1 → 2024 → 2020s → *``.

    Values are ISO texts: ``YYYY-MM-DD``, also with a time, ``YYYY-MM`` or ``YYYY``. The value
    itself is the leaf; a less exact date starts at the first level it can say. A column may
    not hold both a month and days of that month, unless ``levels`` leaves the month out.

    Parameters
    ----------
    levels
        Some of day, month, quarter, year, decade, from fine to coarse.
    root
        Label of the root.

    Examples
    --------
    >>> tree = Dates(levels=("month", "year")).build(pl.Series(["2024-03-17", "2023-12-01"]))
    >>> print(tree.show())
    * (2)
    ├── 2023 (1)
    │   └── 2023-12 (1)
    │       └── 2023-12-01
    └── 2024 (1)
        └── 2024-03 (1)
            └── 2024-03-17
    """

    levels: Sequence[str] = ("day", "month", "quarter", "year", "decade")
    root: str = "*"

    name: ClassVar[str] = "dates"
    names_values = False  # nodes are months, quarters, years and decades

    def build(self, values: pl.Series) -> Hierarchy:
        """Climb from each date to the root; leaves are in order of time."""
        require_root(self.root)
        levels = list(self.levels) if isinstance(self.levels, list | tuple) else None
        if levels is None or levels != [name for name in _LEVELS if name in levels]:
            raise ParameterError(
                f"levels must be some of {', '.join(_LEVELS)}, in this order, not {self.levels!r}.",
                "Leave out those you do not want, and keep the order.",
            )
        texts = distinct_texts(values)
        days = {text: day for text in texts if (day := _parse(text)) is not None}
        if unread := len(texts) - len(days):
            raise HierarchyError(
                f"{unread} of {len(texts)} values are not dates.",
                "Write dates as YYYY-MM-DD, or choose another builder.",
            )
        steps = [_LEVELS[name] for name in levels]
        paths = []
        for text in sorted(texts, key=lambda text: (days[text], text)):
            above = [write(days[text]) for needs, write in steps if getattr(days[text], needs)]
            paths.append([text, *above, self.root])
        return Hierarchy.from_paths(paths or [[self.root]])


def days_of(text: str) -> tuple[float, float] | None:
    """Give the first and the last moment that an ISO text may mean, in days of the calendar.

    ``text``: as `Dates` reads it. A month or a year means any of its days, a day the whole number
        of it, a time of day a part of it.

    Gives ``None`` if the text is no date.

    >>> days_of("1970-01-01"), days_of("1970-01-01 12:00")
    ((719163.0, 719163.0), (719163.5, 719163.5))
    >>> first, last = days_of("1970")
    >>> last - first, days_of("soon")
    (364.0, None)
    """
    day = _parse(text)
    if day is None:
        return None
    if len(text) > len("YYYY-MM-DD"):
        moment = datetime.fromisoformat(text).replace(tzinfo=None)
        at = 1 + (moment - datetime.min) / timedelta(days=1)
        return at, at
    first = date(day.year, day.month or 1, day.day or 1).toordinal()
    if day.day:
        last = first
    elif day.month:
        last = first + monthrange(day.year, day.month)[1] - 1
    else:
        last = date(day.year, 12, 31).toordinal()
    return float(first), float(last)


def _parse(text: str) -> _Day | None:
    match = _DATE.match(text)
    if match is None:
        return None
    day = _Day(int(match[1]), int(match[2] or 0), int(match[3] or 0))
    try:
        if match[4]:
            datetime.fromisoformat(text)
        else:
            date(day.year, 1 if match[2] is None else day.month, 1 if match[3] is None else day.day)
    except ValueError:
        return None
    return day
