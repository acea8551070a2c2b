"""Two-table releases on the command line: run, verify, measure, query."""

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
[columns.race]
role = "quasi"
[columns.occupation]
role = "sensitive"
[[require]]
model = "alpha-k"
alpha = 0.7
k = 4
[method]
name = "gaa-cp"
seed = 11
[publication]
form = "two-table"
[output]
path = "out"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return people_and_plan(tmp_path, monkeypatch, PLAN)


def test_run_verify_measure(folder: Path) -> None:
    shown = call("run", "plan.toml")
    assert "quasi.csv and" in shown
    assert "sensitive.csv" in shown
    assert "the link to the" in shown
    for named in ("out", "out/quasi.csv", "out/sensitive.csv"):
        counted = call("verify", named)
        assert "It holds" in counted
        assert "files unchanged" in counted
    compared = call("verify", "out", "--original", "people.csv")
    assert "per class" in compared
    assert "row order" in compared
    manifest = json.loads((folder / "out.private" / "manifest.json").read_text())
    values = json.loads(call("measure", "out", "--plan", "plan.toml", "--all", "--json"))
    assert values.keys() - manifest["measures"].keys() == {"mean_query_error", "pair_distance"}
    assert {name: values[name] for name in manifest["measures"]} == pytest.approx(
        manifest["measures"]
    )
    page = (folder / "out" / "report.html").read_text()
    assert "There are two tables" in page


def test_strangers_tables_are_named_by_flags(folder: Path) -> None:
    call("run", "plan.toml")
    for name in ("quasi", "sensitive"):
        frame = pl.read_csv(f"out/{name}.csv").rename({"class": "GroupID"})
        frame.write_csv(f"{name}.csv")
    pair = ("verify", "quasi.csv", "--sensitive-table", "sensitive.csv")
    roles = ("--quasi", "age,sex,race", "--sensitive", "occupation")
    assert "It holds" in call(*pair, *roles, "--k", 4, "--alpha", 0.7)
    assert "It holds" in call(*pair, *roles, "--k", 4, "--alpha", "7/10", "--class", "GroupID")
    call(*pair, *roles, "--k", 4, "--alpha", "1/10", code=1)
    call(*pair, *roles, "--k", 99, code=1)
    assert "--k" in call(*pair, *roles, "--alpha", 0.7, code=2)
    assert "no class column" in call(*pair, *roles, "--k", 4, "--class", "Group", code=2)
    assert "exactly one sensitive" in call(*pair, "--quasi", "age", "--k", 4, code=2)
    assert "It holds" in call(*pair, "--plan", "plan.toml")
    asked = ("--where", "age=30..40", "--where", "occupation=Sales", "--json")
    answer = call("query", "quasi.csv", "--sensitive-table", "sensitive.csv", *asked)
    assert json.loads(answer) == pytest.approx(json.loads(call("query", "out", *asked)))


def test_tampered_tables_do_not_hold(folder: Path) -> None:
    call("run", "plan.toml")
    whole = Path("out/sensitive.csv").read_text().splitlines(keepends=True)
    Path("out/sensitive.csv").write_text("".join(whole[:-1]))
    findings = json.loads(call("verify", "out", "--json", code=1))["findings"]
    failed = {each["check"] for each in findings if not each["passed"]}
    assert failed == {"values per class", "files unchanged", "files of the release"}
    Path("out/sensitive.csv").unlink()
    call("verify", "out", code=2)


def test_damaged_facts_are_refused(folder: Path) -> None:
    call("run", "plan.toml")
    place = Path("out/release.json")
    facts = json.loads(place.read_text())
    place.write_text(json.dumps(facts | {"two_table": {}}))
    assert "damaged" in call("verify", "out", code=2)
    place.write_text(json.dumps(facts | {"files": {"quasi.csv": "0"}}))
    assert "damaged" in call("verify", "out", code=2)


def test_people_are_counted_only_where_they_are_known(folder: Path) -> None:
    people = pl.read_csv("people.csv").with_columns(who=pl.int_range(400) // 2)
    people.write_csv("people.csv")
    Path("plan.toml").write_text('entity = "who"\n' + PLAN + '[columns.who]\nrole = "identifier"\n')
    call("run", "plan.toml")
    assert "does not say to whom" in call("verify", "out", code=2)
    assert "Counted in people" in call("verify", "out", "--original", "people.csv")
    assert "Counted in people" in call("verify", "out", "--k", 4)


@pytest.mark.parametrize("form", ["two-table", "generalized"])
def test_queries(folder: Path, form: str) -> None:
    Path("plan.toml").write_text(PLAN.replace("two-table", form))
    call("run", "plan.toml")
    asked = ("--where", "age=30..40", "--where", "sex=Female", "--where", "occupation=Sales")
    answer = json.loads(call("query", "out", *asked, "--original", "people.csv", "--json"))
    people = pl.read_csv("people.csv")
    true = people.filter(pl.col("age").is_between(30, 40), sex="Female", occupation="Sales").height
    assert answer["true"] == true
    assert answer["expected"] == pytest.approx(true, abs=6)
    assert answer["relative_error"] == pytest.approx(abs(answer["expected"] - true) / true)
    shown = call("query", "out", *asked, "--original", "people.csv", "--plan", "plan.toml")
    assert "Female" not in shown
    assert "Sales" not in shown
    assert "relative error" in shown
    (folder / "out.private").rename(folder / "away")
    if form == "two-table":
        alone = json.loads(call("query", "out", *asked, "--json"))
        assert alone == {"expected": pytest.approx(answer["expected"])}
    else:
        assert "no hierarchy says what they cover" in call("query", "out", *asked, code=2)
        call("query", "out", *asked, "--plan", "plan.toml", "--original", "people.csv")
    assert "--plan" in call("query", "out", *asked, "--original", "people.csv", code=2)


def test_wrong_queries_are_refused(folder: Path) -> None:
    call("run", "plan.toml")
    assert "Did you mean 'age'" in call("query", "out", "--where", "aeg=3", code=2)
    assert "is empty" in call("query", "out", "--where", "age=40..30", code=2)
    assert "equals sign" in call("query", "out", "--where", "age", code=2)
    call("query", "out", code=2)
    assert "spelt" in call("query", "out", "--where", "occupation=Slaes")
    none = json.loads(
        call("query", "out", "--where", "age=1..2", "--original", "people.csv", "--json")
    )
    assert none == {"expected": 0.0, "true": 0, "relative_error": None}
