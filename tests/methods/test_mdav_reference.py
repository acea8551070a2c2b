"""MDAV's labels equal the slow twin's, row for row; and what its distances mean."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

import shoal
from shoal import MDAV, KAnonymity
from shoal.methods.clustering import mdav
from shoal.methods.clustering._space import space_of
from shoal.table import Table
from shoal.table.hierarchies import Hierarchy
from tests.examples import examples
from tests.methods.test_gaacp_reference import twin
from tests.reference.mdav import MDAVReference
from tests.tables import adult_table, large_table, repeated_table, tables


def labels(table: Table, k: int) -> list[int]:
    made = MDAV().group(table, [KAnonymity(k)], rng=np.random.default_rng(0))
    return made.labels.tolist()


def compare(table: Table, k: int) -> None:
    other = twin(table)
    assert labels(table, k) == MDAVReference(other.attributes, other.n, other.people).labels(k)


@pytest.mark.parametrize(("k", "uneven"), [(2, True), (5, False), (10, True)])
def test_labels_equal_the_twin_on_adult(k: int, uneven: bool) -> None:
    compare(adult_table(250, k, uneven=uneven), k)


@pytest.mark.parametrize("make", [large_table, repeated_table])
@pytest.mark.parametrize("seed", range(6))
def test_labels_equal_the_twin_on_larger_tables(make: Any, seed: int) -> None:
    table, k, _ = make(seed)
    compare(table, max(k, 5))


@settings(max_examples=examples(200), deadline=None)
@given(tables())
def test_labels_equal_the_twin_on_random_tables(case: tuple[Table, int, int]) -> None:
    table, k, _ = case
    compare(table, k)


@pytest.mark.parametrize("seed", range(4))
def test_labels_equal_the_twin_with_many_leaves_and_numbers(seed: int) -> None:
    """More leaves than a box has bits for, more steps than the grid, equal rows, holes."""
    rng = np.random.default_rng(seed)
    tree = Hierarchy.from_dict(
        {
            "deep": {f"D{i}": [f"{i}{c}" for c in "abcdef"] for i in range(15)},
            "flat": [f"f{i}" for i in range(40)],
        }
    )
    n = 400
    words = rng.choice(np.append(tree.leaves[:100], ["f0"] * 20), n).tolist()
    frame = pl.DataFrame(
        {
            "word": [None if rng.random() < 0.1 else word for word in words],
            "far": (rng.normal(size=n) * 1e5).astype(np.int64) // int(rng.choice([1, 40_000])),
            "near": [None if rng.random() < 0.1 else int(v) for v in rng.integers(0, 5, n)],
            "also": rng.integers(0, 100_000, n),
            "who": rng.integers(0, n if seed % 2 else n // 3, n),
        }
    )
    roles = {name: shoal.quasi(kind="numeric") for name in ("far", "near", "also")}
    schema = {"word": shoal.quasi(hierarchy=tree), **roles, "who": shoal.identifier()}
    entity = "who" if seed > 1 else None
    compare(Table.encode(frame, shoal.Schema(schema, entity=entity)), 4)


@pytest.mark.parametrize("k", [3, 5])
def test_labels_equal_the_twin_where_most_distances_are_equal(k: int) -> None:
    """A grid in random order: ties lie in different boxes, and the lowest row decides."""
    places = np.random.default_rng(k).permutation(np.repeat(np.arange(15 * 15), 2))
    frame = pl.DataFrame({"x": places // 15, "y": places % 15})
    schema = shoal.Schema({name: shoal.quasi(kind="numeric") for name in "xy"})
    compare(Table.encode(frame, schema), k)


def test_groups_by_hand() -> None:
    """Mean 6.2: 20 is farthest, with 9; then 0, the farthest from 20, with 1; the rest."""
    frame = pl.DataFrame({"x": [0, 1, 3, 4, 9, 20]})
    table = Table.encode(frame, shoal.Schema({"x": shoal.quasi()}))
    assert labels(table, 2) == [0, 0, 1, 1, 2, 2]


def test_ties_go_to_the_lowest_row() -> None:
    frame = pl.DataFrame({"x": [0, 2, 0, 2, 0, 2, 0, 2]})
    table = Table.encode(frame, shoal.Schema({"x": shoal.quasi()}))
    assert labels(table, 2) == [0, 1, 0, 1, 2, 3, 2, 3]


def test_columns_of_equal_weights_spread_equally() -> None:
    """A number in cents and one in euros count the same, and a category as much as both."""
    rng = np.random.default_rng(1)
    euros = rng.integers(0, 100, 60)
    frame = pl.DataFrame({"euro": euros, "cent": euros * 100, "word": rng.choice(["a", "b"], 60)})
    schema = {name: shoal.quasi(kind="numeric") for name in ("euro", "cent")}
    table = Table.encode(frame, shoal.Schema({**schema, "word": shoal.quasi()}))
    factor = space_of(table.quasi)[0].factor.astype(float)
    assert factor[0] == pytest.approx(factor[1] * 100**2)
    spread = 4 * euros.var()  # coordinates are doubled
    share = np.mean(frame["word"].to_numpy() == "a")
    assert factor[0] * spread == pytest.approx(factor[2] * 2 * share * (1 - share))


def test_people_are_counted_and_every_row_is_placed() -> None:
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({"x": rng.integers(0, 50, 90), "who": rng.integers(0, 30, 90)})
    schema = shoal.Schema({"x": shoal.quasi(), "who": shoal.identifier()}, entity="who")
    made = MDAV().group(Table.encode(frame, schema), [KAnonymity(4)], rng=np.random.default_rng(0))
    held = frame.with_columns(g=pl.Series(made.labels)).group_by("g").agg(pl.col("who").n_unique())
    assert made.n_suppressed == 0
    assert held["who"].min() >= 4


def test_a_missing_cell_is_far_from_known_ones() -> None:
    tree = Hierarchy.from_dict({"P": ["a", "b"], "Q": ["c", "d"]})
    words = ["a", "b", None, "c", "d", None]
    table = Table.encode(
        pl.DataFrame({"x": words}), shoal.Schema({"x": shoal.quasi(hierarchy=tree)})
    )
    assert labels(table, 2) == [0, 0, 1, 2, 2, 1]


@pytest.mark.parametrize(
    "require",
    [
        [KAnonymity(3), shoal.LDiversity(2, column="ill")],
        [shoal.AlphaK(0.5, 3, column="ill")],
        [KAnonymity(3), shoal.TCloseness("1/5", column="ill")],
    ],
    ids=["l", "alpha", "t"],
)
def test_further_requirements_hold(require: list[Any]) -> None:
    rng = np.random.default_rng(3)
    frame = pl.DataFrame(
        {"x": rng.integers(0, 90, 80), "ill": rng.choice(["a", "b", "c"], 80, p=[0.5, 0.3, 0.2])}
    )
    schema = {"x": shoal.quasi(), "ill": shoal.sensitive()}
    made = shoal.anonymize(frame, schema, require=require, method="mdav", suppression_limit=0.2)
    assert made.verification.passed


def test_progress_rises_and_ctrl_c_gets_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mdav, "BUDGET", 1)  # every group is a slice of its own
    table = adult_table(300, 1)
    seen: list[int] = []
    MDAV().group(
        table,
        [KAnonymity(5)],
        rng=np.random.default_rng(0),
        progress=lambda done, _: seen.append(done),
    )
    assert seen == sorted(seen)
    assert len(seen) > 50
    assert seen[-1] == 300

    def stop(done: int, total: int) -> None:
        if done > 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        MDAV().group(table, [KAnonymity(5)], rng=np.random.default_rng(0), progress=stop)
