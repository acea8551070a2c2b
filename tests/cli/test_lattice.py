"""`shoal lattice`: the lattice, the way to its best node, and no cell value."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import shoal
from tests.cli.small_run import call

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
    assert "proven optimal" in drawn
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


def method(text: str) -> str:
    """Write the plan with further options of the method."""
    return PLAN.replace('name = "full-domain"', f'name = "full-domain"\n{text}')


@pytest.mark.parametrize(
    ("options", "reason", "way_out"),
    [
        (
            'objective = "mutual-information-loss"\nlabel = "sex"',
            "'sex' is one of the columns",
            "another label",
        ),
        (
            'objective = "mutual-information-loss"\nlabel = "name"',
            "'name' is an identifier",
            "published",
        ),
        (
            'objective = "mutual-information-loss"\nlabel = "desease"',
            "no column 'desease'",
            "'disease'",
        ),
        (
            'objective = "mutual-information-loss"',
            "'mutual-information-loss' needs a label",
            "as label",
        ),
        ('weights = "gain-ratio"', "need a label", "as label"),
        ('label = "disease"', "A label is only used", "Leave label out"),
        (
            'objective = "mutual-information-loss"\nlabel = "disease"\nweights = "entropy"',
            "its own",
            "'loss'",
        ),
        ("weights = { sexx = 1 }", "not a quasi-identifier", "Did you mean 'sex'"),
    ],
)
@pytest.mark.parametrize("command", ["run", "lattice"])
def test_weights_of_the_method_that_make_no_sense_are_refused(
    plan: Path, command: str, options: str, reason: str, way_out: str
) -> None:
    plan.write_text(method(options))
    said = " ".join(call(command, plan, code=2).split())
    assert reason in said
    assert way_out in said
    assert not Path("out").exists()


def test_a_constant_label_is_refused_without_its_value(plan: Path) -> None:
    shoal.datasets.patients(1).with_columns(disease=pl.lit("Zq7")).write_csv("patients.csv")
    plan.write_text(method('objective = "mutual-information-loss"\nlabel = "disease"'))
    said = " ".join(call("run", plan, code=2).split())
    assert "'disease' has only one value" in said
    assert "Choose a label with several values" in said
    assert "Zq7" not in said


def test_weights_of_the_method_are_said(plan: Path) -> None:
    plan.write_text(method('objective = "mutual_information_loss"\nlabel = "disease"'))
    said = call("run", plan, "--verbose")
    assert "mutual-information about 'disease'" in " ".join(said.replace("│", " ").split())
    assert "mutual_information_loss" in said
    assert "least mutual-information-loss" in " ".join(said.replace("│", " ").split())
    seen = json.loads(call("lattice", plan, "--json"))
    assert seen["objective"] == "mutual-information-loss"
    assert seen["weights"]["label"] == "disease"
    assert sum(seen["weights"]["columns"].values()) == pytest.approx(1)
    assert "mutual-information about 'disease'" in " ".join(call("lattice", plan).split())
    found = json.loads(call("measure", "out", "--plan", plan, "--json"))
    manifest = json.loads(Path("out.private/manifest.json").read_text())
    assert found["mutual_information_loss"] == pytest.approx(
        manifest["measures"]["mutual_information_loss"]
    )
    assert found["mutual_information_loss"] == pytest.approx(manifest["search"]["score"], abs=1e-5)
    assert "mutual_information_loss" in call("measure", "out", "--plan", plan)


UNEVEN = "23208;232**;*\n23200;232**;*\n23220;232**;*\n23085;*;*\n23050;*;*\n"


@pytest.mark.parametrize("name", ["full-domain", "datafly", "gaa-cp"])
def test_an_uneven_hierarchy_is_remarked_where_levels_are_chosen(plan: Path, name: str) -> None:
    Path("zip.csv").write_text(UNEVEN)
    text = PLAN.replace('{ builder = "prefixes" }', '"zip.csv"')
    plan.write_text(text.replace("full-domain", name))
    said = " ".join(call("run", plan).replace("│", " ").split())
    facts = json.loads(Path("out/release.json").read_text())
    page = Path("out/report.html").read_text()
    for place in (said, "".join(facts["remarks"]), page):
        assert ("filled upward" in place) == (name != "gaa-cp")
    if name != "gaa-cp":
        assert "'zip'" in facts["remarks"][0]
        assert "'age'" not in facts["remarks"][0]


def test_an_even_hierarchy_is_not(plan: Path) -> None:
    call("run", plan)
    assert json.loads(Path("out/release.json").read_text())["remarks"] == []


def test_a_lattice_too_large_is_refused_before_the_search(plan: Path) -> None:
    names = [f"c{number}" for number in range(8)]
    columns = "".join(
        f'[columns.{name}]\nrole = "quasi"\nhierarchy = {{ builder = "prefixes" }}\n'
        for name in names
    )
    pl.DataFrame({n: [f"{7 * row % 89:08d}" for row in range(40)] for n in names}).write_csv(
        "patients.csv"
    )
    tail = PLAN[PLAN.index("[[require]]") :]
    plan.write_text('[input]\npath = "patients.csv"\n' + columns + tail)
    for command in ("run", "lattice"):
        said = " ".join(call(command, plan, code=2).split())
        assert "43,046,721 nodes" in said
        assert "Set time_limit" in said
        assert "'c0' has the most, 9" in said


def test_where_no_node_holds_the_reason_and_the_least_suppression_are_said(plan: Path) -> None:
    pl.DataFrame(
        {"sex": ["m", "f"] * 20, "disease": ["a", "a", "a", "b"] * 2 + ["a", "a", "b", "b"] * 8}
    ).write_csv("patients.csv")
    plan.write_text(
        '[input]\npath = "patients.csv"\n[columns.sex]\nrole = "quasi"\n'
        '[columns.disease]\nrole = "sensitive"\n[[require]]\nmodel = "alpha-k"\nalpha = 0.5\n'
        'k = 2\n[method]\nname = "full-domain"\n'
        '[publication]\nsuppression_limit = 0.1\n[output]\npath = "out"\n'
    )
    said = " ".join(call("lattice", plan, code=2).split())
    assert "even with every column at its top level" in said
    assert "these fail: (0.5, 2)-anonymity" in said
    assert "raise suppression_limit to 0.5: 20 of 40 rows" in said
    # A run leaves out what is too frequent first; what then holds as one group is published.
    said = " ".join(call("run", plan).split())
    assert "All published rows form one group" in said
    assert "4 rows suppressed" in said


def test_run_says_what_is_proven(plan: Path) -> None:
    said = call("run", plan)
    assert "of 60 nodes examined" in " ".join(said.split())
    assert "PROVEN optimal" in said
    assert "NOT PROVEN" not in said
    facts = json.loads(Path("out/release.json").read_text())
    assert facts["search"]["optimal"] is True
    assert facts["search"]["levels"] == {"age": 3, "sex": 0, "zip": 2}
