"""A release in a database: all of it, verified as it was read back, or nothing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from shoal.errors import OutputError, PlanError, VerificationError
from shoal.io.frames import Coded
from shoal.io.sql import SQL, Address, Delivery, connect
from tests.databases import Database
from tests.postgres import Server

PEOPLE = shoal.datasets.census(300, seed=3).select(
    pl.int_range(pl.len()).alias("id"), "age", "sex", "occupation", "salary-class"
)


def plan_of(
    database: Database, folder: Path, form: str = "generalized", **output: Any
) -> shoal.Plan:
    several = form == "sensitive-groups"
    made: dict[str, Any] = {
        "input": {"sql": {"url": database.url, "table": "people"}},
        "columns": {
            "id": {"role": "identifier"},
            "age": {"role": "quasi", "kind": "numeric"},
            "sex": {"role": "quasi"},
            "occupation": {"role": "sensitive"},
            "salary-class": {"role": "sensitive" if several else "other"},
        },
        "require": [{"model": "k-anonymity", "k": 5}],
        "method": {"name": "gaa-cp", "seed": 7},
        "publication": {"form": form},
        "output": {
            "path": "release",
            "sql": {"url": database.url, "table": "published", **output},
        },
    }
    if several:
        made["require"] = [
            {"model": "multi-l-diversity", "l": {"occupation": 2, "salary-class": 2}}
        ]
        made["method"] = {"name": "micd", "seed": 7}
    if form == "two-table":
        made["columns"]["salary-class"] = {"role": "identifier"}
    return shoal.Plan.from_dict(made, folder=folder)


@pytest.mark.parametrize("form", ["generalized", "two-table", "sensitive-groups"])
def test_the_database_holds_what_the_folder_holds(
    database: Database, tmp_path: Path, form: str
) -> None:
    database.fill("people", PEOPLE)
    release = shoal.run(plan_of(database, tmp_path, form))
    opened = shoal.open_release(tmp_path / "release")
    assert opened.verify().passed
    files = {path.stem: path for path in (tmp_path / "release").glob("*.csv")}
    names = {"table": "published"} | {
        stem: f"published_{stem.replace('-', '_')}" for stem in files if stem != "table"
    }
    for stem, path in files.items():
        held = pl.read_csv(path, infer_schema=False).fill_null("").rows()
        found = [
            tuple("" if cell is None else str(cell) for cell in row)
            for row in database.rows(f'SELECT * FROM "{names[stem]}"')
        ]
        assert Counter(held) == Counter(found)
    marked = database.rows("SELECT table_name, release_id FROM shoal_releases")
    assert {name for name, _ in marked} == {names[stem] for stem in files}
    assert {each for _, each in marked} == {opened.facts["id"]}
    assert release.read_as.endswith("table 'people'")


def test_a_table_of_others_is_never_replaced(database: Database, tmp_path: Path) -> None:
    database.fill("people", PEOPLE)
    database.fill("published", PEOPLE.head(3))
    for replace in (False, True):
        with pytest.raises(OutputError, match="Shoal did not write"):
            shoal.run(plan_of(database, tmp_path, replace=replace))
    assert not (tmp_path / "release").exists()
    assert len(database.rows("SELECT * FROM published")) == 3


def test_an_earlier_release_is_replaced_only_if_the_plan_says_so(
    database: Database, tmp_path: Path
) -> None:
    database.fill("people", PEOPLE)
    shoal.run(plan_of(database, tmp_path))
    before = database.rows("SELECT * FROM shoal_releases")
    with pytest.raises(OutputError, match="earlier release"):
        shoal.run(plan_of(database, tmp_path))
    assert database.rows("SELECT * FROM shoal_releases") == before
    database.execute("DELETE FROM people WHERE id > 200")
    shoal.run(plan_of(database, tmp_path, replace=True))
    assert len(database.rows("SELECT * FROM published")) == 201
    after = database.rows("SELECT * FROM shoal_releases")
    assert len(after) == 1
    assert after != before


def test_the_source_is_never_written_to(database: Database, tmp_path: Path) -> None:
    database.fill("people", PEOPLE)
    with pytest.raises(OutputError, match="the table it is made from"):
        shoal.run(plan_of(database, tmp_path, table="PEOPLE", replace=True))
    assert len(database.rows("SELECT * FROM people")) == 300


def test_an_earlier_release_is_a_source_like_others(database: Database, tmp_path: Path) -> None:
    database.fill("people", PEOPLE)
    shoal.run(plan_of(database, tmp_path))
    before = database.rows("SELECT release_id FROM shoal_releases")
    spec = plan_of(database, tmp_path, replace=True).to_dict()
    spec["columns"] = {"age": {"role": "quasi"}, "sex": {"role": "quasi"}}
    spec["input"]["sql"] = {"url": database.url, "query": 'SELECT age, sex FROM "Published" p'}
    again = shoal.Plan.from_dict(spec, folder=tmp_path)
    spec["output"]["sql"]["url"] = database.url.replace("127.0.0.1", "localhost")
    elsewhere = shoal.Plan.from_dict(spec, folder=tmp_path)
    read = SQL(database.url, query="SELECT age, sex FROM published")
    made = shoal.anonymize(read, again)
    for write in (
        lambda: shoal.run(again),
        lambda: shoal.run(elsewhere),
        lambda: shoal.run(again, data=read),
        lambda: made.write(tmp_path / "release"),
    ):
        with pytest.raises(OutputError, match="the table it is made from"):
            write()
    assert database.rows("SELECT release_id FROM shoal_releases") == before


def test_what_comes_back_otherwise_is_not_committed(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.fill("people", PEOPLE)
    kept = Delivery.read

    def damaged(self: Delivery, table: str) -> Coded:
        frame = kept(self, table).frame
        return Coded(frame.with_columns(sex=frame["sex"].reverse()))

    monkeypatch.setattr(Delivery, "read", damaged)
    with pytest.raises(VerificationError, match="for 'published' are not those that were written"):
        shoal.run(plan_of(database, tmp_path))
    assert database.tables() == {"people"}
    assert [path.name for path in tmp_path.iterdir() if "release" in path.name] == []


def test_what_fails_before_the_commit_leaves_nothing(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.fill("people", PEOPLE)

    def broken(self: Delivery, release: str, facts: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Delivery, "mark", broken)
    with pytest.raises(KeyboardInterrupt):
        shoal.run(plan_of(database, tmp_path))
    assert database.tables() == {"people"}
    assert not (tmp_path / "release").exists()


def test_a_killed_connection_leaves_nothing(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSWORD", postgres.password)
    database = Database(postgres.url)
    database.fill("people", PEOPLE)
    kept = Delivery.mark

    def killed(self: Delivery, release: str, facts: str) -> None:
        with connect(Address(postgres.url)) as other, other.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> "
                "pg_backend_pid() AND backend_type = 'client backend'"
            )
            cursor.fetchall()
        kept(self, release, facts)

    monkeypatch.setattr(Delivery, "mark", killed)
    try:
        with pytest.raises(OutputError, match="cannot be written") as caught:
            shoal.run(plan_of(database, tmp_path))
        assert postgres.password not in str(caught.value)
        assert database.tables() == {"people"}
        assert not (tmp_path / "release").exists()
    finally:
        database.execute("DROP TABLE people")


def test_no_password_is_written_anywhere(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PGPASSWORD", raising=False)
    monkeypatch.chdir(tmp_path)
    url = postgres.url.replace("steward@", f"steward:{postgres.password}@")
    with connect(Address(url)) as connection, connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS people")
        cursor.adbc_ingest("people", PEOPLE.to_arrow(), mode="create")
        connection.commit()
    source = SQL(url, table="people")
    shoal.propose(source).write("plan.toml")
    schema = {"id": "identifier", "age": "quasi", "sex": "quasi", "occupation": "sensitive"}
    release = shoal.anonymize(source, {**schema, "salary-class": "other"}, require=5)
    release.write("release")
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert postgres.password.encode() not in path.read_bytes(), path
    written = shoal.Plan.read("release.private/plan.toml")
    assert written.input.sql is not None
    assert written.input.sql.url == postgres.url
    with connect(Address(url)) as connection, connection.cursor() as cursor:
        cursor.execute("DROP TABLE people")
        connection.commit()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"url": "postgresql://ann:pearl@host/db", "table": "t"}, "holds no password"),
        ({"url": "postgresql://ann@host/db?password=pearl", "table": "t"}, "holds no password"),
        ({"url": "mysql://host/db", "table": "t"}, "no word that is known"),
        ({"url": "sqlite:///x.db"}, "query or a table"),
        ({"url": "sqlite:///x.db", "tabel": "t"}, "tabel"),
    ],
)
def test_plans_say_what_is_wrong_with_a_database(change: dict[str, str], said: str) -> None:
    spec = {
        "input": {"sql": change},
        "columns": {"age": {"role": "quasi"}},
        "require": [{"model": "k-anonymity", "k": 5}],
    }
    with pytest.raises(PlanError, match=said) as caught:
        shoal.Plan.from_dict(spec)
    assert "pearl" not in str(caught.value)


def test_two_inputs_are_one_too_many() -> None:
    plan = shoal.Plan.from_dict(
        {
            "input": {"path": "x.csv", "sql": {"url": "sqlite:///x.db", "table": "t"}},
            "columns": {"age": {"role": "quasi"}},
            "require": [{"model": "k-anonymity", "k": 5}],
        }
    )
    with pytest.raises(PlanError, match="two inputs"):
        _ = plan.source


def test_from_a_database_to_a_database_at_the_command_line(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.fill("people", PEOPLE)
    monkeypatch.chdir(tmp_path)
    call = CliRunner().invoke
    drafted = call(app, ["plan", "--sql", database.url, "--query", "SELECT * FROM people"])
    assert drafted.exit_code == 0, drafted.stderr
    text = Path("plan.toml").read_text(encoding="utf-8")
    output = f'[output]\nsql = {{url = "{database.url}", table = "published"}}'
    Path("plan.toml").write_text(text.replace("[output]", output), encoding="utf-8")
    ran = call(app, ["run", "plan.toml", "--set", "method.name=gaa-cp"])
    assert ran.exit_code == 0, ran.stderr
    assert "published" in ran.stdout
    assert call(app, ["verify", "release"]).exit_code == 0
    again = call(app, ["run", "plan.toml", "--set", "method.name=gaa-cp"])
    assert again.exit_code == 2
    assert "replace = true" in again.stderr
    assert call(app, ["measure", "release"]).exit_code == 0
    for wrong in (["--query", "SELECT 1"], ["x.csv", "--sql", database.url, "--table", "t"]):
        assert call(app, ["plan", *wrong]).exit_code == 2
