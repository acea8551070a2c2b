"""The other levels that a plan's method could have chosen: a look over its lattice."""

from __future__ import annotations

from shoal.engines.pipeline import read, read_population
from shoal.engines.rebuilding import Encoder, rebuild
from shoal.engines.setting import Setting
from shoal.errors import InfeasibleError, ParameterError
from shoal.methods import METHODS, Progress
from shoal.methods._survey import Survey, survey
from shoal.methods.lattice._method import LatticeMethod
from shoal.models.exact.shares import allowed
from shoal.plan import Plan
from shoal.plan.feasibility import require_feasible
from shoal.publications.groups.grouping import Grouping
from shoal.publications.groups.missing_policy import apply_missing_policy, complete_rows


def chooses_levels(plan: Plan) -> bool:
    """Say whether the plan's method chooses one level per column for the whole table."""
    return issubclass(METHODS[plan.method["name"]], LatticeMethod)


def survey_plan(plan: Plan, *, around: bool = False, progress: Progress | None = None) -> Survey:
    """Read the plan's table, and look over the lattice that its method searches; private.

    `around`: which nodes of a larger lattice are seen: see `shoal.methods._survey`.
    Raises `ParameterError` if the method chooses no levels.
    """
    method = plan.build_method()
    if not isinstance(method, LatticeMethod):
        raise ParameterError(
            f"The method '{method.name}' chooses no levels for the whole table.",
            'Set name = "full-domain" under [method].',
        )
    frame, _ = read(plan.source, plan)
    people, policy = plan.population_path, plan.publication.missing
    schema, limit = plan.schema_(), plan.publication.suppression_limit
    if policy == "drop":
        frame = frame.take(complete_rows(frame, schema))
    population = None if people is None else read_population(people, plan, schema)
    encoder = Encoder(frame, schema, plan.requirements(), plan.weights, policy, population)
    whole = encoder.encode()
    table = apply_missing_policy(whole.table, policy)
    method = method.suppressing_at_most(allowed(limit, len(whole.rows)), table)
    assert isinstance(method, LatticeMethod)
    require_feasible(table, whole.require, method, suppression_limit=method.limit)

    def stays(at: LatticeMethod, groups: Grouping) -> bool:
        setting = Setting(at, plan.publication.build(at), seed=0, suppression_limit=limit)
        try:
            kept, _ = rebuild(encoder, whole, groups, setting)
        except InfeasibleError:
            return False
        return len(whole.rows) - len(kept.rows) <= allowed(limit, len(whole.rows))

    asked = stays if encoder.levels_follow_rows(whole) else None
    require = whole.require
    return survey(table, require, method, around=around, stays=asked, progress=progress)
