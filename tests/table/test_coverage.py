"""How a hierarchy fits its column, told before a release refuses it."""

import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.errors import ShoalError
from shoal.io.frames import Coded
from shoal.table import ColumnValues, Coverage, Table
from shoal.table.hierarchies import Auto, Dates, Flat, Hierarchy, Intervals
from tests.examples import examples

TOWNS = pl.DataFrame({"town": ["Oslo", "Rome", "Oslo", None, "?", "Bergen"], "x": range(6)})


def found(frame, missing=("", "?"), **said):
    (name, *_) = frame.columns
    schema = shoal.Schema({name: shoal.quasi(**said)}, missing=missing)
    return ColumnValues.of(Coded(frame), schema, name)


def test_missing_cells_are_no_values():
    towns = found(TOWNS)
    assert towns.values.to_list() == ["Oslo", "Rome", "Bergen"]
    assert (towns.rows.tolist(), towns.missing) == ([2, 1, 1], 2)
    made = Coverage(Hierarchy.flat(["Oslo", "Rome", "Bergen"]), towns)
    assert made.uncovered == ()
    assert made.rows.tolist() == [6, 2, 1, 1]


def test_values_are_those_of_the_prepared_column():
    frame = pl.DataFrame({"born": ["31.12.1990", "2.1.1990", "1.1.1930"]})
    ages = found(frame, age_at="2026-01-01", top=90)
    assert ages.values.to_list() == ["35", "90"]
    tree = ages.build(Intervals(width=10))
    ages.require_fit(tree)
    days = found(frame, kind="date")
    assert days.build(Dates(levels=("year",))).labels[1] == "1930"


def test_a_tree_alone_covers_nothing():
    made = Coverage(Hierarchy.flat(()), found(TOWNS))
    assert len(made.uncovered) == 3
    assert (made.uncovered_rows, made.unused, made.levels) == (4, 0, (0,))


def test_numbers_that_are_none_are_counted():
    with pytest.raises(ShoalError, match="2"):
        found(pl.DataFrame({"age": ["4", "old", "old"]}), kind="numeric")


@pytest.mark.parametrize("builder", [Auto(fan_out=2), Intervals(bins=4)])
@pytest.mark.parametrize("kind", ["numeric", "categorical"])
def test_trees_are_those_of_a_release(builder, kind):
    frame = pl.DataFrame({"age": [str(i * i % 41) for i in range(60)]})
    ages = found(frame, kind=kind)
    schema = shoal.Schema({"age": shoal.quasi(kind=kind, hierarchy=builder)})
    assert ages.build(builder) == Table.encode(frame, schema).schema["age"].hierarchy


def test_a_value_that_is_left_out_of_the_tree_does_not_fit():
    towns = found(TOWNS)
    towns.require_fit(towns.build(Flat()))
    with pytest.raises(ShoalError, match="misses 2 of 3 values"):
        towns.require_fit(Hierarchy.flat(["Oslo"]))


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.sampled_from([*"abcdefg", None]), min_size=1, max_size=30))
def test_rows_add_up(cells):
    towns = found(pl.DataFrame({"town": pl.Series(cells, dtype=pl.String)}))
    tree = Hierarchy.from_dict({"X": ["a", "b"], "Y": {"Z": ["c"], "d": []}, "e": None})
    made = Coverage(tree, towns)
    assert made.rows[0] + made.uncovered_rows == len(cells)
    for node in range(tree.n_nodes):
        below = tree.leaves[tree.first_leaf[node] : tree.last_leaf[node] + 1]
        alone = cells.count(None) if node == 0 else 0
        assert made.rows[node] == sum(cell in below for cell in cells) + alone
    assert set(made.uncovered) == {cell for cell in cells if cell in ("f", "g")}
    assert made.levels[0] == len({cell for cell in cells if cell in tree.leaves})
