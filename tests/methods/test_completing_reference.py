"""Groups that are judged many at once become the groups of the twin, which judges each alone."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.methods._relative import pinned
from shoal.models import Requirement
from shoal.publications.groups import completing
from shoal.publications.groups.completing import merge_failing
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table
from shoal.table.hierarchies import Hierarchy
from tests.examples import examples
from tests.reference.completing import merged_one_by_one

TREE = Hierarchy.from_dict({"P": {"a": [], "Q": ["b", "c"]}, "d": [], "S": ["e", "f", "g"]})

REQUIREMENTS: list[list[Requirement]] = [
    [shoal.LDiversity(2)],
    [shoal.LDiversity(3), shoal.AlphaK(0.5, 2)],
    [shoal.AlphaK(0.4, 3)],
    [shoal.KAnonymity(4)],
    [shoal.TCloseness(0.4)],
    [shoal.TCloseness(0.3), shoal.LDiversity(2)],
    [shoal.MultiLDiversity({"ill": 3}, lower=True)],
    [shoal.TCloseness(0.2, distance="ordered", order=list("ABCDE"))],
    [shoal.BetaLikeness(1.5), shoal.KAnonymity(2)],
    [shoal.DeltaDisclosure(1.2)],
    [shoal.AverageRisk(0.3)],
]


def make(seed: int, n: int, *, entity: bool) -> tuple[Table, Grouping]:
    rng = np.random.default_rng(seed)
    numbers = [None if rng.random() < 0.05 else int(v) for v in rng.integers(-5, 40, n)]
    words = [None if rng.random() < 0.05 else str(v) for v in rng.choice(TREE.leaves, n)]
    numbers[0], words[0] = 3, "a"  # nothing is grouped by columns that are missing everywhere
    frame = pl.DataFrame(
        {
            "x": numbers,
            "y": words,
            "ill": rng.choice(["A", "B", "C", "D", "E"], n, p=[0.5, 0.2, 0.1, 0.1, 0.1]),
            "who": rng.integers(0, max(n // 2, 1), n),
        },
        schema={"x": pl.Int64, "y": pl.String, "ill": pl.String, "who": pl.Int64},
    )
    schema = shoal.Schema(
        {
            "x": shoal.quasi(kind="numeric", weight=0.7),
            "y": shoal.quasi(hierarchy=TREE),
            "ill": shoal.sensitive(),
            "who": shoal.identifier(),
        },
        entity="who" if entity else None,
    )
    table = Table.encode(frame, schema)
    groups = int(rng.integers(1, n + 1))
    labels = np.concatenate((np.arange(groups), rng.integers(0, groups, n - groups)))
    labels = rng.permutation(labels)
    if rng.random() < 0.3 and n > groups:  # some rows are left out already
        labels[np.flatnonzero(labels == labels.max())] = -1
    return table, Grouping(labels.astype(np.int32))


@settings(deadline=None, max_examples=examples(150))
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 120),
    entity=st.booleans(),
    which=st.integers(0, len(REQUIREMENTS) - 1),
    most=st.sampled_from([-1, completing.MOST_COUNTS]),
    shares=st.sampled_from([0, completing.MOST_SHARES]),
)
def test_the_groups_are_those_of_the_twin(
    seed: int, n: int, entity: bool, which: int, most: int, shares: int
) -> None:
    table, grouping = make(seed, n, entity=entity)
    if not grouping.n_groups:
        return
    require = pinned(table, REQUIREMENTS[which])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(completing, "MOST_COUNTS", most)
        patch.setattr(completing, "MOST_SHARES", shares)
        found = merge_failing(table, grouping, require, table.quasi)
    expected = merged_one_by_one(table, grouping, require, table.quasi)
    assert found.labels.tolist() == expected


@pytest.mark.parametrize("require", [[shoal.LDiversity(3)], [shoal.TCloseness(0.25)]])
@pytest.mark.parametrize("entity", [False, True])
def test_no_group_is_judged_by_itself(
    require: list[Requirement], entity: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, grouping = make(3, 600, entity=entity)
    require = pinned(table, require)
    monkeypatch.setattr(completing, "one_group", None)
    made = merge_failing(table, grouping, require, table.quasi)
    statistics = made.statistics(table.people, table.sensitive)
    assert require[0].judge(statistics).passed
    assert 1 < made.n_groups < grouping.n_groups


def test_what_was_not_told_is_compared_with_all_rows_that_are_grouped() -> None:
    table, grouping = make(4, 400, entity=False)
    told = [shoal.TCloseness(0.2).against(grouping.statistics(None, table.sensitive))]
    expected = merge_failing(table, grouping, told, table.quasi)
    found = merge_failing(table, grouping, [shoal.TCloseness(0.2)], table.quasi)
    assert found.labels.tolist() == expected.labels.tolist()
    assert 1 < found.n_groups < grouping.n_groups
