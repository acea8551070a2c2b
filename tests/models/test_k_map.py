"""k-map by estimate: the size that is asked for, and groups of it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import KMap
from shoal.checks import check_requirement
from shoal.errors import InfeasibleError, ParameterError
from shoal.models import GroupStatistics
from tests.examples import examples
from tests.reference.risks import least_sample


@settings(max_examples=examples(200), deadline=None)
@given(
    st.integers(2, 60),
    st.sampled_from(["1/1000000", "0.0001", "1/100", "0.05", "1/3", "0.7", "1"]),
    st.sampled_from(["1/1000", "0.01", "0.05", "1/3", "0.9"]),
    st.booleans(),
)
def test_sizes_are_those_of_the_slow_twin(k: int, share: str, error: str, truncated: bool) -> None:
    need = KMap(k, share, error, "zero-truncated" if truncated else "poisson")
    expected = least_sample(k, Fraction(share), Fraction(error), truncated=truncated)
    assert need.required_size == need.least_size == expected


def test_a_jump_is_found_to_the_last_digit() -> None:
    """Three of five are as seldom as 5 % just at this fraction; floats cannot tell."""
    below, above = "0.11841915704827827672", "0.11841915704827827673"
    assert KMap(5, below, 0.05).required_size == 3
    assert KMap(5, above, 0.05).required_size == 4


def test_a_group_of_k_is_enough_and_many_people_are_no_trouble() -> None:
    assert KMap(2, 1).required_size == 2
    assert KMap(10, 1).required_size == 10
    assert KMap(5000, 0.5).required_size == least_sample(
        5000, Fraction(1, 2), Fraction(1, 100), truncated=True
    )
    assert KMap(20_000, 1, 0.5).required_size <= 20_000


def test_the_contract_with_other_options() -> None:
    check_requirement(KMap(10, 0.05, estimate="poisson"))


@pytest.mark.parametrize("name", ["gaa-cp", "full-domain", "mondrian", "kaca", "mdav"])
def test_methods_hold_it(name: str) -> None:
    frame = pl.DataFrame({"a": [7 * i % 60 for i in range(60)]})
    schema = shoal.Schema({"a": shoal.quasi(kind="numeric")})
    made = shoal.anonymize(
        frame, schema, require=[KMap(20, 0.1)], method=shoal.methods.METHODS[name]()
    )
    assert made.verification.passed
    least = made.table.group_by("a").len()["len"].min()
    assert made.verification.achieved == {"least group": least}
    assert least >= KMap(20, 0.1).required_size < 20


@pytest.mark.parametrize(
    ("need", "said"),
    [
        (KMap(1, 0.1), "k must be a whole number"),
        (KMap(5, 0), "fraction must be above 0"),
        (KMap(5, 2), "fraction must be above 0"),
        (KMap(5, 0.1, 1), "significance must be above 0"),
        (KMap(5, 0.1, "x"), "significance must be above 0"),
        (KMap(5, 0.1, estimate="binomial"), "estimate"),  # type: ignore[arg-type]
    ],
)
def test_wrong_options(need: KMap, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        need.validate()


def test_too_few_rows_are_refused() -> None:
    with pytest.raises(InfeasibleError, match="a group of 8 is required"):
        shoal.anonymize(pl.DataFrame({"a": [1, 2]}), {"a": "quasi"}, require=[KMap(8, 0.9)])


def test_people_of_a_population_are_counted_where_no_fraction_is_given() -> None:
    groups = GroupStatistics(np.array([9, 1]), population=np.array([9, 10]))
    found = KMap(10).judge(groups)
    assert found.holds.tolist() == [False, True]
    assert found.achieved == {"least population": 9}
    assert KMap(10).needs == {"population"}
    assert KMap(10, 0.5).needs == {"people"}
    assert KMap(10).to_spec() == {"model": "k-map", "k": 10}
    check_requirement(KMap(10))


@pytest.mark.parametrize("option", [{"significance": 0.05}, {"estimate": "poisson"}])
def test_options_of_the_estimate_need_a_fraction(option: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="is an option of the estimate"):
        KMap(10, **option).validate()
    KMap(10, 0.5, **option).validate()
