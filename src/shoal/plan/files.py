"""The tables that a plan names: where they are, and how they are read."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from shoal.cells import STAR
from shoal.plan.base import Strict
from shoal.plan.sql import SqlInput

__all__ = ["FilePlan", "InputPlan", "PopulationPlan"]


class FilePlan(Strict):
    """Where a table is, and how to read it."""

    path: str | None = Field(None, description="The table, relative to the plan.")
    format: Literal["csv", "parquet"] | None = Field(None, description="Detected if left out.")
    separator: str | None = Field(None, description="CSV: one character; detected if left out.")
    encoding: str | None = Field(None, description="CSV: such as utf-8; detected if left out.")
    quote: str | None = Field(None, description="CSV: one character; detected if left out.")
    max_unpacked: int | None = Field(
        None, ge=1, description="Bytes that a packed file may unpack to; 4 GiB if left out."
    )

    @property
    def reading(self) -> dict[str, Any]:
        """What `shoal.io.read` is told of the file."""
        return {
            "format": self.format,
            "separator": self.separator,
            "encoding": self.encoding,
            "quote": self.quote,
            "max_unpacked": self.max_unpacked,
        }


class InputPlan(FilePlan):
    """Where the table is, and how to read it."""

    sql: SqlInput | None = Field(
        None, description="A table of a database to read instead of a file."
    )
    spark_table: str | None = Field(
        None, description="A table of Spark's catalog to read instead; only with Spark."
    )
    missing: tuple[str, ...] = Field(("", STAR), description="Texts that mean missing.")


class PopulationPlan(FilePlan):
    """Where the population is, and how to read it; texts that mean missing are the input's."""
