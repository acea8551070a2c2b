"""Whole numbers that a file keeps as floats."""

from __future__ import annotations

import polars as pl

EXACT = 2**53
"""Up to here a float holds every whole number."""


def whole_numbers(column: pl.Series) -> pl.Series:
    """Take a column of floats for whole numbers if all of them are; NaN becomes missing.

    >>> whole_numbers(pl.Series([1.0, None, 3.0])).to_list()
    [1, None, 3]
    >>> whole_numbers(pl.Series([1.5, None, float("nan")])).to_list()
    [1.5, None, None]
    """
    if not column.dtype.is_float():
        return column
    known = column.fill_nan(None)
    whole = (known == known.floor()) & (known.abs() <= EXACT)
    return known.cast(pl.Int64) if whole.all() else known
