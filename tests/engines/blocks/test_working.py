"""Groups found block by block hold, lose little more, and do not depend on who works."""

from __future__ import annotations

from threading import Event
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engines.blocks.working import group_block, group_in_blocks, join_blocks
from shoal.errors import ParameterError, PlanError
from shoal.measures import MEASURES, Pair
from shoal.methods import METHODS
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import generalize
from shoal.table import Table


def census(n: int = 6000) -> Table:
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    return Table.encode(shoal.datasets.census(n), plan.schema_())


def loss(table: Table, groups: Grouping) -> float:
    return MEASURES["iloss"].of(Pair(table, generalize(table, groups, bounds="observed")))


@pytest.mark.parametrize("name", [name for name, each in METHODS.items() if each.in_blocks])
def test_every_method_that_says_so_works_in_blocks(name: str) -> None:
    table, need = census(1500), [shoal.KAnonymity(5)]
    found = group_in_blocks(table, need, METHODS[name](), 4, seed=3)
    assert found.blocks == 4
    assert found.sizes.min() >= 5
    assert found.n_suppressed == 0
    again = group_in_blocks(table, need, METHODS[name](), 4, seed=3, workers=1)
    assert again.labels.tolist() == found.labels.tolist()


def test_blocks_lose_little_more_than_the_whole() -> None:
    table, need, method = census(20_000), [shoal.KAnonymity(10)], shoal.GAACP()
    whole = loss(table, method.group(table, need, rng=np.random.default_rng(1)))
    cut = loss(table, group_in_blocks(table, need, method, 4, seed=1))
    assert cut <= 1.03 * whole


def test_what_is_mended_never_loses_more(monkeypatch: pytest.MonkeyPatch) -> None:
    table, need, method = census(30_000), [shoal.KAnonymity(10)], shoal.GAACP()
    mended = group_in_blocks(table, need, method, 16, seed=2)
    monkeypatch.setattr(shoal.engines.blocks.working, "AGAIN", 0.0)
    plain = group_in_blocks(table, need, method, 16, seed=2)
    assert loss(table, mended) < 0.99 * loss(table, plain)


def test_mending_that_loses_more_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    # Blocks as far apart as can be: whatever is grouped once more is grouped as it was, or worse.
    table = Table.encode(pl.DataFrame({"age": [1, 2, 3, 5, 91, 92, 93, 95]}), {"age": "quasi"})
    need, method = [shoal.KAnonymity(2)], Backwards(picks="first")
    plain = join_blocks(
        8,
        [np.arange(4), np.arange(4, 8)],
        [Grouping(np.array([0, 0, 1, 1], dtype=np.int32))] * 2,
    )
    monkeypatch.setattr(shoal.engines.blocks.working, "AGAIN", 1.0)
    found = group_in_blocks(table, need, method, 2, seed=0)
    assert loss(table, found) == loss(table, plain)


@pytest.mark.parametrize(("entity", "blocks"), [(None, 4), ("id", 4), (None, 1), (None, "auto")])
def test_the_order_of_rows_changes_nothing_that_is_published(
    entity: str | None, blocks: Any
) -> None:
    rng = np.random.default_rng(4)
    frame = pl.DataFrame(
        {
            "id": rng.integers(0, 300, 900),
            "age": rng.integers(20, 60, 900),
            "sex": rng.choice(["f", "m"], 900),
            "ill": rng.choice(["a", "b", "c"], 900),
            "note": rng.choice(["x", "y"], 900),
        }
    )
    roles = {"id": "identifier", "age": "quasi", "sex": "quasi", "ill": "sensitive"}
    schema = shoal.Schema({**roles, "note": "other"}, entity=entity)
    shown = [
        shoal.anonymize(given, schema, require=5, method=shoal.GAACP(seed=1), blocks=blocks)
        .table.sort(pl.all())
        .rows()
        for given in (frame, frame.sample(fraction=1, shuffle=True, seed=8))
    ]
    assert shown[0] == shown[1]


def test_what_is_grouped_once_more_is_cut_where_it_is_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, need, method = census(20_000), [shoal.KAnonymity(5)], shoal.GAACP()
    whole = group_in_blocks(table, need, method, 32, seed=2)
    monkeypatch.setattr(shoal.engines.blocks.working, "MOST_AGAIN", 6000)
    cut = group_in_blocks(table, need, method, 32, seed=2)
    assert cut.labels.tolist() != whole.labels.tolist()
    monkeypatch.setattr(shoal.engines.blocks.working, "AGAIN", 0.0)
    plain = group_in_blocks(table, need, method, 32, seed=2)
    assert cut.sizes.min() >= 5
    assert loss(table, cut) < loss(table, plain)


