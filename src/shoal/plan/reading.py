"""Read the tables that a plan names, as it says."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

import polars as pl

from shoal import io
from shoal.frames import Coded, to_polars
from shoal.models import private_columns
from shoal.plan.files import PopulationPlan
from shoal.plan.plan import Plan
from shoal.schema import Role, Schema
from shoal.table.population import population_of
from shoal.table.preparing import given_cells, prepared
from shoal.table.sensitive import binned

__all__ = ["read", "read_original", "read_population"]


def read(data: Any, plan: Plan, *, whole: bool = True) -> tuple[Coded, str]:
    """Take a frame, or read a file as the plan says; also say how a file was read.

    Parameters
    ----------
    whole
        Whether columns that are left out are read, too; else they are only named.
    """
    if not isinstance(data, str | PathLike):
        return Coded(to_polars(data)), ""
    source = plan.input
    used = [name for name, c in plan.columns.items() if c.role is not Role.IDENTIFIER]
    used += private_columns(plan.requirements())
    io.require_memory(Path(data))
    found = io.read(
        Path(data),
        **source.reading,
        categories=used,
        needed=None if whole else [*used, *([plan.entity] if plan.entity in plan.columns else [])],
    )
    return found.table, found.describe()


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
    io.require_memory(Path(data))
    found = io.read(
        Path(data),
        **source.reading,
        categories=schema.quasi,
        needed=schema.quasi,
    )
    return population_of(found.table, schema)
