"""Every measure equals its slow twin, for our publications and for anyone's."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.errors import ParameterError
from shoal.measures import (
    MEASURES,
    CountQuery,
    Pair,
    cells_by_outcome,
    mean_workload,
    measure_all,
    pair,
    workload,
)
from shoal.measures._mean_queries import number_columns
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import generalize, represent
from shoal.table import CategoricalColumn, Table
from shoal.table.hierarchies import Hierarchy
from tests.examples import examples
from tests.reference.measures import Category, Measures, Number, Query, exact
from tests.tables import parents

SECRET = "secret"
COVERING = ["iloss", "iloss_rate", "loss", "generalization_loss_rate", "reconstruction_distance"]
"""What makes no sense of centres."""

TWINS = [name for name in MEASURES if isinstance(getattr(Measures, name, None), property)]
"""Measures that are written twice; what the contract checks is enough for others."""

CALLED = st.sampled_from(TWINS)
QUERIES = 12


@pytest.fixture(autouse=True)
def some_queries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask 12 queries of each table instead of 100: there are many tables, and the twin is slow."""
    queries = importlib.import_module("shoal.measures.utility.count_query_error")
    some = partial(queries.average_query_error, queries=QUERIES)
    monkeypatch.setattr(queries, "average_query_error", some)
    means = importlib.import_module("shoal.measures.utility.mean_query_error")
    some = partial(means.mean_query_errors, queries=QUERIES)
    monkeypatch.setattr(means, "mean_query_errors", some)


def twin(
    table: Table,
    published: pl.DataFrame,
    rows: Sequence[int],
    groups: Sequence[int] | None = None,
) -> Measures:
    """Set the twin up from the raw cells."""
    columns: list[Number | Category] = []
    for column in table.quasi:
        raw = table.frame[column.name].to_list()
        weight = Fraction(str(column.weight))
        if isinstance(column, CategoricalColumn):
            columns.append(Category(raw, parents(column.hierarchy), weight))
        else:
            columns.append(Number(raw, weight))
    cells = published.select(column.name for column in table.quasi).rows()
    made = Measures(columns, cells, list(rows), table.n_rows, groups=groups)
    if SECRET in table.schema:
        made.secrets = table.frame[SECRET].to_list()
        levels = table.schema[SECRET].levels
        made.levels = levels and {value or None: level for value, level in levels.items()}
        degrees = table.schema[SECRET].degrees
        made.degrees = degrees and {value or None: degree for value, degree in degrees.items()}
    made.queries = [plain(table, query) for query in workload(table, queries=QUERIES)]
    if number_columns(table):
        names = [column.name for column in table.quasi]
        made.mean_queries = [
            (names.index(query.column), plain(table, query.among))
            for query in mean_workload(table, queries=QUERIES)
        ]
    return made


def plain(table: Table, query: CountQuery) -> Query:
    """Write a query with values in place of codes."""
    where: dict[int, Any] = {}
    for j, column in enumerate(table.quasi):
        wanted = query.where.get(column.name)
        if isinstance(wanted, tuple):
            where[j] = (exact(wanted[0]), exact(wanted[1]))
        elif wanted is not None:
            where[j] = {column.label(code) for code in wanted}
    if not query.values:
        return Query(where, None)
    return Query(where, {table.sensitive[SECRET].labels[code] for code in query.values[SECRET]})


