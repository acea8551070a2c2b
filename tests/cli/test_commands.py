"""The commands, as people and programs call them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from tests.cli.small_run import call


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shoal.datasets.adult().head(1500).write_csv("adult.csv")
    return tmp_path


def test_version() -> None:
    assert call("--version") == f"shoal {shoal.__version__}\n"


def test_demo_writes_a_release_that_verifies(folder: Path) -> None:
    shown = call("demo")
    for word in ("48,842 rows published", "Required", "Achieved", "Cost", "shoal-demo", "next"):
        assert word in shown
    verified = call("verify", "shoal-demo")
    assert "It holds" in verified
    assert "run `shoal risk` to see what attacks can still learn" in verified
    assert "✓" in call("verify", "shoal-demo/table.csv", "--quasi", "age,sex", "--k", 10)
    call("verify", "shoal-demo", "--k", 11, code=1)


def test_plan_then_run_then_verify_then_measure(folder: Path) -> None:
    assert "Proposed roles" in call("plan", "adult.csv")
    call("plan", "adult.csv", code=2)  # it does not overwrite
    call("plan", "adult.csv", "--force", "--k", 7)
    assert "rows published" in call("run", "plan.toml")
    assert "It holds" in call("verify", "release", "--original", "adult.csv", "--plan", "plan.toml")
    manifest = json.loads((folder / "release.private" / "manifest.json").read_text())
    values = json.loads(call("measure", "release", "--plan", "plan.toml", "--all", "--json"))
    assert values.keys() - manifest["measures"].keys() == {"mean_query_error", "pair_distance"}
    assert {name: values[name] for name in manifest["measures"]} == pytest.approx(
        manifest["measures"]
    )
    assert "iloss_rate" in call("measure", "release/table.csv", "--plan", "plan.toml")
    private = "release.private/plan.toml"
    assert json.loads(call("measure", "release", "--plan", private, "--all", "--json")) == values
    assert "cover their originals" in call("verify", "release", "--original", "adult.csv")


def test_verify_notices_a_file_that_was_changed(folder: Path) -> None:
    call("plan", "adult.csv")
    call("run", "plan.toml")
    file = folder / "release" / "table.csv"
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join([lines[0], *lines[:0:-1]]))  # the same rows in another order
    assert "changed since its release" in call("verify", "release", code=1)


def test_the_original_is_not_compared_without_hierarchies(folder: Path) -> None:
    call("plan", "adult.csv")
    call("run", "plan.toml")
    (folder / "release.private").rename(folder / "away")
    call("verify", "release", "--original", "adult.csv", code=2)


def test_measure_of_shuffled_rows_needs_the_manifest(folder: Path) -> None:
    call("plan", "adult.csv")
    call("run", "plan.toml")
    (folder / "release" / "table.csv").rename(folder / "alone.csv")
    result = CliRunner().invoke(app, ["measure", "alone.csv", "--plan", "plan.toml"])
    assert result.exit_code == 2
    assert "manifest" in result.stderr
    call("measure", "alone.csv", "--plan", "plan.toml", "--manifest", "release.private")


def test_verify_tells_a_table_that_does_not_hold(folder: Path) -> None:
    answer = json.loads(
        call("verify", "adult.csv", "--quasi", "age,sex", "--k", 5, "--json", code=1)
    )
    assert not answer["passed"]
    assert answer["judgements"][0]["failing_classes"] > 0
    call("verify", "adult.csv", code=2)
    call("verify", "adult.csv", "--quasi", "agee", "--k", 5, code=2)
    call("verify", "adult.csv", "--quasi", "age", code=2)
    call("verify", "absent.csv", "--quasi", "age", "--k", 5, code=2)


def test_verify_counts_people_with_the_manifest(folder: Path) -> None:
    frame = (
        shoal.datasets.adult()
        .head(300)
        .select("age", "sex")
        .with_columns(who=pl.int_range(300) // 2)
    )
    frame.write_csv("visits.csv")
    Path("plan.toml").write_text(
        'entity = "who"\n[input]\npath = "visits.csv"\n[columns.who]\nrole = "identifier"\n'
        '[columns.age]\nrole = "quasi"\nkind = "numeric"\n[columns.sex]\nrole = "quasi"\n'
        '[[require]]\nmodel = "k-anonymity"\nk = 5\n[output]\npath = "out"\n'
    )
    call("run", "plan.toml")
    assert "Counted in people" in call("verify", "out", "--plan", "plan.toml")
    (folder / "out.private").rename(folder / "safe")
    call("verify", "out", "--plan", "plan.toml", code=2)
    call("verify", "out", code=2)
    call("verify", "out", "--plan", "plan.toml", "--manifest", "safe")


def test_json_answers_can_be_read(folder: Path) -> None:
    for command in ("methods", "models", "measures"):
        assert json.loads(call(command, "--json"))[0]["name"] in call(command)
    assert json.loads(call("plan", "--json-schema"))["title"] == "Shoal plan"
    drafted = json.loads(call("plan", "adult.csv", "--json"))
    assert {column["column"] for column in drafted["columns"]} == set(
        pl.read_csv("adult.csv").columns
    )
    facts = json.loads(call("run", "plan.toml", "--json"))
    assert facts["verification"]["passed"]


def test_hierarchies_are_built_checked_and_shown(folder: Path) -> None:
    call("hierarchy", "build", "adult.csv", "age", "--builder", "intervals", "-p", "width=10")
    assert "is a tree" in call("hierarchy", "check", "age.csv")
    assert "covers" in call(
        "hierarchy", "check", "age.csv", "--table", "adult.csv", "--column", "age"
    )
    assert "└──" in call("hierarchy", "show", "age.csv")
    call("hierarchy", "build", "adult.csv", "age", code=2)  # age.csv exists
    call("hierarchy", "build", "adult.csv", "aeg", code=2)
    call(
        "hierarchy", "build", "adult.csv", "sex", "--builder", "intervals", "-p", "width=10", code=2
    )
    Path("short.csv").write_text("Male;*\n")
    result = CliRunner().invoke(
        app, ["hierarchy", "check", "short.csv", "--table", "adult.csv", "--column", "sex"]
    )
    assert result.exit_code == 2
    assert "misses 1 of 2 values" in result.stderr
    assert "column 'sex'" in result.stderr
    assert json.loads(call("hierarchy", "check", "short.csv", "--json"))["leaves"] == 1


def test_the_form_of_a_file_can_be_overruled(folder: Path) -> None:
    rows = "".join(f"{20 + i};Müller, {i % 3}\n" for i in range(30))
    Path("odd.txt").write_bytes(f"age;group\n{rows}".encode("cp1252"))
    form = ("--separator", ";", "--encoding", "cp1252", "--quote", "'")
    assert "separator ';', encoding cp1252" in call("plan", "odd.txt", *form)
    assert 'encoding = "cp1252"' in Path("plan.toml").read_text()
    assert "cp1252" in call("run", "plan.toml")


@pytest.mark.parametrize("name", [";", "class", "person", "len", "*", "a,b", 'q"q', " "])
def test_columns_may_have_any_name(folder: Path, name: str) -> None:
    frame = shoal.datasets.adult().head(60).select(pl.col("sex").alias(name), "age")
    schema = shoal.Schema({name: shoal.quasi(), "age": shoal.quasi()})
    if name == " ":
        with pytest.raises(shoal.errors.InputError, match="without a name"):
            shoal.anonymize(frame, schema, require=[shoal.KAnonymity(3)])
        return
    shoal.anonymize(frame, schema, require=[shoal.KAnonymity(3)]).write("out")
    call("verify", "out")


def test_completion_can_be_shown() -> None:
    environment = {
        **os.environ,
        "_SHOAL_COMPLETE": "complete_bash",
        "COMP_WORDS": "shoal de",
        "COMP_CWORD": "1",
    }
    shoal_ = Path(sys.executable).with_name("shoal")
    done = subprocess.run([shoal_], env=environment, capture_output=True, text=True, check=False)
    assert "demo" in done.stdout


def test_ctrl_c_stops_a_long_run_at_once(folder: Path) -> None:
    shoal.datasets.census(600_000, seed=1).write_csv("census.csv")
    call("plan", "census.csv", "--output", "census.toml")
    shoal_ = Path(sys.executable).with_name("shoal")
    run = subprocess.Popen(
        [shoal_, "run", "census.toml"], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    time.sleep(5)
    assert run.poll() is None, "it was over before it could be stopped"
    run.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, complaint = run.communicate(timeout=30)
    assert run.returncode == 130
    assert "Stopped" in complaint
    assert time.monotonic() - began < 10
    assert not (folder / "release").exists()
    assert not [path for path in folder.iterdir() if path.name.startswith(".release")]
