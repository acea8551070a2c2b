"""What the Spark engine cannot do, refused before any work with the reason."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.errors import ParameterError
from shoal.methods import Method
from shoal.models import Requirement
from shoal.plan import Plan
from shoal.plan.compatibility import Combination, require_compatible
from shoal.publications import Generalized, Publication
from shoal.table.schema import Schema

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
        method,
        tuple(require),
        publication,
        plan.publication.missing,
        blocks=not method.by_points or (isinstance(plan.blocks, int) and plan.blocks > 1),
        follows=True,
    )
    require_compatible(how, schema)
    judged = _of_classes if method.by_points else _of_groups
    reason = (
        _of_plan(plan, schema, publication)
        or _of_method(method)
        or _of_requirements(require)
        or judged(schema, require)
    )
    if reason is not None:
        raise ParameterError(f"This cannot be done on Spark: {reason}.", HERE)


def _of_plan(plan: Plan, schema: Schema, publication: Publication) -> str | None:
    """Say what of a plan needs the whole table."""
    if not isinstance(publication, Generalized) or publication.categories != "nodes":
        return "the only form is one generalized table with categories as nodes"
    if len(schema.quasi) > MOST_QUASI:
        return f"it takes at most {MOST_QUASI} quasi-identifiers"
    if plan.publication.missing != "keep":
        return "missing cells can only be kept"
    if schema.linkage == "all-rows":
        return "linkage = 'all-rows' needs all rows of a person at once"
    if plan.weights is not None:
        return "weights must be found in the whole table"
    wanted = plan.combination()
    if wanted.refined or wanted.bounded:
        return "refinement and lower bounds need all groups at once"
    if plan.population is not None:
        return "it does not count a population"
    if plan.output.sql is not None or plan.input.sql is not None:
        return "databases can only be used without Spark"
    return None


def _of_method(method: Method) -> str | None:
    """Say what of a method needs more than blocks, or points and their counts."""
    if isinstance(method.weighing, str):
        return f"the weights '{method.weighing}' must be found in the whole table"
    if method.by_points and not method.one_level:
        return f"the method '{method.name}' does not choose one level per column"
    if not method.by_points and method.numbers != "intervals":
        return f"the method '{method.name}' publishes numbers as nodes of a tree"
    return None


def _of_requirements(require: Sequence[Requirement]) -> str | None:
    """Say which requirement cannot be recounted part by part."""
    for each in require:
        if each.private_columns or "population" in each.needs or each.across_releases:
            return f"'{each.name}' needs more than the published table"
        if each.relative and "histograms" not in each.needs:
            return f"'{each.name}' must judge all classes at once"
    return None


def _of_groups(schema: Schema, require: Sequence[Requirement]) -> str | None:
    """Say which requirement groups of equal cells, from different blocks, may not hold as one."""
    for each in require:
        if not each.monotone:
            return (
                f"two groups of different blocks that meet '{each.name}' may not meet it after "
                "merging"
            )
        if schema.entity is not None and not each.monotone_in_people:
            return f"'{each.name}' may fail if a person has rows in two groups with equal cells"
    return None


def _of_classes(schema: Schema, require: Sequence[Requirement]) -> str | None:
    """Say which requirement classes of levels, which nobody unites, cannot be recounted by."""
    for each in require:
        if schema.entity is not None and each.relative:
            return f"'{each.name}' compares people of a class with those of all classes"
    return None
