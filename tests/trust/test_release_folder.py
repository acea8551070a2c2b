"""What a written release must never do. Each test names the promise it holds."""

from __future__ import annotations

import dataclasses
import errno
import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import shoal
from shoal import io
from shoal.checks.tables import SCHEMA, mixed
from shoal.errors import OutputError, VerificationError
from shoal.io.frames import Coded
from tests.writers import snapshot, write_csv_by

CANARY = "Zq7canary"


def make(frame: Any = None, *, seed: int | None = 5, **options: Any) -> shoal.Release:
    frame = mixed(60, missing=0.1) if frame is None else frame
    return shoal.anonymize(
        frame, SCHEMA, require=[shoal.KAnonymity(3)], method=shoal.GAACP(seed=seed), **options
    )


# 1. What is written is re-read and verified; writes are atomic.


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_written_release_verifies_from_disk(tmp_path: Path, kind: str) -> None:
    made = make()
    folder = made.write(tmp_path / "out", format=kind)
    found = io.read(folder / f"table.{kind}").frame
    assert shoal.verify(found, SCHEMA, [shoal.KAnonymity(3)]).passed
    facts = json.loads((folder / "release.json").read_text())
    assert facts["verification"]["passed"]


def test_release_that_does_not_verify_is_not_written(tmp_path: Path) -> None:
    made = make()
    broken = made.frame.with_columns(age=pl.int_range(60).cast(pl.String))
    shown = dataclasses.replace(made.published, table=broken)
    with pytest.raises(VerificationError, match="cells cover their originals"):
        dataclasses.replace(made, published=shown).write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_damage_while_writing_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make()
    write = io.write_csv

    def damaged(table: Coded, path: Path, **options: Any) -> None:
        write(table.frame.with_columns(sex=pl.lit("f")), path, **options)

    write_csv_by(monkeypatch, damaged)
    with pytest.raises(VerificationError):
        made.write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("blow", [OSError(errno.ENOSPC, "No space left"), KeyboardInterrupt()])
def test_full_disk_or_interrupt_leaves_the_old_release_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blow: BaseException
) -> None:
    make(seed=1).write(tmp_path / "out")
    before = snapshot(tmp_path)

    def fail(table: Coded, path: Path, **options: Any) -> None:
        Path(path).write_text("half")
        raise blow

    write_csv_by(monkeypatch, fail)
    expected = OutputError if isinstance(blow, OSError) else KeyboardInterrupt
    with pytest.raises(expected):
        make(seed=2).write(tmp_path / "out")
    assert snapshot(tmp_path) == before


def test_old_release_is_replaced_but_other_files_are_not(tmp_path: Path) -> None:
    make(seed=1).write(tmp_path / "out")
    make(seed=2).write(tmp_path / "out", format="parquet")
    assert (tmp_path / "out" / "table.parquet").exists()
    assert not (tmp_path / "out" / "table.csv").exists()
    (tmp_path / "out" / "thesis.txt").write_text("mine")
    before = snapshot(tmp_path)
    with pytest.raises(OutputError, match="holds other files"):
        make(seed=3).write(tmp_path / "out")
    assert snapshot(tmp_path) == before


def test_private_folder_is_closed_to_others(tmp_path: Path) -> None:
    make().write(tmp_path / "out")
    mode = stat.S_IMODE((tmp_path / "out.private").stat().st_mode)
    assert mode == 0o700


# 3. Seed, labels and row order stay in the house.


def test_seed_and_labels_are_only_in_the_private_folder(tmp_path: Path) -> None:
    made = make(seed=987_654_321)
    made.write(tmp_path / "out")
    public = b"".join(snapshot(tmp_path / "out").values())
    assert b"987654321" not in public
    assert b"seed" not in public
    assert b"group" not in b"".join(public.splitlines()[:1])
    manifest = json.loads((tmp_path / "out.private" / "manifest.json").read_text())
    assert manifest["seed"] == 987_654_321
    assert manifest["note"].startswith("PRIVATE")


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_row_order_is_not_the_input_order(tmp_path: Path, seed: int | None) -> None:
    frame = mixed(600).with_columns(note=pl.int_range(600))
    make(frame, seed=seed).write(tmp_path / "out")
    written = pl.read_csv(tmp_path / "out" / "table.csv")["note"].to_numpy()
    # Chance alone gives a rank correlation of about ±0.04.
    assert abs(np.corrcoef(written, np.arange(600))[0, 1]) < 0.2
    links = pl.read_parquet(tmp_path / "out.private" / "rows.parquet")
    assert links["original_row"].to_list() == written.tolist()


def test_without_a_seed_two_writes_differ(tmp_path: Path) -> None:
    made = make(seed=None)
    one = made.write(tmp_path / "one") / "table.csv"
    two = made.write(tmp_path / "two") / "table.csv"
    assert one.read_bytes() != two.read_bytes()


