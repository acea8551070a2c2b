"""Blocks: every row in one, no person in two, none that could not hold."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
import numpy.typing as npt
import polars as pl
from hypothesis import example, given

from shoal.engines.blocks.cutting import Axis, blocks_for, cut
from shoal.engines.blocks.points import Points, canonical_order, mean_axes
from shoal.table import Table
from shoal.table.schema import Schema, identifier, quasi
from tests.reference.blocks import cut as slow_cut


def _axis(places: npt.NDArray[np.float64]) -> Axis:
    return Axis(places, np.arange(len(places)))


PLACES = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 9), st.integers(0, 6)), min_size=1, max_size=40
)


def _blocks(axes: list[Axis], count: int, **options: Any) -> list[list[int]]:
    found = cut(axes, count, **options)
    of_point = found.blocks_of(axes)
    return [np.flatnonzero(of_point == number).tolist() for number in range(found.count)]


@example([(0, 1, 4), (0, 4, 0), (0, 7, 4)], 2, 1, True)
@given(PLACES, st.integers(1, 6), st.integers(1, 4), st.booleans())
def test_rows_are_cut_as_the_slow_twin_does(
    rows: list[tuple[int, int, int]], count: int, least: int, with_people: bool
) -> None:
    columns = [[row[at] / 16 for row in rows] for at in (0, 1)]  # sums are exact
    people = [row[2] for row in rows] if with_people else None
    expected = slow_cut(columns, count, people=people, least=least)
    if people is None:
        axes = [_axis(np.array(column) * 2.0**30) for column in columns]
        found = _blocks(axes, count, allowed=lambda part: len(part) >= least)
        assert found == expected
        return
    # A point per person, in the order of their first rows: that is how blocks are numbered.
    who = list(dict.fromkeys(people))
    own = [[at for at, each in enumerate(people) if each == person] for person in who]
    keys = np.array(
        [[*(int(sum(c[at] for at in mine) * 2**30) for c in columns), len(mine)] for mine in own]
    )
    weights = keys[:, -1].copy()
    found = _blocks(
        list(mean_axes(keys)),
        count,
        weights=weights,
        allowed=lambda part: int(weights[part].sum()) >= least,
    )
    assert [sorted(at for point in block for at in own[point]) for block in found] == expected


@given(PLACES, st.integers(1, 5))
def test_rows_at_one_point_count_as_so_many_points(
    rows: list[tuple[int, int, int]], count: int
) -> None:
    codes = np.array(sorted(rows))[:, :2]
    different, of_row, weights = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    places = [np.arange(size) * 2.0**26 for size in (5, 10)]
    every = [Axis(places[at], codes[:, at]) for at in (0, 1)]
    points = [Axis(places[at], different[:, at]) for at in (0, 1)]
    few = cut(points, count, weights=weights)
    assert few == cut(every, count)
    blocks = few.blocks_of(points)[of_row.reshape(-1)]
    assert blocks.tolist() == few.blocks_of(every).tolist()


@given(PLACES, st.booleans(), st.randoms(use_true_random=False))
def test_points_do_not_depend_on_the_order_of_rows(
    rows: list[tuple[int, int, int]], with_people: bool, chance: Any
) -> None:
    schema = Schema(
        {"a": quasi(), "b": quasi(), "who": identifier()}, entity="who" if with_people else None
    )
    found = []
    for _ in range(2):
        frame = pl.DataFrame(rows, schema=["a", "b", "who"], orient="row")
        table = Table.encode(frame, schema)
        points = Points.of(table.select(canonical_order(table), ranges="whole"))
        axes = [(axis.places.tolist(), axis.codes.tolist()) for axis in points.axes]
        found.append((axes, points.weights.tolist()))
        assert int(points.weights.sum()) == len(rows)
        chance.shuffle(rows)
    assert found[0] == found[1]


def test_the_column_of_most_spread_is_cut_at_its_median() -> None:
    narrow, wide = np.linspace(0.4, 0.6, 8), np.array([0, 1, 0, 1, 0, 1, 0, 1.0])
    found = _blocks([_axis(narrow), _axis(wide)], 2)
    assert found == [[0, 2, 4, 6], [1, 3, 5, 7]]


def test_what_cannot_be_cut_stays_whole() -> None:
    assert _blocks([_axis(np.zeros(6))], 4) == [list(range(6))]


def test_numbers_lie_in_their_range_and_leaves_in_their_tree() -> None:
    frame = pl.DataFrame({"age": [20, 40, None, 60], "sex": ["f", "m", "f", None]})
    schema = {"age": "quasi", "sex": "quasi"}
    age, sex = Table.encode(frame, schema).quasi
    assert (Axis.of(age).at(np.arange(4)) / 2**30).tolist() == [0.0, 0.5, 0.5, 1.0]
    assert (Axis.of(sex).at(np.arange(4)) / 2**30).tolist() == [0.0, 1.0, 0.0, 0.5]


def test_blocks_are_counted_by_rows_alone() -> None:
    assert [blocks_for(rows) for rows in (0, 499_999, 500_000, 50_000_000)] == [1, 1, 2, 200]
