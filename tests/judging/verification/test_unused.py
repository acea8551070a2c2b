"""Flags and arguments that nothing would come of are refused, on the command line and in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from shoal.errors import ParameterError

FRAME = pl.DataFrame({"age": ["30"] * 4, "ill": ["flu", "cold"] * 2})
ROLES = {"age": "quasi", "ill": "sensitive"}
TABLES = {
    "quasi": pl.DataFrame({"age": ["30"] * 4, "class": ["1"] * 4}),
    "sensitive": pl.DataFrame({"class": ["1"] * 4, "ill": ["flu", "cold"] * 2}),
}
PLAN = """
require = [{ model = "k-anonymity", k = 2 }]
[columns]
age = { role = "quasi" }
ill = { role = "sensitive" }
[input]
path = "table.csv"
"""


@pytest.mark.parametrize(
    ("table", "given", "named"),
    [
        (FRAME, {"rows": [0, 1, 2, 3]}, "rows"),
        (FRAME, {"centres": "mean"}, "centres"),
        (FRAME, {"class_column": "age"}, "class_column"),
        (FRAME, {"as_written": True, "original": FRAME}, "as_written"),
        (FRAME, {"population": FRAME}, "population"),
        (TABLES, {"centres": "mean", "original": FRAME, "rows": np.arange(4)}, "centres"),
    ],
)
def test_arguments_that_are_not_used_are_refused(
    table: Any, given: dict[str, Any], named: str
) -> None:
    with pytest.raises(ParameterError, match=named):
        shoal.verify(table, ROLES, 2, **given)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "plan.toml").write_text(PLAN)
    FRAME.write_csv(tmp_path / "table.csv")
    shoal.run(shoal.Plan.read(tmp_path / "plan.toml"), output=tmp_path / "release")
    return tmp_path


@pytest.mark.parametrize(
    "flags",
    [
        ["release", "--sensitive", "nonsense"],
        ["release", "--sensitive", "nonsense", "--quasi", "age", "--k", "2"],
        ["release", "--quasi", "nonsense", "--k", "2"],
        ["release", "--quasi", "age", "--plan", "plan.toml"],
        ["release", "--sensitive", "ill", "--plan", "plan.toml"],
        ["release", "--alpha", "0.5"],
        ["release", "--class", "nonsense"],
        ["release", "--population", "table.csv"],
        ["release", "--quasi", "age,ill", "--sensitive", "ill", "--k", "2"],
        ["table.csv", "--quasi", "age", "--k", "2", "--class", "ill"],
        ["table.csv", "--quasi", "age", "--k", "2", "--manifest", "release.private"],
        ["table.csv", "--quasi", "age", "--k", "2", "--table", "sqlite:///x.db"],
    ],
    ids=" ".join,
)
def test_flags_that_are_not_used_are_refused(
    place: Path, monkeypatch: pytest.MonkeyPatch, flags: list[str]
) -> None:
    monkeypatch.chdir(place)
    done = CliRunner().invoke(app, ["verify", *flags])
    assert done.exit_code == 2, done.output
    assert "holds" not in done.stdout


@pytest.mark.parametrize(
    "flags",
    [
        ["release"],
        ["release", "--plan", "plan.toml"],
        ["release", "--k", "2"],
        ["release", "--quasi", "age", "--sensitive", "ill", "--k", "2"],
        ["release", "--manifest", "release.private", "--original", "table.csv"],
        ["table.csv", "--quasi", "age", "--sensitive", "ill", "--k", "2"],
    ],
    ids=" ".join,
)
def test_flags_that_are_used_are_taken(
    place: Path, monkeypatch: pytest.MonkeyPatch, flags: list[str]
) -> None:
    monkeypatch.chdir(place)
    done = CliRunner().invoke(app, ["verify", *flags])
    assert done.exit_code == 0, done.output
