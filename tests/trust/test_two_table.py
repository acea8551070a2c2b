"""Two tables must not be linked: not by their order, not by their ids, not by what is left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import io
from shoal.base.shuffling import CLASS_IDS, ROW_ORDER, SENSITIVE_ORDER, permutation
from shoal.checks.tables import SCHEMA, mixed
from shoal.errors import VerificationError
from tests.writers import BLOWS, damage, is_left_by, snapshot

CANARY = "Zq7canary"
SEEDS = range(12)
ROWS = 120


def make(frame: Any = None, *, seed: int | None = 5, **options: Any) -> shoal.Release:
    return shoal.anonymize(
        mixed(60, missing=0.1) if frame is None else frame,
        options.pop("schema", SCHEMA),
        require=options.pop("require", [shoal.KAnonymity(3)]),
        method=shoal.GAACP(seed=seed),
        publication="two-table",
        **options,
    )


# 1. What is written is re-read and verified; writes are atomic.


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("sensitive", ["rows", "counts"])
def test_written_tables_verify_from_disk(tmp_path: Path, kind: str, sensitive: str) -> None:
    made = make(sensitive_cells=sensitive)
    folder = made.write(tmp_path / "out", format=kind)
    assert set(snapshot(folder)) == {
        f"quasi.{kind}",
        f"sensitive.{kind}",
        "release.json",
        "report.html",
    }
    read = {name: io.read(folder / f"{name}.{kind}").frame for name in ("quasi", "sensitive")}
    links = pl.read_parquet(tmp_path / "out.private" / "rows.parquet")
    original = mixed(60, missing=0.1)
    assert shoal.verify(
        read, SCHEMA, [shoal.KAnonymity(3)], original=original, rows=links["original_row"]
    ).passed
    facts = json.loads((folder / "release.json").read_text())
    assert set(facts["files"]) == {f"quasi.{kind}", f"sensitive.{kind}"}
    assert facts["two_table"]["class_column"] == "class"
    assert facts["two_table"]["sensitive_cells"] == sensitive
    assert {each["check"] for each in facts["verification"]["findings"]} >= {"row order"}


@pytest.mark.parametrize("damaged", ["quasi.csv", "sensitive.csv"])
def test_damage_to_either_table_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damaged: str
) -> None:
    damage(monkeypatch, damaged, pl.col("class").reverse())
    with pytest.raises(VerificationError, match="per class"):
        make().write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("blow", BLOWS)
def test_a_blow_between_the_tables_leaves_the_old_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blow: BaseException
) -> None:
    is_left_by(monkeypatch, tmp_path, make(seed=1), make(seed=2), "sensitive.csv", blow)


def test_releases_of_either_form_replace_each_other(tmp_path: Path) -> None:
    make().write(tmp_path / "out")
    one = shoal.anonymize(mixed(60), SCHEMA, require=[shoal.KAnonymity(3)])
    one.write(tmp_path / "out")
    assert set(snapshot(tmp_path / "out")) == {"table.csv", "release.json", "report.html"}
    make().write(tmp_path / "out", format="parquet")
    assert "quasi.parquet" in snapshot(tmp_path / "out")
    assert "table.csv" not in snapshot(tmp_path / "out")


# 2. Each table is shuffled on its own, and ids are random.


def unique_values() -> pl.DataFrame:
    """A value of its own for each row, in the order of the rows: a link is a hit."""
    values = pl.format("v{}", pl.int_range(ROWS).cast(pl.String).str.zfill(3))
    return mixed(ROWS).with_columns(illness=values, note=pl.int_range(ROWS))


def hits(quasi: pl.DataFrame, sensitive: pl.DataFrame) -> tuple[int, int, int]:
    """Link by row number and by place in the class: right guesses, and what chance gives."""
    true = pl.format("v{}", pl.col("note").cast(pl.String).str.zfill(3)).alias("true")
    left = quasi.select(pl.col("class").cast(pl.Int64), true)
    right = sensitive.select(pl.col("class").cast(pl.Int64), "illness")
    by_row = int((left["true"] == right["illness"]).sum())
    left, right = (each.sort("class", maintain_order=True) for each in (left, right))
    by_place = int((left["true"] == right["illness"]).sum())
    return by_row, by_place, left["class"].n_unique()


def linked(tables: list[tuple[pl.DataFrame, pl.DataFrame]]) -> bool:
    """Say whether orders link the tables better than chance does, over many releases.

    Chance gives one right guess per release by row and one per class by place, with a variance
    of one each (the fixed points of a random permutation).
    """
    counted = np.array([hits(*each) for each in tables])
    rows, places, classes = counted.sum(axis=0)
    by_row = (rows - len(tables)) / np.sqrt(len(tables))
    by_place = (places - classes) / np.sqrt(classes)
    return bool(max(by_row, by_place) > 6)


@pytest.fixture(scope="module")
def releases() -> list[shoal.Release]:
    return [make(unique_values(), seed=seed) for seed in SEEDS]


@pytest.fixture(scope="module")
def written(
    releases: list[shoal.Release], tmp_path_factory: pytest.TempPathFactory
) -> list[tuple[pl.DataFrame, pl.DataFrame]]:
    made = []
    for number, release in enumerate(releases):
        folder = release.write(tmp_path_factory.mktemp("two") / str(number))
        made.append((pl.read_csv(folder / "quasi.csv"), pl.read_csv(folder / "sensitive.csv")))
    return made


def test_row_order_links_nothing(written: list[tuple[pl.DataFrame, pl.DataFrame]]) -> None:
    assert not linked(written)


def test_the_test_is_red_where_tables_are_not_shuffled_apart(
    releases: list[shoal.Release], written: list[tuple[pl.DataFrame, pl.DataFrame]]
) -> None:
    unshuffled = [(each.tables["quasi"], each.tables["sensitive"]) for each in releases]
    assert linked(unshuffled)  # by place: values are sorted as the rows are
    together = []
    for quasi, _ in written:  # one shuffle for both
        word = pl.format("v{}", pl.col("note").cast(pl.String).str.zfill(3))
        together.append((quasi, quasi.select("class", word.alias("illness"))))
    assert linked(together)


def test_an_unshuffled_release_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make(unique_values())
    monkeypatch.setattr(shoal.release.writing, "permutation", lambda n, seed, use: np.arange(n))
    with pytest.raises(VerificationError, match="row order: the order of the tables links 120"):
        made.write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("seed", [None, 3])
def test_ids_are_a_random_order_without_gaps(seed: int | None) -> None:
    made = make(unique_values(), seed=seed)
    ids = made.tables["quasi"]["class"].to_numpy()
    groups = made.grouping.n_groups
    assert sorted(set(ids.tolist())) == list(range(1, groups + 1))
    assert ids.tolist() != (made.grouping.labels + 1).tolist()


def test_ids_follow_neither_labels_nor_input_order(releases: list[shoal.Release]) -> None:
    against: dict[str, list[float]] = {"label": [], "first": []}
    for release in releases:
        labels = release.grouping.labels
        ids = np.zeros(release.grouping.n_groups)
        ids[labels] = release.tables["quasi"]["class"].to_numpy()
        first = [int(np.flatnonzero(labels == each)[0]) for each in range(len(ids))]
        against["label"].append(np.corrcoef(ids, np.arange(len(ids)))[0, 1])
        against["first"].append(np.corrcoef(ids, first)[0, 1])
    for name, found in against.items():
        # Each is about ±1/√classes by chance, their mean √seeds times less.
        assert abs(np.mean(found)) < 0.25, name


def test_the_three_orders_of_a_seed_are_not_the_same() -> None:
    orders = [permutation(500, 7, use) for use in (ROW_ORDER, CLASS_IDS, SENSITIVE_ORDER)]
    for i, one in enumerate(orders):
        for other in orders[:i]:
            assert int((one == other).sum()) < 10
    assert permutation(500, None, ROW_ORDER).tolist() != permutation(500, None, ROW_ORDER).tolist()


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    make(seed=4).write(tmp_path / "one")
    make(seed=4).write(tmp_path / "two")
    assert snapshot(tmp_path / "one") == snapshot(tmp_path / "two")
    made = make(seed=None)
    made.write(tmp_path / "three")
    made.write(tmp_path / "four")
    assert snapshot(tmp_path / "three") != snapshot(tmp_path / "four")


# 3, 7. Nothing of the house reaches a public file.


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("sensitive", ["rows", "counts"])
def test_identifiers_and_suppressed_rows_reach_no_public_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, sensitive: str
) -> None:
    frame = mixed(60).with_columns(
        id=pl.format("{}-id-{}", pl.lit(CANARY), pl.int_range(60)),
        illness=pl.when(pl.int_range(60) == 7).then(pl.lit(CANARY)).otherwise(pl.col("illness")),
    )
    levels = {f"i{i}": 2 for i in range(6)} | {CANARY: 1}
    schema = SCHEMA.with_column("illness", levels=levels)
    group = shoal.GAACP.group

    def without_row_7(self: shoal.GAACP, table: Any, require: Any, **rest: Any) -> shoal.Grouping:
        labels = group(self, table, require, **rest).labels.copy()
        labels[labels == labels[7]] = -1
        _, dense = np.unique(labels[labels >= 0], return_inverse=True)
        labels[labels >= 0] = dense
        return shoal.Grouping(labels)

    monkeypatch.setattr(shoal.GAACP, "group", without_row_7)
    require = [shoal.LeveledAlphaK(None, [0.9, 1.0], 3), shoal.AlphaK(0.9, 3, value=CANARY)]
    made = make(
        frame,
        schema=schema,
        require=require,
        sensitive_cells=sensitive,
        suppression_limit=0.2,
        seed=88123,
    )
    assert made.n_suppressed >= 3
    made.write(tmp_path / "out", format=kind)
    for name, content in snapshot(tmp_path / "out").items():
        assert CANARY.encode() not in content, name
        assert b"88123" not in content, name
    assert CANARY not in repr(made) + made._repr_html_()
    assert shoal.verify(made.tables, schema, require).passed


def test_only_the_private_folder_links_rows_to_people(tmp_path: Path) -> None:
    frame = unique_values()
    made = make(frame)
    made.write(tmp_path / "out")
    links = pl.read_parquet(tmp_path / "out.private" / "rows.parquet")
    quasi = pl.read_csv(tmp_path / "out" / "quasi.csv")
    assert links["original_row"].to_list() == quasi["note"].to_list()
    assert set(quasi.columns) == {*SCHEMA.quasi, "note", "class"}
