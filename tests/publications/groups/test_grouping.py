"""Group statistics against the obvious."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from shoal.publications.groups.grouping import Grouping, Padding
from shoal.table.sensitive import SensitiveColumn


@st.composite
def groupings(draw: st.DrawFn) -> list[int]:
    """Labels from 0 without gaps, some rows suppressed."""
    n = draw(st.integers(1, 6))
    rest = draw(st.lists(st.integers(-1, n - 1), max_size=20))
    return draw(st.permutations([*range(n), *rest]))


def members(labels: list[int]) -> list[list[int]]:
    return [[i for i, own in enumerate(labels) if own == g] for g in range(max(labels) + 1)]


@given(groupings(), st.data())
def test_statistics_equal_the_obvious(labels: list[int], data: st.DataObject) -> None:
    n = len(labels)
    people = data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    codes = np.array(data.draw(st.lists(st.integers(0, 255), min_size=n, max_size=n)), np.uint8)
    grouping = Grouping(np.array(labels, dtype=np.int32))
    groups = members(labels)
    assert grouping.n_groups == len(groups)
    assert grouping.rows.tolist() == [i for i, own in enumerate(labels) if own >= 0]
    assert grouping.n_suppressed == labels.count(-1)
    assert grouping.sizes.tolist() == [len(rows) for rows in groups]
    assert grouping.sizes.min() > 0
    assert grouping.least(codes).tolist() == [min(codes[rows]) for rows in groups]
    assert grouping.largest(codes).tolist() == [max(codes[rows]) for rows in groups]
    assert grouping.least(codes).dtype == np.uint8
    counted = grouping.statistics(np.array(people))
    assert counted.people is not None
    assert counted.people.tolist() == [len({people[r] for r in rows}) for rows in groups]
    assert counted.sizes.tolist() == grouping.sizes.tolist()
    assert grouping.statistics().people is None


@given(groupings(), st.data())
def test_some_groups_are_those_groups(labels: list[int], data: st.DataObject) -> None:
    groups = members(labels)
    picked = data.draw(st.lists(st.booleans(), min_size=len(groups), max_size=len(groups)))
    wanted = np.array(picked)
    padding = {"s": Padding(np.arange(len(groups)), 5 + np.arange(len(groups)))}
    grouping = Grouping(np.array(labels, dtype=np.int32), padding)
    some = grouping.only(wanted)
    left = [g for g in range(len(groups)) if picked[g]]
    assert members([*some.labels.tolist(), -1])[: len(left)] == [groups[g] for g in left]
    assert some.n_groups == len(left)
    assert some.labels.dtype == np.int32
    assert some.padding["s"].value.tolist() == [5 + g for g in left]
    # Counted before or after, it is the same.
    column = SensitiveColumn(np.arange(len(labels)) % 4, tuple(map(str, range(12))))
    people = np.arange(len(labels)) % 3
    before = grouping.statistics(people, {"s": column}).only(wanted)
    after = some.statistics(people, {"s": column})
    assert before.sizes.tolist() == after.sizes.tolist()
    assert before.people is not None
    assert after.people is not None
    assert before.people.tolist() == after.people.tolist()
    for name in ("group", "value", "counts"):
        one, two = (getattr(each.histograms["s"], name).tolist() for each in (before, after))
        assert one == two


def test_one_group() -> None:
    grouping = Grouping(np.zeros(5, dtype=np.int32))
    assert (grouping.n_groups, grouping.sizes.tolist()) == (1, [5])
    assert grouping.least(np.array([3, 1, 2, 9, 4])).tolist() == [1]


def test_one_row() -> None:
    grouping = Grouping(np.zeros(1, dtype=np.int32))
    assert grouping.distinct(np.array([7])).tolist() == [1]
    assert grouping.largest(np.array([0], dtype=np.uint8)).tolist() == [0]


def test_all_rows_suppressed() -> None:
    grouping = Grouping(np.full(3, -1, dtype=np.int32))
    assert (grouping.n_groups, grouping.n_suppressed, grouping.sizes.tolist()) == (0, 3, [])
    values = np.array([1, 2, 3])
    assert grouping.statistics(values).sizes.tolist() == []
    assert grouping.least(values).tolist() == []
    assert grouping.largest(values).tolist() == []
    assert grouping.distinct(values).tolist() == []


def test_no_rows() -> None:
    grouping = Grouping(np.array([], dtype=np.int32))
    assert (grouping.n_groups, grouping.n_suppressed, grouping.sizes.tolist()) == (0, 0, [])


@pytest.mark.parametrize("base", [0, 2**31, 2**53, 2**62, 2**63 - 3, -(2**63), -5])
def test_person_numbers_may_be_large_or_negative(base: int) -> None:
    labels = np.array([0, 0, 1, 1, 2, 2, 2, -1], dtype=np.int32)
    people = np.array([0, 1, 0, 0, 2, 1, 2, 1], dtype=np.int64) + base
    assert Grouping(labels).distinct(people).tolist() == [2, 1, 2]


def test_person_numbers_of_many_groups_do_not_overflow() -> None:
    labels = np.repeat(np.arange(1000, dtype=np.int32), 2)
    people = np.tile(np.array([2**61, 2**61 + 1]), 1000)
    assert set(Grouping(labels).distinct(people).tolist()) == {2}


def test_a_grouping_shows_itself_in_a_line_without_its_labels() -> None:
    assert repr(Grouping(np.zeros(5, dtype=np.int32))) == (
        "Grouping(rows=5, groups=1, suppressed=0)"
    )
