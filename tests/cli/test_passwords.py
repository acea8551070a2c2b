"""A password on the command line: a warning, the way out, and never an echo."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from shoal.cli import app

SECRET = "Xy9/pe@rl"
ADDRESS = f"postgresql://ann:{SECRET}@127.0.0.1:1/people"
OPTION = f"postgresql://127.0.0.1:1/people?password={SECRET}&connect_timeout=1"
QUOTED = """postgresql://ann:Xy9' "pe@rl@127.0.0.1:1/people"""
WORDS = f"host=127.0.0.1 port=1 password={SECRET}"


@pytest.mark.parametrize("address", [ADDRESS, OPTION, QUOTED, WORDS])
@pytest.mark.parametrize(
    "command",
    [
        ["plan", "--sql", "{}", "--table", "people"],
        ["plan", "--sql={}", "--query", "SELECT 1"],
        ["plan", "{}"],
        ["run", "{}"],
        ["run", "plan.toml", "--set", "input.sql.url={}"],
        ["verify", "{}", "--k", "2", "--quasi", "age"],
        ["measure", "{}", "{}"],
        ["explain", "{}"],
        ["nothing", "{}"],
        ["run", "plan.toml", "{}"],
        ["plan", "--nothing={}"],
    ],
)
def test_it_is_warned_of_and_never_repeated(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], address: str
) -> None:
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(app, [word.format(address) for word in command])
    assert result.exit_code == 2
    flat = " ".join(result.stderr.split())
    assert "Warning: The command line holds a password" in flat
    assert "~/.pgpass" in flat
    assert "'$NAME'" in flat
    for part in (SECRET, "Xy9", "rl@", "pe@"):
        assert part not in result.stdout + result.stderr


def test_an_address_without_one_is_no_reason_to_warn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with sqlite3.connect("clinic.db") as clinic:
        clinic.execute("CREATE TABLE people (age INTEGER, sex TEXT)")
        rows = [(20 + i % 9, "fm"[i % 2]) for i in range(40)]
        clinic.executemany("INSERT INTO people VALUES (?, ?)", rows)
    monkeypatch.setenv("CLINIC_URL", f"postgresql://ann:{SECRET}@127.0.0.1:1/people")
    done = CliRunner().invoke(app, ["plan", "--sql", "sqlite:///clinic.db", "--table", "people"])
    assert done.exit_code == 0, done.stderr
    for address in ("$CLINIC_URL", "postgresql://ann@127.0.0.1:1/people?service=x"):
        failed = CliRunner().invoke(app, ["plan", "--sql", address, "--table", "people"])
        assert failed.exit_code == 2
        assert "Warning" not in done.stderr + failed.stderr
        assert SECRET not in failed.stderr
