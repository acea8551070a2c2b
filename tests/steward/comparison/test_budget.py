"""Budgets in times of the usual one, weights, and the lattice of a plan."""

from __future__ import annotations

from typing import Any

import pytest

import shoal
from shoal.errors import ParameterError, PlanError
from shoal.steward.comparison.budget import budgeted, can_be_refined, reweighed
from shoal.steward.comparison.lattice import chooses_levels, survey_plan

ASKED: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi"},
        "sex": {"role": "quasi"},
        "disease": {"role": "sensitive"},
    },
    "require": [{"model": "k-anonymity", "k": 2}],
}


def plan(**more: Any) -> shoal.Plan:
    return shoal.Plan.from_dict({**ASKED, **more})


def test_the_usual_budget_of_auto_is_said_by_silence() -> None:
    made = budgeted(plan(refine={"seconds": 3}, bound={"looks": 3}), 1)
    assert made.refine is made.bound is None


def test_a_method_that_does_not_refine_by_itself_is_asked_to() -> None:
    mondrian = plan(method={"name": "mondrian"})
    assert budgeted(mondrian, 0) == mondrian
    assert budgeted(mondrian, 1).refine == {"times": 1}
    assert budgeted(mondrian, 1).bound == {"times": 1}


@pytest.mark.parametrize(
    "more",
    [
        {"method": {"name": "full-domain"}},
        {"publication": {"form": "two-table"}},
        {"publication": {"form": "microaggregated"}},
        {"columns": {**ASKED["columns"], "who": {"role": "identifier"}}, "entity": "who"}
        | {"linkage": "all-rows"},
    ],
)
def test_what_cannot_be_refined_is_not_asked_to(more: dict[str, Any]) -> None:
    asked = plan(**more)
    assert not can_be_refined(asked)
    for times in (0, 1, 20):
        made = budgeted(asked, times)
        assert made.refine in (None, {"times": 0})
        shoal.plan.compatibility.require_compatible(made.combination(), made.schema_())


def test_differing_weights_are_refined_by_the_measure_that_counts_them() -> None:
    asked = plan(refine={"steps": 9}, bound={"looks": 9})
    made = reweighed(asked, {"age": 5})
    assert made.method["measure"] == made.refine["measure"] == made.bound["measure"] == "loss"
    assert reweighed(made, {"sex": 5}) == reweighed(asked, {"age": 5, "sex": 5})
    assert "measure" not in reweighed(made, {"sex": 5}).method
    assert "measure" not in reweighed(plan(method={"name": "gaa-cp"}), {"age": 5}).method
    found = plan(weights={"kind": "entropy"})
    assert reweighed(found, {"age": 5}).weights is None
    assert reweighed(found, {}).weights is not None
    assert budgeted(found, 2).refine == {"times": 2, "measure": "loss"}


def test_wrong_weights_are_refused() -> None:
    with pytest.raises(ParameterError, match="not a quasi-identifier"):
        reweighed(plan(), {"disease": 2})
    with pytest.raises(PlanError):
        reweighed(plan(), {"age": 0})


def test_only_methods_that_choose_levels_have_a_lattice() -> None:
    assert chooses_levels(plan(method={"name": "datafly"}))
    with pytest.raises(ParameterError, match="chooses no levels"):
        survey_plan(plan())
