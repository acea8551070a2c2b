"""The text of a published cell: one form per value, written and read here only.

A number is written in its shortest decimal form, an interval as ``[lo, hi]`` (or
``[lo, hi)`` where a hierarchy's interval leaves its end out), a range of dates as
``1955 to 1964``, a set of values as ``{a, b}``, and a missing cell as ``*``.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, NamedTuple

import numpy as np
import polars as pl

STAR = "*"
"""What a missing cell is published as; it equals only itself."""

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_POINT = re.compile(rf"\s*({_NUMBER})\s*\Z")
_INTERVAL = re.compile(rf"\s*\[\s*({_NUMBER})\s*,\s*({_NUMBER})\s*([\])])\s*\Z")


class Interval(NamedTuple):
    """A published number or range; ``open_end`` says that ``hi`` itself is outside.

    Of dates the ends are days of the calendar, counted from 1 for the first day of the year 1.
    """

    lo: float | int
    hi: float | int
    open_end: bool = False


def number_text(value: float | int) -> str:
    """Write a number in the one form Shoal uses for it."""
    if isinstance(value, int | np.integer):
        return str(int(value))
    if value == 0:
        return "0"
    return str(np.format_float_positional(value, trim="-"))


def interval_text(lo: float | int, hi: float | int, open_end: bool = False) -> str:
    """Write the range from ``lo`` to ``hi``; a range of one number is that number.

    Examples
    --------
    >>> interval_text(30, 42), interval_text(7, 7), interval_text(20, 30, open_end=True)
    ('[30, 42]', '7', '[20, 30)')
    """
    if lo == hi and not open_end:
        return number_text(lo)
    return f"[{number_text(lo)}, {number_text(hi)}{')' if open_end else ']'}"


def parse_interval(text: str) -> Interval | None:
    """Read a number or a range; ``None`` if the text is neither."""
    if point := _POINT.match(text):
        value = _number(point[1])
        return Interval(value, value)
    if match := _INTERVAL.match(text):
        lo, hi = _number(match[1]), _number(match[2])
        if lo <= hi:
            return Interval(lo, hi, match[3] == ")")
    return None


def _number(text: str) -> float | int:
    """Read whole numbers as such: a float would round those past 2**53."""
    return int(text) if text.lstrip("+-").isdigit() else float(text)


_DATE = re.compile(
    r"(\d{4})(?:-Q([1-4])|(s)|-(\d\d)(?:-(\d\d)(?:[ T]00:00(?::00(?:\.0+)?)?)?)?)?\Z", re.ASCII
)


def dates_text(first: int, last: int) -> str:
    """Write the days from ``first`` to ``last``: in whole years or months where they are whole.

    Examples
    --------
    >>> days = [date(*each).toordinal() for each in ((1955, 1, 1), (1955, 12, 31), (1964, 12, 31))]
    >>> dates_text(days[0], days[2]), dates_text(days[0], days[1]), dates_text(days[0], days[0])
    ('1955 to 1964', '1955', '1955-01-01')
    >>> dates_text(days[0] + 31, days[1] + 31), dates_text(days[0] + 1, days[0] + 9)
    ('1955-02 to 1956-01', '1955-01-02 to 1955-01-10')
    """
    low, high = date.fromordinal(first), date.fromordinal(last)
    kept = len("YYYY-MM-DD")
    if first != last and low.day == 1 and high.day == monthrange(high.year, high.month)[1]:
        kept = len("YYYY") if (low.month, high.month) == (1, 12) else len("YYYY-MM")
    ends = low.isoformat()[:kept], high.isoformat()[:kept]
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


def parse_dates(text: str) -> Interval | None:
    """Read a day, a month, a quarter, a year, a decade or a range of them as days.

    Returns
    -------
    Interval or None
        The first and the last day, as `datetime.date.toordinal` counts them; ``None`` if the
        text says no dates.
    """
    first, _, last = text.strip().partition(" to ")
    low = _days(first)
    high = _days(last) if last else low
    if low is None or high is None or (last and low[0] > high[1]):
        return None
    return Interval(low[0], high[1])


def _days(text: str) -> tuple[int, int] | None:
    """Give the first and the last day of a unit of the calendar."""
    match = _DATE.match(text)
    if match is None:
        return None
    year = int(match[1])
    first_year = last_year = year
    first_month, last_month = 1, 12
    if match[2]:
        last_month = 3 * int(match[2])
        first_month = last_month - 2
    elif match[3]:
        if year % 10:
            return None
        first_year, last_year = max(year, 1), year + 9
    elif match[4]:
        first_month = last_month = int(match[4])
    try:
        if match[5]:
            day = date(year, first_month, int(match[5])).toordinal()
            return day, day
        first = date(first_year, first_month, 1).toordinal()
        end = monthrange(last_year, last_month)[1]
    except ValueError:  # no such day, or IllegalMonthError
        return None
    return first, date(last_year, last_month, end).toordinal()


_MARKS = re.compile(r"([\\,{}])")
_VALUE = re.compile(r"((?:[^\\,{}]|\\[\\,{}])*)(, |}\Z)", re.DOTALL)


def set_text(values: Sequence[str]) -> str:
    """Write a set of values; a backslash stands before what would end one.

    Examples
    --------
    >>> set_text(["Private", "State-gov"])
    '{Private, State-gov}'
    >>> print(set_text(["1,5", "2"]).replace(chr(92), "BACKSLASH"))
    {1BACKSLASH,5, 2}
    """
    return "{" + ", ".join(_MARKS.sub(r"\\\1", value) for value in values) + "}"


def parse_set(text: str) -> tuple[str, ...] | None:
    """Read a set of two values or more, each once; ``None`` if the text is none."""
    if not text.startswith("{"):
        return None
    values, at = [], 1
    while found := _VALUE.match(text, at):
        values.append(re.sub(r"\\(.)", r"\1", found[1], flags=re.DOTALL))
        at = found.end()
        if found[2] == "}":
            return tuple(values) if len(set(values)) == len(values) > 1 else None
    return None


def texts(values: pl.Series) -> pl.Series:
    """Give each value of a column its one textual form; nulls stay null.

    Examples
    --------
    >>> texts(pl.Series([1.0, 2.5, None])).to_list()
    ['1', '2.5', None]
    >>> texts(pl.Series([3_723_500_000_000, 0]).cast(pl.Time)).to_list()
    ['01:02:03.500', '00:00:00']
    """
    dtype = values.dtype
    if dtype == pl.String:
        return values
    if dtype.is_float() or dtype.is_decimal():
        distinct = values.unique()
        return values.replace_strict(
            distinct, pl.Series(_number_texts(distinct), dtype=pl.String), return_dtype=pl.String
        ).cast(pl.String)  # polars leaves the type of an empty series
    if isinstance(dtype, pl.Datetime) and dtype.time_zone is not None:
        values = values.dt.convert_time_zone("UTC")  # Parquet without metadata keeps only that
    if dtype == pl.Time:
        return values.dt.to_string("iso")  # a cast leaves out parts of a second
    return values.cast(pl.String)


def all_decimals(values: pl.Series) -> pl.Series:
    """Give the same texts, but Decimals all the decimals of their type; `shortest` undoes it.

    Examples
    --------
    >>> all_decimals(pl.Series([0.1, None], dtype=pl.Decimal(10, 3))).to_list()
    ['0.100', None]
    """
    return values.cast(pl.String) if values.dtype.is_decimal() else texts(values)


def shortest(words: pl.Series) -> pl.Series:
    """Write decimal numbers among texts in their one form, without zeros at the end."""
    ends = words.str.contains(r"^-?[0-9]+\.[0-9]*0$").fill_null(False)
    bare = words.str.strip_chars_end("0").str.strip_chars_end(".").str.replace("^-0$", "0")
    return bare.zip_with(ends, words)


def texts_beside(values: pl.Series, other: pl.DataType) -> pl.Series:
    """Give the texts to compare with a column of another type: beside Decimals, 0.100 is 0.1.

    Examples
    --------
    >>> texts_beside(pl.Series(["0.100"]), pl.Decimal(10, 3)).to_list()
    ['0.1']
    >>> texts_beside(pl.Series(["0.100"]), pl.String()).to_list()
    ['0.100']
    """
    made = texts(values)
    return shortest(made) if other.is_decimal() and values.dtype == pl.String else made


def shown(values: pl.Series) -> pl.Series:
    """Read a published column: the text of each cell, ``*`` where a tool has put a null.

    NaN is how some tools write a missing number, so it is read as ``*`` too.

    Examples
    --------
    >>> shown(pl.Series([30.0, None, float("nan")])).to_list()
    ['30', '*', '*']
    """
    if values.dtype.is_float():
        values = values.fill_nan(None)
    made = texts(values)
    return made.fill_null(STAR) if made.null_count() else made


def _number_texts(values: pl.Series) -> Iterable[str | None]:
    if values.dtype.is_decimal():
        for value in values:
            text = None if value is None else format(value, "f")
            yield text if text is None or "." not in text else text.rstrip("0").rstrip(".")
    else:
        short: Any = np.float32 if values.dtype == pl.Float32 else float  # 0.1, not 0.10000000149
        for value in values:
            yield None if value is None else number_text(short(value))
