"""`shoal plan --ask`: one question per doubtful column, with the proposal as its default."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from tests.steward.proposal.test_people import doubtful


@pytest.fixture
def adult(tmp_path: Path) -> Path:
    frame = shoal.datasets.adult().head(400).select("age", "sex", "occupation", "salary-class")
    frame.write_csv(tmp_path / "adult.csv")
    return tmp_path / "adult.csv"


def ask(table: Path, answers: str, *options: str) -> tuple[dict[str, Any], str]:
    plan = table.parent / "plan.toml"
    command = ["plan", str(table), "--ask", "--force", "-o", str(plan), *options]
    result = CliRunner().invoke(app, command, input=answers)
    assert result.exit_code == 0, result.output
    return tomllib.loads(plan.read_text()), result.output


@pytest.mark.parametrize(
    ("answers", "role"),
    [("\n", "quasi"), ("sensitive\n", "sensitive"), ("secret\nidentifier\n", "identifier")],
)
def test_the_answer_is_the_role(adult: Path, answers: str, role: str) -> None:
    plan, said = ask(adult, answers)
    assert plan["columns"]["occupation"]["role"] == role
    assert said.count("Which role does 'occupation' have") == answers.count("\n")
    assert "Which role does 'age'" not in said


def test_what_was_said_is_not_asked(adult: Path) -> None:
    plan, said = ask(adult, "", "--sensitive", "occupation")
    assert "Which role" not in said
    assert plan["columns"]["occupation"]["role"] == "sensitive"


@pytest.mark.parametrize(("answer", "entity"), [("y\n", "place"), ("n\n", "none")])
def test_people_with_several_rows_are_asked_about(tmp_path: Path, answer: str, entity: str) -> None:
    doubtful().write_csv(tmp_path / "rows.csv")
    plan, said = ask(tmp_path / "rows.csv", answer)
    assert "Does 'place' identify people" in said
    assert plan["entity"] == entity
    assert CliRunner().invoke(app, ["run", str(tmp_path / "plan.toml")]).exit_code == 0


def test_no_answer_writes_nothing(adult: Path) -> None:
    command = ["plan", str(adult), "--ask", "-o", str(adult.parent / "none.toml")]
    result = CliRunner().invoke(app, command, input="")
    assert result.exit_code != 0
    assert not (adult.parent / "none.toml").exists()
