"""How the CSV files of a release are written: as the plan says, else as its input is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal import io
from shoal.base.cells import texts
from shoal.base.plural import counted
from shoal.errors import OutputError, ParameterError
from shoal.io.decimals import is_number, with_comma, without_comma
from shoal.io.encoding import first_alike
from shoal.io.frames import Coded
from shoal.table.schema import Kind, is_missing

if TYPE_CHECKING:
    from shoal.release import Release


def style_of(release: Release, form: io.Format, options: Mapping[str, str | None]) -> io.Style:
    """Say how the files are written; of other formats than CSV there is nothing to say.

    ``options``: the separator, the encoding and the decimal sign, where they are not the plan's.
    """
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    if "separator" not in form.write_options:
        if given:
            raise ParameterError(
                f"{form.a_file} has no {' or '.join(given)}.", "Leave them out, or write CSV."
            )
        return io.Style()
    style = release.plan.output.style(release.dialect)
    style = replace(style, **{"encoding": _encoding(release, style), **given})
    style.validate()
    columns = () if style.decimal == "." else _columns_of_numbers(release)
    return replace(style, all_decimals=_columns_of_decimals(release), columns=columns)


def _encoding(release: Release, style: io.Style) -> str:
    """Say in which encoding texts are written; one that was guessed follows from published rows."""
    if release.dialect is None or release.plan.input.encoding or release.plan.output.encoding:
        return style.encoding
    table, schema = release.pair.table.coded, release.schema
    published = [*schema.quasi, *schema.untouched]
    words = list(published)
    for name in filter(table.holds, published):
        words += texts(table[name].values).drop_nulls().to_list()
    return first_alike(words, style.encoding)


def _columns_of_decimals(release: Release) -> tuple[str, ...]:
    """List the untouched columns of Decimals, whose type says how many decimals each cell has.

    What a plan names by its text (a level, a degree, a missing number) is written as it is named.
    """
    schema, made = release.schema, []
    for name in schema.untouched:
        column = schema[name]
        tokens = pl.Series(schema.missing_of(name), dtype=pl.String)
        named = column.levels is not None or column.degrees is not None or is_number(tokens).any()
        types = [each[name].values.dtype for each in _tables(release) if name in each.columns]
        if not named and types and all(each.is_decimal() for each in types):
            made.append(name)
    return tuple(made)


def _tables(release: Release) -> list[Coded]:
    value_tables = release.published.value_tables.values()
    return [release.published.coded, *(Coded(each.frame) for each in value_tables)]


def _columns_of_numbers(release: Release) -> tuple[str, ...]:
    """List the published columns of numbers and ranges whose texts come back from a comma.

    Of columns that are published as they are, only published cells decide: else what is listed
    would tell of others.
    """
    schema, read = release.schema, release.decimal_columns
    tables, made = _tables(release), []
    for name in schema:
        numeric = schema[name].kind is Kind.NUMERIC
        shown = [texts(each[name].values) for each in tables if name in each.columns]
        if name in schema.untouched:
            known = [each.filter(~is_missing(each, schema.missing_of(name))) for each in shown]
            numeric = all(is_number(each).all() for each in known) if read is None else name in read
        if numeric and shown and all(map(_comes_back, shown)):
            made.append(name)
    return tuple(made)


def _comes_back(words: pl.Series) -> bool:
    return bool((without_comma(with_comma(words)) == words).fill_null(True).all())


def require_encodable(tables: Mapping[str | None, Coded], encoding: str) -> None:
    """Refuse texts that an encoding has no signs for, before anything is written."""
    if encoding.startswith("utf"):
        return
    for table in tables.values():
        for name, cells in io.unencodable(table, encoding).items():
            raise OutputError(
                f"Column '{name}' has {counted(cells, 'text')} with characters that the "
                f"encoding {encoding} does not have.",
                'Write encoding = "utf-8" under [output] of the plan, or "utf-8-sig" for Excel.',
            )