def compare(
    table: Table,
    published: pl.DataFrame,
    rows: Sequence[int],
    groups: Sequence[int] | None = None,
    shown: dict[int, list[str | None]] | None = None,
    centres: str | None = None,
    *,
    called: str,
) -> None:
    """All measures are taken of one pair; the one that is called makes a pair by itself."""
    expected = twin(table, published, rows, groups)
    expected.shown, expected.centres = shown, centres is not None
    values = None
    if shown is not None:
        listed = [(group, value) for group, each in shown.items() for value in each]
        values = {SECRET: pl.DataFrame(listed, schema=["group", "value"], orient="row")}
    how: dict[str, Any] = {"rows": rows, "groups": groups, "values": values, "centres": centres}
    given = (table.frame, published, table.schema)
    both = pair(*given, **how)
    cells_alone = pair(*given, rows=rows, centres=centres)
    expected.exact = both.recoded.exact
    taken = measure_all(both, on_request=True)
    for name in TWINS:
        measure = MEASURES[name]
        slow = None if centres and name in COVERING else getattr(expected, name)
        assert measure.applies(both) == (slow is not None) == (name in taken), name
        if slow is None:
            with pytest.raises(ParameterError):
                measure(*given, **how) if name == called else measure.of(both)
            continue
        assert taken[name] == pytest.approx(float(slow), rel=1e-9, abs=1e-9), name
        if name == called:
            assert measure(*given, **how) == taken[name]
        if measure.columns is None:
            continue
        each = measure.by_column_of(cells_alone)
        if name == called:
            assert measure.by_column(*given, rows=rows, centres=centres) == each
        assert list(each) == [column.name for column in table.quasi]
        for j, value in enumerate(each.values()):
            alone = float(getattr(expected.alone(j), name))
            assert value == pytest.approx(alone, rel=1e-9, abs=1e-9), name
    outcomes = cells_by_outcome(cells_alone)
    for j, found_fates in enumerate(outcomes.values()):
        assert sum(found_fates) == table.n_rows
        assert found_fates.starred == expected.starred(j)
        assert found_fates.removed == table.n_rows - len(rows)
        assert found_fates.already_missing == sum(expected.missing(j)[row] for row in rows)
        kept = sum(
            not expected.missing(j)[row]
            and cells[j] not in (None, "*")
            and unchanged(expected.columns[j], row, cells[j], centres)
            for row, cells in zip(rows, expected.published, strict=True)
        )
        assert found_fates.kept == kept


def unchanged(column: Number | Category, row: int, cell: str, centres: str | None) -> bool:
    if centres is None:
        return column.iloss_rate(row, cell) == 0
    return column.square(row, cell) == 0


def test_measures_have_twins() -> None:
    assert len(TWINS) >= 21


@st.composite
def trees(draw: st.DrawFn, prefix: str = "", root: str = "*") -> dict[str, Any]:
    """A tree of uneven depth with unique labels."""
    return {
        f"{prefix}{i}": draw(trees(prefix=f"{prefix}{i}."))
        if len(prefix) < 4 and draw(st.booleans())
        else {}
        for i in range(draw(st.integers(1, 3)))
    }


@st.composite
def tables(draw: st.DrawFn) -> Table:
    n = draw(st.integers(1, 14))
    columns: dict[str, Any] = {}
    frame: dict[str, pl.Series] = {}
    for j in range(draw(st.integers(1, 3))):
        weight = draw(st.sampled_from([1.0, 2.0, 0.3]))
        kind = draw(st.sampled_from(["int", "decimal", "float", "tree"]))
        if kind == "tree":
            tree = Hierarchy.from_dict(draw(trees()), root=draw(st.sampled_from(["*", "any"])))
            cell = st.sampled_from(tree.leaves)
            columns[f"c{j}"] = shoal.quasi(hierarchy=tree, weight=weight)
            dtype: Any = pl.String
        else:
            cell, dtype = {
                "int": (st.integers(-5, 20), pl.Int64),
                "decimal": (st.decimals(-9, 9, places=2), pl.Decimal(9, 2)),
                "float": (st.integers(-99, 99).map(lambda v: v / 10), pl.Float64),
            }[kind]
            columns[f"c{j}"] = shoal.quasi(weight=weight)
        values = draw(st.lists(st.one_of(st.none(), cell), min_size=n, max_size=n))
        frame[f"c{j}"] = pl.Series(values, dtype=dtype)
    if draw(st.booleans()):
        held = st.sampled_from(["a", "b", "c", None])
        frame[SECRET] = pl.Series(draw(st.lists(held, min_size=n, max_size=n)), dtype=pl.String)
        levels = {value: draw(st.integers(1, 5)) for value in ("a", "b", "c", "")}
        here = sorted({value or "" for value in frame[SECRET]})
        given = st.dictionaries(st.sampled_from(here), st.sampled_from([0.0, 0.5, 2.0]), min_size=1)
        columns[SECRET] = shoal.sensitive(
            levels=levels if draw(st.booleans()) else None,
            degrees=draw(st.none() | given),
        )
    return Table.encode(pl.DataFrame(frame), shoal.Schema(columns), empty_columns=True)


