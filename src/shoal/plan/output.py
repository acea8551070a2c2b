"""What a plan says of the files that a release is written to."""

from __future__ import annotations

from typing import Literal

import pydantic
from pydantic import Field

from shoal import io
from shoal.errors import ParameterError
from shoal.plan.base import Strict
from shoal.plan.sql import SqlOutput


class OutputPlan(Strict):
    """The folder to write the release to."""

    path: str | None = Field(None, description="A folder, relative to the plan.")
    format: str = Field("csv", description="Of the published table.")
    formulas: Literal["escape", "keep"] = Field(
        "escape",
        description="CSV: texts that a spreadsheet would run as formulas get a leading apostrophe "
        "('escape') or are written unchanged ('keep').",
    )
    sql: SqlOutput | None = Field(
        None, description="Tables of a database to write to, besides the folder."
    )
    spark_table: str | None = Field(
        None,
        description="A table of Spark's catalog to write to, besides the folder; only with Spark.",
    )
    replace: bool = Field(
        False, description="Whether a spark_table that an earlier release wrote is replaced."
    )
    separator: str | None = Field(
        None, description="CSV: one character; as in the input if left out, or a comma."
    )
    encoding: str | None = Field(
        None, description="CSV: such as utf-8-sig; as in the input if left out, or utf-8."
    )
    decimal: Literal[".", ","] | None = Field(
        None, description="CSV: the sign in numbers; as in the input if left out, or a point."
    )
    sign: str | None = Field(
        None,
        description="A file with an Ed25519 private key, relative to the plan: the release is "
        "signed with it. Never a key itself.",
    )

    @pydantic.field_validator("format")
    @classmethod
    def _is_written(cls, given: str) -> str:
        try:
            return io.writer(given).name
        except ParameterError:
            known = [name for name in io.FORMATS if io.FORMATS[name].write is not None]
            raise ValueError(f"it must be one of {', '.join(known)}") from None

    @pydantic.field_validator("spark_table")
    @classmethod
    def _is_a_name(cls, given: str | None) -> str | None:
        if given is not None and not all(part.strip() for part in given.split(".")):
            raise ValueError("it must be the name of a table, such as clinic.published")
        return given

    @pydantic.model_validator(mode="after")
    def _is_consistent(self) -> OutputPlan:
        if self.replace and self.spark_table is None:
            raise ValueError("replace is only for spark_table; sql has its own")
        specified = [name for name in ("separator", "encoding", "decimal") if getattr(self, name)]
        if not specified:
            return self
        if self.format != "csv":
            raise ValueError(f"{specified[0]} is only for CSV")
        try:
            self.style(None).validate()
        except ParameterError as error:
            raise ValueError(error.problem.rstrip(".")) from None
        return self

    def style(self, like: io.Dialect | None) -> io.Style:
        """Say how CSV files are written: as here, else like the input, else plainly."""
        given = io.Style() if like is None else io.Style.like(like)
        return io.Style(
            self.separator or given.separator,
            self.encoding or given.encoding,
            self.decimal or given.decimal,
        )
