"""t-closeness over a tree, a given order, and dates."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import KAnonymity, TCloseness
from shoal.errors import ParameterError
from shoal.models import GroupStatistics, Histogram
from shoal.publications.groups.grouping import Grouping
from shoal.table.sensitive import SensitiveColumn
from tests.examples import examples
from tests.reference.spread import climbed, moved
from tests.tables import seeded

TREE = {
    "flu": "lungs", "asthma": "lungs", "lungs": "inner", "ulcer": "gut", "gut": "inner",
    "inner": "any", "burn": "any", "cut": "skin", "graze": "skin", "skin": "any",
}  # fmt: skip
"""Leaves of uneven depth; 'burn' hangs below the root."""
LEAVES = ["flu", "asthma", "ulcer", "burn", "cut", "graze"]
GROUPS = st.lists(st.lists(st.sampled_from(LEAVES), min_size=1, max_size=8), min_size=1, max_size=5)
SCHEMA = shoal.Schema({"a": shoal.quasi(), "s": shoal.sensitive()})


def tree(t: float | str) -> TCloseness:
    return TCloseness(t, distance="hierarchical", parents=TREE)


def counted(groups: list[list[str]]) -> GroupStatistics:
    rows = [value for group in groups for value in group]
    labels = np.repeat(np.arange(len(groups)), [len(group) for group in groups]).astype(np.int32)
    known = sorted(set(rows))
    codes = np.array([known.index(value) for value in rows], dtype=np.int64)
    return Grouping(labels).statistics(None, {"s": SensitiveColumn(codes, tuple(known))})


@settings(max_examples=examples(200), deadline=None)
@given(GROUPS, GROUPS, st.sampled_from(["0", "1/6", "1/4", "0.3", "1/2", "1"]))
def test_a_tree_is_climbed_as_the_slow_twin_does(
    groups: list[list[str]], others: list[list[str]], t: str
) -> None:
    whole = [value for group in groups for value in group]
    expected = [climbed(group, whole, TREE) for group in groups]
    outcome = tree(t).judge(counted(groups))
    assert outcome.holds.tolist() == [each <= Fraction(t) for each in expected]
    assert outcome.achieved["t"] == float(max(expected))
    assert tree(str(max(expected))).judge(counted(groups)).passed
    told = tree(1).against(counted(others))
    rest = [value for group in others for value in group]
    alone = [told.judge(counted([group])).achieved["t"] for group in groups]
    assert alone == [float(climbed(group, rest, TREE)) for group in groups]


def test_long_numbers_stay_exact() -> None:
    groups = counted([["flu", "flu", "cut"], ["ulcer", "cut", "burn"]])
    found = groups.histograms["s"]
    many = Histogram(found.group, found.value, found.counts * 10**10, found.labels)
    large = GroupStatistics(groups.sizes, None, {"s": many})
    assert tree(1).judge(large).achieved == tree(1).judge(groups).achieved


ORDER = ["burn", "cut", "graze", "flu", "asthma", "ulcer"]


@settings(max_examples=examples(100), deadline=None)
@given(GROUPS, st.sampled_from(["1/6", "1/4", "1/2"]))
def test_a_given_order_is_kept(groups: list[list[str]], t: str) -> None:
    numbers = [[float(ORDER.index(value)) for value in group] for group in groups]
    whole = [value for group in numbers for value in group]
    expected = [moved(group, whole) for group in numbers]
    outcome = TCloseness(t, distance="ordered", order=ORDER).judge(counted(groups))
    assert outcome.holds.tolist() == [each <= Fraction(t) for each in expected]
    assert outcome.achieved["t"] == float(max(expected))


def test_dates_are_in_their_order() -> None:
    days = ["0999-12-31", "2023-12-31", "2024-01-02T08:30", "2024-01-02T08:31:00.5", "2024-10-01"]
    groups = [[0, 1, 2], [2, 3, 4, 4], [1, 3]]
    whole = [float(value) for group in groups for value in group]
    expected = [float(moved(list(map(float, group)), whole)) for group in groups]
    frame = counted([[days[value] for value in group] for group in groups])
    assert TCloseness(1, distance="ordered").judge(frame).achieved["t"] == max(expected)


@pytest.mark.parametrize("texts", [["2024-13-01"], ["yesterday"], ["2024-01-01", "7"],
                                   ["2024-01-01T00:00+01:00"]])  # fmt: skip
def test_what_is_neither_number_nor_date_is_refused(texts: list[str]) -> None:
    frame = pl.DataFrame({"a": [1] * (2 * len(texts)), "s": texts * 2})
    need = [TCloseness(0.5, distance="ordered"), KAnonymity(2)]
    with pytest.raises(ParameterError, match="needs numbers or dates") as caught:
        shoal.anonymize(frame, SCHEMA, require=need)
    assert "yesterday" not in str(caught.value)


@pytest.mark.parametrize(
    ("need", "said"),
    [
        (TCloseness(0.5, order=["a"]), "order is not used"),
        (TCloseness(0.5, parents={"a": "b"}), "parents is not used"),
        (TCloseness(0.5, None, "ordered", "ab"), "order must be a list"),
        (TCloseness(0.5, None, "ordered", [1, 2]), "order must be a list"),  # type: ignore[list-item]
        (TCloseness(0.5, None, "ordered", ["a", "a"]), "names a value twice"),
        (TCloseness(0.5, None, "hierarchical"), "needs parents"),
        (TCloseness(0.5, None, "hierarchical", parents={"a": 1}), "needs parents"),  # type: ignore[dict-item]
        (TCloseness(0.5, None, "hierarchical", parents={"a": "b", "c": "d"}), "2 roots"),
        (TCloseness(0.5, None, "hierarchical", parents={"a": "b", "b": "a"}), "a cycle"),
        (
            TCloseness(0.5, None, "hierarchical", parents={"a": "b", "b": "a", "c": "d"}),
            "1 roots and a cycle",
        ),
    ],
)
def test_wrong_options(need: TCloseness, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        need.validate()


def test_values_without_a_place_are_counted_not_named() -> None:
    frame = pl.DataFrame({"a": [1, 1, 2, 2], "s": ["flu", "Xy9secret", "flu", None]})
    for need in (tree(0.5), TCloseness(0.5, distance="ordered", order=["flu", "cut"])):
        with pytest.raises(ParameterError, match="lacks 2 of 3 values of 's'") as caught:
            shoal.anonymize(frame, SCHEMA, require=[need, KAnonymity(2)])
        assert "secret" not in str(caught.value)
    inner = pl.DataFrame({"a": [1, 1], "s": ["flu", "lungs"]})
    with pytest.raises(ParameterError, match="as leaves"):
        shoal.verify(inner, SCHEMA, [tree(0.5)])


def test_the_missing_value_may_have_a_place() -> None:
    frame = pl.DataFrame({"a": ["x", "x", "y", "y"], "s": ["flu", None, "flu", "flu"]})
    need = TCloseness(1, distance="ordered", order=["", "flu"])
    assert shoal.verify(frame, SCHEMA, [need]).achieved == {"t": 0.25}
    need = TCloseness(1, distance="hierarchical", parents={**TREE, "": "any"})
    assert shoal.verify(frame, SCHEMA, [need]).achieved == {"t": 0.25}


def ill(n: int = 120) -> pl.DataFrame:
    rng = np.random.default_rng(2)
    age = rng.integers(0, 60, n)
    return pl.DataFrame(
        {"a": age, "s": [LEAVES[min(i, 5)] for i in age // 15 + rng.integers(0, 3, n)]}
    )


ANY = [kind for kind in shoal.methods.METHODS.values() if kind.carries is None]


@pytest.mark.parametrize("kind", ANY, ids=lambda kind: kind.name)
def test_methods_hold_it(kind: type[shoal.methods.Method]) -> None:
    for need in (tree("1/4"), TCloseness("1/4", distance="ordered", order=ORDER)):
        made = shoal.anonymize(ill(), SCHEMA, require=[KAnonymity(3), need], method=seeded(kind, 1))
        assert made.verification.passed
        whole = made.table["s"].to_list()
        for _, group in made.table.group_by("a"):
            values: Any = group["s"].to_list()
            apart = (
                climbed(values, whole, TREE)
                if need.parents
                else moved([ORDER.index(v) for v in values], [ORDER.index(v) for v in whole])
            )
            assert apart <= Fraction(1, 4)


def test_a_plan_gives_it_back_and_public_files_name_no_hidden_value() -> None:
    from shoal.models import from_spec

    text = """
        model = "t-closeness"
        t = 0.3
        distance = "hierarchical"
        parents = { flu = "lungs", asthma = "lungs", lungs = "any", burn = "any" }
    """
    need = from_spec(tomllib.loads(text))
    assert isinstance(need, TCloseness)
    assert from_spec(need.to_spec()) == need
    shown = need.published({"s": {"asthma", "burn"}})
    assert "flu" not in str(shown.to_spec())
    groups = counted([["asthma", "burn"], ["burn", "burn"]])
    assert shown.judge(groups).achieved == need.judge(groups).achieved
    ordered = TCloseness(0.3, distance="ordered", order=ORDER)
    assert ordered.published({"s": {"cut", "flu"}}).order == ["cut", "flu"]
