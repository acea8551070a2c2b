"""What the values of a column look like, told from the distinct ones."""

from __future__ import annotations

from enum import StrEnum

import polars as pl

from shoal.table.written_dates import date_format

__all__ = ["LARGEST", "Looks", "looks_of"]

LARGEST = 1e15
"""Beyond this size, digits are taken for a code: floats no longer tell them all apart."""

_SAMPLE = 500
_FEW = 8
_INTEGER = r"^\s*[+-]?[0-9]{1,15}\s*$"
_DECIMAL = r"^\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?\s*$"
_DIGITS = r"^[0-9]+$"
_LEADING_ZERO = r"^0[0-9]"
_CODE = r"^[A-Za-z0-9.\-]*[0-9][A-Za-z0-9.\-]*$"
_BOOLEANS = (
    {"true", "false"},
    {"yes", "no"},
    {"y", "n"},
    {"t", "f"},
    {"0", "1"},
    {"ja", "nein"},
    {"j", "n"},
    {"是", "否"},
)


class Looks(StrEnum):
    """What the values of a column look like."""

    INTEGER = "integer"
    DECIMAL = "decimal"
    DATE = "date"
    CODE = "code"
    BOOLEAN = "boolean"
    CATEGORY = "category"
    TEXT = "text"
    NOTHING = "nothing"

    @property
    def is_number(self) -> bool:
        """Whether ranges of these values make sense."""
        return self in (Looks.INTEGER, Looks.DECIMAL)


def looks_of(distinct: pl.Series, known: int) -> tuple[Looks, str | None]:
    """Say what distinct values look like, and for dates how they are written.

    Parameters
    ----------
    distinct
        The distinct values, without missing ones.
    known
        How many cells hold them.

    Examples
    --------
    >>> looks_of(pl.Series(["39", "50"]), 9)[0], looks_of(pl.Series(["01067", "10115"]), 9)[0]
    (<Looks.INTEGER: 'integer'>, <Looks.CODE: 'code'>)
    >>> looks_of(pl.Series(["2024-03-17"]), 9)
    (<Looks.DATE: 'date'>, '%Y-%m-%d')
    """
    if distinct.is_empty():
        return Looks.NOTHING, None
    dtype = distinct.dtype
    if dtype == pl.Boolean:
        return Looks.BOOLEAN, None
    if dtype in (pl.Date, pl.Datetime):
        return Looks.DATE, "%Y-%m-%d"
    if dtype.is_numeric():
        return _of_numbers(distinct), None
    if dtype != pl.String:
        return Looks.CATEGORY, None
    if written := _holds_date(distinct):
        return Looks.DATE, written
    return _of_texts(distinct, known), None


def _of_numbers(distinct: pl.Series) -> Looks:
    numbers = distinct.cast(pl.Float64)
    if not numbers.is_finite().all():
        return Looks.CATEGORY  # ranges cannot end at infinity or at NaN
    if (numbers.abs() > LARGEST).any():
        return Looks.CODE
    return Looks.INTEGER if (numbers == numbers.round()).all() else Looks.DECIMAL


def _of_texts(distinct: pl.Series, known: int) -> Looks:
    if distinct.len() <= 2:
        words = set(distinct.str.strip_chars().str.to_lowercase())
        if any(words <= pair for pair in _BOOLEANS):
            return Looks.BOOLEAN
    if _all_match(distinct, _DIGITS):
        if distinct.str.contains(_LEADING_ZERO).any() or not _all_match(distinct, _INTEGER):
            return Looks.CODE
        return Looks.INTEGER
    if _all_match(distinct, _DECIMAL):
        numbers = distinct.str.strip_chars().cast(pl.Float64, strict=False)
        if not numbers.has_nulls() and _of_numbers(numbers).is_number:
            return Looks.INTEGER if _all_match(distinct, _INTEGER) else Looks.DECIMAL
        return Looks.CODE
    lengths = distinct.str.len_chars()
    longest = int(str(lengths.max()))
    if _is_prose(distinct, known, longest):
        return Looks.TEXT
    if distinct.len() > _FEW and 3 <= longest <= 20 and lengths.min() == longest:
        return Looks.CODE if _all_match(distinct, _CODE) else Looks.CATEGORY
    return Looks.CATEGORY


def _is_prose(distinct: pl.Series, known: int, longest: int) -> bool:
    """Tell sentences from names of categories: many words, and seldom the same twice."""
    if longest > 200 or distinct.str.contains(r"[\n\r]").any():
        return True
    if distinct.len() <= _FEW or distinct.len() < 0.2 * known:
        return False
    some = distinct.head(_SAMPLE).str.strip_chars()
    words = float(str(some.str.count_matches(r"\s+").mean()))
    return words >= 2.5 or float(str(some.str.len_chars().mean())) >= 40


def _holds_date(distinct: pl.Series) -> str | None:
    """Find the way of writing dates; a sample rules out most columns at once."""
    if date_format(distinct.head(_SAMPLE)) is None:
        return None
    return date_format(distinct)


def _all_match(distinct: pl.Series, pattern: str) -> bool:
    if not distinct.head(_SAMPLE).str.contains(pattern).all():
        return False
    return bool(distinct.str.contains(pattern).all())
