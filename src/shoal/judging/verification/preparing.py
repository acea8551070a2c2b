"""What cells of the original become before they are published, worked out anew.

Nothing here is shared with the code that prepares tables: a cell at a time, by the rule that the
schema states.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date, datetime
from decimal import Decimal, localcontext
from functools import cache
from typing import Any

import polars as pl

from shoal.base.cells import number_text, texts
from shoal.base.plural import counted
from shoal.errors import InputError
from shoal.io.frames import Coded, Dictionary
from shoal.judging.verification.spellings import plain_form
from shoal.table.dates import date_format, is_written
from shoal.table.hierarchies import CsvFile, Hierarchy, Tree
from shoal.table.schema import Column, Kind, Role, Schema, is_missing

_NAMES = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)


def prepared_anew(source: Coded, schema: Schema) -> tuple[Coded, Schema]:
    """Prepare the cells of an original as its schema asks; also give the schema of the result."""
    made: dict[str, Dictionary] = {}
    for name in schema:
        column = schema[name]
        if column.kind is not Kind.DATE and not column.preparation.changes:
            continue
        if source.holds(name):
            made[name] = _prepared(source[name], schema, name)
        schema = schema.with_columns({name: column.prepared})
    return source.with_columns(made), schema


def _prepared(found: Dictionary, schema: Schema, name: str) -> Dictionary:
    column = schema[name]
    mask = is_missing(found.values, schema.missing_of(name)).to_list()
    if column.normalize:
        return _one_spelling(found, mask, column, schema.missing_of(name))
    dated = column.kind is Kind.DATE or column.age_at is not None
    read = _days(found.values, mask, column, name) if dated else _numbers(found.values, mask)
    unread = sum(
        int(count)
        for value, star, count in zip(read, mask, found.counts, strict=True)
        if value is None and not star
    )
    if unread:
        raise InputError(
            f"Column '{name}' of the original has "
            f"{counted(unread, 'cell that is', 'cells that are')} no "
            f"{'date' if dated else 'number'}{'' if unread == 1 else 's'}.",
            "Give the table that the release was made from, with its plan.",
        )
    with localcontext() as context:
        context.prec = 400  # more digits than any float has
        rule = _rules(column)
        values = [None if value is None else rule(value) for value in read]
    return Dictionary(_series(values, found.values, mask, column), found.codes).map(lambda v: v)


def _one_spelling(
    found: Dictionary, mask: list[bool], column: Column, missing: Iterable[str]
) -> Dictionary:
    """Write each text as its plan does, or else in its plain form."""
    if found.values.dtype != pl.String:
        return found
    tree = column.hierarchy
    if isinstance(tree, CsvFile | Tree):
        tree = tree.build(pl.Series([], dtype=pl.String))
    planned = [*(column.degrees or ()), *(column.levels or ())]
    if isinstance(tree, Hierarchy):
        planned = list(tree.leaves)  # of the two, it is the one that cells must be in
    written = {plain_form(word): word for word in sorted(planned, reverse=True)}
    written.update((plain_form(token), token) for token in missing)
    cells: list[str | None] = []
    for cell, star in zip(found.values.to_list(), mask, strict=True):
        plain = None if star or cell is None else plain_form(cell)
        cells.append(cell if plain is None else written.get(plain, plain))
    changed = pl.Series(found.values.name, cells, dtype=pl.String)
    return Dictionary(changed, found.codes).map(lambda v: v)


def _series(values: list[Any], given: pl.Series, mask: list[bool], column: Column) -> pl.Series:
    """Write what came out; besides the quasi-identifiers, missing cells stay as they were."""
    name = given.name
    if column.role is not Role.QUASI:
        old = given.to_list()
        if given.dtype == pl.String:
            words = [old[at] if star else _text(values[at]) for at, star in enumerate(mask)]
            return pl.Series(name, words, dtype=pl.String)
        values = [old[at] if star else values[at] for at, star in enumerate(mask)]
    elif column.kind is Kind.DATE:
        return pl.Series(name, values, dtype=pl.Date)
    if not given.dtype.is_float() and all(v is None or v == int(v) for v in values):
        return pl.Series(name, [None if v is None else int(v) for v in values], dtype=pl.Int64)
    return pl.Series(name, [None if v is None else float(v) for v in values], dtype=pl.Float64)


def _text(value: Decimal) -> str:
    whole = value == value.to_integral_value()
    return str(int(value)) if whole else number_text(float(value))


def _rules(column: Column) -> Callable[[Any], Any]:
    """Make the column's rule for one cell: a day stays one, or becomes an age; numbers change."""
    step, top, bottom = (
        None if given is None else Decimal(number_text(given))
        for given in (column.round_to, column.top, column.bottom)
    )
    at = None if column.age_at is None else date.fromisoformat(column.age_at)

    def rule(value: Any) -> Any:
        if at is not None:
            value = Decimal(_age(value, at))
        elif isinstance(value, date):
            return value
        if step is not None:
            over = value % step  # has the sign of the value
            over += step if over < 0 else 0
            value += step - over if 2 * over >= step else -over
        if top is not None:
            value = min(value, top)
        return value if bottom is None else max(value, bottom)

    return rule