@st.composite
def groupings(draw: st.DrawFn, n: int) -> Grouping:
    drawn = draw(st.lists(st.integers(-1, 3), min_size=n, max_size=n))
    if max(drawn) < 0:
        drawn[0] = 0
    names = {old: new for new, old in enumerate(sorted({own for own in drawn if own >= 0}))}
    return Grouping(np.array([names.get(own, -1) for own in drawn], dtype=np.int32))


@settings(max_examples=examples(60), deadline=None)
@given(st.data(), st.sampled_from(["observed", "rounded"]), st.sampled_from(["nodes", "sets"]))
def test_our_publications(data: st.DataObject, bounds: str, categories: str) -> None:
    table = data.draw(tables())
    grouping = data.draw(groupings(table.n_rows))
    recoded = generalize(table, grouping, bounds=bounds, categories=categories)
    published = recoded.decode(table)
    compare(table, published, grouping.rows.tolist(), called=data.draw(CALLED))
    # What a release reports is what anyone measures on the published table.
    again = measure_all(pair(table.frame, published, table.schema, rows=grouping.rows))
    assert measure_all(Pair(table, recoded)) == pytest.approx(again, rel=1e-12)


@settings(max_examples=examples(60), deadline=None)
@given(st.data(), st.sampled_from(["mean", "median"]))
def test_centres_of_groups(data: st.DataObject, centre: str) -> None:
    table = data.draw(tables())
    grouping = data.draw(groupings(table.n_rows))
    recoded = represent(table, grouping, centre=centre)
    published = recoded.decode(table)
    compare(table, published, grouping.rows.tolist(), centres=centre, called=data.draw(CALLED))
    both = pair(table.frame, published, table.schema, rows=grouping.rows, centres=centre)
    assert measure_all(Pair(table, recoded)) == pytest.approx(measure_all(both), rel=1e-12)


@settings(max_examples=examples(60), deadline=None)
@given(st.data(), st.booleans())
def test_values_published_per_group(data: st.DataObject, coarse: bool) -> None:
    table = data.draw(tables())
    grouping = data.draw(groupings(table.n_rows))
    groups = grouping.labels[grouping.rows].tolist()
    alone = Grouping(np.where(grouping.labels < 0, -1, np.cumsum(grouping.labels >= 0) - 1))
    recoded = generalize(table, grouping if coarse else alone)
    rows = grouping.rows.tolist()
    compare(table, recoded.decode(table), rows, groups, called=data.draw(CALLED))


