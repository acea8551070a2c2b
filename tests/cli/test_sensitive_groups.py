"""Sensitive groups on the command line: run, verify, measure, query."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tests.cli.small_run import call, people_and_plan

PLAN = """
[input]
path = "people.csv"
[columns.age]
role = "quasi"
kind = "numeric"
[columns.sex]
role = "quasi"
[columns.occupation]
role = "sensitive"
[columns.race]
role = "sensitive"
[[require]]
model = "multi-l-diversity"
l = { occupation = 4, race = 9 }
lower = true
[method]
name = "micd"
seed = 11
[output]
path = "out"
"""
FILES = ("quasi.csv", "sensitive-occupation.csv", "sensitive-race.csv")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return people_and_plan(tmp_path, monkeypatch, PLAN)


def test_run_verify_measure(folder: Path) -> None:
    shown = " ".join(call("run", "plan.toml").split())
    assert "sensitive-race.csv" in shown
    assert "was lowered from 9 to" in shown
    for named in ("out", *(f"out/{name}" for name in FILES)):
        counted = call("verify", named)
        assert "It holds" in counted
        assert "files unchanged" in counted
    compared = call("verify", "out", "--original", "people.csv")
    assert "row order" in compared
    assert "It holds" in call("verify", "out", "--k", 4)
    manifest = json.loads((folder / "out.private" / "manifest.json").read_text())
    values = json.loads(call("measure", "out", "--plan", "plan.toml", "--json"))
    assert {name: values[name] for name in manifest["measures"]} == pytest.approx(
        manifest["measures"]
    )
    assert values["noise_ratio"] == pytest.approx(sum(manifest["noise"].values()) / 400)
    page = (folder / "out" / "report.html").read_text()
    assert "one for each sensitive column" in page
    assert "was lowered from 9 to" in page


def test_a_plan_from_the_private_folder_repeats_the_release(folder: Path) -> None:
    call("run", "plan.toml")
    assert 'form = "sensitive-groups"' in Path("out.private/plan.toml").read_text()
    call("run", "out.private/plan.toml", "--output", "again")
    for name in FILES:
        assert Path("out", name).read_bytes() == Path("again", name).read_bytes()


def test_strangers_tables_are_named_by_flags(folder: Path) -> None:
    call("run", "plan.toml")
    for name in FILES:
        pl.read_csv(f"out/{name}").rename({"group": "GroupID"}).write_csv(name)
    tables = ("quasi.csv", "--sensitive-table", FILES[1], "--sensitive-table", FILES[2])
    roles = ("--quasi", "age,sex", "--sensitive", "occupation,race")
    assert "It holds" in call("verify", *tables, *roles, "--k", 4)
    assert "It holds" in call("verify", *tables, "--plan", "plan.toml")
    call("verify", *tables, *roles, "--k", 99, code=1)
    refused = call("verify", *tables, *roles, "--k", 4, "--alpha", 0.5, code=2)
    assert "counts how often a value" in " ".join(refused.split())
    asked = ("--where", "age=30..40", "--where", "occupation=Sales", "--json")
    answer = json.loads(call("query", *tables, *asked))
    assert answer == pytest.approx(json.loads(call("query", "out", *asked)))
    Path("copy.csv").write_bytes(Path(FILES[1]).read_bytes())
    twice = ("quasi.csv", "--sensitive-table", FILES[1], "--sensitive-table", "copy.csv")
    refused = call("verify", *twice, *roles, "--k", 4, code=2)
    assert "has 0 columns that no other table" in " ".join(refused.split())


def test_tampered_tables_do_not_hold(folder: Path) -> None:
    call("run", "plan.toml")
    frame = pl.read_csv("out/sensitive-race.csv")
    frame.filter(pl.col("group") != 1).write_csv("out/sensitive-race.csv")
    findings = json.loads(call("verify", "out", "--json", code=1))["findings"]
    failed = {each["check"] for each in findings if not each["passed"]}
    claims = {"files unchanged", "files of the release", "claims of release.json"}
    assert failed == {"class ids", *claims}
    Path("out/sensitive-race.csv").unlink()
    call("verify", "out", code=2)


def test_damaged_facts_are_refused(folder: Path) -> None:
    call("run", "plan.toml")
    place = Path("out/release.json")
    facts = json.loads(place.read_text())
    place.write_text(json.dumps(facts | {"sensitive_groups": {"class_column": "group"}}))
    assert "damaged" in call("verify", "out", code=2)
    place.write_text(json.dumps(facts | {"files": {"quasi.csv": "0"}}))
    assert "damaged" in call("verify", "out", code=2)


def test_queries(folder: Path) -> None:
    call("run", "plan.toml")
    asked = ("--where", "age=30..40", "--where", "occupation=Sales", "--where", "race=White")
    answer = json.loads(call("query", "out", *asked, "--original", "people.csv", "--json"))
    people = pl.read_csv("people.csv")
    true = people.filter(pl.col("age").is_between(30, 40), occupation="Sales", race="White").height
    assert answer["true"] == true
    assert 0 < answer["expected"] < 40
    (folder / "out.private").rename(folder / "away")
    alone = json.loads(call("query", "out", *asked, "--json"))
    assert alone == {"expected": pytest.approx(answer["expected"])}
