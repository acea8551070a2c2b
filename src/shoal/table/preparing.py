"""Prepare columns as they come in: dates are read, ages counted, numbers rounded and cut off.

It stands in the table's room, before encoding: all that groups, measures or shows a table sees
prepared cells alone. Verification does the same anew, with code of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from fractions import Fraction
from math import floor
from typing import Any

import polars as pl

from shoal.base.cells import STAR, number_text, texts
from shoal.base.plural import counted
from shoal.errors import InputError, SchemaError, ShoalError
from shoal.io.frames import Coded, Dictionary
from shoal.table.dates import date_format, is_written, to_dates
from shoal.table.hierarchies import CsvFile, Hierarchy, Tree
from shoal.table.numbers import require_finite, to_numbers
from shoal.table.preparation import Preparation, normal_form
from shoal.table.schema import Column, Kind, Role, Schema, is_missing, known_texts

_MOST_DECIMALS = 9
"""Numbers of more decimals are rounded one by one."""


def is_prepared(column: Column) -> bool:
    """Say whether cells of a column are changed, or read as dates, when it comes in."""
    return column.kind is Kind.DATE or column.preparation.changes


def prepared(table: Coded, schema: Schema) -> tuple[Coded, Schema]:
    """Prepare the cells of a table; also give the schema of what comes out.

    Dates become days, dates of birth ages, and numbers are rounded and cut off, as their columns
    ask. The schema that comes out asks for nothing more, so doing it twice changes nothing.

    Raises `InputError` if cells are no dates or no numbers, or somebody is born after the day that
    ages are counted at: they are counted, not shown.

    >>> import shoal
    >>> schema = Schema({"age": shoal.quasi(age_at="2026-01-01"),
    ...                  "pay": shoal.sensitive(round_to=100, top=5000)})
    >>> table = Coded(pl.DataFrame({"age": ["31.12.1990", "2.1.1990"], "pay": [1250, 9999]}))
    >>> prepared(table, schema)[0].frame.rows()
    [(35, 1300), (35, 5000)]
    """
    made: dict[str, Dictionary] = {}
    for name in schema:
        column = schema[name]
        if not is_prepared(column):
            continue
        if table.holds(name):
            made[name] = _prepared(table, schema, name)
        schema = schema.with_columns({name: column.prepared})
    return table.with_columns(made), schema


def with_formats(table: Coded, schema: Schema) -> Schema:
    """Find how dates are written, where the schema leaves it open."""
    for name in schema:
        column = schema[name]
        dated = column.kind is Kind.DATE or column.age_at is not None
        if not dated or column.format is not None or not table.holds(name):
            continue
        values = table[name].values
        if not is_written(values):
            continue
        tokens = schema.missing_of(name)
        try:
            found = date_format(known_texts(values, tokens))
        except ShoalError:
            found = date_format(known_texts(table.cells(name), tokens))  # errors count cells
        schema = schema.with_column(name, format=found)
    return schema


def given_cells(table: Coded, given: Coded, schema: Schema) -> Coded:
    """Put the cells that came in back into a prepared table."""
    return table.with_columns({name: given[name] for name in schema if is_prepared(schema[name])})


def with_preparation_of(encoded: Schema, requested: Schema) -> Schema:
    """Put back into the schema of a prepared table what was asked of cells that come in."""
    for name in encoded:
        wanted = requested[name].preparation
        if wanted:
            encoded = encoded.with_column(name, **vars(wanted))
    return encoded


def _prepared(table: Coded, schema: Schema, name: str) -> Dictionary:
    """Prepare a column value by value; where something is wrong, errors count its cells."""
    try:
        return table[name].map(lambda values: _change(values.alias(name), schema))
    except ShoalError:
        _change(table.cells(name), schema)
        raise


def _change(values: pl.Series, schema: Schema) -> pl.Series:
    """Prepare the cells of a column: each becomes what follows from it alone."""
    column, requested = schema[values.name], schema[values.name].preparation
    mask = is_missing(values, schema.missing_of(values.name))
    if requested.normalize:
        return unified(values, mask, column, schema.missing_of(values.name))
    if column.kind is Kind.DATE or requested.age_at is not None:
        days = to_dates(values, mask, requested.format)
        if requested.age_at is None:
            return days
        numbers = ages(days, date.fromisoformat(requested.age_at))
    else:
        numbers = _numbers(values, mask, requested)
    numbers = cut_off(rounded(numbers, requested.round_to), requested.bottom, requested.top)
    if column.role is not Role.QUASI:
        numbers = _as_given(values, numbers, mask)
    _require_known(numbers, mask, schema)
    return numbers.alias(values.name)


def unified(
    values: pl.Series, mask: pl.Series, column: Column, missing: Iterable[str]
) -> pl.Series:
    """Let texts that differ in case, spaces or Unicode form alone be one.

    Each becomes what follows from it and the plan: a value that the plan spells in its hierarchy,
    levels or degrees is written as there, and a text that then means missing is missing; every
    other becomes its normal form.

    >>> import shoal
    >>> cells = pl.Series(["HIV", "hiv ", "Flu", " "])
    >>> column = shoal.sensitive(normalize=True, degrees={"HIV": 9})
    >>> unified(cells, cells == "", column, ["", "*"]).to_list()
    ['HIV', 'HIV', 'flu', '']
    """
    if values.dtype != pl.String:
        return values  # other types have one form for each value
    spelled = plan_spellings(column) | {normal_form(token): token for token in missing}
    made = [
        cell if absent or cell is None else spelled.get(form := normal_form(cell), form)
        for cell, absent in zip(values, mask, strict=True)
    ]
    return pl.Series(values.name, made, dtype=pl.String)


def plan_spellings(column: Column) -> dict[str, str]:
    """Say how a plan writes the values that it names, by their normal form."""
    tree = column.hierarchy
    if isinstance(tree, CsvFile | Tree):  # they do not look at values
        tree = tree.build(pl.Series([], dtype=pl.String))
    levels, degrees = column.levels or {}, column.degrees or {}
    levels_and_degrees: dict[str, Any] = {
        w: (levels.get(w), degrees.get(w)) for w in {*levels, *degrees}
    }
    if isinstance(tree, Hierarchy):  # levels and degrees are of its nodes then
        levels_and_degrees = dict(
            zip(tree.leaves, tree.parent[tree.leaf_nodes].tolist(), strict=True)
        )
    made: dict[str, str] = {}
    for word in sorted(levels_and_degrees):
        if levels_and_degrees[made.setdefault(normal_form(word), word)] != levels_and_degrees[word]:
            raise SchemaError(
                "The plan treats values differently that normalize merges, because they "
                "differ only in case, spaces or Unicode form.",
                "Name each value once in the hierarchy, the levels and the degrees of its column.",
            )
    return made


def ages(births: pl.Series, day: date) -> pl.Series:
    """Count whole years from days of birth to a day; who is born on 29 February ages on 1 March.

    >>> births = pl.Series([date(1990, 1, 1), date(1990, 1, 2), date(1992, 2, 29), None])
    >>> ages(births, date(2026, 1, 1)).to_list()
    [36, 35, 33, None]
    """
    unborn = int((births > day).sum())
    if unborn:
        raise InputError(
            f"Column '{births.name}' holds {counted(unborn, 'date')} after age_at = {day}.",
            "A birth date cannot be later: choose a later day, or mark these dates as missing.",
        )
    month, number = births.dt.month(), births.dt.day()
    later = (month > day.month) | ((month == day.month) & (number > day.day))
    return (day.year - births.dt.year().cast(pl.Int64)) - later.cast(pl.Int64)


def rounded(numbers: pl.Series, step: float | int | None) -> pl.Series:
    """Take the nearest multiple of a step; a number in the middle of two becomes the larger.

    >>> rounded(pl.Series([149, 150, -150, None]), 100).to_list()
    [100, 200, -100, None]
    >>> rounded(pl.Series([0.15, 0.25]), 0.1).to_list()
    [0.2, 0.3]
    """
    if step is None:
        return numbers
    by = Fraction(number_text(step))
    for decimals in range(_MOST_DECIMALS + 1):
        units = _in_units(numbers, by, decimals)
        if units is None:
            continue
        whole = int(by * 10**decimals)
        multiples = (2 * units + whole) // (2 * whole) * whole
        if numbers.dtype == pl.Int64 and not decimals:
            return multiples
        return _divided(multiples.cast(pl.Float64), decimals)
    distinct, half = numbers.drop_nulls().unique(), Fraction(1, 2)
    made = [floor(Fraction(number_text(each)) / by + half) * by for each in distinct.to_list()]
    kind: Any = pl.Float64
    if numbers.dtype == pl.Int64 and all(n.denominator == 1 and abs(n) < 2**63 for n in made):
        kind = pl.Int64
    values = pl.Series([int(n) if kind == pl.Int64 else float(n) for n in made], dtype=kind)
    return numbers.replace_strict(distinct, values, default=None, return_dtype=kind)


def cut_off(numbers: pl.Series, bottom: float | int | None, top: float | int | None) -> pl.Series:
    """Let larger numbers be the top, and smaller ones the bottom.

    >>> cut_off(pl.Series([5, 30, 104, None]), 18, 90).to_list()
    [18, 30, 90, None]
    """
    ends = [end for end in (bottom, top) if end is not None]
    if not ends:
        return numbers
    if any(end != int(end) for end in ends) and numbers.dtype == pl.Int64:
        numbers = numbers.cast(pl.Float64)
    if numbers.dtype == pl.Int64:
        bottom, top = (None if end is None else int(end) for end in (bottom, top))
    return numbers.clip(bottom, top)


def _in_units(numbers: pl.Series, step: Fraction, decimals: int) -> pl.Series | None:
    """Write numbers as whole ones of a power of ten; ``None`` if they, or the step, are not."""
    scale = 10**decimals
    if (step * scale).denominator > 1:
        return None
    ends: list[Any] = [end for end in (numbers.min(), numbers.max()) if end is not None]
    largest = max((abs(Fraction(end)) for end in ends), default=Fraction(0)) * scale
    if numbers.dtype == pl.Int64:
        return numbers * scale if largest + step * scale < 2**61 else None
    if largest + step * scale >= 2**53:
        return None
    scaled = (numbers * float(scale)).round()
    same = (_divided(scaled, decimals) == numbers).fill_null(True).all()
    return scaled.cast(pl.Int64) if same else None


def _divided(units: pl.Series, decimals: int) -> pl.Series:
    """Divide by a power of ten; numpy does it exactly, where polars multiplies by a part."""
    return pl.Series(units.name, units.to_numpy() / 10.0**decimals, nan_to_null=True)


def _numbers(values: pl.Series, mask: pl.Series, requested: Preparation) -> pl.Series:
    """Read a column as numbers that can be compared."""
    try:
        numbers = to_numbers(values, mask)
    except ShoalError as error:
        raise InputError(
            error.problem.replace("is numeric", f"has {requested.of_numbers[0]}"),
            f"Leave {requested.of_numbers[0]} out, or list the texts that mean missing.",
        ) from None
    require_finite(numbers, values.name)
    return numbers


def _as_given(values: pl.Series, numbers: pl.Series, mask: pl.Series) -> pl.Series:
    """Write numbers as the column did: texts as texts, and missing cells as they were."""
    if values.dtype == pl.String:
        return texts(numbers).zip_with(~mask, values)
    return numbers.zip_with(~mask, values.cast(numbers.dtype, strict=False))


def _require_known(made: pl.Series, mask: pl.Series, schema: Schema) -> None:
    """Refuse numbers that became a text that means missing."""
    tokens = [each for each in schema.missing_of(made.name) if each not in ("", STAR)]
    lost = int((is_missing(made, tokens) & ~mask).sum()) if tokens else 0
    if lost:
        raise InputError(
            f"{counted(lost, 'cell')} of column '{made.name}' would become a text that means "
            "missing.",
            "Choose another end or step, or another text for missing cells.",
        )