@settings(max_examples=examples(60), deadline=None)
@given(st.data(), st.booleans())
def test_each_value_once_and_some_added(data: st.DataObject, coarse: bool) -> None:
    table = data.draw(tables().filter(lambda table: SECRET in table.schema))
    grouping = data.draw(groupings(table.n_rows))
    groups = grouping.labels[grouping.rows].tolist()
    alone = Grouping(np.where(grouping.labels < 0, -1, np.cumsum(grouping.labels >= 0) - 1))
    recoded = generalize(table, grouping if coarse else alone)
    labels = table.sensitive[SECRET].labels
    own = table.frame[SECRET].to_list()
    shown = {}
    for group in sorted(set(groups)):
        held = {own[row] for row in grouping.rows if grouping.labels[row] == group}
        held |= data.draw(st.sets(st.sampled_from(labels)))
        shown[group] = sorted(held, key=str)
    rows = grouping.rows.tolist()
    compare(table, recoded.decode(table), rows, groups, shown, called=data.draw(CALLED))


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        (
            {"s": pl.DataFrame({"g": [1, 1], "s": ["a", "b"]})},
            "1 value of 's' is in a group that does",
        ),
        ({"s": pl.DataFrame({"g": [1, 2, 9], "s": ["a", "b", "a"]})}, "1 rows .* without rows"),
        ({"s": pl.DataFrame({"g": [1, 2], "s": ["a", "z"]})}, "1 rows .* original does not hold"),
        ({"s": pl.DataFrame({"s": ["a", "b"]})}, "two columns, not 1"),
        ({"q": pl.DataFrame({"g": [1], "s": ["a"]})}, "no sensitive column 'q'"),
    ],
)
def test_values_of_another_publication_are_refused(values: Any, problem: str) -> None:
    frame = pl.DataFrame({"q": [1, 2], "s": ["a", "b"]})
    schema = shoal.Schema({"q": shoal.quasi(), "s": shoal.sensitive()})
    with pytest.raises(ParameterError, match=problem):
        pair(frame, frame, schema, groups=[1, 2], values=values)
    with pytest.raises(ParameterError, match="no groups"):
        pair(frame, frame, schema, values=values)


def test_a_hundred_queries_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # not only some
    frame = pl.DataFrame({"age": [20, 21, 22, 39, 40, 47]})
    coarse = pl.DataFrame({"age": ["[20, 29]"] * 3 + ["[39, 47]"] * 3})
    both = pair(frame, coarse, shoal.Schema({"age": shoal.quasi()}))
    expected = twin(both.table, coarse, range(6))
    expected.queries = [plain(both.table, query) for query in workload(both.table)]
    assert len(expected.queries) == 100
    found = shoal.measures.count_query_error.of(both)
    assert found == pytest.approx(float(expected.count_query_error), rel=1e-9)


def test_queries_ask_for_several_secrets() -> None:
    """What belongs together is lost where sensitive columns are published apart."""
    frame = pl.DataFrame({"q": [1] * 4, "s": [*"aabb"], "t": [*"ccdd"]})
    secrets = dict.fromkeys("st", shoal.sensitive())
    schema = shoal.Schema({"q": shoal.quasi(), **secrets})
    beside, apart = pair(frame, frame, schema), pair(frame, frame, schema, groups=[1] * 4)
    assert {name for query in workload(beside.table) for name in query.values} == {"s", "t"}
    assert all(len(query.values) == 1 for query in workload(beside.table))
    asked = {"secrets": 2, "selectivity": 0.01}
    assert all(len(query.values) == 2 for query in workload(beside.table, **asked))
    assert shoal.measures.average_query_error(beside, **asked) == 0
    for query in workload(apart.table, **asked):
        assert query.estimate(apart.table, apart.recoded) == 1.0  # 4 · 1/2 · 1/2
        assert query.true(apart.table) in (0, 2)
    assert not any(query.values for query in workload(beside.table, secrets=0))
    with pytest.raises(ParameterError, match="secrets must be"):
        list(workload(beside.table, secrets=-1))


@pytest.mark.parametrize("name", ["share", "threshold"])
@pytest.mark.parametrize("wrong", [0, -1, 1.5, True, "x"])
def test_shares_out_of_range_are_refused(name: str, wrong: Any) -> None:
    frame = pl.DataFrame({"q": [1, 2], "s": ["a", "b"]})
    both = pair(frame, frame, shoal.Schema({"q": shoal.quasi(), "s": shoal.sensitive()}))
    with pytest.raises(ParameterError, match=f"^{name} must be above 0"):
        shoal.measures.vulnerable_share(both, **{name: wrong})
    with pytest.raises(ParameterError, match="no sensitive column"):
        shoal.measures.vulnerable_share(both, values={"q": ["a"]})
    with pytest.raises(ParameterError, match="list the values"):
        shoal.measures.vulnerable_share(both, values={"s": "a"})


