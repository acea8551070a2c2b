"""A frame of plain columns: no dictionaries, no nested values."""

from __future__ import annotations

import polars as pl

from shoal.base.plural import counted
from shoal.errors import InputError
from shoal.io.frames.dictionary import Dictionary

_PLAIN = (pl.String, pl.Boolean, pl.Date, pl.Datetime, pl.Time, pl.Decimal)
# Arrow and Parquet have no integers of 128 bits.
_WIDE = ("Int128", "UInt128")
_MOST_DAYS = 73_000_000
"""Days from 1970, back and on, that have a text: some 200,000 years."""


def plain(frame: pl.DataFrame, *, source: str = "the table") -> pl.DataFrame:
    """Give the same cells in plain columns.

    Categorical and Enum columns become text, because their dictionaries keep values that
    were filtered out.

    Raises `InputError` if a column is nested, raw bytes, or of another type without one text per
    value; or if a text holds NUL, where most programs would cut it off.

    >>> plain(pl.DataFrame({"a": pl.Series(["x"], dtype=pl.Enum(["x", "y"]))})).dtypes
    [String]
    """
    made = pl.DataFrame([plain_column(column, source) for column in frame.iter_columns()])
    for column in made.iter_columns():
        require_no_nul(column, column.name, source)
    return made


def plain_column(column: pl.Series, source: str) -> pl.Series:
    """Give the same cells as a plain column, whatever its texts hold (raises `InputError`)."""
    dtype = column.dtype
    name = dtype.base_type().__name__  # the full text of an Enum lists its values
    if name in ("Categorical", "Enum", "Null"):
        column, dtype = column.cast(pl.String), pl.String()
    if (
        dtype.is_float()
        or (dtype.is_integer() and name not in _WIDE)
        or dtype.base_type() in _PLAIN
    ):
        _require_calendar(column, source)
        return column
    kind = "nested values" if dtype.is_nested() else f"values of type {name}"
    raise InputError(
        f"Column '{column.name}' of {source} holds {kind}.",
        "Split it into plain columns, turn it into text, or drop it.",
    )


def _require_calendar(column: pl.Series, source: str) -> None:
    """Refuse days that no calendar can write, such as ``infinity`` of PostgreSQL."""
    if not isinstance(column.dtype, pl.Date | pl.Datetime):
        return
    unit = getattr(column.dtype, "time_unit", None)
    most = _MOST_DAYS * (
        1 if unit is None else 86_400 * {"ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    )
    if most < 2**63 and (beyond := int((~column.to_physical().is_between(-most, most)).sum())):
        raise InputError(
            f"Column '{column.name}' of {source} holds {counted(beyond, 'date')} outside the "
            "calendar, such as 'infinity'.",
            "Make them missing, or turn the column into text.",
        )


def require_no_nul(column: pl.Series | Dictionary, name: str, source: str) -> None:
    """Refuse texts that hold NUL, where most programs would cut them off (raises `InputError`)."""
    values = column.values if isinstance(column, Dictionary) else column
    if values.dtype != pl.String:
        return
    damaged = values.str.contains("\0", literal=True).fill_null(False)
    if damaged.any():
        found = damaged[column.codes] if isinstance(column, Dictionary) else damaged
        raise InputError(
            f"Column '{name}' of {source} holds a NUL in {found.sum()} cells.",
            "The table is damaged, or not text: write it again, or drop the column.",
        )
