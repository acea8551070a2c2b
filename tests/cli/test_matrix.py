"""`shoal methods --matrix`: the table of what goes together, and `shoal run` keeps to it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from shoal.cli import app
from shoal.methods import METHODS
from shoal.models import MODELS
from shoal.plan.compatibility import Matrix
from shoal.publications import FORMS

PLAN = """
[input]
path = "there-is-none.csv"
[columns.age]
role = "quasi"
kind = "numeric"
[columns.disease]
role = "sensitive"
[[require]]
model = "t-closeness"
t = 0.5
[method]
name = "gca"
[output]
path = "out"
"""


def call(*arguments: object, code: int = 0, width: int = 80) -> str:
    environment = {"COLUMNS": str(width)}
    result = CliRunner().invoke(app, [str(each) for each in arguments], env=environment)
    assert result.exit_code == code, result.output
    return result.stdout if code != 2 else result.stderr


def test_it_fits_80_columns_and_each_row_stands_on_a_line() -> None:
    shown = call("methods", "--matrix").splitlines()
    assert max(map(len, shown)) <= 80
    starts = [line.split()[:2] for line in shown if line.strip()]
    for row in Matrix.of().rows:
        assert [row.method, row.publication] in starts


def test_every_mark_is_explained() -> None:
    shown = " ".join(call("methods", "--matrix").split())
    found = Matrix.of()
    for said in (*found.requirements, *found.conditions, *found.reasons):
        assert said in shown


@pytest.mark.parametrize("width", [30, 50])
def test_nothing_is_cut_off_on_a_narrow_terminal(width: int) -> None:
    shown = call("methods", "--matrix", width=width)
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= width


def test_programs_get_every_verdict() -> None:
    rows = json.loads(call("methods", "--matrix", "--json"))
    assert len(rows) == len(METHODS) * len(FORMS)
    for row, found in zip(rows, Matrix.of().rows, strict=True):
        assert (row["method"], row["publication"]) == (found.method, found.publication)
        assert list(row["require"]) == list(MODELS)
        for name, verdict in found.require.items():
            assert row["require"][name]["reason"] == verdict.reason


def test_an_impossible_plan_is_refused_before_its_table_is_read(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    said = " ".join(call("run", plan, code=2).split())
    assert "The method 'gca' cannot carry 't-closeness': it carries alpha-k," in said
    assert "Use method '" in said
    assert not (tmp_path / "out").exists()