def test_a_release_reports_what_anyone_measures() -> None:
    """One group reaches the root by its values, another by a missing cell: one class."""
    frame = pl.DataFrame({"job": ["a", "c", "b", None], "s": [*"wxyz"]})
    schema = shoal.Schema({"job": shoal.quasi(hierarchy=TREE), "s": shoal.sensitive()})
    table = Table.encode(frame, schema)
    recoded = generalize(table, Grouping(np.array([0, 0, 1, 1], dtype=np.int32)))
    published = recoded.decode(table)
    assert measure_all(Pair(table, recoded)) == measure_all(pair(frame, published, schema))


def _cells(draw: st.DrawFn, column: Any, value: Any) -> str | None:
    """Any cell another tool might publish for a value."""
    if value is None or draw(st.integers(0, 5)) == 0:
        return draw(st.sampled_from(["*", None]))
    if isinstance(column, CategoricalColumn):
        tree = column.hierarchy
        node, way = tree.node(value), []
        while node >= 0:
            way.append(tree.labels[node])
            node = int(tree.parent[node])
        return draw(st.sampled_from(way))
    number = Decimal(str(value))
    below, beyond = draw(st.integers(0, 30)), draw(st.integers(1, 30))
    form = draw(st.sampled_from(["{v}", "[{lo}, {hi})", "[{lo},{hi}]", "[{lo}, {v}]"]))
    return form.format(v=number, lo=number - below, hi=number + beyond)


@settings(max_examples=examples(80), deadline=None)
@given(st.data())
def test_publications_of_others(data: st.DataObject) -> None:
    table = data.draw(tables())
    rows = data.draw(st.permutations(range(table.n_rows)))
    rows = rows[: data.draw(st.integers(1, len(rows)))]
    published = pl.DataFrame(
        {
            column.name: pl.Series(
                [data.draw(_any_cell(column, table.frame[column.name][row])) for row in rows],
                dtype=pl.String,
            )
            for column in table.quasi
        }
    )
    compare(table, published, rows, called=data.draw(CALLED))


@st.composite
def _any_cell(draw: st.DrawFn, column: Any, value: Any) -> str | None:
    return _cells(draw, column, value)


ORIGINAL = pl.DataFrame({"age": [20, 25, 29, None], "job": ["a", "b", "c", None]})
TREE = Hierarchy.from_dict({"X": ["a", "b"], "c": []})
SCHEMA = shoal.Schema({"age": shoal.quasi(), "job": shoal.quasi(hierarchy=TREE)})


@pytest.mark.parametrize(
    ("ages", "jobs", "expected"),
    [
        (["20", "25", "29", "*"], ["a", "b", "c", "*"], (0, 0, 0)),
        (["[20, 30)"] * 3 + ["*"], ["*"] * 4, (6, 6 / 8, 6 / 8)),
        (["[20, 25)", "[25, 30)", "[25, 30)", None], ["X", "X", "c", None], None),
        (["*"] * 4, ["a", "b", "c", "*"], (3, 3 / 8, 3 / 8)),
    ],
)
def test_examples(ages: list[str], jobs: list[str], expected: tuple[float, ...] | None) -> None:
    published = pl.DataFrame({"age": ages, "job": jobs})
    if expected is None:
        # age: 5/9 each; 6/10 each. job: half the way, 2 of 3 leaves, (2 − 1)/(3 − 1).
        expected = (
            3 * 5 / 9 + 2 * 1 / 2,
            (3 * 6 / 10 + 2 * 2 / 3) / 8,
            (3 * 5 / 9 / 4 + 2 * 1 / 2 / 4) / 2,
        )
    for name, value in zip(("iloss", "iloss_rate", "loss"), expected, strict=True):
        assert MEASURES[name](ORIGINAL, published, SCHEMA) == pytest.approx(value), name


def test_an_untouched_number_of_a_constant_column_costs_nothing() -> None:
    original = pl.DataFrame({"a": [7, 7], "b": ["x", "x"]})
    schema = shoal.Schema({"a": shoal.quasi(), "b": shoal.quasi()})
    published = pl.DataFrame({"a": ["7", "7"], "b": ["x", "x"]})
    for name in ("iloss", "iloss_rate", "loss"):
        assert MEASURES[name](original, published, schema) == 0


