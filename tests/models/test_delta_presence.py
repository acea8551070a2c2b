"""δ-presence: shares of those who fit a group, exactly, and people who fit none."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from shoal import DeltaPresence, KAnonymity
from shoal.checks import check_requirement
from shoal.errors import InfeasibleError, ParameterError
from shoal.models import GroupStatistics, Requirement, holding
from tests.examples import examples

BOUNDS = st.sampled_from(["0", "1/7", "0.2", "1/3", "1/2", "0.7", "1"])


@settings(max_examples=examples(300), deadline=None)
@given(
    BOUNDS,
    BOUNDS.filter(lambda most: most != "0"),
    st.lists(st.tuples(st.integers(1, 90), st.integers(0, 90)), min_size=1, max_size=60),
    st.sampled_from([0, 0, 3]),
)
def test_shares_are_compared_exactly(
    least: str, most: str, groups: list[tuple[int, int]], elsewhere: int
) -> None:
    low, high = sorted((least, most), key=Fraction)
    found = DeltaPresence(low, high).judge(
        GroupStatistics(
            np.array([rows for rows, _ in groups]),
            population=np.array([people for _, people in groups]),
            elsewhere=elsewhere,
        )
    )
    expected = [
        bool(people) and Fraction(low) <= Fraction(rows, max(people, 1)) <= Fraction(high)
        for rows, people in groups
    ]
    if Fraction(low) and elsewhere:
        expected = [False] * len(groups)
    assert found.holds.tolist() == expected


def test_with_a_least_chance_one_group_that_goes_takes_all_along() -> None:
    groups = GroupStatistics(np.array([1, 4, 5]), population=np.array([8, 8, 8]))
    some: list[Requirement] = [DeltaPresence(0, "1/2")]
    assert holding(some, groups).tolist() == [True, True, False]
    assert holding([DeltaPresence("1/8", "1/2")], groups).tolist() == [False] * 3
    assert holding([DeltaPresence("1/8", "5/8")], groups).tolist() == [True] * 3
    # Another requirement lets a group go: those who fit it have no row then.
    assert holding([KAnonymity(2), DeltaPresence("1/8", "5/8")], groups).tolist() == [False] * 3
    assert holding([KAnonymity(2), DeltaPresence(0, "5/8")], groups).tolist() == [False, True, True]


def test_the_contract_with_other_options() -> None:
    check_requirement(DeltaPresence("1/10", "1/2"))
    check_requirement(DeltaPresence("1/2", "1/2"))
    check_requirement(DeltaPresence("2/5", 1))


def whole(rows: int, people: int) -> GroupStatistics:
    return GroupStatistics(np.array([rows]), population=np.array([people]))


def test_what_must_go() -> None:
    assert DeltaPresence(0, 0.25).least_suppression(whole(10, 40)) == 0
    assert DeltaPresence(0, 0.2).least_suppression(whole(10, 40)) == 2
    assert DeltaPresence(0, 0.01).least_suppression(whole(10, 40)) is None
    assert DeltaPresence(0.3, 1).least_suppression(whole(10, 40)) is None
    assert DeltaPresence(0.1, 0.2).least_suppression(whole(10, 40)) == 2  # who fits nobody may go


def test_impossible_bounds_are_refused_with_the_share() -> None:
    with pytest.raises(InfeasibleError, match=r"holds 10 of 40 people .* so that 0.25 lies"):
        DeltaPresence(0.5, 1).require_feasible(whole(10, 40))
    with pytest.raises(InfeasibleError, match="fewer than the table"):
        DeltaPresence(0, 1).require_feasible(whole(10, 4))
    with pytest.raises(ParameterError, match=r"table of the population, but none is given.*Name"):
        DeltaPresence(0, 1).require_feasible(GroupStatistics(np.array([4])))


@pytest.mark.parametrize(
    ("least", "most", "said"),
    [
        (-0.1, 0.5, "least must be from 0 to 1"),
        (0, 1.5, "most must be from 0 to 1"),
        ("x", 0.5, "least must be from 0 to 1"),
        (None, 0.5, "least must be from 0 to 1"),
        (0, 0, "most must be above 0"),
        (0.5, 0.4, "no less than least"),
    ],
)
def test_wrong_options(least: object, most: object, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        DeltaPresence(least, most).validate()  # type: ignore[arg-type]
