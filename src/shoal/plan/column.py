"""What a plan says of one column."""

from __future__ import annotations

import dataclasses
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import pydantic
from pydantic import Field
from pydantic_core import PydanticCustomError

from shoal.errors import ParameterError
from shoal.plan.base import Strict
from shoal.table.preparation import OPTIONS
from shoal.table.schema import Column, Kind, Role, column_of

_Number = (
    Annotated[int, Field(strict=True)] | Annotated[float, Field(strict=True, allow_inf_nan=False)]
)


class ColumnPlan(Strict):
    """One column's part in the release."""

    role: Role = Field(description="identifier, quasi, sensitive or other.")
    kind: Kind | None = Field(
        None,
        description="numeric, date, or categorical (the default: a text is a category). Dates are "
        "published as ranges of any width, such as 1955 to 1964.",
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
    weight: float = Field(1.0, gt=0, allow_inf_nan=False, description="The weight of the column.")
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
        description="How sensitive some values are, where rarity misleads: a file (.csv, .json) "
        "or a table such as {HIV = 9.0}.",
    )
    format: str | None = Field(
        None, description="How dates are written, such as %d.%m.%Y; detected if left out."
    )
    age_at: str | None = Field(
        None,
        description="A day such as 2026-01-01: dates of birth become ages in whole years on it, "
        "and the column numeric.",
    )
    top: _Number | None = Field(None, description="Larger numbers are published as this one.")
    bottom: _Number | None = Field(None, description="Smaller numbers are published as this one.")
    round_to: _Number | None = Field(
        None,
        description="Numbers are published as the nearest multiple of this one; in the middle of "
        "two, as the larger.",
    )
    normalize: bool | None = Field(
        None,
        strict=True,
        description="Whether texts that differ only in case, spaces or Unicode form are published "
        "as one value.",
    )

    @pydantic.field_validator("age_at", mode="before")
    @classmethod
    def _as_text(cls, given: Any) -> Any:
        """Take a date of TOML, which is written without quotes, too."""
        return given.isoformat() if isinstance(given, date) else given

    @pydantic.model_validator(mode="after")
    def _fits_the_role(self) -> ColumnPlan:
        quasi, sensitive = self.role is Role.QUASI, self.role is Role.SENSITIVE
        if not quasi and (self.kind or self.weight != 1.0):
            raise ValueError("kind and weight are only for quasi-identifiers")
        if not quasi and self.draft is not None:
            raise ValueError("draft is only for quasi-identifiers")
        if not (quasi or sensitive) and self.hierarchy is not None:
            raise ValueError("a hierarchy is only for quasi-identifiers and sensitive columns")
        for name in ("levels", "degrees"):
            if not sensitive and getattr(self, name) is not None:
                raise ValueError(f"{name} are only for sensitive columns")
        self._require_preparable()
        return self

    def _require_preparable(self) -> None:
        """Refuse options for preparing cells that the column cannot have."""
        applied = {name: getattr(self, name) for name in OPTIONS if self._applies(name)}
        if not applied and self.kind is not Kind.DATE:
            return
        if self.role is Role.IDENTIFIER:
            raise ValueError(f"{next(iter(applied))} is not for identifiers, which are left out")
        dated = [name for name in ("format", "age_at") if name in applied]
        if self.role is not Role.QUASI and dated:
            raise ValueError(f"{dated[0]} is only for quasi-identifiers")
        if self.role is Role.OTHER and "normalize" in applied:
            raise ValueError("normalize is only for quasi-identifiers and sensitive columns")
        kind = {"kind": self.kind} if self.kind is not None else {}
        try:
            column_of({"role": self.role.value, **kind, **applied})
        except ParameterError as error:
            raise PydanticCustomError(
                "unpreparable", "{problem}", {"problem": error.problem, "hint": error.hint}
            ) from None

    def _applies(self, option: str) -> bool:
        """Whether something is to become of cells; false is as good as nothing."""
        given = getattr(self, option)
        return given is not None and given is not False

    @property
    def is_number(self) -> bool:
        """Whether its cells are numbers as they come in: by their kind, or by what is asked."""
        if self.kind is not None or self.age_at is not None:
            return self.kind is Kind.NUMERIC and self.age_at is None
        if self.role is Role.SENSITIVE and isinstance(self.hierarchy, dict):
            return self.hierarchy.get("builder") == "intervals" or self._has_ends
        return self._has_ends

    @property
    def _has_ends(self) -> bool:
        return any(each is not None for each in (self.top, self.bottom, self.round_to))

    def column(self, folder: Path) -> Column:
        """Make the schema's column; files are sought from ``folder``."""
        apart = ("missing", "draft")
        specified = {name: value for name, value in self if value is not None and name not in apart}
        if not self.normalize:
            specified.pop("normalize", None)
        if self.role is Role.QUASI:
            # A file's text is a category unless the plan says numeric: 01234 stays 01234.
            prepared = any(map(self._applies, OPTIONS))
            specified["kind"] = self.kind or (None if prepared else Kind.CATEGORICAL)
        else:
            del specified["weight"]
        made = column_of(specified, folder=folder)
        return dataclasses.replace(made, missing=self.missing, draft=bool(self.draft))
