"""Dates as people write them, and a calendar hierarchy over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from shoal.errors import HierarchyError
from shoal.hierarchies import Builder, Dates, Hierarchy
from shoal.hierarchies.values import distinct_texts

__all__ = ["ISO", "MONTHS", "WrittenDates", "are_plain", "date_format", "read_dates"]

ISO = "%Y-%m-%d"
"""Year, month and day, as dates are written where nothing else is said."""

MONTHS = "%Y-%m"
"""The format of months, such as 2024-03, which `shoal.hierarchies.Dates` reads itself."""

# The first that fits all values wins; where day and month can be told apart by no value,
# day first is assumed. The patterns keep out what the calendar would read too kindly.
_FORMATS = {
    "%Y-%m-%d": r"^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}$",
    "%d.%m.%Y": r"^[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}$",
    "%d/%m/%Y": r"^[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}$",
    "%m/%d/%Y": r"^[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}$",
    "%d-%m-%Y": r"^[0-9]{1,2}-[0-9]{1,2}-[0-9]{4}$",
    "%m-%d-%Y": r"^[0-9]{1,2}-[0-9]{1,2}-[0-9]{4}$",
    "%Y/%m/%d": r"^[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}$",
    "%Y.%m.%d": r"^[0-9]{4}\.[0-9]{1,2}\.[0-9]{1,2}$",
    "%Y年%m月%d日": r"^[0-9]{4}年[0-9]{1,2}月[0-9]{1,2}日$",
    "%Y%m%d": r"^(19|20)[0-9]{6}$",
}
_DAY_AND_TIME = r"^\s*([^\sT]+)(?:[\sT]+[0-9]{1,2}:[0-9]{2}.*)?\s*$"
_MONTH = r"^[0-9]{4}-(0[1-9]|1[0-2])$"


def date_format(distinct: pl.Series) -> str | None:
    """Find how the texts of a column write dates, also with a time; ``None`` if they do not.

    Examples
    --------
    >>> date_format(pl.Series(["17.3.2024", "02.11.2023"]))
    '%d.%m.%Y'
    >>> date_format(pl.Series(["03/17/2024 14:05"])), date_format(pl.Series(["soon"]))
    ('%m/%d/%Y', None)
    """
    if distinct.str.contains(_MONTH).all():
        return MONTHS
    for format, pattern in _FORMATS.items():  # noqa: A001  the calendar's word
        days = _days(distinct)
        if not days.str.contains(pattern).fill_null(False).all():
            continue
        if not _read(days, format).has_nulls():
            return format
    return None


def read_dates(distinct: pl.Series) -> pl.Series | None:
    """Read texts that write dates in one way, a month as its first day; ``None`` if none do.

    Examples
    --------
    >>> read_dates(pl.Series(["17.3.2024", "02.11.2023"])).dt.to_string("%Y-%m-%d").to_list()
    ['2024-03-17', '2023-11-02']
    """
    format = date_format(distinct)  # noqa: A001
    if format is None:
        return None
    if format == MONTHS:
        return _read(distinct + "-01", "%Y-%m-%d")
    return _read(_days(distinct), format)


def are_plain(distinct: pl.Series) -> bool:
    """Say whether dates are days without a time, neither months nor moments.

    Examples
    --------
    >>> are_plain(pl.Series(["2024-03-17"])), are_plain(pl.Series(["2024-03-17 10:00"]))
    (True, False)
    """
    if distinct.dtype != pl.String:
        return distinct.dtype == pl.Date
    return not distinct.str.contains(_MONTH).any() and bool((_days(distinct) == distinct).all())


def _days(texts: pl.Series) -> pl.Series:
    """Cut off the time of day; null where there is something else."""
    return texts.str.extract(_DAY_AND_TIME, 1)


def _read(days: pl.Series, format: str) -> pl.Series:  # noqa: A002
    read = days.str.to_date(format, strict=False)
    # The calendar's own names start with four digits of the year.
    return read.set(read.dt.year() < 1000, None)


@dataclass(frozen=True)
class WrittenDates(Builder):
    """Climb the calendar from dates in one way of writing, times included.

    The values stay as they are written; above them stand day, month, quarter, year and
    decade, as `shoal.hierarchies.Dates` writes them.

    Parameters
    ----------
    format
        How dates are written, as in ``%d.%m.%Y``.

    Examples
    --------
    >>> print(WrittenDates("%d.%m.%Y").build(pl.Series(["17.03.2024", "2.3.2024"])).show())
    * (2)
    └── 2020s (2)
        └── 2024 (2)
            └── 2024-Q1 (2)
                └── 2024-03 (2)
                    ├── 2024-03-02 (1)
                    │   └── 2.3.2024
                    └── 2024-03-17 (1)
                        └── 17.03.2024
    """

    format: str

    name: ClassVar[str] = "written-dates"

    def build(self, values: pl.Series) -> Hierarchy:
        """Read the dates, and put the values below them in order of time."""
        written = pl.Series(sorted(distinct_texts(values)), dtype=pl.String)
        days = _read(_days(written), self.format)
        if lost := days.null_count():
            raise HierarchyError(
                f"{lost} of {len(written)} values are not dates.", "Choose another builder."
            )
        iso = days.dt.to_string("%Y-%m-%d")
        tree = Dates().build(iso)
        above = dict(
            zip(
                tree.leaves,
                zip(*(tree.level_labels(i) for i in range(tree.height + 1)), strict=True),
                strict=True,
            )
        )
        order = days.arg_sort().to_list()
        return Hierarchy.from_paths([(written[i], *above[iso[i]]) for i in order])
