"""The tables that a plan names: where they are, and how they are read."""

from __future__ import annotations

from typing import Any

import pydantic
from pydantic import Field

from shoal import io
from shoal.base.cells import STAR
from shoal.errors import ParameterError
from shoal.io.decimals import check_signs
from shoal.plan.base import Strict
from shoal.plan.sql import SqlInput


class FilePlan(Strict):
    """Where a table is, and how to read it."""

    path: str | None = Field(None, description="The table, relative to the plan.")
    format: str | None = Field(None, description="Detected if left out.")
    separator: str | None = Field(None, description="CSV: one character; detected if left out.")
    encoding: str | None = Field(
        None,
        description="CSV: such as utf-8; detected if left out. SPSS, Stata, SAS: where the file "
        "states a wrong one.",
    )
    quote: str | None = Field(None, description="CSV: one character; detected if left out.")
    max_unpacked: int | None = Field(
        None,
        ge=1,
        description="The largest unpacked size of a packed file, in bytes (default: 4 GiB).",
    )
    sheet: str | int | None = Field(
        None,
        description="Excel: the name of the sheet, or its number from 1 on; needed if several "
        "hold cells.",
    )
    decimal: str | None = Field(
        None,
        description="CSV: ',' where numbers are written with a decimal comma; a point if left out.",
    )
    thousands: str | None = Field(
        None, description="CSV: the character between thousands, such as '.'; none if left out."
    )

    @pydantic.field_validator("format")
    @classmethod
    def _is_format(cls, given: str | None) -> str | None:
        if given is not None and given not in io.FORMATS:
            raise ValueError(f"it must be one of {', '.join(io.FORMATS)}")
        return given

    @pydantic.model_validator(mode="after")
    def _has_signs(self) -> FilePlan:
        try:
            check_signs(self.decimal, self.thousands)
        except ParameterError as error:
            raise ValueError(error.problem.rstrip(".")) from None
        return self

    @property
    def reading(self) -> dict[str, Any]:
        """What `shoal.io.read` is told of the file."""
        return {name: getattr(self, name) for name in FilePlan.model_fields if name != "path"}


class InputPlan(FilePlan):
    """Where the table is, and how to read it."""

    sql: SqlInput | None = Field(
        None, description="A table of a database to read instead of a file."
    )
    spark_table: str | None = Field(
        None, description="A table of Spark's catalog to read instead; only with Spark."
    )
    missing: tuple[str, ...] = Field(("", STAR), description="Texts that mean missing.")
    numbers: tuple[str, ...] = Field(
        (),
        description="CSV: further columns of numbers to read by decimal and thousands; numeric "
        "quasi-identifiers always are, and no others.",
    )

    @pydantic.model_validator(mode="after")
    def _has_signs_of_numbers(self) -> InputPlan:
        if self.numbers and self.decimal is None and self.thousands is None:
            raise ValueError("numbers needs decimal or thousands, the signs to read them by")
        return self


class PopulationPlan(FilePlan):
    """Where the population is, and how to read it; texts that mean missing are the input's."""
