"""A folder that held another release of the same table is warned of, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from shoal.engines import pipeline
from shoal.plan import Plan
from shoal.release.replaced import ReplacedRelease

PLAN = """
version = 1
[input]
path = "table.csv"
[columns.age]
role = "quasi"
kind = "numeric"
[columns.zip]
role = "quasi"
[columns.ill]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 2
[method]
name = "gaa-cp"
seed = SEED
[output]
path = "out"
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    rows = 40
    frame = pl.DataFrame(
        {
            "age": [20 + (7 * row) % 31 for row in range(rows)],
            "zip": [f"z{row % 5}" for row in range(rows)],
            "ill": [f"i{row % 3}" for row in range(rows)],
        }
    )
    frame.write_csv(tmp_path / "table.csv")
    for seed in (1, 2):
        (tmp_path / f"{seed}.toml").write_text(PLAN.replace("SEED", str(seed)))
    return tmp_path


def run(plan: Path) -> tuple[str, ...]:
    return pipeline.run(Plan.read(plan)).warnings


def test_another_release_of_the_same_table_is_warned_of(place: Path) -> None:
    assert run(place / "1.toml") == ()
    assert run(place / "1.toml") == ()  # the same bytes tell nothing new
    (warning,) = run(place / "2.toml")
    assert "held another release" in warning
    assert "shoal risk" in warning
    # The warning is for the house: no public file has it.
    public = place / "out"
    assert not any("held another" in each.read_text() for each in public.iterdir())


def test_another_table_is_not(place: Path) -> None:
    run(place / "1.toml")
    other = pl.read_csv(place / "table.csv").head(30)
    other.write_csv(place / "other.csv")
    text = (place / "2.toml").read_text().replace("table.csv", "other.csv")
    (place / "other.toml").write_text(text)
    assert run(place / "other.toml") == ()


def test_a_table_that_moved_is_known_by_its_columns_and_rows(place: Path) -> None:
    run(place / "1.toml")
    (place / "table.csv").rename(place / "moved.csv")
    text = (place / "2.toml").read_text().replace("table.csv", "moved.csv")
    (place / "moved.toml").write_text(text)
    assert len(run(place / "moved.toml")) == 1


def test_without_the_private_folder_the_columns_tell(place: Path) -> None:
    run(place / "1.toml")
    for each in sorted((place / "out.private").rglob("*"), reverse=True):
        each.rmdir() if each.is_dir() else each.unlink()
    (place / "out.private").rmdir()
    found = ReplacedRelease.find(place / "out")
    assert found is not None
    assert found.input_rows is None
    assert len(run(place / "2.toml")) == 1


def test_what_is_no_release_is_none(tmp_path: Path) -> None:
    assert ReplacedRelease.find(tmp_path) is None
    assert ReplacedRelease.find(tmp_path / "absent") is None
    (tmp_path / "release.json").write_text("{")
    assert ReplacedRelease.find(tmp_path) is None


def test_the_command_says_it(place: Path) -> None:
    first = CliRunner().invoke(app, ["run", str(place / "1.toml")])
    assert first.exit_code == 0, first.output
    assert "Warning" not in first.output
    second = CliRunner().invoke(app, ["run", str(place / "2.toml")])
    assert second.exit_code == 0, second.output
    assert "Warning" in second.output
    third = CliRunner().invoke(app, ["run", str(place / "1.toml"), "--json"])
    assert third.exit_code == 0, third.output
    assert "held another" in third.stderr
    assert json.loads(third.stdout)["files"]
    assert shoal.open_release(place / "out").verify().passed
