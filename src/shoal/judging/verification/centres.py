"""Recount the centres of classes that published cells show."""

from __future__ import annotations

from datetime import date
from typing import Literal

import polars as pl

from shoal.base.arrays import Ints
from shoal.base.cells import STAR, parse_interval, shown, texts
from shoal.io.frames import Coded
from shoal.judging.verification.against import by_column
from shoal.judging.verification.dates import cell_days
from shoal.judging.verification.result import Finding
from shoal.table.numbers import to_numbers
from shoal.table.schema import Kind, Schema, is_missing
from shoal.table.table import resolve

_EPOCH = date(1970, 1, 1).toordinal()
_CLASS, _SHOWN, _TRUE = "class", "shown", "true"
_MOST_DECIMALS = 9
_EXACT = 2.0**53
"""Below it, decimals times a power of ten are whole numbers that floats hold."""


def centred(
    published: pl.DataFrame,
    original: Coded,
    schema: Schema,
    rows: Ints,
    classes: Ints,
    centre: Literal["mean", "median"],
) -> Finding:
    """Check, class by class, that each cell is the centre of what its rows hold.

    A number must be the mean, or the median, of its class, up to half a step of the column's
    decimals (for numbers that have no such decimals: a millionth of their range). A category
    must be a value that a row of its class holds. A class with a missing cell must show ``*``.
    Two groups of the same centre are one class to a reader; all this holds for both together, too.
    """
    schema = resolve(original, schema)
    strange = {
        name: _off_centre(published[name], original.frame[name], schema, rows, classes, centre)
        for name in schema.quasi
    }
    return by_column("cells are the centres of their class", strange)


def _off_centre(
    published: pl.Series,
    original: pl.Series,
    schema: Schema,
    rows: Ints,
    classes: Ints,
    centre: str,
) -> int:
    """Count the rows of classes that show something else than their centre."""
    name = original.name
    mask = is_missing(original, schema.missing_of(name))
    dates = schema[name].kind is Kind.DATE
    numeric = dates or schema[name].kind is Kind.NUMERIC
    if dates:
        since = original.dt.epoch("d").cast(pl.Int64) + _EPOCH
        true = since.set(mask, None)
    else:
        true = to_numbers(original, mask) if numeric else texts(original).set(mask, None)
    cells = pl.DataFrame({_CLASS: classes, _SHOWN: shown(published), _TRUE: true[rows]})
    cells = cells.filter(pl.col(_SHOWN) != STAR)
    if not cells.height:
        return 0
    known = true.drop_nulls()
    size = _largest(known) if numeric else 1.0
    scaled = pl.col(_TRUE).cast(pl.Float64) / size  # at most 1: their sum is no infinite float
    middle = (scaled.mean() if centre == "mean" else scaled.median()).alias("middle")
    held = cells.group_by(_CLASS).agg(
        pl.col(_SHOWN).first(),
        pl.len().alias("rows"),
        pl.col(_TRUE).null_count().alias("holes"),
        middle if numeric else (pl.col(_SHOWN) == pl.col(_TRUE)).any().alias("fits"),
    )
    if numeric:
        near = _step(known, size)
        pairs = zip(held[_SHOWN], held["middle"].fill_null(0.0), strict=True)
        fits = [_is_near(text, middle * size, near, dates=dates) for text, middle in pairs]
        held = held.with_columns(fits=pl.Series(fits, dtype=pl.Boolean))
    wrong = held.filter((pl.col("holes") > 0) | ~pl.col("fits"))
    return int(wrong["rows"].sum())


def _largest(known: pl.Series) -> float:
    """Find the largest number, whatever its sign; 1 if all are 0."""
    ends = [float(end) for end in (known.min(), known.max()) if end is not None]  # type: ignore[arg-type]
    return max(map(abs, ends), default=0.0) or 1.0


def _is_near(text: str, middle: float, near: float, *, dates: bool) -> bool:
    """Say whether a cell is a number, or a day, that is nearly the centre."""
    if dates:
        days = cell_days(text)
        return (
            days is not None and days[0] == days[1] and (abs(days[0].toordinal() - middle) <= near)
        )
    cell = parse_interval(text)
    if cell is None or cell.lo != cell.hi:
        return False
    try:
        return abs(float(cell.lo) - middle) <= near
    except OverflowError:  # a whole number of more than 300 digits
        return False


def _step(known: pl.Series, size: float) -> float:
    """Say how far a rounded number may lie from the true one, with the dust of floats."""
    dust = 1e-12 * size
    decimals = max((len(word.partition(".")[2]) for word in texts(known.unique())), default=0)
    whole = known.dtype == pl.Int64
    if whole or (decimals <= _MOST_DECIMALS and size * 10.0**decimals < _EXACT):
        return 0.5 * 10.0**-decimals * (1 + 1e-9) + dust
    least, largest = float(known.min() or 0), float(known.max() or 0)  # type: ignore[arg-type]
    return 1e-6 * largest - 1e-6 * least + dust
