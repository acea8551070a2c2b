"""What a plan says of the files that a release is written to."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from shoal.plan.base import Strict
from shoal.plan.sql import SqlOutput

__all__ = ["OutputPlan"]


class OutputPlan(Strict):
    """Where the release goes."""

    path: str | None = Field(None, description="A folder, relative to the plan.")
    format: Literal["csv", "parquet"] = Field("csv", description="Of the published table.")
    formulas: Literal["escape", "keep"] = Field(
        "escape",
        description="CSV: texts that a spreadsheet would run as formulas get an apostrophe "
        "before them, or are written as they are.",
    )
    sql: SqlOutput | None = Field(
        None, description="Tables of a database to write to, besides the folder."
    )
