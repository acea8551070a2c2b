"""`shoal paper`, as people and programs call it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import shoal_papers as papers
from shoal.cli.guard import Guarded
from shoal_papers import command
from tests.papers.small import Toy

app = typer.Typer(cls=Guarded)
app.command(name="paper")(command.paper)


@app.callback()
def main() -> None:
    """Keep `paper` a command of a group, as it is in Shoal."""


def call(*arguments: str, code: int = 0) -> tuple[str, str]:
    result = CliRunner().invoke(app, ["paper", *arguments])
    assert result.exit_code == code, result.output
    return result.stdout, result.stderr


@pytest.fixture(autouse=True)
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(papers.EXPERIMENTS, "toy", lambda quick: Toy(quick=quick))


def test_it_shows_claims_and_names_the_page() -> None:
    said, _ = call("toy")
    assert "Squares grow." in said
    assert "holds" in said
    assert "shoal-paper-toy/README.md" in said
    assert Path("shoal-paper-toy/figure-1.svg").is_file()


def test_quick_has_a_folder_of_its_own() -> None:
    call("toy", "--quick")
    assert Path("shoal-paper-toy-quick/README.md").is_file()


def test_it_answers_in_json() -> None:
    answer = json.loads(call("toy", "--json", "--output", "there")[0])
    assert answer["folder"] == "there"
    assert answer["claims"][0]["verdict"] == "holds"
    assert answer["questions"] == []
    assert Path(answer["page"]).is_file()


def test_it_says_what_was_found_and_what_was_replaced() -> None:
    call("toy", "-o", "there")
    assert "6 measurements were found" in call("toy", "-o", "there")[0]
    assert "found" not in call("toy", "-o", "there", "--fresh")[0]
    assert "it was replaced" in call("toy", "-o", "there", "--quick")[0]


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    _, complaint = call("gaacp", code=2)
    assert "There is no experiment 'gaacp'. Did you mean 'gaa-cp'?" in " ".join(complaint.split())
    assert not list(Path().iterdir())


def test_a_folder_of_someone_else_is_left_alone() -> None:
    Path("there").mkdir()
    Path("there/notes.txt").touch()
    assert "holds other files" in call("toy", "-o", "there", code=2)[1]


def test_a_stop_says_how_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(papers.EXPERIMENTS, "toy", lambda quick: Toy(stop_after=2))
    _, complaint = call("toy", code=130)
    assert "Repeat the command to continue" in complaint
    monkeypatch.setitem(papers.EXPERIMENTS, "toy", lambda quick: Toy())
    assert "2 measurements were found" in call("toy")[0]


def test_what_was_measured_is_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    call("toy", "-o", "there")
    Path("there/README.md").unlink()
    monkeypatch.setitem(papers.EXPERIMENTS, "toy", lambda quick: Toy(quick=quick, stop_after=0))
    said, _ = call("toy", "--from", "there")
    assert "Squares grow." in said
    assert "Wrote there/README.md" in said
    assert Path("there/README.md").is_file()
    for more in (("--output", "here"), ("--fresh",)):
        assert "--from measures nothing" in call("toy", "--from", "there", *more, code=2)[1]
    assert "holds no run" in call("toy", "--from", "nowhere", code=2)[1]
    assert not Path("here").exists()


def test_json_has_the_verdict_of_every_part() -> None:
    (claim,) = json.loads(call("toy", "--json")[0])["claims"]
    assert claim["parts"] == [
        {"part": "k²", "verdict": "holds", "holds": 2, "within_noise": 0, "fails": 0},
        {"part": "whole", "verdict": "holds", "holds": 1, "within_noise": 0, "fails": 0},
    ]
