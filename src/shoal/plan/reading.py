"""Read the tables that a plan names, as it says."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from shoal import io
from shoal.frames import Coded, to_polars
from shoal.io.sql.source import SQL
from shoal.models import private_columns
from shoal.plan.files import PopulationPlan
from shoal.plan.plan import Plan
from shoal.schema import Role, Schema
from shoal.table.population import population_of

__all__ = ["read", "read_population"]


def read(data: Any, plan: Plan, *, whole: bool = True) -> tuple[Coded, str]:
    """Take a frame, or read a file as the plan says; also say how a file was read.

    Parameters
    ----------
    whole
        Whether columns that are left out are read, too; else they are only named.
    """
    used = [name for name, c in plan.columns.items() if c.role is not Role.IDENTIFIER]
    used += private_columns(plan.requirements())
    if isinstance(data, SQL):
        return io.read_sql(data, categories=used).table, data.describe()
    if not isinstance(data, str | PathLike):
        return Coded(to_polars(data)), ""
    source = plan.input
    io.require_memory(Path(data))
    found = io.read(
        Path(data),
        **source.reading,
        categories=used,
        needed=None if whole else [*used, *([plan.entity] if plan.entity in plan.columns else [])],
    )
    return found.table, found.describe()


def read_population(data: Any, plan: Plan, schema: Schema) -> Coded:
    """Take the quasi-identifiers of a population from a frame, or from a file as the plan says."""
    if not isinstance(data, str | PathLike):
        return population_of(data, schema)
    source = plan.population or PopulationPlan()
    io.require_memory(Path(data))
    found = io.read(
        Path(data),
        **source.reading,
        categories=schema.quasi,
        needed=schema.quasi,
    )
    return population_of(found.table, schema)
