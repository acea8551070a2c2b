"""m-invariance of rows of equal cells, whose classes nobody names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.models import GroupStatistics, Histogram
from shoal.models._cases import written
from tests.examples import examples
from tests.reference.invariance import can_be_dealt

VALUES = st.lists(st.sampled_from("abcd"), min_size=1, max_size=7)


def of_equal_cells(groups: list[list[str]], m: int) -> list[bool]:
    found = written(ill=[" ".join(each) for each in groups])
    verdict: list[bool] = shoal.MInvariance(m).of_equal_cells().judge(found).holds.tolist()
    return verdict


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(VALUES, min_size=1, max_size=3), st.integers(2, 3))
def test_rows_hold_it_just_if_they_can_be_cut_into_classes(groups: list[list[str]], m: int) -> None:
    assert of_equal_cells(groups, m) == [can_be_dealt(each, m) for each in groups]


@settings(max_examples=examples(100), deadline=None)
@given(VALUES, VALUES, st.integers(2, 3))
def test_classes_of_equal_cells_hold_it_as_one(one: list[str], other: list[str], m: int) -> None:
    if all(of_equal_cells([one, other], m)):
        assert of_equal_cells([one + other], m) == [True]


def test_how_far_rows_go() -> None:
    need = shoal.MInvariance(2, "ill").of_equal_cells()
    groups = written(ill=["a b c", "a a b c d e f"])
    assert need.judge(groups).achieved == {"m": 3}
    assert need.judge(written(ill=["a a b"])).achieved == {"m": 1}
    none = GroupStatistics(
        np.zeros(0, dtype=np.int64), None, {"ill": Histogram.of_one(np.zeros(0, dtype=int), ("a",))}
    )
    assert need.judge(none).achieved == {"m": 0}
    assert need.describe() == "2-invariance (no value of 'ill' in more than 1 of 2 rows of a class)"
    assert need.to_spec() == {"model": "m-invariance", "m": 2, "column": "ill"}


@pytest.mark.parametrize("need", [shoal.KAnonymity(3), shoal.LDiversity(2)])
def test_other_requirements_ask_the_same_of_equal_cells(need: shoal.KAnonymity) -> None:
    assert need.of_equal_cells() is need
