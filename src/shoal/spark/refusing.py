"""What the Spark engine cannot do, refused before any work with the reason."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.compatibility import Combination, require_compatible
from shoal.errors import ParameterError
from shoal.methods import Method
from shoal.models import Requirement
from shoal.plan import Plan
from shoal.publications import Generalized, Publication
from shoal.schema import Schema

__all__ = ["require_distributable"]

MOST_QUASI = 60
"""Which of so many are missing is one number of 64 bits."""

HERE = "Change it, or run the plan without Spark."


def require_distributable(
    plan: Plan,
    schema: Schema,
    require: Sequence[Requirement],
    method: Method,
    publication: Publication,
) -> None:
    """Refuse what needs the table in one place (raises `ParameterError`)."""
    how = Combination(
        method, tuple(require), publication, plan.publication.missing, blocks=True, follows=True
    )
    require_compatible(how, schema)
    reason = _of_plan(plan, schema, publication) or _of_requirements(schema, require)
    if reason is None and method.numbers != "intervals":
        reason = f"the method '{method.name}' publishes numbers as nodes of a tree"
    if reason is not None:
        raise ParameterError(f"This cannot be done on Spark: {reason}.", HERE)


def _of_plan(plan: Plan, schema: Schema, publication: Publication) -> str | None:
    """Say what of a plan needs the whole table."""
    if not isinstance(publication, Generalized) or publication.categories != "nodes":
        return "one generalized table, categories as nodes, is the only form"
    if len(schema.quasi) > MOST_QUASI:
        return f"it takes {MOST_QUASI} quasi-identifiers at most"
    if plan.publication.missing != "keep":
        return "missing cells can only be kept"
    if schema.linkage == "all-rows":
        return "linkage = 'all-rows' looks at all rows of a person at once"
    if plan.weights is not None:
        return "weights are found in a table that is whole"
    asked = plan.combination()
    if asked.refined or asked.bounded:
        return "refinement and lower bounds look at all groups at once"
    if plan.population is not None:
        return "no population is counted"
    if plan.output.sql is not None or plan.input.sql is not None:
        return "databases are read and written without it"
    return None


def _of_requirements(schema: Schema, require: Sequence[Requirement]) -> str | None:
    """Say which requirement cannot be judged part by part."""
    for each in require:
        if not each.monotone:
            return f"two groups of different blocks that hold '{each.name}' may not hold it as one"
        if each.relative and "histograms" not in each.needs:
            return f"'{each.name}' is judged over all classes at once"
        if schema.entity is not None and not each.monotone_in_people:
            return f"'{each.name}' may fail where a person has rows in two groups of equal cells"
        if each.private_columns or "population" in each.needs or each.across_releases:
            return f"'{each.name}' needs more than the published table"
    return None