class Backwards(shoal.GAACP):
    """Pairs the first row with the last where there are more than four."""

    def group(self, table: Table, require: Any, **options: Any) -> Grouping:
        if table.n_rows <= 4:
            return super().group(table, require, **options)
        half = np.arange(table.n_rows // 2, dtype=np.int32)
        return Grouping(np.concatenate([half, half[::-1]]))


def test_a_block_has_the_ranges_of_the_whole_table() -> None:
    table = census(500)
    rows = np.flatnonzero(table.quasi[0].codes < 10)
    part = table.select(rows, ranges="whole")
    for whole, few in zip(table.quasi, part.quasi, strict=True):
        assert few.codes.tolist() == whole.codes[rows].tolist()
        assert few.size == whole.size
    assert part.quasi[0].range == table.quasi[0].range  # type: ignore[union-attr]
    assert part.quasi[0].reach == table.quasi[0].reach  # type: ignore[union-attr]
    occupation = table.sensitive["occupation"]
    assert part.sensitive["occupation"].labels == occupation.labels
    assert part.n_rows == len(rows)


def test_requirements_that_compare_with_the_table_compare_with_all_of_it() -> None:
    table = census(3000)
    schema = table.schema
    need = [shoal.KAnonymity(5), shoal.TCloseness(0.4), shoal.LDiversity(3)]
    made = shoal.anonymize(table.frame, schema, require=need, method="gaa-cp", blocks=4, seed=1)
    assert made.verification.passed
    assert made.blocks > 1


def test_people_stay_together() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "id": np.repeat(np.arange(300), 3),
            "age": rng.integers(20, 80, 900),
            "sex": rng.choice(["f", "m"], 900),
            "ill": rng.choice(["a", "b", "c"], 900),
        }
    )
    made = shoal.anonymize(
        frame, k=5, quasi=["age", "sex"], sensitive="ill", entity="id", method="gaa-cp", blocks=3
    )
    assert made.verification.passed
    assert made.verification.achieved["k"] >= 5


def test_rows_that_a_block_could_not_place_are_placed_together() -> None:
    blocks = [np.array([0, 2, 4]), np.array([1, 3, 5])]
    found = [Grouping(np.array([0, 0, -1], dtype=np.int32)), Grouping(np.array([-1, 0, 0]))]
    assert join_blocks(6, blocks, found).labels.tolist() == [0, -1, 0, 1, -1, 1]


def test_a_release_says_in_how_many_blocks_it_was_made(tmp_path) -> None:
    frame = shoal.datasets.census(2000).select("age", "sex", "race", "occupation")
    plan = shoal.Plan.from_dict(
        {
            "columns": {
                "age": {"role": "quasi", "kind": "numeric"},
                "sex": {"role": "quasi"},
                "race": {"role": "quasi"},
                "occupation": {"role": "sensitive"},
            },
            "blocks": 3,
            "require": [{"model": "k-anonymity", "k": 5}],
            "method": {"name": "gaa-cp", "seed": 1},
        }
    )
    made = shoal.anonymize(frame, plan)
    made.write(tmp_path / "out")
    opened = shoal.open_release(tmp_path / "out")
    assert opened.facts["method"]["blocks"] == made.blocks == 3
    assert shoal.Plan.read(tmp_path / "out.private" / "plan.toml").blocks == 3
    assert opened.verify().passed


@pytest.mark.parametrize("blocks", [0, -1, "many", 2.5, True, [2]])
def test_a_wrong_number_of_blocks_is_refused(blocks: object) -> None:
    frame = pl.DataFrame({"age": [1, 2, 3, 4]})
    with pytest.raises(ParameterError, match="blocks must be"):
        shoal.anonymize(frame, k=2, quasi="age", blocks=blocks)  # type: ignore[arg-type]
    with pytest.raises(PlanError, match="'blocks' is not valid: it must be"):
        shoal.Plan.from_dict(
            {
                "columns": {"age": {"role": "quasi"}},
                "blocks": blocks,
                "require": [{"model": "k-anonymity", "k": 2}],
            }
        )


def test_a_method_that_needs_the_whole_table_refuses_blocks() -> None:
    frame = pl.DataFrame({"age": [1, 2, 3, 4]})
    with pytest.raises(ParameterError, match=r"needs the whole table.*[Ll]eave out blocks"):
        shoal.anonymize(frame, k=2, quasi="age", method="full-domain", blocks=2)
    made = shoal.anonymize(frame, k=2, quasi="age", method="full-domain", blocks="auto")
    assert made.blocks == 1


def test_an_interrupt_stops_all_workers() -> None:
    table, need = census(6000), [shoal.KAnonymity(5)]
    seen = Event()

    def interrupt(done: int, total: int) -> None:
        seen.set()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        group_in_blocks(table, need, shoal.GAACP(), 8, seed=1, progress=interrupt)
    assert seen.is_set()


def test_an_error_in_a_block_is_the_error_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object, **options: object) -> Grouping:
        raise ParameterError("No.", "Never.")

    monkeypatch.setattr(shoal.GAACP, "group", fail)
    with pytest.raises(ParameterError, match=r"No\."):
        group_in_blocks(census(500), [shoal.KAnonymity(5)], shoal.GAACP(), 2, seed=1)


def test_a_block_alone_is_what_the_method_finds() -> None:
    table, need = census(800), [shoal.KAnonymity(5)]
    rows = np.arange(100, 400)
    found = group_block(table, rows, need, shoal.GAACP(), (7, 0))
    expected = shoal.GAACP().group(
        table.select(rows, ranges="whole"), need, rng=np.random.default_rng((7, 0))
    )
    assert found.labels.tolist() == expected.labels.tolist()
