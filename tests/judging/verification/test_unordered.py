"""The original without the private folder: rows are shuffled, so values are only counted."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from shoal.errors import ParameterError
from shoal.publications.published.files import digest

PEOPLE = pl.DataFrame(
    {
        "age": [20 + i % 13 for i in range(60)],
        "sex": ["f", "m", "m"] * 20,
        "ill": ["flu", "HIV", "cold", "flu", "gout"] * 12,
        "note": [f"n{i % 7}" for i in range(60)],
    }
)
PLAN = """
require = [{{ {require} }}]

[columns]
age = {{ role = "quasi", kind = "numeric" }}
sex = {{ role = "quasi", hierarchy = "sex.csv" }}
ill = {{ role = "sensitive" }}
note = {{ role = "other" }}

[method]
name = "{method}"
seed = 3

[publication]
form = "{form}"
suppression_limit = 0.5

[input]
path = "in.csv"
"""
FORMS = {
    "generalized": ("k-member", 'model = "k-anonymity", k = 4'),
    "two-table": ("anatomy", 'model = "l-diversity", l = 2'),
    "sensitive-groups": ("micd", 'model = "multi-l-diversity", l = { ill = 3 }'),
}


def written(place: Path, form: str = "generalized") -> Path:
    """Write a release, and lose its private folder."""
    method, require = FORMS[form]
    (place / "plan.toml").write_text(PLAN.format(method=method, form=form, require=require))
    (place / "sex.csv").write_text("f;*\nm;*\n")
    PEOPLE.write_csv(place / "in.csv")
    shoal.run(shoal.Plan.read(place / "plan.toml"), output=place / "out")
    shutil.rmtree(place / "out.private")
    return place / "out"


def verified(place: Path) -> tuple[int, dict[str, Any]]:
    asked = [str(place / "out"), "--plan", str(place / "plan.toml")]
    asked += ["--original", str(place / "in.csv"), "--json"]
    done = CliRunner().invoke(app, ["verify", *asked])
    return done.exit_code, json.loads(done.stdout)


def change(file: Path, column: str, row: int, cell: str) -> None:
    """Change a cell, and the hash that release.json has of the file."""
    frame = pl.read_csv(file, infer_schema=False)
    cells = frame[column].to_list()
    cells[row] = cell
    frame.with_columns(pl.Series(column, cells)).write_csv(file)
    facts = json.loads((file.parent / "release.json").read_text())
    facts["files"][file.name] = digest(file)
    (file.parent / "release.json").write_text(json.dumps(facts))


@pytest.mark.parametrize("form", FORMS)
def test_an_intact_release_is_not_shown_to_hold_nor_to_fail(tmp_path: Path, form: str) -> None:
    written(tmp_path, form)
    code, answer = verified(tmp_path)
    assert code == 1
    assert not answer["passed"]
    states = {each["check"]: each["passed"] for each in answer["findings"]}
    assert states.pop("cell by cell") is None
    assert all(states.values()), states
    assert {"values of 'ill'", "values of 'note'", "cells of quasi-identifiers"} <= set(states)
    opened = shoal.release.open_published(
        tmp_path / "out", plan=shoal.Plan.read(tmp_path / "plan.toml")
    )
    found = opened.verify(original=PEOPLE)
    assert not found.failed
    assert found.uncounted == ("cell by cell",)
    assert repr(found).startswith("Verification(NOT RECOUNTED")


def test_what_is_open_is_said_in_words(tmp_path: Path) -> None:
    written(tmp_path)
    asked = ["verify", str(tmp_path / "out"), "--plan", str(tmp_path / "plan.toml")]
    done = CliRunner().invoke(app, [*asked, "--original", str(tmp_path / "in.csv")])
    assert done.exit_code == 1
    assert "Some checks need more" in done.stdout
    assert "rows are shuffled" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("column", "cell", "check"),
    [
        ("ill", "gout", "values of 'ill'"),
        ("note", "n99", "values of 'note'"),
        ("age", "[90, 99]", "cells of quasi-identifiers"),
        ("sex", "x", "cells of quasi-identifiers"),
    ],
)
def test_a_value_that_the_original_has_not_so_often_is_found(
    tmp_path: Path, column: str, cell: str, check: str
) -> None:
    file = written(tmp_path) / "table.csv"
    row = pl.read_csv(file, infer_schema=False)[column].to_list()
    change(file, column, next(i for i, old in enumerate(row) if old != cell), cell)
    code, answer = verified(tmp_path)
    assert code == 1
    assert check in {each["check"] for each in answer["findings"] if each["passed"] is False}


def test_values_that_moved_between_rows_are_found_together(tmp_path: Path) -> None:
    file = written(tmp_path) / "table.csv"
    frame = pl.read_csv(file, infer_schema=False)
    frame.with_columns(pl.col("note").sort()).write_csv(file)  # each value as often as before
    _, answer = verified(tmp_path)
    wrong = {each["check"] for each in answer["findings"] if each["passed"] is False}
    assert "values of 'ill', 'note' together" in wrong
    assert "values of 'note'" not in wrong


@pytest.mark.parametrize("form", ["two-table", "sensitive-groups"])
def test_a_value_of_nobody_in_a_table_of_values_is_found(tmp_path: Path, form: str) -> None:
    folder = written(tmp_path, form)
    (file,) = folder.glob("sensitive*.csv")
    change(file, "ill", 0, "pest")
    _, answer = verified(tmp_path)
    wrong = {each["check"] for each in answer["findings"] if each["passed"] is False}
    assert "values of 'ill'" in wrong


def test_trees_that_a_program_builds_are_not_held_against_a_release(tmp_path: Path) -> None:
    """A builder makes another tree of the whole original than of what is published."""
    written(tmp_path)
    plan = (tmp_path / "plan.toml").read_text()
    (tmp_path / "plan.toml").write_text(plan.replace('"sex.csv"', '{ builder = "prefixes" }'))
    _, answer = verified(tmp_path)
    assert False not in {each["passed"] for each in answer["findings"]}


def test_without_any_plan_the_original_is_refused(tmp_path: Path) -> None:
    opened = shoal.open_release(written(tmp_path))
    with pytest.raises(ParameterError, match="without hierarchies"):
        opened.verify(original=PEOPLE)
