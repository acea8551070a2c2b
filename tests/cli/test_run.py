"""`shoal run` on a small table: what it writes, and what it says of missing values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

from shoal.cli import app
from tests.cli.small_run import SECRET, TABLE, change, policy, write


def test_the_unchanged_case_works(folder: Path) -> None:
    result = CliRunner().invoke(app, ["run", str(folder / "plan.toml")])
    assert result.exit_code == 0, result.stderr
    names = {path.name for path in (folder / "out").iterdir()}
    assert names == {"table.csv", "release.json", "report.html"}


def run(folder: Path) -> pl.DataFrame:
    result = CliRunner().invoke(app, ["run", str(folder / "plan.toml")])
    assert result.exit_code == 0, result.stderr
    assert SECRET not in (folder / "out" / "release.json").read_text()
    return pl.read_csv(folder / "out" / "table.csv", infer_schema=False)


def facts(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "out" / "release.json").read_text())["missing"]
    return found


def test_a_column_that_is_missing_everywhere_can_be_suppressed(folder: Path) -> None:
    write("table.csv", TABLE.replace(",m,", ",,").replace(",f,", ",*,"))(folder)
    policy("suppress-column")(folder)
    assert set(run(folder)["sex"]) == {"*"}
    assert facts(folder)["suppressed_columns"] == ["sex"]
    assert facts(folder)["columns"]["sex"] == {"missing": 20, "share": 1.0}


def test_a_row_that_is_missing_everywhere_is_published(folder: Path) -> None:
    change("table.csv", ",22,m,", ",,,")(folder)
    table = run(folder)
    assert table.height == 20
    assert ((table["age"] == "*") & (table["sex"] == "*")).sum() >= 3
    assert facts(folder)["columns"]["age"]["missing"] == "1 to 2"


@pytest.mark.parametrize(("tokens", "missing"), [('["NA"]', "1 to 2"), ("[]", 0), ('["?"]', 0)])
def test_tokens_that_are_named_win(folder: Path, tokens: str, missing: int | str) -> None:
    change("plan.toml", 'hierarchy = "sex.csv"', f"missing = {tokens}")(folder)
    change("table.csv", ",22,m,", ",22,NA,")(folder)
    run(folder)
    assert facts(folder)["columns"]["sex"]["missing"] == missing


def test_missing_sensitive_values_are_stated(folder: Path) -> None:
    write("table.csv", TABLE.replace(f"{SECRET}flu", "", 5))(folder)
    assert run(folder)["illness"].fill_null("").eq("").sum() == 5
    said = facts(folder)["sensitive"]["illness"]
    assert said["missing"] == 5
    assert "separate value" in said["rule"]
