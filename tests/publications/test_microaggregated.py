"""Microaggregated releases: centres by hand, verification, what is written, what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings, strategies as st

import shoal
from shoal.errors import InputError, ParameterError
from shoal.measures import Pair, measure_all
from shoal.publications import Microaggregated
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import represent
from shoal.table import Table
from shoal.table.hierarchies import Hierarchy
from tests.examples import examples
from tests.tables import random_tree, tables

TREE = Hierarchy.from_dict({"P": ["a", "b"], "Q": {"R": ["c", "d"], "e": []}})


def cells(frame: pl.DataFrame, schema: dict[str, Any], labels: list[int], **options: Any) -> Any:
    table = Table.encode(frame, shoal.Schema(schema))
    made = represent(table, Grouping(np.array(labels, dtype=np.int32)), **options)
    return made.decode(table)


def test_centres_by_hand() -> None:
    frame = pl.DataFrame(
        {
            "age": [20, 21, 24, 40, 41, None],
            "pay": [1.5, 1.6, 1.6, 2.0, 2.1, 2.2],
            "word": ["a", "c", "d", "e", "e", "b"],
        }
    )
    schema = {"age": shoal.quasi(), "pay": shoal.quasi(), "word": shoal.quasi(hierarchy=TREE)}
    labels = [0, 0, 0, 1, 1, 1]
    means = cells(frame, schema, labels)
    # 65 / 3 = 21.67; 4.7 / 3 = 1.567; paths: a 5 + 5, c 5 + 2, d 5 + 2, so the first of c and d.
    assert means.row(0) == ("22", "1.6", "c")
    assert means.row(3) == ("*", "2.1", "e")
    medians = cells(frame, schema, labels, centre="median")
    assert medians.row(0) == ("21", "1.6", "c")


def test_halves_are_rounded_up_and_an_even_median_is_the_middle() -> None:
    frame = pl.DataFrame({"x": [-2, -1, 1, 2, 7, 8]})
    schema = {"x": shoal.quasi()}
    for centre in ("mean", "median"):
        made = cells(frame, schema, [0, 0, 1, 1, 2, 2], centre=centre)
        assert made["x"].to_list() == ["-1", "-1", "2", "2", "8", "8"]


def test_a_medoid_is_held_by_the_group() -> None:
    """The leaf ``z`` is nearer to all three than they are to each other, but nobody holds it."""
    deep = Hierarchy.from_dict(
        {f"{x}1": {f"{x}2": {f"{x}3": [x]}} for x in "pqr"} | {"z": []}  # type: ignore[dict-item]
    )
    frame = pl.DataFrame({"x": ["r", "p", "q"]})
    assert cells(frame, {"x": shoal.quasi(hierarchy=deep)}, [0, 0, 0])["x"].to_list() == ["p"] * 3


def test_a_medoid_of_uneven_depth() -> None:
    """Paths: z 4 + 4, a and b 4 + 2 each; in a tree in which z hangs right below the root."""
    tree = Hierarchy.from_dict({"P": {"Q": ["a", "b"]}, "z": []})
    frame = pl.DataFrame({"x": ["z", "b", "a"]})
    assert cells(frame, {"x": shoal.quasi(hierarchy=tree)}, [0, 0, 0])["x"].to_list() == ["a"] * 3


@pytest.mark.parametrize("seed", range(40))
def test_medoids_in_uneven_trees_by_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tree = Hierarchy.from_dict(random_tree(rng))
    words = rng.choice(tree.leaves, 60)
    labels = np.sort(rng.integers(0, 8, 60))
    labels = np.unique(labels, return_inverse=True)[1]
    found = cells(pl.DataFrame({"x": words}), {"x": shoal.quasi(hierarchy=tree)}, labels.tolist())[
        "x"
    ].to_numpy()
    for group in np.unique(labels):
        expected = slow(words[labels == group].tolist(), tree, "mean")
        assert set(found[labels == group]) == {expected}


@pytest.mark.parametrize("big", [2**62, -(2**62)])
def test_large_whole_numbers_have_exact_means(big: int) -> None:
    frame = pl.DataFrame({"x": [big, big + 2, big + 4, 5, 6, 7]})
    made = cells(frame, {"x": shoal.quasi(kind="numeric")}, [0, 0, 0, 1, 1, 1])
    assert made["x"].to_list() == [str(big + 2)] * 3 + ["6"] * 3


def test_long_decimals_keep_six_digits_of_their_range() -> None:
    frame = pl.DataFrame({"x": [0.1234567890123, 0.2345678901234, 9.87654321098765, 5.0]})
    made = cells(frame, {"x": shoal.quasi()}, [0, 0, 1, 1])
    assert made["x"].to_list() == ["0.179012"] * 2 + ["7.438272"] * 2


def slow(values: list[Any], tree: Hierarchy | None, centre: str) -> str:
    """The centre of some values, by definition."""
    if any(v is None for v in values):
        return "*"
    if tree is None:
        middle = mean(values) if centre == "mean" else median(values)
        return str(int(np.floor(middle + 0.5)))
    ways = {v: set(tree.ancestors[tree.node(v)].tolist()) for v in values}
    codes = {v: tree.leaves.index(v) for v in values}
    return min(ways, key=lambda v: (sum(len(ways[v] ^ ways[w]) for w in values), codes[v]))


@settings(max_examples=examples(150), deadline=None)
@given(tables(), st.sampled_from(["mean", "median"]), st.integers(1, 5))
def test_cells_are_the_centres_by_definition(
    case: tuple[Table, int, int], centre: str, groups: int
) -> None:
    table, _, _ = case
    labels = np.arange(table.n_rows) % min(groups, table.n_rows)
    made = represent(table, Grouping(labels.astype(np.int32)), centre=centre).decode(table)
    for column in table.quasi:
        tree = getattr(column, "hierarchy", None)
        raw = np.array(table.frame[column.name].to_list(), dtype=object)
        for group in np.unique(labels):
            expected = slow(raw[labels == group].tolist(), tree, centre)
            assert set(made[column.name].filter(pl.Series(labels == group))) == {expected}


def release(rows: int = 120, **options: Any) -> shoal.Release:
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    frame = shoal.datasets.adult().head(rows)
    options = {"method": "mdav", "require": 4, **options}
    return shoal.anonymize(frame, plan.schema_(), **options)


@pytest.mark.parametrize("centre", ["mean", "median"])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_what_is_written_opens_verifies_and_measures(
    tmp_path: Path, centre: str, kind: Any
) -> None:
    made = release(publication=Microaggregated(centre))
    opened = shoal.open_release(made.write(tmp_path / "out", format=kind))
    assert opened.facts["microaggregated"] == {"centre": centre}
    assert opened.facts["bounds"] is None
    assert opened.published.centres == centre
    assert opened.verify().passed
    proof = opened.verify(original=made.source)
    assert proof.passed
    assert [f.check for f in proof.findings].count("cells are the centres of their class") == 1
    again = shoal.measures.sse(made.source, opened, made.schema, rows=opened.rows)
    assert again == pytest.approx(made.measures["sse"])
    assert opened.query({"sex": "Male"}) == (opened.table["sex"] == "Male").sum()
    assert made.query({"age": (0, 40)}) == opened.query({"age": (0, 40)})
    assert opened.risk()
    page = (tmp_path / "out" / "report.html").read_text()
    assert f"the {centre} of a number" in page
    assert "generalized, because" not in page


@settings(max_examples=examples(60), deadline=None)
@given(tables(), st.sampled_from(["mean", "median"]))
def test_every_release_verifies_against_its_original(
    case: tuple[Table, int, int], centre: str
) -> None:
    table, k, _ = case
    assume(k > 1)
    made = shoal.anonymize(
        table.frame,
        table.schema,
        require=k,
        method="mdav",
        publication=Microaggregated(centre),
    )
    assert made.verify().passed
    assert made.measures["sse"] >= 0


@pytest.mark.parametrize(("column", "cell"), [("age", "24"), ("word", "e"), ("word", "P")])
def test_a_cell_that_is_no_centre_is_found(column: str, cell: str) -> None:
    original = pl.DataFrame({"age": [20, 21, 24], "word": ["a", "c", "d"]})
    schema = {"age": shoal.quasi(), "word": shoal.quasi(hierarchy=TREE)}
    right = pl.DataFrame({"age": ["22"] * 3, "word": ["c"] * 3})
    assert shoal.verify(right, schema, 3, original=original, centres="mean").passed
    wrong = right.with_columns(pl.lit(cell).alias(column))
    proof = shoal.verify(wrong, schema, 3, original=original, centres="mean")
    assert proof.reasons() == [
        f"cells are the centres of their class: not in column '{column}' in 3 rows"
    ]


def test_a_known_centre_beside_a_missing_cell_is_found() -> None:
    original = pl.DataFrame({"age": [20, None, 22]})
    published = pl.DataFrame({"age": ["21", "21", "21"]})
    proof = shoal.verify(published, {"age": "quasi"}, 3, original=original, centres="mean")
    assert not proof.passed


def test_groups_of_the_same_centre_verify_as_one_class() -> None:
    frame = pl.DataFrame({"age": [18, 22, 19, 21, 0, 1]})
    table = Table.encode(frame, shoal.Schema({"age": shoal.quasi()}))
    grouping = Grouping(np.array([0, 0, 1, 1, 2, 2], dtype=np.int32))
    for centre in ("mean", "median"):
        made = Microaggregated(centre).make(table, grouping, np.array([1, 2, 3]))
        proof = shoal.verify(made.published.frame, table.schema, 2, original=frame, centres=centre)
        assert proof.passed
        assert proof.classes == 2


def test_measures_of_ranges_refuse_centres_and_sse_refuses_ranges() -> None:
    made = release()
    assert "sse" in made.measures
    assert not {"iloss", "loss", "iloss_rate", "generalization_loss_rate"} & set(made.measures)
    for name in ("iloss", "loss", "iloss_rate", "reconstruction_distance"):
        with pytest.raises(ParameterError, match="centres of their class"):
            getattr(shoal.measures, name).of(made.pair)
    with pytest.raises(ParameterError, match="Publish as microaggregated"):
        shoal.measures.sse.of(release(publication="generalized").pair)
    with pytest.raises(ParameterError, match="centres of their class"):
        shoal.measures.entropy_loss(made.source, made, made.schema, rows=made.rows)


def test_sse_is_one_if_all_rows_show_the_mean_and_zero_if_nothing_changes() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"x": rng.integers(0, 10_000, 400), "y": rng.integers(0, 9000, 400)})
    table = Table.encode(frame, shoal.Schema({"x": shoal.quasi(), "y": shoal.quasi()}))
    one = represent(table, Grouping(np.zeros(400, dtype=np.int32)))
    assert shoal.measures.sse.of(Pair(table, one)) == pytest.approx(1, abs=1e-6)
    apart = represent(table, Grouping(np.arange(400, dtype=np.int32)))
    assert shoal.measures.sse.of(Pair(table, apart)) == 0
    half = Grouping(np.where(np.arange(400) < 200, -1, np.arange(400) - 200).astype(np.int32))
    assert shoal.measures.sse.of(Pair(table, represent(table, half))) == pytest.approx(0.5)


def test_sse_of_a_flat_column_is_the_share_that_changed_over_its_variance() -> None:
    frame = pl.DataFrame({"x": ["a", "a", "a", "b"]})
    table = Table.encode(frame, shoal.Schema({"x": shoal.quasi()}))
    both = Pair(table, represent(table, Grouping(np.zeros(4, dtype=np.int32))))
    # Paths of length 2; two records differ with the chance 2 · 3/4 · 1/4.
    assert shoal.measures.sse.of(both) == pytest.approx((2 / 4) / (2 * 3 / 8 / 2))
    assert measure_all(replace(both, published_only=True))["sse"] > 0


def test_bad_input_is_refused() -> None:
    with pytest.raises(ParameterError, match="centre must be one of 'mean', 'median'"):
        release(publication=Microaggregated("middle"))  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="has no option 'bounds'"):
        release(publication="microaggregated", bounds="observed")
    with pytest.raises(ParameterError, match="Cells are centres of their groups"):
        release(refine={"steps": 10})
    frame, schema = pl.DataFrame({"age": [1, 2]}), {"age": "quasi"}
    with pytest.raises(ParameterError, match="centres must be one of"):
        shoal.verify(frame, schema, 2, original=frame, centres="mode")  # type: ignore[arg-type]
    ranges = pl.DataFrame({"age": ["[1, 2]", "[1, 2]"]})
    with pytest.raises(ParameterError, match="cannot be a centre"):
        shoal.measures.sse(frame, ranges, shoal.Schema({"age": shoal.quasi()}), centres="mean")
    added = shoal.MICD(seed=1)
    people = shoal.datasets.adult(complete=True).head(300).select("age", "race", "occupation")
    secrets = {"age": shoal.quasi(), "race": shoal.sensitive(), "occupation": shoal.sensitive()}
    with pytest.raises(ParameterError, match="adds values to groups"):
        shoal.anonymize(
            people,
            secrets,
            require=[shoal.MultiLDiversity({"race": 4, "occupation": 4})],
            method=added,
            publication="microaggregated",
        )


def test_damaged_facts_are_refused(tmp_path: Path) -> None:
    place = release().write(tmp_path / "out")
    facts = (place / "release.json").read_text()
    (place / "release.json").write_text(facts.replace('"centre": "mean"', '"centre": "mode"'))
    with pytest.raises(InputError, match="damaged"):
        shoal.open_release(place)


@pytest.mark.parametrize("method", ["gaa-cp", "kaca", "top-down", "full-domain"])
@pytest.mark.parametrize("missing", ["keep", "drop", "suppress-column"])
def test_groups_of_any_method_can_be_published_so(method: str, missing: str) -> None:
    made = release(method=method, publication="microaggregated", missing=missing, seed=1)
    assert made.verify().passed


def test_shares_of_people_hold_where_groups_show_the_same_centre() -> None:
    rng = np.random.default_rng(4)
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 24, 60),
            "who": rng.integers(0, 30, 60),
            "ill": rng.choice(["flu", "HIV", "gout"], 60),
        }
    )
    schema = shoal.Schema(
        {"age": shoal.quasi(), "who": shoal.identifier(), "ill": shoal.sensitive()}, entity="who"
    )
    made = shoal.anonymize(
        frame, schema, require=[shoal.AlphaK(0.6, 2)], method="mdav", suppression_limit=0.5
    )
    assert made.verify().passed