def test_the_same_seed_gives_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    make(seed=4).write(tmp_path / "here")
    code = (
        "import shoal\n"
        "from shoal.checks.tables import SCHEMA, mixed\n"
        "shoal.anonymize(mixed(60, missing=0.1), SCHEMA, require=[shoal.KAnonymity(3)],\n"
        f"    method=shoal.GAACP(seed=4)).write({str(tmp_path / 'there')!r})\n"
    )
    environment = {**os.environ, "NUMBA_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    assert snapshot(tmp_path / "here") == snapshot(tmp_path / "there")


def test_the_private_plan_repeats_the_release(tmp_path: Path) -> None:
    frame = mixed(60, missing=0.1)
    frame.write_parquet(tmp_path / "input.parquet")
    make(frame, seed=None).write(tmp_path / "out")
    plan = shoal.Plan.read(tmp_path / "out.private" / "plan.toml")
    again = shoal.anonymize(tmp_path / "input.parquet", plan)
    links = pl.read_parquet(tmp_path / "out.private" / "rows.parquet").sort("original_row")
    assert again.grouping.labels.tolist() == links["group"].to_list()


# 4, 5, 6. Nothing survives in dictionaries, under nulls or in metadata.


def haunted_frames() -> dict[str, Any]:
    """Frames with a removed value in every place a library could keep one."""
    plain = mixed(61)
    ghost = plain.with_columns(
        pl.when(pl.int_range(61) == 60)
        .then(pl.lit(CANARY))
        .otherwise(pl.col("illness"))
        .alias("illness")
    )
    pandas = pd.DataFrame(ghost.to_dict(as_series=False))
    pandas["illness"] = pandas["illness"].astype("category")
    pandas["note"] = pandas["note"].astype("category")
    pandas = pandas[pandas["illness"] != CANARY]
    pandas.index = [f"{CANARY}-{row}" for row in range(60)]
    pandas.attrs["owner"] = CANARY
    arrow = ghost.to_arrow()
    place = arrow.column_names.index("illness")
    arrow = arrow.set_column(
        place, "illness", arrow["illness"].cast(pa.string()).dictionary_encode()
    )
    arrow = arrow.slice(0, 60).replace_schema_metadata({"owner": CANARY})
    enum = pl.Enum([*ghost["illness"].unique().sort()])
    return {
        "pandas categorical": pandas,
        "arrow dictionary": arrow,
        "polars enum": ghost.with_columns(illness=pl.col("illness").cast(enum)).head(60),
    }


@pytest.mark.parametrize("source", ["pandas categorical", "arrow dictionary", "polars enum"])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_removed_values_do_not_survive(tmp_path: Path, source: str, kind: str) -> None:
    made = make(haunted_frames()[source])
    made.write(tmp_path / "out", format=kind)
    for name, content in snapshot(tmp_path / "out").items():
        assert CANARY.encode() not in content, name


def test_only_formats_that_are_written_are_taken(tmp_path: Path) -> None:
    with pytest.raises(shoal.errors.ParameterError, match="Known: csv, parquet, xlsx"):
        make().write(tmp_path / "out", format="ipc")


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_identifiers_and_suppressed_rows_reach_no_public_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    frame = mixed(60).with_columns(
        id=pl.format("{}-id-{}", pl.lit(CANARY), pl.int_range(60)),
        illness=pl.when(pl.int_range(60) == 7).then(pl.lit(CANARY)).otherwise(pl.col("illness")),
    )
    group = shoal.GAACP.group

    def without_row_7(self: shoal.GAACP, table: Any, require: Any, **rest: Any) -> shoal.Grouping:
        labels = group(self, table, require, **rest).labels.copy()
        labels[labels == labels[7]] = -1
        _, dense = np.unique(labels[labels >= 0], return_inverse=True)
        labels[labels >= 0] = dense
        return shoal.Grouping(labels)

    monkeypatch.setattr(shoal.GAACP, "group", without_row_7)
    made = make(frame, suppression_limit=0.2)
    assert made.n_suppressed >= 3
    made.write(tmp_path / "out", format=kind)
    written = snapshot(tmp_path / "out")
    assert set(written) == {"release.json", "report.html", f"table.{kind}"}
    for name, content in written.items():
        assert CANARY.encode() not in content, name
    assert CANARY not in repr(made)
    assert CANARY not in made._repr_html_()


# 11, 12. Texts stay texts; one form per value.


def test_leading_zeros_and_na_survive(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("zip,country,n\n" + "01234,NA,1.50\n01234,NA,1.5\n" * 3)
    schema = shoal.Schema(
        {
            "zip": shoal.quasi(kind="categorical"),
            "country": shoal.quasi(kind="categorical"),
            "n": shoal.quasi(kind="numeric"),
        }
    )
    made = shoal.anonymize(tmp_path / "in.csv", schema, require=[shoal.KAnonymity(2)])
    made.write(tmp_path / "out")
    lines = (tmp_path / "out" / "table.csv").read_text().splitlines()
    assert lines == ["zip,country,n", *["01234,NA,1.5"] * 6]


def test_one_textual_form_per_value(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": [70.0, 70.0, 0.1 + 0.2, 0.1 + 0.2], "y": [70.0, 1e-7, -0.0, 1e22]})
    schema = shoal.Schema({"x": shoal.quasi(), "y": shoal.other()})
    made = shoal.anonymize(frame, schema, require=[shoal.KAnonymity(2)], method=shoal.GAACP(seed=1))
    made.write(tmp_path / "out")
    lines = set((tmp_path / "out" / "table.csv").read_text().splitlines()[1:])
    dust = "0.30000000000000004"
    assert lines == {"70,70", "70,0.0000001", f"{dust},0", f"{dust},10000000000000000000000"}


# 14. The missing rule is named.


def test_missing_rule_is_named_in_every_result(tmp_path: Path) -> None:
    made = make()
    made.write(tmp_path / "out")
    facts = json.loads((tmp_path / "out" / "release.json").read_text())
    assert "equals only *" in facts["missing"]["rule"]
    assert "equals only *" in facts["verification"]["missing_rule"]
    assert "equals only *" in made.verification.missing_rule


def test_small_counts_are_not_public(tmp_path: Path) -> None:
    frame = mixed(60)
    frame = frame.with_columns(age=pl.when(pl.int_range(60) > 1).then(pl.col("age")))
    made = make(frame, missing="drop")
    made.write(tmp_path / "out")
    facts = json.loads((tmp_path / "out" / "release.json").read_text())
    assert facts["rows"]["dropped"] == "1 to 2"
    assert "suppression_loss_rate" not in facts["measures"]
    assert "left out" in facts["measures_note"]
