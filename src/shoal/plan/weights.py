"""What a plan says of weights that are found in the table."""

from __future__ import annotations

from typing import Any

import pydantic
from pydantic import Field

from shoal.errors import ParameterError, did_you_mean
from shoal.measures._weighing import INFORMED, KINDS, WeightKind
from shoal.plan.base import Strict
from shoal.plan.explaining import SEE_SCHEMA


class WeightsPlan(Strict):
    """How much each column counts, found in the table."""

    kind: WeightKind = Field(
        description="By entropy, or by how much a column reveals about the label."
    )
    label: str | None = Field(
        None, description="For mutual-information and gain-ratio: the column to predict."
    )

    @pydantic.model_validator(mode="after")
    def _fits_the_kind(self) -> WeightsPlan:
        if self.kind in INFORMED and self.label is None:
            raise ValueError(f"kind = '{self.kind}' needs a label, the column to predict")
        if self.kind not in INFORMED and self.label is not None:
            raise ValueError(f"a label is only for {' and '.join(map(repr, INFORMED))}")
        return self

    @classmethod
    def of(cls, kind: Any, label: str | None) -> WeightsPlan:
        """Check what is given in Python (raises `ParameterError`)."""
        if kind not in KINDS:
            raise ParameterError(
                f"weights must be one of {', '.join(map(repr, KINDS))}, or a weight per column, "
                f"not {kind!r}.",
                did_you_mean(str(kind), KINDS),
            )
        try:
            return cls(kind=kind, label=label)
        except pydantic.ValidationError as error:
            reason = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
            raise ParameterError(f"weights is not valid: {reason}.", SEE_SCHEMA) from None