def _age(birth: date, day: date) -> int:
    """Count the birthdays from birth to a day, that of birth aside."""
    if birth > day:
        raise InputError(
            f"The original holds dates of birth after age_at = {day}.",
            "Give the table that the release was made from, with its plan.",
        )
    years = day.year - birth.year
    try:
        birthday = birth.replace(year=day.year)
    except ValueError:  # 29 February
        birthday = date(day.year, 3, 1)
    return years if birthday <= day else years - 1


def _numbers(values: pl.Series, mask: list[bool]) -> list[Decimal | None]:
    """Read cells as exact decimals; ``None`` where there is none."""
    short = values.dtype == pl.Float64  # whose shortest text is what Python writes
    words = map(repr, values.to_list()) if short else texts(values).to_list()
    return [
        None if star or word is None else _decimal(word)
        for word, star in zip(words, mask, strict=True)
    ]


def _decimal(word: str) -> Decimal | None:
    try:
        read = Decimal(word.strip())
    except ArithmeticError:
        return None
    return read if read.is_finite() else None


def _days(values: pl.Series, mask: list[bool], column: Column, name: str) -> list[date | None]:
    """Read cells as days; ``None`` where there is none."""
    cells: Iterable[Any] = values.to_list()
    read: Callable[[Any], date | None] = _typed
    if is_written(values):
        known = texts(values).set(pl.Series(mask, dtype=pl.Boolean), None)
        cells, written = known.to_list(), column.format or date_format(known.alias(name))

        def read(text: str) -> date | None:
            return _written(text, written)

    return [
        None if star or cell is None else read(cell) for cell, star in zip(cells, mask, strict=True)
    ]


def _typed(cell: Any) -> date | None:
    if isinstance(cell, datetime):
        return cell.date()
    return cell if isinstance(cell, date) else None


def _written(text: str, written: str) -> date | None:
    """Read a date by its format; ``None`` if it is written otherwise, or no such day is."""
    names, pattern = _pattern(written.strip())
    found = pattern.fullmatch(text.strip())
    if found is None:
        return None
    parts = dict(zip(names, found.groups(), strict=True))
    year = int(parts["Y"] if "Y" in parts else parts["y"])
    if "Y" not in parts:
        year += 1900 if year >= 69 else 2000
    try:
        return date(year, _month(parts), int(parts["d"]))
    except ValueError:
        return None


def _month(parts: dict[str, str]) -> int:
    """Number a month; 0 if there is none of that name."""
    if "m" in parts:
        return int(parts["m"])
    short = "b" in parts
    known = [each[:3] if short else each for each in _NAMES]
    name = parts["b" if short else "B"].lower()
    return known.index(name) + 1 if name in known else 0


@cache
def _pattern(written: str) -> tuple[list[str], re.Pattern[str]]:
    """List what a format asks for, and make the pattern of its texts: nothing is tried twice.

    Where directives touch, numbers have two digits. Hours and minutes may follow after a blank or
    a T, unless the format has them itself.
    """
    number = "[0-9]{2}" if re.search("%[^%]%(?!%)", written) else "[0-9]{1,2}+"
    forms = {"Y": "[0-9]{4}", "y": "[0-9]{2}", "b": "[A-Za-z]{3}", "B": "[A-Za-z]{3,9}+"}
    names, made = [], ""
    for what, blank, sign in re.findall(r"%([^%])|(\s+)|%?(.)", written):
        names += [what] if what else []
        made += f"({forms.get(what, number)})" if what else r"\s+" if blank else re.escape(sign)
    if not {"H", "M", "S"} & set(names):
        made += r"(?:[T\s][T \t\n\r\f\v]*[0-9]{1,2}:[0-9]{2}.*)?"
    return names, re.compile(made, re.DOTALL)
