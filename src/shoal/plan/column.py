"""What a plan says of one column."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated, Any

import pydantic
from pydantic import Field

from shoal.plan.base import Strict
from shoal.schema import Column, Kind, Role, column_of

__all__ = ["ColumnPlan"]


class ColumnPlan(Strict):
    """One column's part in the release."""

    role: Role = Field(description="identifier, quasi, sensitive or other.")
    kind: Kind | None = Field(
        None, description="numeric or categorical (the default: a text is a category)."
    )
    hierarchy: str | dict[str, Any] | None = Field(
        None,
        description="A file (.csv, .json), or a builder such as {builder = 'prefixes'}. Of a "
        "sensitive column: values are published as the nodes above its leaves.",
    )
    draft: bool | None = Field(
        None,
        description="The hierarchy was drafted by `shoal plan`: while it has no groups, a run "
        "says so.",
    )
    weight: float = Field(1.0, gt=0, allow_inf_nan=False, description="How much it counts.")
    missing: tuple[str, ...] | None = Field(None, description="Missing texts of this column.")
    levels: str | dict[str, Annotated[int, Field(strict=True, ge=1)]] | None = Field(
        None,
        description="How sensitive each value is, from 1 (most) on: a file (.csv, .json) or a "
        "table such as {HIV = 1, Flu = 4}.",
    )
    degrees: (
        str | dict[str, Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]] | None
    ) = Field(
        None,
        description="How sensitive some values are, where their rarity says it wrongly: a file "
        "(.csv, .json) or a table such as {HIV = 9.0}.",
    )

    @pydantic.model_validator(mode="after")
    def _fits_the_role(self) -> ColumnPlan:
        if self.role is not Role.QUASI and (self.kind or self.weight != 1.0):
            raise ValueError("kind and weight are only for quasi-identifiers")
        if self.role is not Role.QUASI and self.draft is not None:
            raise ValueError("draft is only for quasi-identifiers")
        if self.role not in (Role.QUASI, Role.SENSITIVE) and self.hierarchy is not None:
            raise ValueError("a hierarchy is only for quasi-identifiers and sensitive columns")
        if self.role is not Role.SENSITIVE and self.levels is not None:
            raise ValueError("levels are only for sensitive columns")
        if self.role is not Role.SENSITIVE and self.degrees is not None:
            raise ValueError("degrees are only for sensitive columns")
        return self

    def column(self, folder: Path) -> Column:
        """Make the schema's column; files are sought from ``folder``."""
        apart = ("missing", "draft")
        said = {name: value for name, value in self if value is not None and name not in apart}
        if self.role is Role.QUASI:
            # A file's text is a category unless the plan says numeric: 01234 stays 01234.
            said["kind"] = self.kind or Kind.CATEGORICAL
        else:
            del said["weight"]
        made = column_of(said, folder=folder)
        return dataclasses.replace(made, missing=self.missing, draft=bool(self.draft))
