"""Expected counts: the uniform assumption, by hand and against a slow twin."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st

import shoal
from shoal.errors import ParameterError
from shoal.publications import TwoTable
from shoal.publications.recoding import expected_count, generalize, parse, true_count
from shoal.table import Table
from shoal.table.hierarchies import Hierarchy

TREE = Hierarchy.from_dict({"N": ["a", "b", "c"], "S": ["d"]})
SCHEMA = shoal.Schema(
    {"x": shoal.quasi(), "y": shoal.quasi(hierarchy=TREE), "s": shoal.sensitive()}
)


def table(x: list[float | None], y: list[str | None], s: list[str] | None = None) -> Table:
    return Table.encode(pl.DataFrame({"x": x, "y": y, "s": s or ["v"] * len(x)}), SCHEMA)


def test_cells_count_by_the_share_of_what_they_cover() -> None:
    made = table([20, 29, 40, 44], ["a", "b", "d", "a"])
    cells = pl.DataFrame({"x": ["[20, 29]", "[20, 30)", "40", "*"], "y": ["N", "*", "d", "S"]})
    recoded = parse(made, cells)
    # [20, 29] and [20, 30) hold ten numbers, * holds 20 to 44.
    assert expected_count(made, recoded, {"x": (25, 40)}) == pytest.approx(0.5 + 0.5 + 1 + 16 / 25)
    assert expected_count(made, recoded, {"x": {0, 2}}) == pytest.approx(0.1 + 0.1 + 1 + 2 / 25)
    assert expected_count(made, recoded, {"y": {0, 3}}) == pytest.approx(1 / 3 + 2 / 4 + 1 + 1)
    both = expected_count(made, recoded, {"x": (25, 40), "y": {0, 3}})
    assert both == pytest.approx(0.5 / 3 + 0.5 * 0.5 + 1 + 16 / 25)


def test_decimals_are_counted_in_their_own_steps_and_odd_numbers_by_length() -> None:
    made = table([0.5, 1.0, 2.5], ["a"] * 3)
    recoded = parse(made, pl.DataFrame({"x": ["[0.5, 2.5]"] * 3, "y": ["a"] * 3}))
    assert expected_count(made, recoded, {"x": (0.5, 1.0)}) == pytest.approx(3 * 6 / 21)
    made = table([0.0, np.pi, 4 * np.pi], ["a"] * 3)
    ends = f"[0, {4 * np.pi}]"
    recoded = parse(made, pl.DataFrame({"x": [ends] * 3, "y": ["a"] * 3}))
    assert expected_count(made, recoded, {"x": (0.0, np.pi)}) == pytest.approx(3 / 4)


def test_large_whole_numbers_are_told_apart_where_they_are_exact() -> None:
    big = 2**60
    made = table([big, big + 1], ["a", "a"])
    recoded = parse(made, pl.DataFrame({"x": [str(big), str(big + 1)], "y": ["a", "a"]}))
    assert expected_count(made, recoded, {"x": (big, big)}) == 1


def test_an_exact_star_meets_no_condition_but_a_hidden_column_may() -> None:
    made = table([20, None, 30], ["a", "b", None], ["v", "w", "w"])
    labels = shoal.Grouping(np.zeros(3, dtype=np.int32))
    two = TwoTable().make(made, labels, np.array([1]))
    assert expected_count(made, two.recoded, {"x": (0, 99)}) == 2
    assert expected_count(made, two.recoded, {"x": (0, 99)}, {1}) == pytest.approx(4 / 3)
    hidden = TwoTable().make(made, labels, np.array([1]), suppressed=["y"])
    assert expected_count(made, hidden.recoded, {"y": {0}}) == pytest.approx(3 / 4)


def test_what_cannot_be_asked_is_refused() -> None:
    made = table([1, 2], ["a", "b"])
    recoded = generalize(made, shoal.Grouping(np.zeros(2, dtype=np.int32)))
    with pytest.raises(ParameterError, match="Did you mean 'x'"):
        expected_count(made, recoded, {"xx": (1, 2)})
    with pytest.raises(ParameterError, match="a range makes no sense"):
        expected_count(made, recoded, {"y": (1, 2)})
    with pytest.raises(ParameterError, match="no sensitive column 't'"):
        expected_count(made, recoded, {}, {"t": {0}})


@given(st.data())
def test_exact_publications_count_what_is_true(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 12))
    x = data.draw(st.lists(st.one_of(st.none(), st.integers(0, 6)), min_size=n, max_size=n))
    y = data.draw(st.lists(st.sampled_from([None, "a", "b", "d"]), min_size=n, max_size=n))
    x[0], y[0] = 3, "a"
    s = data.draw(st.lists(st.sampled_from(["v", "w"]), min_size=n, max_size=n))
    made = table(x, y, s)
    labels = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    _, dense = np.unique(labels, return_inverse=True)
    grouping = shoal.Grouping(dense.astype(np.int32))
    recoded = TwoTable().make(made, grouping, np.arange(grouping.n_groups) + 1).recoded
    lo = data.draw(st.integers(0, 6))
    where = {"x": (lo, data.draw(st.integers(lo, 6))), "y": {0, 3}}
    assert expected_count(made, recoded, where) == pytest.approx(true_count(made, where))
    # Over all values together the link does not matter; over one, the class's share does.
    total = sum(expected_count(made, recoded, where, {c}) for c in range(made.sensitive["s"].size))
    assert total == pytest.approx(true_count(made, where))
    everyone = expected_count(made, recoded, {}, {0})
    assert everyone == pytest.approx(true_count(made, {}, {0}))
    met = [
        a is not None and where["x"][0] <= a <= where["x"][1] and b in ("a", "d")
        for a, b in zip(x, y, strict=True)
    ]
    first = made.sensitive["s"].labels[0]
    slow = sum(
        sum(v == first for v, g in zip(s, labels, strict=True) if g == mine) / labels.count(mine)
        for ok, mine in zip(met, labels, strict=True)
        if ok
    )
    assert expected_count(made, recoded, where, {0}) == pytest.approx(slow)
