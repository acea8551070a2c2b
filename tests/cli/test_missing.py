"""Missing values on the command line: the picture, the warnings, explicit tokens."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from rich.console import Console

import shoal
from shoal.cli import missing
from shoal.table.missingness import Missingness
from tests.cli.small_run import call


def drawn(found: Missingness, width: int = 80, quasi: list[str] | None = None) -> str:
    console = Console(width=width, color_system=None)
    with console.capture() as captured:
        console.print(missing.picture(found, width, quasi=quasi))
    return captured.get()


def random_holes(rows: int, columns: int) -> Missingness:
    rng = np.random.default_rng(1)
    holes = rng.random((rows, columns)) < np.linspace(0, 0.5, columns)
    return Missingness.of(holes, [f"a rather long name of column {i}" for i in range(columns)])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pl.DataFrame(
        {
            "age": [str(20 + row % 30) for row in range(60)],
            "country": ["DE", "FR", "NA"] * 20,
            "disease": ["flu", "cold", "none", "CANARY"] * 15,
        }
    ).write_csv("people.csv")
    return tmp_path


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_the_picture_fits(width: int) -> None:
    for columns in (1, 2, 5, 100):
        shown = drawn(random_holes(200, columns), width)
        assert max(map(len, shown.splitlines())) <= width


def test_the_picture_shows_the_worst_and_counts_the_rest() -> None:
    found = random_holes(200, 100)
    shown = drawn(found)
    worst = max(found.columns, key=lambda name: found.columns[name])
    assert worst[:20] in shown
    incomplete = sum(cells > 0 for cells in found.columns.values())
    assert f"{incomplete - 10} more columns" in shown
    assert f"{len(found.patterns) - 8} more" in shown


def test_the_patterns() -> None:
    holes = np.array([[1, 1], [0, 0], [0, 0], [1, 0]], dtype=bool)
    shown = drawn(Missingness.of(holes, ["age", "zip"]))
    assert "37.5% of the cells" in shown
    assert "50.0% of the rows" in shown
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert "● ● 2 50.0%" in lines
    assert "○ ○ 1 25.0%" in lines
    assert "○ ● 1 25.0%" in lines


def test_nothing_missing() -> None:
    nothing = Missingness(2, {"a": 0}, ())
    assert "No cell of the quasi-identifiers is missing." in drawn(nothing)
    assert "No cell of the table is missing." in drawn(nothing, quasi=["a"])


def test_the_missing_rates_are_those_of_the_measures(folder: Path) -> None:
    """One definition: cells of quasi-identifiers; all columns have other words."""
    shoal.datasets.adult().head(3000).write_csv("adult.csv")
    answer = json.loads(call("plan", "adult.csv", "--json", "--force"))["missing"]
    shown = " ".join(call("plan", "adult.csv", "--force").split())
    data = shoal.Plan.read("plan.toml").to_dict() | {"method": {"name": "mondrian"}}
    made = shoal.anonymize("adult.csv", shoal.Plan.from_dict(data))
    for name in ("value_missing_rate", "record_missing_rate"):
        assert answer[name] == pytest.approx(made.measures[name])
    whole = answer["missing_share_all_columns"]
    assert whole != pytest.approx(answer["value_missing_rate"])
    assert f"{answer['value_missing_rate']:.1%} of the cells of the quasi-identifiers" in shown
    assert f"Of all columns, {whole:.1%} of the cells are missing" in shown


def test_control_characters_of_a_name_do_not_reach_the_terminal() -> None:
    found = Missingness.of(np.array([[True]]), ["a\x1b[31m\nb"])
    assert "\x1b" not in drawn(found)


def test_plan_draws_and_warns(folder: Path) -> None:
    shown = " ".join(call("plan", "people.csv").split())
    assert "No cell of the table is missing." in shown
    assert "Column 'country': \"NA\" occurs in 20 cells and is kept as a value." in shown
    assert 'write missing = ["", "*", "NA"] under it' in shown
    assert "Column 'disease': \"none\" occurs in 15 cells" in shown
    assert "CANARY" not in shown
    shoal.datasets.adult().head(500).write_csv("adult.csv")
    shown = call("plan", "adult.csv", "--force")
    assert "value missing rate" in shown
    assert "○" in shown


def test_plan_answers_programs(folder: Path) -> None:
    answer = json.loads(call("plan", "people.csv", "--json", "--missing", "NA"))
    assert answer["missing"]["columns"]["country"] == {"missing": 20, "share": pytest.approx(1 / 3)}
    assert answer["missing"]["record_missing_rate"] == pytest.approx(1 / 3)
    assert answer["missing"]["value_missing_rate"] == pytest.approx(1 / 6)
    assert answer["missing"]["missing_share_all_columns"] == pytest.approx(1 / 9)
    assert answer["missing"]["patterns"][1] == {"columns": ["country"], "rows": 20}
    assert answer["warnings"] == []
    answer = json.loads(call("plan", "people.csv", "--json", "--force"))
    assert answer["warnings"][0] == {
        "column": "country",
        "token": "NA",
        "cells": 20,
        "taken_for": "value",
        "else_missing": ["", "*", "NA"],
    }


def published(plan: str) -> set[str]:
    call("run", plan)
    return set(pl.read_csv("release/table.csv", infer_schema=False)["country"])


def test_explicit_tokens_win_to_the_end(folder: Path) -> None:
    call("plan", "people.csv", "--k", 2)
    assert "NA" in published("plan.toml")
    text = Path("plan.toml").read_text()
    at = text.index("[columns.country]")
    for tokens, kept in (("[]", True), ('["NA"]', False)):
        edited = text[:at] + text[at:].replace("role", f"missing = {tokens}\nrole", 1)
        Path("edited.toml").write_text(edited)
        assert ("NA" in published("edited.toml")) == kept


def test_given_tokens_win_to_the_end(folder: Path) -> None:
    call("plan", "people.csv", "--k", 2, "--missing", "NA", "--missing", "none")
    plan = shoal.Plan.read("plan.toml")
    assert plan.input.missing == ("", "*", "NA", "none")
    assert "NA" not in published("plan.toml")
    call("plan", "people.csv", "--k", 2, "--missing", "", "--force")
    assert "NA" in published("plan.toml")


def test_run_draws_what_was_missing_and_says_what_was_done(folder: Path) -> None:
    call("plan", "people.csv", "--missing", "NA", "--k", 2)
    shown = call("run", "plan.toml", "--verbose")
    for words in ("Missing values", "○", "Done: ", "Cost: ", "record missing rate"):
        assert words in shown
    call("plan", "people.csv", "--force", "--k", 2)
    assert "Done: " not in call("run", "plan.toml", "--verbose")
