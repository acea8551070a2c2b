"""Published intervals as numbers, and ranges of dates as days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import polars as pl

from shoal.base.cells import STAR, number_text, parse_dates, parse_interval, shown
from shoal.io.frames import free_name
from shoal.publications.published.tables import Published
from shoal.table.schema import Kind, Schema

_EPOCH = date(1970, 1, 1).toordinal()


def with_interval_ends(published: Published, schema: Schema) -> pl.DataFrame:
    """Write each numeric quasi-identifier as where its interval begins, ends, and the middle.

    Ranges of dates become the first day, the last, and the one in the middle.

    >>> import shoal
    >>> table = Published(pl.DataFrame({"age": ["[20, 29]", "40", "*"]}))
    >>> with_interval_ends(table, shoal.Schema({"age": shoal.quasi()})).rows()
    [(20, 29, 24.5), (40, 40, 40.0), (None, None, None)]
    """
    made: list[pl.Series] = []
    taken = list(published.frame.columns)
    for column in published.frame:
        name = column.name
        dates = name in schema.quasi and schema[name].kind is Kind.DATE
        if name not in schema.quasi or not (dates or is_numeric(shown(column), schema, name)):
            made.append(column)
            continue
        cells = shown(column)
        distinct = cells.unique()
        read = [parse_dates(text) if dates else parse_interval(text) for text in distinct]
        ends = [(None,) * 3 if e is None else (e.lo, e.hi, e.lo / 2 + e.hi / 2) for e in read]
        for end, values in zip(("lo", "hi", "mid"), zip(*ends, strict=True), strict=True):
            taken.append(free_name(f"{name}_{end}", taken))
            numbers = _days(values) if dates else _numbers(values)
            found = cells.replace_strict(distinct, numbers, return_dtype=numbers.dtype)
            made.append(found.alias(taken[-1]))
    return pl.DataFrame(made)


def _numbers(values: Sequence[float | int | None]) -> pl.Series:
    """Keep whole numbers whole, as far as 64 bits hold them."""
    if all(v is None or (isinstance(v, int) and abs(v) < 2**63) for v in values):
        return pl.Series(values, dtype=pl.Int64)
    return pl.Series([None if v is None else float(v) for v in values], dtype=pl.Float64)


def _days(values: Sequence[float | int | None]) -> pl.Series:
    """Write days of the calendar as dates; half a day is left out."""
    since = [None if each is None else int(each) - _EPOCH for each in values]
    return pl.Series(since, dtype=pl.Int32).cast(pl.Date)


def is_numeric(cells: pl.Series, schema: Schema, name: str) -> bool:
    """Say whether a column shows numbers; without a word on it, its cells tell.

    A text like 01234 is a code.
    """
    known = schema[name]
    if known.kind is not None:
        return known.kind is Kind.NUMERIC
    distinct = cells.filter(cells != STAR).unique()
    return known.hierarchy is None and len(distinct) > 0 and all(map(_is_number, distinct))


def _is_number(text: str) -> bool:
    found = parse_interval(text)
    return found is not None and (found.lo != found.hi or number_text(found.lo) == text)
