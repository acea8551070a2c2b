"""(l₁ … l_d)-diversity: what it counts, refuses and says."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import MultiLDiversity
from shoal.errors import InfeasibleError, ParameterError
from shoal.models import GroupStatistics, Histogram

LABELS = ("a", "b", None)


def whole(**columns: list[int]) -> GroupStatistics:
    found = {
        name: Histogram.of_one(np.array(codes), LABELS[: max(codes) + 1])
        for name, codes in columns.items()
    }
    return GroupStatistics(np.array([len(next(iter(columns.values())))]), None, found)


@pytest.mark.parametrize("l", [{}, {"s": 1}, {"s": 2.5}, {"s": True}, {"s": "3"}, 3, None])
def test_bad_parameters_are_refused(l: Any) -> None:  # noqa: E741
    with pytest.raises(ParameterError):
        MultiLDiversity(l).validate()


def test_a_missing_value_is_one_of_its_own() -> None:
    outcome = MultiLDiversity({"s": 3}).judge(whole(s=[0, 1, 2, 2]))
    assert outcome.passed
    assert outcome.achieved == {"l of s": 3}


def test_too_few_values_are_refused_with_the_most_that_is_possible() -> None:
    for need, said in (
        (MultiLDiversity({"s": 4}), "has 3 different values: s = 3 is the largest possible"),
        (MultiLDiversity({"t": 2, "s": 2}), "'t' has the same value in all rows"),
    ):
        with pytest.raises(InfeasibleError, match=said) as refusal:
            need.require_feasible(whole(s=[0, 1, 2], t=[0, 0, 0]))
        assert "lower = true" in refusal.value.hint


def test_lowering_is_said() -> None:
    need = MultiLDiversity({"s": 4, "t": 2}, lower=True)
    groups = whole(s=[0, 1, 2], t=[0, 0, 0], u=[0, 1, 0])
    need.require_feasible(groups)
    assert need.remarks(groups) == [
        "l of 's' was lowered from 4 to 3, the number of values it has.",
        "l of 't' was lowered from 2 to 1, since all rows have the same value, which every "
        "reader sees.",
        "The diversity of 's', 't' does not protect 'u', which is sensitive, too.",
    ]
    assert MultiLDiversity({"s": 3, "t": 3, "u": 2}).remarks(groups) == []


def test_a_column_that_is_not_sensitive_is_refused() -> None:
    frame = pl.DataFrame({"x": ["1", "2"], "s": ["a", "b"]})
    schema = shoal.Schema({"x": shoal.quasi(), "s": shoal.sensitive()})
    with pytest.raises(ParameterError, match="'x' is not sensitive"):
        shoal.anonymize(frame, schema, require=MultiLDiversity({"x": 2}), method=shoal.MICD())


def test_other_methods_carry_it() -> None:
    frame = shoal.datasets.adult(complete=True).head(200).select("age", "race", "sex")
    schema = shoal.Schema(
        {"age": shoal.quasi(), "race": shoal.sensitive(), "sex": shoal.sensitive()}
    )
    require = [shoal.KAnonymity(4), MultiLDiversity({"race": 2, "sex": 2})]
    made = shoal.anonymize(frame, schema, require=require, method=shoal.GAACP(seed=1))
    assert made.verification.passed
