"""Texts that a spreadsheet would run as formulas: written with an apostrophe, read without.

A text is taken for a formula if it begins with ``= + - @``, a tab or a line end (or the wide
forms of these signs), unless it is a plain number such as ``-5`` or ``+5.2``, or the sign alone,
which computes nothing and often stands for "not known". It gets an
apostrophe before it, which spreadsheets take for "this is text". So does a text in which such
a sign follows apostrophes, so that the way back is always the same: one apostrophe less.
"""

from __future__ import annotations

import polars as pl

FORMULAS = ("escape", "keep")
"""What becomes of such texts in a CSV file; Parquet has types, and needs nothing."""

_BEGINS = r"[=+\-@\t\r\n＝＋－＠]"
_FORMULA = rf"^'*{_BEGINS}"
_ESCAPED = rf"^'+{_BEGINS}"
_HARMLESS = r"^(?:[+-](?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[=+\-@])$"


def escape(words: pl.Series) -> pl.Series:
    """Put an apostrophe before texts that would run as formulas.

    >>> escape(pl.Series(["=1+1", "-5", "-5 km", "-", "'@x", "'tis", None])).to_list()
    ["'=1+1", '-5', "'-5 km", '-', "''@x", "'tis", None]
    """
    run = words.str.contains(_FORMULA).fill_null(False)
    if not run.any():
        return words
    return ("'" + words).zip_with(run & ~words.str.contains(_HARMLESS), words)


def unescape(words: pl.Series) -> pl.Series:
    """Undo `escape`, exactly.

    >>> unescape(pl.Series(["'=1+1", "-5", "''@x", "'tis"])).to_list()
    ['=1+1', '-5', "'@x", "'tis"]
    """
    kept = words.str.contains(_ESCAPED).fill_null(False)
    return words.str.slice(1).zip_with(kept, words) if kept.any() else words
