"""Read the tables that a plan names, as it says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from shoal import io
from shoal.base.cells import shortest
from shoal.errors import ParameterError
from shoal.io.frames import Coded, to_polars
from shoal.io.sql.source import SQL
from shoal.models import Requirement, private_columns
from shoal.plan.files import FilePlan, PopulationPlan
from shoal.plan.numbers import read_numbers
from shoal.plan.plan import Plan
from shoal.table.population import population_of
from shoal.table.preparing import given_cells, prepared
from shoal.table.schema import Kind, Role, Schema
from shoal.table.sensitive import binned

DECIMALS: dict[Role, Callable[[pl.Series], pl.Series]] = {
    Role.OTHER: pl.Series.clone,
    Role.SENSITIVE: shortest,
}
"""What becomes of Decimals without a type; sensitive ones are counted, so 1.5 is 1.50."""


class ReadTable(NamedTuple):
    """A table that a plan is about, and how it was read."""

    table: Coded
    read_as: str = ""
    """How a file was read; empty for a frame."""
    dialect: io.Dialect | None = None
    numbers: tuple[str, ...] = ()
    """Columns whose numbers were read by the plan's decimal and thousands signs."""


def read(data: Any, plan: Plan, *, whole: bool = True) -> tuple[Coded, str]:
    """Take a frame, or read a file as the plan says; also return how a file was read.

    `whole`: whether columns that are left out are read, too; else they are only named.
    """
    return read_source(data, plan, whole=whole)[:2]


def read_source(data: Any, plan: Plan, *, whole: bool = True) -> ReadTable:
    """Do the same, and say of a CSV file how it is written."""
    if not isinstance(data, str | PathLike | SQL):
        named = {n: DECIMALS[c.role] for n, c in plan.columns.items() if c.role in DECIMALS}
        return ReadTable(Coded(to_polars(data, decimal_texts=named)))
    used = [name for name, c in plan.columns.items() if c.role is not Role.IDENTIFIER]
    used += private_columns(plan.requirements())
    if isinstance(data, SQL):
        others = [name for name, c in plan.columns.items() if c.role is Role.OTHER]
        return ReadTable(io.read_sql(data, categories=used, exact=others).table, data.describe())
    found = _read(
        data,
        plan.input,
        categories=used,
        needed=None if whole else [*used, *([plan.entity] if plan.entity in plan.columns else [])],
    )
    table, numbers = found.table, tuple[str, ...]()
    if plan.input.decimal or plan.input.thousands:
        # The plan alone says which: cells of removed rows must not change how others are read.
        table, numbers = read_numbers(
            table,
            found.dialect,
            numeric=[n for n, c in plan.columns.items() if c.is_number or n in plan.input.numbers],
            missing=plan.missing_of,
        )
    return ReadTable(table, found.describe(), found.dialect, numbers)


def read_original(data: Any, plan: Plan, schema: Schema) -> pl.DataFrame:
    """Read the original again; sensitive values are as they are published.

    Columns that the schema prepares are as they came in.
    """
    given, _ = read(data, plan)
    return given_cells(binned(*prepared(given, schema))[0], given, schema).frame


def read_population(data: Any, plan: Plan, schema: Schema) -> Coded:
    """Take the quasi-identifiers of a population from a frame, or from a file as the plan says."""
    if not isinstance(data, str | PathLike):
        return population_of(data, schema)
    source = plan.population or PopulationPlan()
    found = _read(data, source, categories=schema.quasi, needed=schema.quasi)
    table = found.table
    if source.decimal or source.thousands:
        numeric = [name for name in schema.quasi if schema[name].kind is Kind.NUMERIC]
        table, _ = read_numbers(table, found.dialect, numeric=numeric, missing=schema.missing_of)
    return population_of(table, schema)


def require_population(people: Any, require: Sequence[Requirement], schema: Schema) -> None:
    """Refuse requirements on a population that is not there, and one that nobody asks for."""
    asking = [each.name for each in require if "population" in each.needs]
    if not asking and people is not None:
        raise ParameterError(
            "A population is given, but no requirement counts its people.",
            "Require k-map without fraction or delta-presence, or leave the population out.",
        )
    if asking and people is None:
        raise ParameterError(
            f"'{asking[0]}' counts people in a table of the population, but none is given.",
            'Name it as [population] path = "…" in the plan, or give population=… in Python.',
        )
    if asking and schema.entity is not None:
        raise ParameterError(
            f"'{asking[0]}' compares rows with people of a population, but by the entity "
            f"'{schema.entity}' a person may have several rows.",
            "Keep one row per person, and name no entity.",
        )


def _read(
    data: str | PathLike[str],
    source: FilePlan,
    *,
    categories: Sequence[str],
    needed: Sequence[str] | None,
) -> io.Read:
    io.require_memory(Path(data))
    return io.read(Path(data), **source.reading, categories=categories, needed=needed)