@pytest.mark.parametrize(
    ("ages", "jobs", "cells"),
    [
        (["[20, 25)", "[20, 25)", "29", "*"], ["*"] * 4, 1),  # 25 is outside [20, 25)
        (["*"] * 4, ["X", "X", "X", "*"], 1),
        (["*"] * 4, ["c", "a", "c", "*"], 2),
        (["20", "25", "29", "[20, 29]"], ["*"] * 4, 1),  # a missing cell can only be *
        (["*"] * 4, ["*", "*", "*", "X"], 1),
    ],
)
def test_a_publication_of_something_else_is_refused(
    ages: list[str], jobs: list[str], cells: int
) -> None:
    published = pl.DataFrame({"age": ages, "job": jobs})
    for measure in MEASURES.values():
        with pytest.raises(ParameterError, match=f"^{cells} published cell"):
            measure(ORIGINAL, published, SCHEMA)


@pytest.mark.parametrize(
    "rows", [[0, 0], [-1, 0], [0, 4], [0], [0, 1, 2], [0.5, 1.5], [True, False], ["a", "b"]]
)
def test_rows_that_are_no_selection_are_refused(rows: list[Any]) -> None:
    published = pl.DataFrame({"age": ["*", "*"], "job": ["*", "*"]})
    for measure in MEASURES.values():
        with pytest.raises(ParameterError, match="rows"):
            measure(ORIGINAL, published, SCHEMA, rows=rows)


def test_wide_numbers_do_not_overflow() -> None:
    original = pl.DataFrame({"a": [-(2**63), 2**63 - 1, 0, 1]})
    published = pl.DataFrame({"a": ["[-9223372036854775808, 9223372036854775807]"] * 2 + ["*"] * 2})
    schema = shoal.Schema({"a": shoal.quasi()})
    for name, expected in {"iloss": 4.0, "iloss_rate": 1.0, "loss": 1.0}.items():
        assert MEASURES[name](original, published, schema) == pytest.approx(expected), name


def test_measures_of_whole_rows_have_no_columns() -> None:
    published = pl.DataFrame({"age": ["*"] * 4, "job": ["*"] * 4})
    per_column = {name for name, measure in MEASURES.items() if measure.columns is not None}
    assert {"iloss_rate", "value_missing_rate", "starred_rate"} <= per_column
    for name in MEASURES.keys() - per_column:
        with pytest.raises(ParameterError, match=f"'{name}' has no value per column"):
            MEASURES[name].by_column(ORIGINAL, published, SCHEMA)


def test_the_loss_rate_has_two_parts() -> None:
    published = pl.DataFrame({"age": ["*", "25"], "job": ["*", "b"]})
    rows = [0, 1]
    parts = [
        MEASURES[f"{part}_loss_rate"](ORIGINAL, published, SCHEMA, rows=rows)
        for part in ("generalization", "suppression")
    ]
    assert parts == [2 / 8, 2 / 4]
    assert MEASURES["iloss_rate"](ORIGINAL, published, SCHEMA, rows=rows) == sum(parts)


def test_a_column_that_is_missing_everywhere_loses_nothing() -> None:
    original = pl.DataFrame({"age": [None, None], "job": ["a", "b"]})
    published = pl.DataFrame({"age": ["*", "*"], "job": ["X", "X"]})
    schema = shoal.Schema({"age": shoal.quasi(kind="numeric"), "job": shoal.quasi(hierarchy=TREE)})
    for name in ("iloss_rate", "starred_rate"):
        assert MEASURES[name].by_column(original, published, schema)["age"] == 0
    for name in ("iloss", "loss"):
        whole = MEASURES[name](original, published, schema)
        alone = shoal.Schema({"job": schema["job"]})
        assert whole == pytest.approx(
            MEASURES[name](original.select("job"), published, alone) / (2 if name == "loss" else 1)
        )
    assert MEASURES["value_missing_rate"].by_column(original, published, schema) == {
        "age": 1.0,
        "job": 0.0,
    }
