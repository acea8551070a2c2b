"""Columns read as numbers: from any type that holds them, or from text."""

from __future__ import annotations

import polars as pl

from shoal.base.cells import texts
from shoal.base.plural import counted
from shoal.errors import InputError, SchemaError, ShoalError
from shoal.io.frames import Coded
from shoal.table.schema import Kind, Schema, is_missing, known_texts


def to_numbers(values: pl.Series, mask: pl.Series) -> pl.Series:
    """Read a column as Int64 or Float64, null where masked; text in it is an error."""
    known = values.set(mask, None) if mask.any() else values
    dtype = values.dtype
    if dtype.is_integer():
        numbers = known.cast(pl.Int64, strict=False)
        if numbers.null_count() > known.null_count():  # past 2**63
            numbers = known.cast(pl.Float64)
            _require_kept(known, numbers)
    elif dtype == pl.Float32:
        numbers = texts(known).cast(pl.Float64)  # 0.1, not 0.10000000149
    elif dtype.is_float() or dtype.is_decimal():
        numbers = known.cast(pl.Float64)
    elif dtype == pl.String:
        stripped = known.str.strip_chars()
        numbers = stripped.cast(pl.Int64, strict=False)
        if numbers.null_count() > known.null_count():
            numbers = stripped.cast(pl.Float64, strict=False)
    else:
        raise SchemaError(
            f"Column '{values.name}' is numeric in the schema, but holds {dtype}.",
            "Make it categorical.",
        )
    bad = numbers.null_count() - known.null_count()
    if bad:
        raise InputError(
            f"Column '{values.name}' is numeric, but "
            f"{counted(bad, 'cell is not a number', 'cells are not numbers')}.",
            "Make it categorical, or list the texts that mean missing.",
        )
    return numbers


def column_texts(table: Coded, schema: Schema, name: str) -> pl.Series:
    """Give the different values of a column as texts, null where one is missing."""
    values, tokens = table[name].values, schema.missing_of(name)
    if schema[name].kind is not Kind.NUMERIC:
        return known_texts(values, tokens)
    mask = is_missing(values, tokens)
    try:
        return texts(to_numbers(values, mask))
    except ShoalError:
        to_numbers(table.cells(name), mask[table[name].codes])  # errors count cells, not values
        raise


def require_finite(numbers: pl.Series, name: str) -> None:
    """Refuse infinite numbers and NaN."""
    wild = int((~numbers.is_finite()).sum()) if numbers.dtype == pl.Float64 else 0
    if wild:
        raise InputError(
            f"Column '{name}' holds {wild} infinite or NaN numbers.",
            "Replace them, or mark them as missing.",
        )


def _require_kept(whole: pl.Series, numbers: pl.Series) -> None:
    """Refuse whole numbers that a float writes otherwise: another number would be published."""
    rounded = int((texts(numbers) != texts(whole)).sum())
    if rounded:
        raise InputError(
            f"Column '{whole.name}' is numeric, but {rounded} whole numbers past 2^63 cannot be "
            "kept exactly.",
            "Make it categorical, or give it the role identifier if it identifies people.",
        )
