"""An outside witness agrees on the achieved k."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.checks.tables import SCHEMA, mixed

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".venv-witness" / "bin" / "python"


def pycanon(table: Path, quasi: list[str]) -> int:
    assert PYTHON.exists(), "`make setup` makes the witnesses' environment"
    command = [PYTHON, ROOT / "tests" / "witness" / "count_k.py", table, "|".join(quasi)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return int(json.loads(answer)["k"])


@pytest.mark.parametrize("k", [2, 5, 10])
def test_pycanon_finds_the_same_k_on_adult(tmp_path: Path, k: int) -> None:
    bundled = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    adult = shoal.datasets.adult().sample(3000, seed=k)
    schema = bundled.schema_()
    made = shoal.anonymize(adult, schema, require=[shoal.KAnonymity(k)], method=shoal.GAACP(seed=k))
    folder = made.write(tmp_path / "out")
    found = pycanon(folder / "table.csv", schema.quasi)
    assert found == made.verification.achieved["k"] >= k


def test_pycanon_and_verify_agree_on_a_table_that_fails(tmp_path: Path) -> None:
    frame = mixed(200, missing=0.1).select(pl.exclude("id", "age")).fill_null("*")
    frame.write_csv(tmp_path / "raw.csv")
    schema = shoal.Schema({name: SCHEMA[name] for name in frame.columns})
    ours = shoal.verify(frame, schema, [shoal.KAnonymity(50)])
    assert not ours.passed
    assert ours.achieved["k"] == pycanon(tmp_path / "raw.csv", schema.quasi)
