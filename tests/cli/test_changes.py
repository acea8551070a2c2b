"""`shoal run --set` and `--dry-run`: another plan for once, and nothing written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from shoal.cli import app


def run(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(app, ["run", str(folder / "plan.toml"), *options])


def test_a_place_of_the_plan_is_changed_for_once(folder: Path) -> None:
    before = (folder / "plan.toml").read_text()
    result = run(folder, "--set", "require.0.k=4", "--set", "method.name=kaca", "--json")
    assert result.exit_code == 0, result.stderr
    facts = json.loads(result.stdout)
    assert facts["require"][0]["k"] == 4
    assert facts["method"]["name"] == "kaca"
    assert (folder / "plan.toml").read_text() == before


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("require.7.k=4", "a list of 1"),
        ("require.first.k=4", "a list of 1"),
        ("require.0.k.x=4", "is not a table"),
        ("require.0.k", "place=value"),
        ("=4", "place=value"),
        ("metod.name=kaca", "metod"),
        ("require.0.k=none", "k"),
    ],
)
def test_a_change_that_has_no_place(folder: Path, change: str, words: str) -> None:
    result = run(folder, "--set", change)
    assert result.exit_code == 2
    assert words in result.stderr
    assert not (folder / "out").exists()


def test_a_dry_run_says_cost_and_risk_and_writes_nothing(folder: Path) -> None:
    before = sorted(path.name for path in folder.iterdir())
    result = run(folder, "--dry-run")
    assert result.exit_code == 0, result.stderr
    for words in ("nothing was written", "What happened to the columns", "Who is found", "Cost"):
        assert words in result.stdout
    answer = json.loads(run(folder, "--dry-run", "--json").stdout)
    assert answer["written"] is False
    assert 0 < answer["reidentification"]["prosecutor"]["highest"] <= 0.5
    assert sorted(path.name for path in folder.iterdir()) == before


def test_all_measures_are_shown_only_on_request(folder: Path) -> None:
    assert "discernibility" not in run(folder).stdout
    assert "discernibility" in run(folder, "--verbose").stdout


def test_help_lists_commands_in_the_order_of_use() -> None:
    shown = CliRunner().invoke(app, ["--help"]).stdout
    places = [shown.index(f" {name} ") for name in ("plan", "run", "verify", "risk", "query")]
    assert places == sorted(places)


def test_a_table_is_no_plan(folder: Path) -> None:
    result = CliRunner().invoke(app, ["run", str(folder / "table.csv")])
    assert result.exit_code == 2
    assert "is a table" in result.stderr
    assert "shoal plan" in result.stderr


def test_a_wrong_separator_is_called_that(folder: Path) -> None:
    result = run(folder, "--set", "input.separator=|")
    assert result.exit_code == 2
    assert "a single column" in result.stderr


@pytest.mark.parametrize(
    ("name", "words"),
    [("https://example.org/a.csv", "is a web address"), ("notes.docx", ".parquet")],
)
def test_what_cannot_be_read_is_said(folder: Path, name: str, words: str) -> None:
    (folder / "notes.docx").write_text("x")
    path = name if "://" in name else str(folder / name)
    result = CliRunner().invoke(app, ["plan", path])
    assert result.exit_code == 2
    assert words in result.stderr


def test_a_query_takes_cells_as_they_are_published(folder: Path) -> None:
    run(folder)
    out = str(folder / "out")

    def count(where: str) -> float:
        result = CliRunner().invoke(app, ["query", out, "--where", where, "--json"])
        assert result.exit_code == 0, result.stderr
        return float(json.loads(result.stdout)["expected"])

    assert count("age=[20, 40]") == pytest.approx(count("age=20..40"))
    assert count("age=[20, 40)") == pytest.approx(count("age=20..39"))


@pytest.mark.parametrize("command", ["measure", "utility"])
def test_the_plan_is_found_in_the_private_folder(folder: Path, command: str) -> None:
    run(folder)
    label = [] if command == "measure" else ["--label", "age", "--folds", "2"]
    asked = [command, str(folder / "out"), *label, "--json"]
    result = CliRunner().invoke(app, asked)
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)
    (folder / "alone.csv").write_bytes((folder / "out" / "table.csv").read_bytes())
    wrong = CliRunner().invoke(app, [command, str(folder / "alone.csv"), *label])
    assert wrong.exit_code == 2
    assert "No plan is named" in wrong.stderr
