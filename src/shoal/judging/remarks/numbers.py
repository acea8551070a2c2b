"""Columns of numbers, as texts or typed."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from shoal.table.schema import is_missing

_SAMPLE = 2_000


def numbers_in(values: pl.Series, missing: Sequence[str]) -> bool:
    """Say whether the known cells of a column are numbers, by its first rows."""
    some = values.head(_SAMPLE)
    found = as_numbers(some, missing)
    return found is not None and found.count() > 0


def as_numbers(values: pl.Series, missing: Sequence[str]) -> pl.Series | None:
    """Read a column as numbers, with nulls where cells are missing; ``None`` if it holds others."""
    known = ~is_missing(values, missing)
    if values.dtype.is_numeric():
        read = values.cast(pl.Float64)
    elif values.dtype == pl.String:
        read = values.str.strip_chars().cast(pl.Float64, strict=False)
    else:
        return None
    finite = read.is_finite().fill_null(False)
    if not (finite | ~known).all():
        return None
    return read.zip_with(known, pl.Series([None], dtype=pl.Float64))
