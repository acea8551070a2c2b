"""Generalized releases whose categories are sets of values: cells, verification, what is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings, strategies as st

import shoal
from shoal.base.cells import parse_set, set_text
from shoal.errors import ParameterError
from shoal.publications import Generalized
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import generalize, parse
from shoal.table import CategoricalColumn, Table
from shoal.table.hierarchies import Hierarchy
from tests.examples import examples
from tests.tables import tables

TREE = Hierarchy.from_dict({"P": ["a", "b", "c"], "Q": ["d", "e"]})
SETS = Generalized(categories="sets")


def cells(words: list[str | None], labels: list[int], tree: Hierarchy = TREE) -> list[str]:
    table = Table.encode(
        pl.DataFrame({"x": words}), shoal.Schema({"x": shoal.quasi(hierarchy=tree)})
    )
    grouping = Grouping(np.array(labels, dtype=np.int32))
    return generalize(table, grouping, categories="sets").decode(table)["x"].to_list()


def test_cells_by_hand() -> None:
    words = ["c", "a", "a", "d", "b", "b", "d", "e", "a", "d", None, "a"]
    labels = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert cells(words, labels)[::2] == ["{a, c}", "{a, d}", "b", "Q", "{a, d}", "*"]


def test_all_values_of_the_tree_are_its_root() -> None:
    assert cells([*"abcde"], [0] * 5) == ["*"] * 5
    assert cells([*"abcd"], [0] * 4) == ["{a, b, c, d}"] * 4


def test_a_set_that_reads_like_a_name_of_the_tree_is_not_shown() -> None:
    tree = Hierarchy.from_dict({"P": ["a", "b", "c"], "{a, b}": []})
    assert cells(["a", "b"], [0, 0], tree) == ["P", "P"]
    assert cells(["a", "c"], [0, 0], tree) == ["{a, c}"] * 2


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.text(st.sampled_from("ab,{}\\ \n"), max_size=6), min_size=2, unique=True))
def test_texts_are_read_back(values: list[str]) -> None:
    assert parse_set(set_text(values)) == tuple(values)


@settings(max_examples=examples(300), deadline=None)
@given(st.text(st.sampled_from("ab,{}\\ "), max_size=12))
def test_what_is_read_is_written_so(text: str) -> None:
    found = parse_set(text)
    assert found is None or set_text(found) == text


@pytest.mark.parametrize(
    "text", ["", "a", "{", "{}", "{a}", "{a, a}", "{a,b}", "{a, b", "a, b}", "{a, {b}}", "{a, b}x"]
)
def test_what_is_no_set(text: str) -> None:
    assert parse_set(text) is None


@settings(max_examples=examples(100), deadline=None)
@given(tables(), st.integers(1, 5))
def test_sets_hold_the_values_of_their_group_and_lose_no_more(
    case: tuple[Table, int, int], groups: int
) -> None:
    table, _, _ = case
    labels = (np.arange(table.n_rows) % min(groups, table.n_rows)).astype(np.int32)
    grouping = Grouping(labels)
    nodes = generalize(table, grouping)
    sets = generalize(table, grouping, categories="sets")
    frame = sets.decode(table)
    for column, coarse in zip(table.quasi, nodes.decode(table), strict=False):
        if not isinstance(column, CategoricalColumn):
            assert frame[column.name].equals(coarse)
            continue
        for group in range(grouping.n_groups):
            held = set(table.frame[column.name].filter(pl.Series(labels == group)))
            (cell,) = set(frame[column.name].filter(pl.Series(labels == group)))
            found = parse_set(cell)
            assert found is None or set(found) == held
    again = parse(table, frame)
    for one, other in zip(sets.columns, again.columns, strict=True):
        assert [one.texts()[i] for i in one.index] == [other.texts()[i] for i in other.index]
    for name in ("loss", "iloss_rate"):
        measure = shoal.measures.MEASURES[name]
        lost = measure.of(shoal.measures.Pair(table, sets))
        assert lost <= measure.of(shoal.measures.Pair(table, nodes)) + 1e-12
        assert lost == pytest.approx(measure.of(shoal.measures.Pair(table, again)))


@settings(max_examples=examples(60), deadline=None)
@given(tables())
def test_every_release_verifies_against_its_original(case: tuple[Table, int, int]) -> None:
    table, k, _ = case
    assume(k > 1)
    made = shoal.anonymize(table.frame, table.schema, require=k, publication=SETS, seed=1)
    assert made.verify().passed


def release(rows: int = 300, **options: Any) -> shoal.Release:
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    frame = shoal.datasets.adult().head(rows)
    return shoal.anonymize(
        frame, plan.schema_(), **{"require": 5, "seed": 1, "publication": SETS, **options}
    )


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_what_is_written_opens_verifies_and_measures(tmp_path: Path, kind: Any) -> None:
    made = release()
    opened = shoal.open_release(made.write(tmp_path / "out", format=kind))
    assert opened.facts["generalized"] == {"categories": "sets"}
    assert opened.verify().passed
    assert opened.verify(original=made.source).passed
    for name in ("loss", "iloss", "iloss_rate", "reconstruction_distance"):
        measure = shoal.measures.MEASURES[name]
        again = measure(made.source, opened, made.schema, rows=opened.rows)
        assert again == pytest.approx(made.measures[name])
    where = {"workclass": "Private", "age": (20, 50)}
    assert opened.query(where) == pytest.approx(made.query(where))
    assert "is a set" in (tmp_path / "out" / "report.html").read_text()
    assert (opened.table["workclass"].str.starts_with("{")).any()


def test_values_with_commas_braces_and_backslashes_survive_csv(tmp_path: Path) -> None:
    words = ["a, b", "{c}", "d\\", 'e"f', "=g", "h"]
    tree = Hierarchy.flat([*words, "other"])
    frame = pl.DataFrame({"x": words, "ill": [*"uvuvuv"]})
    schema = {"x": shoal.quasi(hierarchy=tree), "ill": shoal.sensitive()}
    made = shoal.anonymize(frame, schema, require=3, publication=SETS, seed=2)
    opened = shoal.open_release(made.write(tmp_path / "out"))
    assert opened.verify(original=frame).passed
    shown = {value for cell in opened.table["x"] for value in parse_set(cell) or ()}
    assert shown == set(words)


def test_queries_use_the_set() -> None:
    frame = pl.DataFrame({"x": ["{a, c}"] * 3 + ["P"] * 3})
    schema = {"x": shoal.quasi(hierarchy=TREE)}
    assert shoal.query.count(frame, {"x": "a"}, schema=schema) == pytest.approx(3 / 2 + 3 / 3)
    assert shoal.query.count(frame, {"x": "b"}, schema=schema) == pytest.approx(3 / 3)
    flat = pl.DataFrame({"x": ["{a, c}", "b"]})
    known = {"x": shoal.quasi(hierarchy=shoal.hierarchies.Flat())}
    assert shoal.query.count(flat, {"x": ["a", "b"]}, schema=known) == 1.5


def test_a_set_without_the_value_of_its_row_is_found() -> None:
    original = pl.DataFrame({"x": [*"abc"]})
    schema = shoal.Schema({"x": shoal.quasi(hierarchy=TREE)})
    for cell, holds in (("{a, b, c}", True), ("P", True), ("{a, b}", False), ("{a, b, c", False)):
        published = pl.DataFrame({"x": [cell] * 3})
        assert shoal.verify(published, schema, 3, original=original).passed == holds
    with pytest.raises(ParameterError, match="1 published cell does not cover"):
        shoal.measures.loss(original, pl.DataFrame({"x": ["{a, b}"] * 3}), schema)


def test_loss_by_hand() -> None:
    original = pl.DataFrame({"x": [*"acd"]})
    schema = shoal.Schema({"x": shoal.quasi(hierarchy=TREE)})
    published = pl.DataFrame({"x": ["{a, c}", "{a, c}", "d"]})
    assert shoal.measures.loss(original, published, schema) == pytest.approx(2 * (1 / 4) / 3)


def test_bad_input_is_refused() -> None:
    with pytest.raises(ParameterError, match="categories must be one of 'nodes', 'sets'"):
        release(publication=Generalized(categories="lists"))  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'full-domain' chooses one level per column"):
        release(method="full-domain")
    table = Table.encode(pl.DataFrame({"x": [1, 2]}), shoal.Schema({"x": shoal.quasi()}))
    levels = Grouping(np.zeros(2, dtype=np.int32), levels={"x": 1})
    with pytest.raises(ParameterError, match="chose one level per column"):
        generalize(table, levels, categories="sets")
    plan = {"form": "two-table", "categories": "sets"}
    with pytest.raises(ParameterError, match="has no option 'categories'"):
        shoal.publications.require_option("categories", plan["form"])


@pytest.mark.parametrize("method", ["kaca", "top-down", "k-member", "mdav"])
@pytest.mark.parametrize("missing", ["keep", "drop", "suppress-column"])
def test_groups_of_any_method_can_be_published_so(method: str, missing: str) -> None:
    made = release(method=method, missing=missing)
    assert made.verify().passed


def test_refined_groups_can_be_published_so() -> None:
    made = release(method="gaa-cp", refine={"steps": 200})
    assert made.verify().passed
    assert made.measures["iloss"] < release(method="gaa-cp").measures["iloss"]
