"""Sensitive groups must not be linked, their noise not be told, and nothing else be said."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import io
from shoal.checks.tables import SCHEMA as PLAIN, mixed
from shoal.errors import OutputError, VerificationError
from shoal.publications.groups.grouping import Padding
from shoal.table.schema import Role
from tests.writers import BLOWS, damage, is_left_by, snapshot

CANARY = "Zq7canary"
SEEDS = range(10)
ROWS = 120
SCHEMA = PLAIN.with_column("note", role=Role.SENSITIVE)
DIVERSE = shoal.MultiLDiversity({"illness": 4, "note": 3})


def frame(n: int = 60) -> pl.DataFrame:
    """A table whose second sensitive column is short of values, so that noise is needed."""
    return mixed(n, missing=0.1).with_columns(
        note=pl.when(pl.int_range(n) % 10 < 8).then(0).otherwise(pl.col("note"))
    )


def make(data: Any = None, *, seed: int | None = 5, **options: Any) -> shoal.Release:
    return shoal.anonymize(
        frame() if data is None else data,
        options.pop("schema", SCHEMA),
        require=options.pop("require", [DIVERSE]),
        method=options.pop("method", shoal.MICD(seed=seed)),
        **options,
    )


# 1. What is written is re-read and verified; writes are atomic.


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_written_tables_verify_from_disk(tmp_path: Path, kind: str) -> None:
    made = make()
    assert made.n_noise > 0
    folder = made.write(tmp_path / "out", format=kind)
    tables = {"quasi": f"quasi.{kind}"}
    secrets = {name: f"sensitive-{name}.{kind}" for name in ("illness", "note")}
    files = {*tables.values(), *secrets.values()}
    assert set(snapshot(folder)) == {*files, "release.json", "report.html"}
    facts = json.loads((folder / "release.json").read_text())
    assert set(facts["files"]) == files
    assert facts["sensitive_groups"]["files"] == secrets
    read = {
        "quasi": io.read(folder / f"quasi.{kind}").frame,
        "sensitive": {name: io.read(folder / file).frame for name, file in secrets.items()},
    }
    links = pl.read_parquet(tmp_path / "out.private" / "rows.parquet")
    assert shoal.verify(read, SCHEMA, [DIVERSE]).passed
    assert shoal.verify(
        read, SCHEMA, [DIVERSE], original=frame(), rows=links["original_row"]
    ).passed
    assert {each["check"] for each in facts["verification"]["findings"]} >= {"row order"}


def test_file_names_are_plain_and_no_two_alike(tmp_path: Path) -> None:
    odd = {"illness": "Größe (cm)", "note": "../GROE_cm"}
    schema = shoal.Schema({odd.get(name, name): column for name, column in SCHEMA.items()})
    need = shoal.MultiLDiversity({odd["illness"]: 2, odd["note"]: 2})
    made = make(frame().rename(odd), schema=schema, require=[need])
    folder = made.write(tmp_path / "out")
    assert set(snapshot(folder)) == {
        "quasi.csv",
        "sensitive-Groe_cm.csv",
        "sensitive-GROE_cm-2.csv",
        "release.json",
        "report.html",
    }
    facts = json.loads((folder / "release.json").read_text())
    assert facts["sensitive_groups"]["files"] == {
        odd["illness"]: "sensitive-Groe_cm.csv",
        odd["note"]: "sensitive-GROE_cm-2.csv",
    }


@pytest.mark.parametrize("damaged", ["quasi.csv", "sensitive-illness.csv", "sensitive-note.csv"])
def test_damage_to_any_table_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damaged: str
) -> None:
    damage(monkeypatch, damaged, pl.col("group").reverse())
    with pytest.raises(VerificationError):
        make().write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("blow", BLOWS)
def test_a_blow_between_the_tables_leaves_the_old_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blow: BaseException
) -> None:
    is_left_by(monkeypatch, tmp_path, make(seed=1), make(seed=2), "sensitive-note.csv", blow)


def test_releases_replace_each_other_but_never_a_strangers_file(tmp_path: Path) -> None:
    make().write(tmp_path / "out")
    one = shoal.anonymize(mixed(60), PLAIN, require=[shoal.KAnonymity(3)])
    one.write(tmp_path / "out")
    assert set(snapshot(tmp_path / "out")) == {"table.csv", "release.json", "report.html"}
    make().write(tmp_path / "out")
    assert "sensitive-note.csv" in snapshot(tmp_path / "out")
    (tmp_path / "out" / "sensitive-mine.csv").write_text("not yours")
    with pytest.raises(OutputError):
        one.write(tmp_path / "out")
    assert (tmp_path / "out" / "sensitive-mine.csv").read_text() == "not yours"


# 2. Each table is shuffled on its own, and ids are random.


def unique_values() -> pl.DataFrame:
    """Values of their own for each row, in the order of the rows: a link is a hit."""
    return mixed(ROWS).with_columns(
        age=pl.int_range(ROWS),
        illness=pl.int_range(ROWS) + 1000,
        note=pl.int_range(ROWS) + 2000,
    )


def excess(tables: list[list[tuple[pl.DataFrame, int]]]) -> float:
    """Say how far right guesses by place go beyond chance, at worst, in standard deviations.

    Each set of tables holds the same rows, told by a column of numbers (and what to take off
    it), so a guess is right if two numbers are equal. A class gives one right guess by chance,
    with a variance of one (the fixed points of a random permutation).
    """
    worst = 0.0
    for one, other in combinations(range(3), 2):
        hits = classes = 0
        for made in tables:
            sides = [
                made[i][0].sort("group", maintain_order=True).to_series(1) - made[i][1]
                for i in (one, other)
            ]
            hits += int((sides[0] == sides[1]).sum())
            classes += made[0][0]["group"].n_unique()
        worst = max(worst, (hits - classes) / np.sqrt(classes))
    return worst


def numbered(quasi: pl.DataFrame, secrets: dict[str, pl.DataFrame]) -> list[Any]:
    return [
        (quasi.select("group", pl.col("age").cast(pl.Int64)), 0),
        (secrets["illness"].select("group", "illness"), 1000),
        (secrets["note"].select("group", "note"), 2000),
    ]


@pytest.fixture(scope="module")
def releases() -> list[shoal.Release]:
    methods = [shoal.MICD(seed=seed) for seed in SEEDS]
    methods += [shoal.Decomposition(seed=seed) for seed in SEEDS]
    return [make(unique_values(), method=method) for method in methods]


def test_row_order_links_nothing(releases: list[shoal.Release], tmp_path: Path) -> None:
    written = []
    for number, release in enumerate(releases):
        folder = release.write(tmp_path / str(number))
        apart = {n: pl.read_csv(folder / f"sensitive-{n}.csv") for n in ("illness", "note")}
        written.append(numbered(pl.read_csv(folder / "quasi.csv"), apart))
    assert excess(written) < 6


def test_the_test_is_red_where_tables_are_not_shuffled(releases: list[shoal.Release]) -> None:
    unshuffled = [
        numbered(release.tables["quasi"], release.tables["sensitive"]) for release in releases
    ]
    assert excess(unshuffled) > 6


def test_an_unshuffled_release_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make(unique_values(), require=[shoal.MultiLDiversity({"illness": 6, "note": 6})])
    monkeypatch.setattr(shoal.release.writing, "permutation", lambda n, seed, use: np.arange(n))
    with pytest.raises(VerificationError, match="the order of 'illness' and 'note' links 120"):
        made.write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_one_shuffle_for_all_tables_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make(unique_values(), require=[shoal.MultiLDiversity({"illness": 6, "note": 6})])
    order = np.random.default_rng(0).permutation(ROWS)
    monkeypatch.setattr(shoal.release.writing, "permutation", lambda n, seed, use: order)
    with pytest.raises(VerificationError, match="row order"):
        made.write(tmp_path / "out")


@pytest.mark.parametrize("seed", [None, 3])
def test_ids_are_a_random_order_without_gaps(seed: int | None) -> None:
    made = make(unique_values(), seed=seed)
    ids = made.tables["quasi"]["group"].to_numpy()
    assert sorted(set(ids.tolist())) == list(range(1, made.grouping.n_groups + 1))
    assert ids.tolist() != (made.grouping.labels + 1).tolist()


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
def test_identifiers_and_unpublished_rows_reach_no_public_file(tmp_path: Path, kind: str) -> None:
    """Row 7 misses a cell and is dropped; its values must not come back as noise either."""
    data = frame().with_columns(
        id=pl.format("{}-id-{}", pl.lit(CANARY), pl.int_range(60)),
        illness=pl.when(pl.int_range(60) == 7).then(pl.lit(CANARY)).otherwise("illness"),
        note=pl.when(pl.int_range(60) == 7).then(987654).otherwise("note"),
        age=pl.when(pl.int_range(60) == 7).then(None).otherwise("age"),
    )
    for method in (shoal.MICD(seed=88123), shoal.Decomposition(seed=88123)):
        made = make(data, method=method, missing="drop")
        assert made.n_dropped
        assert made.n_noise
        made.write(tmp_path / "out", format=kind)
        for name, content in snapshot(tmp_path / "out").items():
            for secret in (CANARY.encode(), b"88123", b"987654"):
                assert secret not in content, name
        assert CANARY not in repr(made) + made._repr_html_()


def test_added_values_are_the_methods_own_after_rows_were_dropped() -> None:
    """Codes of the rows that are left are not codes of the input."""
    data = pl.DataFrame(
        {
            "age": [None, *range(8)],
            "a": ["1", *"pqrspqrs"],
            "b": ["aaa", *["m"] * 7, "n"],
        }
    )
    roles = {"age": shoal.quasi(), "a": shoal.sensitive(), "b": shoal.sensitive()}
    schema = shoal.Schema(roles)
    made = make(
        data,
        schema=schema,
        require=[shoal.MultiLDiversity({"a": 4, "b": 2})],
        missing="drop",
    )
    assert made.n_noise == 1
    assert set(made.tables["sensitive"]["b"]["b"]) == {"m", "n"}


def test_only_the_private_manifest_counts_the_noise(tmp_path: Path) -> None:
    made = make(frame(400))
    made.write(tmp_path / "out")
    manifest = json.loads((tmp_path / "out.private" / "manifest.json").read_text())
    assert sum(manifest["noise"].values()) == made.n_noise > 10
    facts = json.loads((tmp_path / "out" / "release.json").read_text())
    assert facts["noise_ratio"] == round(made.n_noise / 400, 2)
    assert "noise" not in facts
    page = (tmp_path / "out" / "report.html").read_text()
    assert f"False values were added: {facts['noise_ratio']} per published row" in page


# 9. Small counts are not shown.


def test_a_few_added_values_are_not_counted_in_public(monkeypatch: pytest.MonkeyPatch) -> None:
    group = shoal.GAACP.group

    def padded(self: shoal.GAACP, table: Any, require: Any, **rest: Any) -> shoal.Grouping:
        labels = group(self, table, require, **rest).labels
        mine = set(table.sensitive["illness"].codes[labels == 0].tolist())
        lacking = next(code for code in range(6) if code not in mine)
        return shoal.Grouping(labels, {"illness": Padding(np.array([0]), np.array([lacking]))})

    monkeypatch.setattr(shoal.GAACP, "group", padded)
    made = make(
        mixed(60),
        schema=PLAIN,
        require=[shoal.KAnonymity(4)],
        method=shoal.GAACP(seed=1),
        publication="sensitive-groups",
    )
    assert made.n_noise == 1
    facts = made.facts()
    assert facts["noise_ratio"] == "above 0 and below 0.067"
    assert "noise_ratio" not in facts["measures"]


def test_few_missing_values_that_nobody_can_count_are_not_counted() -> None:
    data = mixed(60).with_columns(
        illness=pl.when(pl.int_range(60) < 2).then(None).otherwise("illness")
    )
    options: dict[str, Any] = {"schema": PLAIN, "require": [shoal.KAnonymity(4)]}
    made = make(data, method=shoal.GAACP(seed=1), publication="sensitive-groups", **options)
    assert made.facts()["missing"]["sensitive"]["illness"]["missing"] is None
