"""What `shoal bench` says was measured, and is said against something."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from shoal.cli.app import app
from shoal.errors import OutputError
from shoal.steward.bench import CASES, Figure
from shoal.steward.bench.processes import python, shoal

ROWS = 20_000


def test_growth_and_blocks_are_measured() -> None:
    few, many = CASES["growth"](ROWS)
    assert many.ratio == many.seconds / few.seconds
    assert "grows as n^" in many.what
    whole, cut = CASES["blocks"](ROWS)
    assert (whole.ratio, cut.against) == (1.0, "as a whole")
    assert cut.seconds > 0


def test_commands_are_processes_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.steward.bench.cases.AFTER", ("verify release",))
    copy, run, verify = CASES["commands"](ROWS)
    assert copy.against == "itself"
    assert run.what == "shoal run plan.toml"
    assert verify.ratio == pytest.approx(verify.seconds / copy.seconds)
    if hasattr(os, "wait4"):
        assert all(each.memory is not None and each.memory > 20 for each in (copy, run, verify))


def test_the_command_shows_a_table_or_json(monkeypatch: pytest.MonkeyPatch) -> None:
    figure = Figure("grouping", 2.0, 4.0, "half of it", 30.0)
    monkeypatch.setitem(CASES, "growth", lambda rows: iter([figure]))
    shown = CliRunner().invoke(app, ["bench", "growth"])
    assert shown.exit_code == 0
    assert "4.00" in shown.stdout
    asked = CliRunner().invoke(app, ["bench", "growth", "--json"])
    assert json.loads(asked.stdout) == [figure._asdict()]


def test_an_unknown_case_is_named() -> None:
    refused = CliRunner().invoke(app, ["bench", "grwth"])
    assert refused.exit_code == 2
    assert "no case 'grwth'" in refused.stderr
    assert "growth" in refused.stderr


def test_a_command_that_fails_is_said(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="shoal run nothing"):
        shoal(tmp_path, "run", "nothing.toml")
    assert python(tmp_path, "sum(range(10**6))").cpu > 0


def test_processes_start_as_they_do_for_a_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    python(tmp_path, "import sys; assert not sys.dont_write_bytecode")  # a failure is an error
