"""What a plan says of the form that groups are released in."""

from __future__ import annotations

from typing import Annotated, Any

import pydantic
from pydantic import BeforeValidator, ConfigDict, Field

from shoal import publications
from shoal.base.arguments import is_whole
from shoal.errors import ParameterError
from shoal.methods import Method
from shoal.methods.base import USUAL_LIMIT
from shoal.plan.base import Strict
from shoal.plan.explaining import SEE_SCHEMA
from shoal.publications import Publication
from shoal.publications.groups.missing_policy import MissingPolicy


def _seed(given: Any) -> Any:
    if not is_whole(given) or given < 0:
        raise ValueError("it must be a whole number of 0 or more")
    return int(given)


class PublicationPlan(Strict):
    """How groups are released. Further keys are the options of the form."""

    model_config = ConfigDict(extra="allow", frozen=True)

    form: str | None = Field(
        None,
        description="One table of generalized cells; two tables (quasi-identifiers and sensitive "
        "values) that share only a class id; or, for several sensitive columns, a table for each "
        "of them. Left out: the form that the method is made for.",
    )
    missing: MissingPolicy = Field(
        "keep",
        description="Keep rows with missing cells (published as *), drop them, or publish "
        "columns with missing cells as * in every row.",
    )
    suppression_limit: float = Field(
        USUAL_LIMIT, ge=0, le=1, description="The largest share of rows a method may suppress."
    )
    seed: Annotated[int, Field(ge=0), BeforeValidator(_seed)] | None = Field(
        None,
        description="Makes the order of rows, class ids and the method's random choices "
        "repeatable. Left out: the method's own seed, or a random one.",
    )

    def fixed_seed(self, method: Method) -> int | None:
        """The seed of row orders and class ids: the publication's own, or else the method's."""
        return method.seed if self.seed is None else self.seed

    def build(self, method: Method) -> Publication:
        """Make the form, or the one that the method is made for, where none is named."""
        form = self.form or method.publication
        given = self.model_extra or {}
        options = {name: value for name, value in given.items() if value is not None}
        for name in options:
            publications.require_option(name, form, beside=type(self).model_fields)
        return publications.from_spec({"form": form, **options})

    def completed(self, method: Method) -> PublicationPlan:
        """Name the form and all its options, so that nothing is left open."""
        return PublicationPlan(
            missing=self.missing,
            suppression_limit=self.suppression_limit,
            seed=self.seed,
            **self.build(method).completed().to_spec(),
        )

    @classmethod
    def of(cls, **options: Any) -> PublicationPlan:
        """Check options given in Python (raises `ParameterError`)."""
        try:
            return cls.model_validate({k: v for k, v in options.items() if v is not None})
        except pydantic.ValidationError as error:
            first = error.errors(include_url=False)[0]
            name = "publication" if first["loc"] == ("form",) else str(first["loc"][0])
            reason = first["msg"].removeprefix("Value error, ")
            reason = reason[:1].lower() + reason[1:]
            raise ParameterError(f"{name} is not valid: {reason}.", SEE_SCHEMA) from None
