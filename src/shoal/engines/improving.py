"""How the groups of a run are refined, and how what any groups lose is bounded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from shoal.engines.groups import hold_as_published
from shoal.engines.setting import Setting
from shoal.errors import ParameterError
from shoal.improve import Refinement
from shoal.improve.loss_bound import Bounding
from shoal.measures import Pair
from shoal.methods import method_of
from shoal.models import KAnonymity, Requirement, private_columns
from shoal.models.exact.shares import allowed
from shoal.plan import Plan
from shoal.plan.compatibility import Combination, refusals
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table

if TYPE_CHECKING:
    from shoal.improve import Refined, Watch

REFINING = 1
"""Beside the seed: what refinement draws is not what the method drew."""


def refinement_of(
    plan: Plan, setting: Setting, table: Table, require: Sequence[Requirement], groups: Grouping
) -> Refinement | None:
    """Say how groups are refined: as the plan says, or as the method does, where they can be.

    A plan may say how many times as long as the method, or else `Auto`, would.

    Where people say among how many they want to be, no requirement says how large groups become;
    those that were found do.
    """
    required = plan.refinement()
    if required is not None and required.times is None:
        return required
    if required is None:
        if table.schema.linkage == "all-rows":  # it moves rows one by one
            return None
        method, form = setting.method, setting.publication
        own = Combination(method, tuple(require), form, plan.publication.missing, refined=True)
        if any(refusal.part == "refine" for refusal in refusals(own)):
            return None
    if private_columns(require):
        sizes = np.bincount(groups.labels[groups.rows])
        around = int(sizes @ sizes) // max(int(sizes.sum()), 1)  # a row, on average
        require = [*require, KAnonymity(max(around, 2))]
    usual = setting.method.refinement(table, require)
    if required is None:
        return usual
    usual = usual or method_of(None).refinement(table, require)
    return None if usual is None else required.in_steps(usual)


def bounding_of(
    plan: Plan, setting: Setting, table: Table, require: Sequence[Requirement]
) -> Bounding | None:
    """Say how a bound is sought: as the plan says, or as the method itself does, where it holds."""
    required = plan.bounding()
    if required is not None and required.times is None:
        return required
    usual = None
    if setting.publication.unbounded is None:
        usual = setting.method.bounding(table, require)
    if required is None:
        return usual
    usual = usual or method_of(None).bounding(table, require)
    return None if usual is None else required.in_steps(usual)


def require_bound_to_stop_at(plan: Plan) -> None:
    """Refuse to refine until a bound is near that nobody asked for (`ParameterError`)."""
    refinement, bounding = plan.refinement(), plan.bounding()
    if refinement is None or refinement.within is None:
        return
    if bounding is None or bounding.times == 0 or bounding.measure != refinement.measure:
        raise ParameterError(
            f"Refining until the loss is within {refinement.within:g} of the optimum needs a "
            f"lower bound by {refinement.measure}.",
            "Add bound, such as [bound] seconds = 10, or leave out within.",
        )


def refine_groups(
    table: Table,
    grouping: Grouping,
    require: Sequence[Requirement],
    setting: Setting,
    refinement: Refinement,
    *,
    least: float | None = None,
    watch: Watch | None = None,
) -> Refined:
    """Refine groups; if what then holds as it is published loses more, they stay as they were."""
    from shoal.improve import refine  # most runs do without

    made = refine(
        table,
        grouping,
        require,
        refinement,
        rng=np.random.default_rng([setting.seed, REFINING]),
        numbers=setting.method.numbers,
        bounds=setting.publication.bounds or "rounded",
        least=least,
        watch=watch,
    )
    most = allowed(setting.suppression_limit, table.n_rows)
    groups = hold_as_published(table, made.grouping, require, setting, most)
    before, after = (
        refinement.measured.of(Pair(table, setting.show(table, each)))
        for each in (grouping, groups)
    )
    same = math.isclose(after, before, rel_tol=1e-12)  # sums in another order
    better = (same or after < before) and groups.n_suppressed <= grouping.n_suppressed
    return replace(
        made,
        grouping=groups if better else grouping,
        before=before,
        after=after if better and not same else before,
        settled=made.settled and np.array_equal(groups.labels, made.grouping.labels) and better,
    )
