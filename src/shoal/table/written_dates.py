"""Dates as people write them, and a calendar hierarchy over them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from shoal.errors import HierarchyError
from shoal.table.dates import read_as, readings
from shoal.table.hierarchies import Builder, Dates, Hierarchy
from shoal.table.hierarchies.values import distinct_texts

ISO = "%Y-%m-%d"
"""Year, month and day, as dates are written where nothing else is said."""

MONTHS = "%Y-%m"
"""The format of months, such as 2024-03, which `shoal.hierarchies.Dates` reads itself."""

_MONTH = r"^[0-9]{4}-(0[1-9]|1[0-2])$"


def date_format(distinct: pl.Series) -> str | None:
    """Find how the texts of a column write dates, also with a time; ``None`` if they do not.

    >>> date_format(pl.Series(["17.3.2024", "02.11.2023"]))
    '%d.%m.%Y'
    >>> date_format(pl.Series(["03/17/2024 14:05"])), date_format(pl.Series(["soon"]))
    ('%m/%d/%Y', None)
    """
    if distinct.str.contains(_MONTH).all():
        return MONTHS
    return next((pattern for pattern, _ in _readings(distinct)), None)


def read_dates(distinct: pl.Series) -> pl.Series | None:
    """Read texts that write dates in one way, a month as its first day; ``None`` if none do.

    >>> read_dates(pl.Series(["17.3.2024", "02.11.2023"])).dt.to_string("%Y-%m-%d").to_list()
    ['2024-03-17', '2023-11-02']
    """
    if distinct.str.contains(_MONTH).all():
        return read_as(distinct + "-01", ISO)
    return next((read for _, read in _readings(distinct)), None)


def _readings(distinct: pl.Series) -> Iterator[tuple[str, pl.Series]]:
    """Give the ways of writing that fit; the day comes first where no value tells it.

    Eight digits are a date only in the last centuries: most others are codes.
    """
    for pattern, read in readings(distinct):
        if (read.dt.year() >= (1900 if pattern == "%Y%m%d" else 1000)).all():
            yield pattern, read


def are_plain(distinct: pl.Series) -> bool:
    """Say whether dates are days without a time, neither months nor moments.

    >>> are_plain(pl.Series(["2024-03-17"])), are_plain(pl.Series(["2024-03-17 10:00"]))
    (True, False)
    """
    if distinct.dtype != pl.String:
        return distinct.dtype == pl.Date
    return not distinct.str.contains(rf"{_MONTH}|[0-9]:[0-9]{{2}}").any()


@dataclass(frozen=True)
class WrittenDates(Builder):
    """Climb the calendar from dates in one way of writing, times included.

    The values stay as they are written; above them stand day, month, quarter, year and
    decade, as `shoal.hierarchies.Dates` writes them.

    ``format``: how dates are written, as in ``%d.%m.%Y``.

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
        days = read_as(written, self.format)
        days = days.set(days.dt.year() < 1000, None)  # the calendar's names have four digits
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
