"""No grouping costs less than a lower bound says; and the bounds are near where they should be."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

import shoal
from benchmarks import stays
from shoal.errors import ParameterError
from shoal.improve import lower_bound as bounding
from shoal.improve.bounds import boxes as boxes_module
from shoal.improve.bounds.boxes import Boxes
from shoal.improve.bounds.prices import Clock, Rounds
from shoal.improve.cell_costs import price_cells
from shoal.improve.lower_bound import LowerBound, lower_bound
from shoal.measures import MEASURES, Measure, Pair
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import generalize
from shoal.table import Table
from shoal.table.hierarchies import Hierarchy
from tests.examples import examples
from tests.reference.cell_costs import cost_of_rows
from tests.reference.lower_bound import cheapest, nearest, optimum
from tests.tables import adult_table, tables, trees

ADDITIVE = ["iloss", "iloss_rate", "loss"]


def bound_of(table: Table, k: int, measure: Measure, **options: Any) -> LowerBound:
    return lower_bound(table, table.schema, k, measure=measure, **options)


@st.composite
def tiny(draw: st.DrawFn) -> tuple[Table, int]:
    """A table of at most 9 rows, of up to 3 numbers and 2 trees, with holes and weights."""
    n = draw(st.integers(2, 9))
    numeric = draw(st.integers(0, 3))
    columns, frame = {}, {}
    for j in range(numeric + draw(st.integers(0 if numeric else 1, 2))):
        holes = draw(st.booleans())
        weight = draw(st.sampled_from([1.0, 2.0, 0.3]))
        if j < numeric:
            cell = draw(
                st.sampled_from(
                    [
                        st.integers(0, 3),
                        st.integers(-5, 20),
                        st.sampled_from([0.5, 0.25, 7.125, 9.0]),
                        st.sampled_from([1 / 3, 2 / 7, 5 / 9]),
                    ]
                )
            )
            columns[f"c{j}"] = shoal.quasi(kind="numeric", weight=weight)
            dtype: type[pl.DataType] = pl.Float64
        else:
            tree = Hierarchy.from_dict(draw(trees()))
            cell, dtype = st.sampled_from(tree.leaves), pl.String
            columns[f"c{j}"] = shoal.quasi(hierarchy=tree, weight=weight)
        known = draw(st.lists(cell, min_size=n, max_size=n))
        missing = draw(st.lists(st.booleans(), min_size=n, max_size=n)) if holes else [False] * n
        values = [None if hole else v for v, hole in zip(known, missing, strict=True)]
        values[0] = known[0]
        frame[f"c{j}"] = pl.Series(values, dtype=dtype)
    table = Table.encode(pl.DataFrame(frame), shoal.Schema(columns))
    return table, min(draw(st.integers(2, 4)), n)


@settings(max_examples=examples(300), deadline=None)
@given(
    tiny(),
    st.sampled_from(ADDITIVE),
    st.sampled_from(["intervals", "tree"]),
    st.sampled_from(["nearest", "boxes", "prices"]),
    st.sampled_from([1, 4]),
    st.sampled_from([3, 20_000]),
)
def test_no_grouping_gets_below(drawn, name, numbers, kind, passes, combinations) -> None:
    table, k = drawn
    measure = MEASURES[name]
    with pytest.MonkeyPatch.context() as patch:
        # Those left out are bounded as well.
        patch.setattr(boxes_module, "VISITED_COMBINATIONS", combinations)
        bound = bound_of(table, k, measure, numbers=numbers, kind=kind, seconds=None, passes=passes)
    priced = price_cells(table, measure, numbers=numbers)
    found, _, groups = optimum(priced, table.n_rows, k)
    slack = Fraction(0) if priced.exact else Fraction(1, 10**9)
    assert Fraction(bound.value) <= found + slack
    # And as the measure itself has it, where all rows are published.
    labels = np.zeros(table.n_rows, dtype=np.int32)
    for label, rows in enumerate(groups):
        labels[list(rows)] = label
    published = generalize(table, Grouping(labels), bounds="observed", numbers=numbers)
    assert bound.value <= measure.of(Pair(table, published)) + 1e-9
    assert 0 <= bound.share <= 1


def test_cells_are_looked_at_again_once_prices_have_grown() -> None:
    """Where they were quiet for least costs, they need not be for prices."""
    tree = Hierarchy.from_dict({"a": {}, "b": {}})
    frame = pl.DataFrame(
        {
            "x": [0.5, 0.25, 0.5, 0.25, 0.5, 7.125],
            "y": ["a", "a", "a", "a", None, "b"],
            "z": ["a", "a", "b", None, None, None],
        }
    )
    columns = {
        "x": shoal.quasi(kind="numeric"),
        "y": shoal.quasi(hierarchy=tree),
        "z": shoal.quasi(hierarchy=tree),
    }
    table = Table.encode(frame, shoal.Schema(columns))
    found, _, _ = optimum(price_cells(table, MEASURES["iloss"], numbers="tree"), 6, 2)
    bound = bound_of(table, 2, MEASURES["iloss"], numbers="tree", seconds=None, passes=1)
    assert Fraction(bound.value) <= found


@settings(max_examples=examples(150), deadline=None)
@given(tiny(), st.sampled_from(ADDITIVE), st.sampled_from([0.0, 0.6]))
def test_no_group_is_worth_more_than_it_costs(drawn, name, noise) -> None:
    hold(*drawn, name, noise)


def hold(table: Table, k: int, name: str, noise: float) -> None:
    """Prices hold for every group, whatever they were before a round."""
    priced = price_cells(table, MEASURES[name], rounding="down")
    costs, unit = bounding._refined(priced.costs, priced.unit, table.n_rows)
    boxes = Boxes(priced.columns, costs, k)
    rounds = Rounds(boxes, Clock())
    prices, complete = rounds.cheapest()
    assert complete
    rng = np.random.default_rng(table.n_rows)
    n = table.n_rows
    # Costs that are rounded down may be just below 0, where the true ones are not.
    slack = 0 if priced.exact else n * len(priced.columns) * priced.unit
    sizes = range(k, n + 1)
    groups = [list(rows) for size in sizes for rows in itertools.combinations(range(n), size)]
    most = [(cost_of_rows(priced, rows) + slack) / unit for rows in groups]
    for turn in range(3):
        prices = rounds.raised(prices, 0.7 / (turn + 1))
        prices -= (prices * noise * rng.random(len(prices))).astype(np.int64)
        assert rounds.hold(prices)
        of_rows = prices[boxes.point_of_row].tolist()
        for rows, least in zip(groups, most, strict=True):
            assert sum(of_rows[row] for row in rows) <= least
        assert max(of_rows) <= priced.costs.full.sum() * (priced.unit / unit)


def compare(table: Table, k: int, name: str) -> None:
    """The kernels find what each row pays at least, as trying all groups does."""
    priced = price_cells(table, MEASURES[name])
    by_hand = {"nearest": nearest(priced, table.n_rows, k)}
    if sum(priced.costs.numeric) <= 1:  # of several numbers all but one are cut into bins
        by_hand["boxes"] = cheapest(priced, table.n_rows, k)
    for kind, expected in by_hand.items():
        found = bound_of(table, k, MEASURES[name], kind=kind, seconds=None)
        assert found.value == pytest.approx(float(sum(expected)), rel=1e-12, abs=1e-9)


@settings(max_examples=examples(100), deadline=None)
@given(tiny(), st.sampled_from(ADDITIVE))
def test_least_costs_are_those_of_all_groups(drawn, name) -> None:
    compare(*drawn, name)


def _adult(rows: int = 600, *, uneven: bool = False) -> Table:
    return adult_table(rows, 3, uneven=uneven)


def test_each_kind_is_higher_than_the_one_before() -> None:
    for table in (_adult(), _adult(uneven=True)):
        found = [
            bound_of(table, 5, MEASURES["iloss"], kind=kind, seconds=None, passes=20).value
            for kind in ("nearest", "boxes", "prices")
        ]
        assert 0 < found[0] < found[1] < found[2]


@pytest.mark.parametrize("name", ADDITIVE)
def test_methods_stay_above(name) -> None:
    table = _adult()
    bound = bound_of(table, 5, MEASURES[name], seconds=None, passes=20)
    grouping = shoal.KACA().group(table, [shoal.KAnonymity(5)], rng=np.random.default_rng(0))
    for ends in ("observed", "rounded"):
        lost = MEASURES[name].of(Pair(table, generalize(table, grouping, bounds=ends)))
        assert 0.4 * lost < bound.value < lost  # far from nothing, and below


def test_rounded_ends_cost_more() -> None:
    table = Table.encode(
        shoal.datasets.adult(complete=True).head(400).select("age", "hours-per-week"),
        shoal.Schema({"age": shoal.quasi(), "hours-per-week": shoal.quasi()}),
    )
    found = {
        ends: bound_of(table, 3, MEASURES["loss"], bounds=ends, seconds=None, passes=10).value
        for ends in ("observed", "rounded")
    }
    grouping = shoal.GAACP(picks="first").group(
        table, [shoal.KAnonymity(3)], rng=np.random.default_rng(0)
    )
    lost = MEASURES["loss"].of(Pair(table, generalize(table, grouping, bounds="rounded")))
    assert found["observed"] < found["rounded"] <= lost


def test_the_value_depends_on_passes_alone() -> None:
    table = _adult(200)
    one, other = (bound_of(table, 3, MEASURES["iloss"], seconds=None, passes=7) for _ in range(2))
    assert (one.value, one.passes, one.complete) == (other.value, 7, True)
    assert one.value > bound_of(table, 3, MEASURES["iloss"], seconds=None, passes=1).value


@settings(max_examples=examples(60), deadline=None)
@given(tiny(), st.integers(0, 40), st.sampled_from(["nearest", "boxes", "prices"]))
def test_a_clock_that_stops_anywhere_leaves_a_bound(drawn, ticks, kind) -> None:
    table, k = drawn
    left = iter([False] * ticks)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Clock, "is_up", property(lambda self: next(left, True)))
        bound = bound_of(table, k, MEASURES["iloss"], kind=kind, seconds=None, passes=9)
    found, _, _ = optimum(price_cells(table, MEASURES["iloss"]), table.n_rows, k)
    assert Fraction(bound.value) <= found + Fraction(1, 10**9)


def test_progress_is_shown_and_may_stop() -> None:
    seen: list[tuple[int, int]] = []

    def note(done: int, total: int) -> None:
        seen.append((done, total))
        if len(seen) == 3:
            raise KeyboardInterrupt

    table = _adult(200)
    for kind in ("prices", "nearest"):
        seen.clear()
        bound_of(
            table,
            3,
            MEASURES["iloss"],
            kind=kind,
            seconds=None,
            passes=2,
            progress=lambda *pair: seen.append(pair),
        )
        assert seen[-1] == (1000, 1000)
    seen.clear()
    with pytest.raises(KeyboardInterrupt):
        bound_of(table, 3, MEASURES["iloss"], seconds=None, passes=9, progress=note)


def test_a_table_that_loses_nothing_is_bounded_by_nothing() -> None:
    frame = pl.DataFrame({"age": [30] * 4 + [31] * 4, "sex": ["f"] * 8})
    bound = shoal.measures.lower_bound(
        frame, {"age": "quasi", "sex": "quasi"}, 4, seconds=None, passes=3
    )
    assert (bound.value, bound.share) == (0.0, 0.0)
    assert shoal.measures.lower_bound(frame, {"age": "quasi", "sex": "quasi"}, 1).value == 0


def test_one_outlier_is_priced_by_all_it_needs() -> None:
    """Three equal rows and one far away: with k = 2 the far one takes one row with it."""
    frame = pl.DataFrame({"age": [0, 0, 0, 10]})
    bound = shoal.measures.lower_bound(frame, {"age": "quasi"}, 2, seconds=None, passes=30)
    # It may also be left out, at the cost of one row.
    assert 0.99 < bound.value <= 1


@given(tables())
def test_people_are_counted_no_harder_than_rows(drawn) -> None:
    """A bound by rows is one by people: k people have k rows or more."""
    table, k, _ = drawn
    bound = bound_of(table, k, MEASURES["iloss"], seconds=None, passes=3)
    grouping = shoal.GAACP(picks="first").group(
        table, [shoal.KAnonymity(k).bind(table.schema)], rng=np.random.default_rng(0)
    )
    published = generalize(table, grouping, bounds="observed")
    assert bound.value <= MEASURES["iloss"].of(Pair(table, published)) + 1e-9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0}, "k must be a whole number of 1 or more"),
        ({"k": 9}, "k is 9, but the table has 4 rows"),
        ({"measure": "discernibility"}, "measure must be one of 'iloss', 'iloss_rate', 'loss'"),
        ({"kind": "price"}, "kind must be one of"),
        ({"numbers": "trees"}, "numbers must be one of"),
        ({"bounds": "exact"}, "bounds must be one of"),
        ({"seconds": 0}, "seconds must be a number above 0"),
        ({"seconds": "a"}, "seconds must be a number above 0"),
        ({"passes": 0}, "passes must be a whole number of 1 or more"),
        ({"looks": 0}, "looks must be a whole number of 1 or more"),
        ({"seconds": None}, "Neither seconds nor passes nor looks say when to stop"),
        ({"progress": 3}, "progress must be a function"),
    ],
)
def test_what_makes_no_sense_is_refused(options, message) -> None:
    frame = pl.DataFrame({"age": [30, 31, 40, 41]})
    with pytest.raises(ParameterError, match=message):
        shoal.measures.lower_bound(frame, {"age": "quasi"}, **{"k": 2, **options})


def _rounds(table: Table, k: int) -> tuple[Rounds, np.ndarray]:
    """Prices after a few rounds, in which cells are skipped because of their slack."""
    priced = price_cells(table, MEASURES["iloss"], rounding="down")
    costs, _ = bounding._refined(priced.costs, priced.unit, table.n_rows)
    rounds = Rounds(Boxes(priced.columns, costs, k), Clock())
    prices, _ = rounds.cheapest()
    for by in (0.6, 0.3, 0.1, 0.05, 0.02, 0.01, 0.01, 0.01):
        prices = rounds.raised(prices, by)
        assert rounds.hold(prices)
    return rounds, prices


@pytest.mark.parametrize("uneven", [False, True])
def test_a_round_over_all_cells_finds_nothing_to_lower(uneven) -> None:
    rounds, prices = _rounds(_adult(1000, uneven=uneven), 4)
    boxes, again = rounds.boxes, prices.copy()
    assert Rounds(Boxes(boxes.columns, boxes.costs, 4), Clock()).hold(again)
    assert again.tolist() == prices.tolist()


def test_no_group_of_several_numbers_is_worth_more_than_it_costs() -> None:
    """A row with its nearest ones, by any order of the columns: the dearest groups there are."""
    table = Table.encode(stays.stays(1500), stays.schema())
    rounds, prices = _rounds(table, 4)
    priced = price_cells(table, MEASURES["iloss"], rounding="down")
    unit = bounding._refined(priced.costs, priced.unit, table.n_rows)[1]
    worth = prices[rounds.boxes.point_of_row]
    rng, tight = np.random.default_rng(3), Fraction(0)
    for _ in range(60):
        columns = [table.quasi[j] for j in rng.permutation(7)[:3]]
        order = np.lexsort([column.codes for column in columns])
        for start in rng.integers(0, table.n_rows - 4, 25).tolist():
            rows = tuple(order[start : start + 4].tolist())
            cost = cost_of_rows(priced, rows)
            assert int(worth[list(rows)].sum()) * unit <= cost
            tight = max(tight, int(worth[list(rows)].sum()) * unit / cost)
    assert tight > Fraction(4, 5)  # else nothing was tried
