"""`shoal run`, `verify`, `measure`, `query` and `risk` on centres, and on sets of values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from shoal.cli import app
from tests.cli.small_run import change


def call(*words: str | Path, code: int = 0) -> Any:
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == code, result.output
    return result


def form(folder: Path, *lines: str) -> None:
    made = "\n".join(lines)
    change("plan.toml", "[output]", f"[publication]\n{made}\n[output]")(folder)


@pytest.mark.parametrize("centre", ["mean", "median"])
def test_centres(folder: Path, centre: str) -> None:
    form(folder, 'form = "microaggregated"', f'centre = "{centre}"')
    change("plan.toml", 'name = "gaa-cp"\nseed = 1', 'name = "mdav"')(folder)
    change("table.csv", ",22,m,", ",,m,")(folder)
    plan, out, table = folder / "plan.toml", folder / "out", folder / "table.csv"
    said = call("run", plan).output
    assert "of the variance" in said
    assert "information loss rate" not in said + (out / "report.html").read_text()
    call("verify", out)
    call("verify", out, "--plan", plan, "--original", table)
    measured = json.loads(call("measure", out, "--plan", plan, "--json").output)
    assert measured["sse"] > 0
    assert "iloss" not in measured
    call("query", out, "--where", "age=20..30")
    call("risk", out)
    # A table without its facts is read as the plan says.
    alone = folder / "alone.csv"
    alone.write_bytes((out / "table.csv").read_bytes())
    rows = ("--manifest", folder / "out.private")
    call("verify", alone, "--plan", plan, "--original", table, *rows)


def test_sets(folder: Path) -> None:
    (folder / "sex.csv").write_text("m;known;*\nf;known;*\nx;known;*\n")
    change("plan.toml", "k = 3", "k = 11")(folder)
    form(folder, 'categories = "sets"')
    plan, out = folder / "plan.toml", folder / "out"
    call("run", plan)
    assert "{m, f}" in (out / "table.csv").read_text()
    call("verify", out, "--plan", plan, "--original", folder / "table.csv")
    assert "20" in call("query", out, "--where", "sex=m", "--where", "sex=f").output
    call("measure", out, "--plan", plan)
