"""The other levels that a plan's method could have chosen: a look over its lattice."""

from __future__ import annotations

from shoal.counting import with_private
from shoal.errors import ParameterError
from shoal.groups import require_feasible
from shoal.methods import METHODS, Progress
from shoal.methods.lattice._method import LatticeMethod
from shoal.methods.survey import SHOWN, Survey, survey
from shoal.missing_policy import apply_missing_policy, complete_rows
from shoal.pipeline import read, read_population
from shoal.plan import Plan
from shoal.table import Table

__all__ = ["chooses_levels", "survey_plan"]


def chooses_levels(plan: Plan) -> bool:
    """Say whether the plan's method chooses one level per column for the whole table.

    Examples
    --------
    >>> asked = {"columns": {"age": {"role": "quasi"}},
    ...     "require": [{"model": "k-anonymity", "k": 2}]}
    >>> chooses_levels(Plan.from_dict(asked))
    False
    >>> chooses_levels(Plan.from_dict({**asked, "method": {"name": "full-domain"}}))
    True
    """
    return issubclass(METHODS[plan.method["name"]], LatticeMethod)


def survey_plan(
    plan: Plan, *, shown: int = SHOWN, around: bool = False, progress: Progress | None = None
) -> Survey:
    """Read the plan's table, and look over the lattice that its method searches; private.

    Parameters
    ----------
    shown, around
        How many nodes are seen, and which ones of a larger lattice: see `shoal.methods.survey`.

    Raises
    ------
    ParameterError
        If the method chooses no levels.
    """
    method = plan.build_method()
    if not isinstance(method, LatticeMethod):
        raise ParameterError(
            f"The method '{method.name}' chooses no levels for the whole table.",
            'Set name = "full-domain" under [method].',
        )
    frame, _ = read(plan.source, plan)
    people, policy = plan.population_path, plan.publication.missing
    if policy == "drop":
        frame = frame.take(complete_rows(frame, plan.schema_()))
    schema = plan.weighed_schema(frame)
    require = [each.bind(schema) for each in plan.requirements()]
    table = Table.encode(
        frame,
        schema,
        empty_columns=policy == "suppress-column",
        population=None if people is None else read_population(people, plan, schema),
    )
    require = [each.bind(table.schema) for each in require]  # trees are built now
    part = apply_missing_policy(with_private(table, require), policy).table
    require_feasible(part, require, method, suppression_limit=method.suppression_limit)
    return survey(part, require, method, shown=shown, around=around, progress=progress)
