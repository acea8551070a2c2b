"""`shoal lattice`: the lattice, the way to its best node, and no cell value."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app

PLAN = """
[input]
path = "patients.csv"
[columns.name]
role = "identifier"
[columns.sex]
role = "quasi"
[columns.age]
role = "quasi"
kind = "numeric"
hierarchy = { builder = "intervals", width = 20 }
[columns.zip]
role = "quasi"
hierarchy = { builder = "prefixes" }
[columns.disease]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 2
[method]
name = "full-domain"
[output]
path = "out"
"""
LARGE = shoal.datasets.folder("adult") / "adult.toml"


def call(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return result.stdout if code != 2 else result.stderr


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shoal.datasets.patients(1).write_csv("patients.csv")
    Path("plan.toml").write_text(PLAN)
    return Path("plan.toml")


def test_a_small_lattice_is_drawn_whole(plan: Path) -> None:
    seen = json.loads(call("lattice", plan, "--json"))
    assert seen["whole"]
    assert seen["optimal"]
    assert len(seen["nodes"]) == seen["lattice"] == 5 * 2 * 6
    best = [node for node in seen["nodes"] if node["best"]]
    assert [node["levels"] for node in best] == [{"age": 3, "sex": 0, "zip": 2}]
    holding = [node for node in seen["nodes"] if node["holds"]]
    assert best[0]["score"] == min(node["score"] for node in holding)
    drawn = call("lattice", plan)
    assert drawn.count("★ 0 3 2") == 1
    assert "proven the best" in drawn
    assert "PRIVATE" in drawn


def test_another_method_is_set_beside_the_best(plan: Path) -> None:
    plan.write_text(PLAN.replace("full-domain", "datafly"))
    nodes = json.loads(call("lattice", plan, "--json"))["nodes"]
    assert [n["levels"]["sex"] for n in nodes if n["best"]] == [0]
    assert [n["levels"]["sex"] for n in nodes if n["chosen"]] == [1]
    assert "● 1 3 2" in call("lattice", plan)


def test_of_a_large_lattice_the_way_up_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bundled = shoal.Plan.read(LARGE)
    shoal.datasets.adult().head(500).write_csv("adult.csv")
    made = bundled.model_copy(
        update={
            "input": bundled.input.model_copy(update={"path": str(tmp_path / "adult.csv")}),
            "method": {"name": "full-domain"},
        }
    )
    place = bundled.folder / "unused"
    text = made.to_toml().replace('hierarchy = "', f'hierarchy = "{place.parent}/')
    Path("plan.toml").write_text(text)
    seen = json.loads(call("lattice", "plan.toml", "--json"))
    assert not seen["whole"]
    nodes = seen["nodes"]
    assert nodes[-1]["best"]
    assert [node["height"] for node in nodes] == list(range(len(nodes)))
    lost = [node["suppressed"] for node in nodes]
    assert lost == sorted(lost, reverse=True)
    assert "★ best" in call("lattice", "plan.toml")


def test_no_cell_value_is_shown(plan: Path) -> None:
    said = call("lattice", plan) + call("lattice", plan, "--json")
    frame = shoal.datasets.patients(1)
    for name in ("name", "disease", "sex", "zip"):
        for value in frame[name].cast(str).to_list():
            assert value not in said


def test_other_methods_have_no_lattice(plan: Path) -> None:
    plan.write_text(PLAN.replace("full-domain", "gaa-cp"))
    assert "full-domain" in call("lattice", plan, code=2)


def test_weights_with_a_bad_label_are_refused(plan: Path) -> None:
    for label, reason in (("sex", "one of the columns to weigh"), ("name", "identifier")):
        table = f'[weights]\nkind = "mutual-information"\nlabel = "{label}"\n'
        plan.write_text(PLAN.replace("[output]", table + "[output]"))
        for command in ("lattice", "run"):
            assert reason in " ".join(call(command, plan, code=2).split())
    plan.write_text(PLAN.replace("[output]", '[weights]\nkind = "gain-ratio"\n[output]'))
    assert "needs a label" in " ".join(call("run", plan, code=2).split())


def test_run_says_what_is_proven(plan: Path) -> None:
    said = call("run", plan)
    assert "of 60 nodes looked at" in " ".join(said.split())
    facts = json.loads(Path("out/release.json").read_text())
    assert facts["search"]["optimal"] is True
    assert facts["search"]["levels"] == {"age": 3, "sex": 0, "zip": 2}
