"""What the values of a column look like, judged by the distinct ones."""

from __future__ import annotations

from enum import StrEnum

import polars as pl

from shoal.table.written_dates import date_format

LARGEST = 1e15
"""Beyond this size, digits are taken for a code: floats no longer tell them all apart."""

_SAMPLE = 500
_UP_TO = 8
_INTEGER = r"^\s*[+-]?[0-9]{1,15}\s*$"
_DECIMAL = r"^\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?\s*$"
_DIGITS = r"^[0-9]+$"
_LEADING_ZERO = r"^0[0-9]"
_CODE = r"^[A-Za-z0-9.\-]*[0-9][A-Za-z0-9.\-]*$"
_BOOLEANS = [set(pair.split()) for pair in ("true false", "yes no", "y n", "t f", "0 1")]
_BOOLEANS += [{"ja", "nein"}, {"j", "n"}, {"是", "否"}]


class Appearance(StrEnum):
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
        return self in (Appearance.INTEGER, Appearance.DECIMAL)


def appearance_of(distinct: pl.Series, known: int) -> tuple[Appearance, str | None]:
    """Say what distinct values look like, and for dates how they are written.

    `distinct`: the distinct values, without missing ones.
    `known`: how many cells hold them.

    Examples
    --------
    >>> [appearance_of(pl.Series([text]), 9)[0].value for text in ("39", "01067")]
    ['integer', 'code']
    >>> appearance_of(pl.Series(["2024-03-17"]), 9)
    (<Appearance.DATE: 'date'>, '%Y-%m-%d')
    """
    if distinct.is_empty():
        return Appearance.NOTHING, None
    dtype = distinct.dtype
    if dtype == pl.Boolean:
        return Appearance.BOOLEAN, None
    if dtype in (pl.Date, pl.Datetime):
        return Appearance.DATE, "%Y-%m-%d"
    if dtype.is_numeric():
        return _of_numbers(distinct), None
    if dtype != pl.String:
        return Appearance.CATEGORY, None
    # A sample rules out most columns at once.
    if date_format(distinct.head(_SAMPLE)) and (written := date_format(distinct)):
        return Appearance.DATE, written
    return _of_texts(distinct, known), None


def _of_numbers(distinct: pl.Series) -> Appearance:
    numbers = distinct.cast(pl.Float64)
    if not numbers.is_finite().all():
        return Appearance.CATEGORY  # ranges cannot end at infinity or at NaN
    if (numbers.abs() > LARGEST).any():
        return Appearance.CODE
    return Appearance.INTEGER if (numbers == numbers.round()).all() else Appearance.DECIMAL


def _of_texts(distinct: pl.Series, known: int) -> Appearance:
    if distinct.len() <= 2:
        words = set(distinct.str.strip_chars().str.to_lowercase())
        if any(words <= pair for pair in _BOOLEANS):
            return Appearance.BOOLEAN
    if _all_match(distinct, _DIGITS):
        if distinct.str.contains(_LEADING_ZERO).any() or not _all_match(distinct, _INTEGER):
            return Appearance.CODE
        return Appearance.INTEGER
    if _all_match(distinct, _DECIMAL):
        numbers = distinct.str.strip_chars().cast(pl.Float64, strict=False)
        if not numbers.has_nulls() and _of_numbers(numbers).is_number:
            return Appearance.INTEGER if _all_match(distinct, _INTEGER) else Appearance.DECIMAL
        return Appearance.CODE
    lengths = distinct.str.len_chars()
    longest = int(str(lengths.max()))
    if _is_prose(distinct, known, longest):
        return Appearance.TEXT
    if distinct.len() > _UP_TO and 3 <= longest <= 20 and lengths.min() == longest:
        return Appearance.CODE if _all_match(distinct, _CODE) else Appearance.CATEGORY
    return Appearance.CATEGORY


def _is_prose(distinct: pl.Series, known: int, longest: int) -> bool:
    """Tell sentences from names of categories: many words, and seldom the same twice."""
    if longest > 200 or distinct.str.contains(r"[\n\r]").any():
        return True
    if distinct.len() <= _UP_TO or distinct.len() < 0.2 * known:
        return False
    some = distinct.head(_SAMPLE).str.strip_chars()
    words = float(str(some.str.count_matches(r"\s+").mean()))
    return words >= 2.5 or float(str(some.str.len_chars().mean())) >= 40


def _all_match(distinct: pl.Series, pattern: str) -> bool:
    if not distinct.head(_SAMPLE).str.contains(pattern).all():
        return False
    return bool(distinct.str.contains(pattern).all())
