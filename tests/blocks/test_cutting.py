"""Blocks: every row in one, no person in two, none that could not hold."""

from __future__ import annotations

import hypothesis.strategies as st
import numpy as np
import numpy.typing as npt
import polars as pl
from hypothesis import example, given

from shoal.blocks import Axis, blocks_for, cut
from shoal.table import Table
from tests.reference.blocks import cut as slow_cut


def _axis(places: npt.NDArray[np.float64]) -> Axis:
    return Axis(places, np.arange(len(places)))


PLACES = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 9), st.integers(0, 6)), min_size=1, max_size=40
)


@example([(0, 1, 4), (0, 4, 0), (0, 7, 4)], 2, 1, True)
@given(PLACES, st.integers(1, 6), st.integers(1, 4), st.booleans())
def test_rows_are_cut_as_the_slow_twin_does(
    rows: list[tuple[int, int, int]], count: int, least: int, with_people: bool
) -> None:
    columns = [np.array([row[at] / 16 for row in rows]) for at in (0, 1)]  # sums are exact
    people = np.array([row[2] for row in rows]) if with_people else None
    axes = [_axis(column) for column in columns]
    found = cut(axes, count, people=people, allowed=lambda part: len(part) >= least)
    assert sorted(np.concatenate(found).tolist()) == list(range(len(rows)))
    assert len(found) <= count
    if len(rows) >= least:
        assert all(len(block) >= least for block in found)
    if people is not None:
        for person in set(people.tolist()):
            assert sum(person in people[block] for block in found) == 1
    expected = slow_cut(
        [column.tolist() for column in columns],
        count,
        people=None if people is None else people.tolist(),
        least=least,
    )
    assert [block.tolist() for block in found] == expected


def test_the_column_of_most_spread_is_cut_at_its_median() -> None:
    narrow, wide = np.linspace(0.4, 0.6, 8), np.array([0, 1, 0, 1, 0, 1, 0, 1.0])
    found = cut([_axis(narrow), _axis(wide)], 2)
    assert [block.tolist() for block in found] == [[0, 2, 4, 6], [1, 3, 5, 7]]


def test_what_cannot_be_cut_stays_whole() -> None:
    same = np.zeros(6)
    assert [block.tolist() for block in cut([_axis(same)], 4)] == [list(range(6))]


def test_numbers_lie_in_their_range_and_leaves_in_their_tree() -> None:
    frame = pl.DataFrame({"age": [20, 40, None, 60], "sex": ["f", "m", "f", None]})
    schema = {"age": "quasi", "sex": "quasi"}
    age, sex = Table.encode(frame, schema).quasi
    assert Axis.of(age).at(np.arange(4)).tolist() == [0.0, 0.5, 0.5, 1.0]
    assert Axis.of(sex).at(np.arange(4)).tolist() == [0.0, 1.0, 0.0, 0.5]


def test_blocks_are_counted_by_rows_alone() -> None:
    assert [blocks_for(rows) for rows in (0, 499_999, 500_000, 50_000_000)] == [1, 1, 2, 200]
