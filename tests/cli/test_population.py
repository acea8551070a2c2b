"""`shoal run`, `verify` and `lattice` with a population."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.small_run import change
from tests.cli.test_centres_and_sets import call


@pytest.fixture
def plan(folder: Path) -> Path:
    """The small plan, asked to find three people of a population for each row."""
    lines = (folder / "table.csv").read_text().splitlines()
    people = [lines[0], *lines[1:], *lines[1:], *lines[1:]]
    (folder / "people.csv").write_text("\n".join(people) + "\n")
    change("plan.toml", 'name = "gaa-cp"\nseed = 1', 'name = "full-domain"')(folder)
    change("plan.toml", 'model = "k-anonymity"', 'model = "k-map"')(folder)
    change("plan.toml", "[output]", '[population]\npath = "people.csv"\n[output]')(folder)
    return folder / "plan.toml"


def test_a_release_is_counted_again_only_with_the_population(folder: Path, plan: Path) -> None:
    out, people = folder / "out", folder / "people.csv"
    assert "--population FILE" in call("run", plan).output
    said = call("verify", out, code=1).output
    assert "Some checks need more" in said
    assert "It holds" not in said
    assert "(--population)" in said
    assert "It holds" in call("verify", out, "--population", people).output
    told = json.loads(call("verify", out, "--json", code=1).output)
    assert not told["passed"]
    assert any(each["passed"] is None for each in told["judgements"])
    told = json.loads(call("verify", out, "--population", people, "--json").output)
    assert told["achieved"]["least population"] >= 3
    # With fewer people it does not hold, and that is said.
    few = folder / "few.csv"
    few.write_text("\n".join(people.read_text().splitlines()[:3]) + "\n")
    assert "does not hold" in call("verify", out, "--population", few, code=1).output


def test_hierarchies_are_needed(folder: Path, plan: Path) -> None:
    out, people = folder / "out", folder / "people.csv"
    call("run", plan)
    (folder / "out.private").rename(folder / "elsewhere")
    result = call("verify", out, "--population", people, code=2)
    assert "without hierarchies" in result.output + result.stderr
    assert "It holds" in call("verify", out, "--plan", plan, "--population", people).output


def test_the_lattice_is_that_of_the_population(folder: Path, plan: Path) -> None:
    found = json.loads(call("lattice", plan, "--json").output)
    lowest = found["nodes"][0]
    assert lowest["height"] == 0
    assert lowest["holds"]  # each row has three people like it


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('path = "people.csv"', 'path = "none.csv"', "There is no file"),
        ('[population]\npath = "people.csv"\n', "", "but none is given"),
        ('name = "full-domain"', 'name = "gaa-cp"', "does not count which people"),
    ],
)
def test_errors(folder: Path, plan: Path, old: str, new: str, said: str) -> None:
    change("plan.toml", old, new)(folder)
    result = call("run", plan, code=2)
    assert said in " ".join((result.output + result.stderr).split())
    assert not (folder / "out").exists()
