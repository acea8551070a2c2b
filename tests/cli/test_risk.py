"""`shoal risk`: any table, the worst first, one sentence each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal import risk
from shoal.cli import app

TABLE = pl.DataFrame(
    {
        "age": [30, 30, 30, 41, 41, 52],
        "sex": list("ffffmm"),
        "ill": ["flu-x", "flu-x", "cold-y", "cold-y", "flu-x", "gout-z"],
    }
)


def call(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result.output


def answer(*words: object) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(call(*words, "--json"))
    return made


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    TABLE.write_csv(tmp_path / "raw.csv")
    return tmp_path / "raw.csv"


def test_a_raw_table_needs_quasi_identifiers_alone(raw: Path) -> None:
    shown = call("risk", raw, "--quasi", "age,sex")
    assert "Who is found" in shown
    assert "3 people are unique in their class." in " ".join(shown.split())
    assert "singling out" in shown
    assert "PRIVATE" in shown
    assert "Attacks" not in shown
    read = answer("risk", raw, "--quasi", "age, sex")
    found = risk.reidentification(TABLE, quasi=["age", "sex"])
    assert read["reidentification"] == json.loads(json.dumps(found.to_dict()))
    assert read["attacks"] == read["linkage"] == []
    assert [each["question"] for each in read["questions"]] == [
        "singling out",
        "linkability",
        "inference",
    ]
    assert read["questions"][2]["share"] is None


def test_the_worst_comes_first(raw: Path) -> None:
    shown = call("risk", raw, "--quasi", "age,sex", "--thresholds", "0.05,0.9")
    places = [shown.index(word) for word in ("highest", "above 0.05", "average", "above 0.9")]
    assert places == sorted(places)


def test_sensitive_columns_may_be_named(raw: Path) -> None:
    shown = call("risk", raw, "--quasi", "age,sex", "--sensitive", "ill")
    assert "homogeneity" in shown
    for value in TABLE["ill"].unique():
        assert value not in shown


def test_population_and_fraction(raw: Path, tmp_path: Path) -> None:
    people = pl.concat([TABLE.select("age", "sex")] * 4)
    people.write_csv(tmp_path / "people.csv")
    told = "--population", tmp_path / "people.csv", "--sampling-fraction", "0.25"
    read = answer("risk", raw, "--quasi", "age,sex", *told)["reidentification"]
    assert read["journalist"]["highest"] == 0.25
    assert read["counted_population"]
    assert read["uniqueness"]["population"] == 24
    shown = call("risk", raw, "--quasi", "age,sex", *told)
    assert "journalist" in shown
    assert "unique in population" in shown


def test_a_release_is_compared_with_its_input(tmp_path: Path, raw: Path) -> None:
    (tmp_path / "plan.toml").write_text(
        '[input]\npath = "raw.csv"\n[columns.age]\nrole = "quasi"\nkind = "numeric"\n'
        '[columns.sex]\nrole = "quasi"\nhierarchy = {builder = "flat"}\n'
        '[columns.ill]\nrole = "sensitive"\n[[require]]\nmodel = "k-anonymity"\nk = 3\n'
        '[output]\npath = "out"\n',
        encoding="utf-8",
    )
    call("run", tmp_path / "plan.toml")
    read = answer("risk", tmp_path / "out")["reidentification"]
    assert read["prosecutor"]["highest"] <= 1 / 3
    assert read["before"]["uniques"] == 3
    assert "before" in call("risk", tmp_path / "out")
    raw.unlink()
    assert answer("risk", tmp_path / "out")["reidentification"]["before"] is None


def test_a_release_without_a_sensitive_column(tmp_path: Path) -> None:
    release = shoal.anonymize(TABLE.select("age", "sex"), k=2, quasi=["age", "sex"])
    release.write(tmp_path / "out")
    read = answer("risk", tmp_path / "out")
    assert read["reidentification"]["uniques"] == 0
    assert read["attacks"] == []


def test_an_original_without_a_plan(raw: Path, tmp_path: Path) -> None:
    TABLE.with_columns(age=pl.lit("*")).write_csv(tmp_path / "shown.csv")
    read = answer("risk", tmp_path / "shown.csv", "--quasi", "age,sex", "--original", raw)
    assert read["reidentification"]["before"]["uniques"] == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "No column roles were given"),
        (("--quasi", "agee"), "Did you mean 'age'"),
        (("--quasi", "age", "--thresholds", "much"), "comma-separated numbers"),
        (("--quasi", "age", "--thresholds", "3"), "from 0 to 1"),
        (("--quasi", "age", "--sampling-fraction", "7"), "at most 1"),
        (("--sensitive", "ill"), "--quasi"),
        (("--quasi", "age", "--alpha", "1/3"), "no column is sensitive"),
        (("--quasi", "age", "--population", "nowhere.csv"), "nowhere.csv"),
        (("--quasi", "age,ill", "--sensitive", "ill"), "both"),
    ],
)
def test_what_is_refused(raw: Path, words: tuple[str, ...], said: str) -> None:
    result = CliRunner().invoke(app, ["risk", str(raw), *words])
    assert result.exit_code == 2, result.output
    assert said in " ".join(result.output.split())


def test_two_releases(tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("other", 2)):
        made = shoal.anonymize(TABLE, k=2, quasi=["age", "sex"], sensitive=["ill"], seed=seed)
        made.write(tmp_path / name)
    read = answer("risk", tmp_path / "one", tmp_path / "other")
    assert read["attacks"][0]["name"] == "two_releases"
    assert ("What both releases reveal together") in call(
        "risk", tmp_path / "one", tmp_path / "other"
    )


def test_two_releases_bring_what_is_asked(tmp_path: Path) -> None:
    for words in (("--alpha", "1/3"), ("--quasi", "age"), ("--thresholds", "0.3")):
        result = CliRunner().invoke(app, ["risk", str(tmp_path), str(tmp_path), *words])
        assert result.exit_code == 2, result.output
        assert f"{words[0]} applies to one table" in result.output


def test_a_steward_reads_it_in_eighty_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    adult = shoal.datasets.adult(complete=True).head(600)
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    schema = shoal.Schema({**plan.schema_(), "relationship": shoal.sensitive()})
    release = shoal.anonymize(
        adult, schema, require=shoal.AlphaK(0.5, 5, column="occupation"), method=shoal.GAACP(seed=1)
    )
    release.write(tmp_path / "out")
    adult.write_csv(tmp_path / "adult.csv")
    words = "risk", tmp_path / "out", "--original", tmp_path / "adult.csv"
    shown = call(*words)
    assert max(map(len, shown.splitlines())) <= 80
    assert "…" not in shown
    told = answer(*words)["attacks"]
    worst = sorted(
        (each for each in told if each["people"]),
        key=lambda each: (each["control"] or 0) - each["share"],
    )
    table, _, rest = shown.partition("Attacks on ")[2].partition("Attacks that get nothing:")
    named = [line.split()[0] for line in table.splitlines()[4:] if line[2:3].strip()]
    assert named == [each["name"] for each in worst]
    for each in told:
        if not each["people"]:
            assert each["name"] in rest
    meaning = " ".join(worst[0]["meaning"].split()[1:4])
    assert meaning in " ".join(table.split())


def test_without_a_sensitive_column_cells_are_attacked_all_the_same(tmp_path: Path) -> None:
    frame = TABLE.select("age", "sex")
    shoal.anonymize(frame, k=2, quasi=["age", "sex"], bounds="observed").write(tmp_path / "out")
    frame.write_csv(tmp_path / "raw.csv")
    words = "risk", tmp_path / "out", "--original", tmp_path / "raw.csv"
    assert {each["name"] for each in answer(*words)["attacks"]} == {"downcoding", "end_points"}


def test_people_outside(tmp_path: Path, raw: Path) -> None:
    made = shoal.anonymize(TABLE, k=2, quasi=["age", "sex"], sensitive=["ill"], bounds="observed")
    made.write(tmp_path / "out")
    others = pl.DataFrame({"age": [30, 90], "sex": ["f", "f"]})
    others.write_csv(tmp_path / "others.csv")
    words = "risk", tmp_path / "out", "--original", raw, "--outside", tmp_path / "others.csv"
    (found,) = (each for each in answer(*words)["attacks"] if each["name"] == "membership")
    assert (found["people"], found["total"], found["control"]) == (1, 2, 0.0)
    assert "membership" in call(*words)
    for bad in (
        ["risk", str(raw), "--quasi", "age", "--outside", str(tmp_path / "others.csv")],
        [*map(str, words[:-1]), str(tmp_path / "nowhere.csv")],
    ):
        assert CliRunner().invoke(app, bad).exit_code == 2


def test_attacks_that_count_right_guesses_read_the_input(tmp_path: Path) -> None:
    adult = shoal.datasets.adult().head(300)
    plan = shoal.datasets.folder("adult") / "adult.toml"
    release = shoal.anonymize(adult, shoal.Plan.read(plan))
    release.write(tmp_path / "out")
    adult.write_csv(tmp_path / "adult.csv")
    alone = {each["name"] for each in answer("risk", tmp_path / "out")["attacks"]}
    beside = answer("risk", tmp_path / "out", "--original", tmp_path / "adult.csv")["attacks"]
    assert alone < {each["name"] for each in beside}
    adult.head(9).write_csv(tmp_path / "adult.csv")
    result = CliRunner().invoke(
        app, ["risk", str(tmp_path / "out"), "--original", str(tmp_path / "adult.csv")]
    )
    assert result.exit_code == 2, result.output
