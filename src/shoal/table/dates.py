"""Columns read as dates: typed ones, or texts that write them in one way."""

from __future__ import annotations

import re
from collections.abc import Iterator

import polars as pl

from shoal.base.cells import texts
from shoal.base.plural import counted
from shoal.errors import InputError

FORMATS = (
    *("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d"),
    *("%Y.%m.%d", "%Y年%m月%d日", "%Y%m%d", "%d %b %Y", "%d %B %Y", "%d-%b-%Y"),
    *("%b %d, %Y", "%B %d, %Y"),
)
"""The ways of writing dates that are recognized by themselves."""

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)

_DIRECTIVES = {
    "Y": "(?P<Y>[0-9]{4})",
    "y": "(?P<y>[0-9]{2})",
    "m": "(?P<m>[0-9]{1,2})",
    "d": "(?P<d>[0-9]{1,2})",
    "b": "(?P<b>[A-Za-z]{3})",
    "B": "(?P<b>[A-Za-z]{3,9})",
    "H": "[0-9]{1,2}",
    "M": "[0-9]{1,2}",
    "S": "[0-9]{1,2}",
    "%": "%",
}
_TIME = r"(?:[\sT]+[0-9]{1,2}:[0-9]{2}.*)?"
"""A time of day may follow: it is left out."""


def to_dates(values: pl.Series, mask: pl.Series, format: str | None = None) -> pl.Series:  # noqa: A002
    """Read a column as days, null where masked; a time of day is left out.

    ``format``: how texts write dates, such as ``%d.%m.%Y``; found by `date_format` if left out.
        Typed columns need none.

    Raises `InputError` if cells are no dates: they are counted, not shown.

    >>> column = pl.Series("birth", ["17.3.1955", "02.11.1960 08:15", ""])
    >>> to_dates(column, column == "").to_list()
    [datetime.date(1955, 3, 17), datetime.date(1960, 11, 2), None]
    """
    if values.dtype in (pl.Date, pl.Null):
        read = values.cast(pl.Date)
    elif isinstance(values.dtype, pl.Datetime):
        read = values.dt.date()
    elif is_written(values):
        known = texts(values).set(mask, None)
        read = read_as(known, format or date_format(known))
    else:
        raise InputError(
            f"Column '{values.name}' should hold dates, but holds {values.dtype}.",
            "Choose another kind.",
        )
    year = read.dt.year()
    read = read.set(mask | (year < 1) | (year > 9999), None)
    bad = int((read.is_null() & ~mask).sum())
    if bad:
        raise _not_dates(values.name, bad, "" if format is None else f" written as {format}")
    return read.alias(values.name)


def is_written(values: pl.Series) -> bool:
    """Say whether cells write dates as texts, or as numbers such as 19550317."""
    return values.dtype in (pl.String, pl.Categorical, pl.Enum) or values.dtype.is_integer()


def date_format(known: pl.Series) -> str:
    """Find how texts write dates; nulls say nothing.

    Raises `InputError` if no way of writing fits all of them, or several do that read other days.

    >>> date_format(pl.Series(["17.3.2024", "02.11.2023"]))
    '%d.%m.%Y'
    >>> date_format(pl.Series("birth", ["01/02/2024", "03/04/2024"]))
    Traceback (most recent call last):
    shoal.errors.InputError: The dates of column 'birth' may be written as %d/%m/%Y or as %m/%d/%Y.
    Choose one with format = "%d/%m/%Y".
    """
    held = known.drop_nulls()
    fitting = list(readings(held))
    if not fitting:
        fewest = min(read_as(held, each).null_count() for each in FORMATS)
        raise _not_dates(known.name, fewest, "")
    if len(fitting) > 1 and len(held):
        formats = " or as ".join(each for each, _ in fitting)
        raise InputError(
            f"The dates of column '{known.name}' may be written as {formats}.",
            f'Choose one with format = "{fitting[0][0]}".',
        )
    return fitting[0][0]


def readings(held: pl.Series) -> Iterator[tuple[str, pl.Series]]:
    """Give each way of writing dates that fits all texts, with the days that it reads.

    Of ways that read the same days, the first is given.

    >>> [way for way, _ in readings(pl.Series(["01/02/2024", "03/04/2024"]))]
    ['%d/%m/%Y', '%m/%d/%Y']
    """
    found: list[pl.Series] = []
    for each in FORMATS:
        if not held.str.contains(_pattern(each)).all():
            continue  # most are ruled out by their looks
        read = read_as(held, each)
        if not read.null_count() and not any(read.equals(other) for other in found):
            found.append(read)
            yield each, read


def read_as(known: pl.Series, format: str) -> pl.Series:  # noqa: A002
    """Read texts by a format; null where one does not fit, or is no day of the calendar."""
    parts = known.str.extract_groups(_pattern(format)).struct.unnest()
    day = parts["d"].str.zfill(2)
    if "b" in parts.columns:
        names = [each.upper()[: None if "%B" in format else 3] for each in MONTHS]
        numbers = [f"{number:02}" for number in range(1, 13)]
        written = parts["b"].str.to_uppercase()
        month = written.replace_strict(names, numbers, default=None, return_dtype=pl.String)
    else:
        month = parts["m"].str.zfill(2)
    if "y" in parts.columns:
        late = parts["y"].cast(pl.Int32) >= 69
        century = late.replace_strict([True, False], ["19", "20"], return_dtype=pl.String)
        year = century + parts["y"]
    else:
        year = parts["Y"]
    read = (year + "-" + month + "-" + day).str.to_date("%Y-%m-%d", strict=False)
    return read.set(read.dt.year() < 1, None)


def _pattern(format: str) -> str:  # noqa: A002
    """Write a format as a regular expression."""
    made = "".join(_expressions(format))
    timed = any(f"%{part}" in format.replace("%%", "") for part in "HMS")
    return rf"^\s*{made}{'' if timed else _TIME}\s*$"


def _expressions(format: str) -> Iterator[str]:  # noqa: A002
    joined = re.search("%[A-Za-z]%[A-Za-z]", format) is not None  # 19550317: two digits each
    signs = iter(format)
    for sign in signs:
        if sign == "%":
            part = _DIRECTIVES[next(signs)]
            yield part.replace("{1,2}", "{2}") if joined else part
        elif sign.isspace():
            yield r"\s+"
        else:
            yield re.escape(sign)


def _not_dates(name: str, bad: int, written: str) -> InputError:
    return InputError(
        f"Column '{name}' is to hold dates, but {counted(bad, 'cell is', 'cells are')} no "
        f"{'date' if bad == 1 else 'dates'}{written}.",
        "Give their format, or list the texts that mean missing.",
    )
