"""Numbers as people write them in a place: a decimal comma, a point between thousands."""

from __future__ import annotations

import re

import polars as pl

from shoal.errors import ParameterError

_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"


def check_signs(decimal: str | None, thousands: str | None = None) -> None:
    """Refuse signs that cannot stand in a number, or that are the same (raises `ParameterError`).

    >>> check_signs(",", ".")
    >>> check_signs(",", ",")
    Traceback (most recent call last):
    shoal.errors.ParameterError: The decimal sign and the thousands sign are the same. Choose two
    characters.
    """
    if decimal not in (None, ".", ","):
        raise ParameterError("The decimal sign must be ',' or '.'.", "Such as decimal = ','.")
    if thousands is not None and (len(thousands) != 1 or re.match(r"[\w+\-\"\r\n\t]", thousands)):
        raise ParameterError(
            "The thousands sign must be one character other than a letter, a digit or a sign.",
            "Such as thousands = '.'.",
        )
    if thousands == (decimal or "."):
        raise ParameterError(
            "The decimal sign and the thousands sign are the same.", "Choose two characters."
        )


def with_point(words: pl.Series, decimal: str, thousands: str = "") -> pl.Series:
    """Write numbers in one form, with a decimal point alone; null where a text is no number.

    Thousands may be left together, but where they are apart, each has three digits.

    >>> with_point(pl.Series(["3.865,11", "-0,5", "12", "1.2", "x"]), ",", ".").to_list()
    ['3865.11', '-0.5', '12', None, None]
    """
    point = re.escape(decimal)
    digits = "[0-9]+"
    if thousands:
        digits = rf"(?:[0-9]{{1,3}}(?:{re.escape(thousands)}[0-9]{{3}})+|[0-9]+)"
    number = rf"^\s*[+-]?(?:{digits}(?:{point}[0-9]+)?|{point}[0-9]+)(?:[eE][+-]?[0-9]+)?\s*$"
    fits = words.str.contains(number)
    plain = words.str.replace_all(thousands, "", literal=True) if thousands else words
    return plain.str.replace(decimal, ".", literal=True).set(~fits.fill_null(False), None)


def is_number(words: pl.Series) -> pl.Series:
    """Mark texts that are numbers with a decimal point, or without one."""
    return words.str.contains(rf"^{_NUMBER}$")


def with_comma(words: pl.Series) -> pl.Series:
    """Write numbers with a decimal comma, and ranges of numbers with a semicolon.

    >>> with_comma(pl.Series(["3865.11", "[1.5, 2.5)", "[20, 30]", "*", "1,5"])).to_list()
    ['3865,11', '[1,5; 2,5)', '[20; 30]', '*', '1,5']
    """
    ranges = words.str.contains(rf"^\[{_NUMBER}, {_NUMBER}[\])]$").fill_null(False)
    apart = words.str.replace(", ", "; ", literal=True).str.replace_all(".", ",", literal=True)
    return apart.zip_with(ranges | is_number(words).fill_null(False), words)


def without_comma(words: pl.Series) -> pl.Series:
    """Undo `with_comma`, of texts that it changed or that hold no comma.

    >>> without_comma(pl.Series(["3865,11", "[1,5; 2,5)", "*", "a, b"])).to_list()
    ['3865.11', '[1.5, 2.5)', '*', 'a, b']
    """
    number = _NUMBER.replace(r"\.", ",")
    changed = words.str.contains(rf"^(?:{number}|\[{number}; {number}[\])])$").fill_null(False)
    back = words.str.replace_all(",", ".", literal=True).str.replace("; ", ", ", literal=True)
    return back.zip_with(changed, words)
