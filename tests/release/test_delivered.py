"""Tables of a release in a database are verified long after they were written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from shoal.errors import InputError
from tests.databases import Database
from tests.release.test_delivery import PEOPLE, plan_of

FORMS = ["generalized", "two-table", "sensitive-groups"]


def delivered(database: Database, place: Path, form: str = "generalized") -> Path:
    database.fill("people", PEOPLE)
    shoal.run(plan_of(database, place, form))
    return place / "release"


def wrong(folder: Path, database: Database) -> dict[str, str]:
    found = shoal.open_release(folder).verify(table=database.url)
    return {each.check: each.detail for each in found.findings if not each.passed}


@pytest.mark.parametrize("form", FORMS)
def test_an_intact_table_of_a_database_holds(database: Database, tmp_path: Path, form: str) -> None:
    folder = delivered(database, tmp_path, form)
    found = shoal.open_release(folder).verify(table=database.url)
    assert found.reasons() == []
    checks = {each.check for each in found.findings}
    assert {"claims in the database", "requirements in the database"} <= checks
    first = "published" if form == "generalized" else "published_quasi"
    assert f"table '{first}'" in checks
    asked = ["verify", str(folder), "--table", database.url]
    assert CliRunner().invoke(app, asked).exit_code == 0


@pytest.mark.parametrize(
    ("statement", "detail"),
    [
        ("UPDATE published SET occupation = 'spy' WHERE age = (SELECT min(age) FROM published)",
         "'occupation' in"),
        ("DELETE FROM published WHERE age = (SELECT min(age) FROM published)", "not found in the"),
        ("INSERT INTO published SELECT * FROM published", "300 rows"),
        ("ALTER TABLE published ADD COLUMN raw VARCHAR(9)", "columns that differ from"),
    ],
)  # fmt: skip
def test_a_changed_table_of_a_database_is_found(
    database: Database, tmp_path: Path, statement: str, detail: str
) -> None:
    folder = delivered(database, tmp_path)
    database.execute(statement)
    assert detail in wrong(folder, database)["table 'published'"]
    done = CliRunner().invoke(app, ["verify", str(folder), "--table", database.url])
    assert done.exit_code == 1


def test_requirements_are_judged_in_the_database(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'people.db'}")
    folder = delivered(database, tmp_path)
    first = "(SELECT min(rowid) FROM published)"
    database.execute(f"UPDATE published SET age = '[1, 2]' WHERE rowid = {first}")
    assert "5-anonymity" in wrong(folder, database)["requirements in the database"]


@pytest.mark.parametrize("form", FORMS[1:])
def test_a_changed_table_of_values_is_found(tmp_path: Path, form: str) -> None:
    database = Database(f"sqlite:///{tmp_path / 'people.db'}")
    folder = delivered(database, tmp_path, form)
    name = "published_sensitive" + "_occupation" * (form == "sensitive-groups")
    first = f"(SELECT min(rowid) FROM {name})"
    database.execute(f"UPDATE {name} SET occupation = 'spy' WHERE rowid = {first}")
    assert f"table '{name}'" in wrong(folder, database)


@pytest.mark.parametrize("change", ["none", "another"])
def test_a_database_without_the_release_is_refused(tmp_path: Path, change: Any) -> None:
    database = Database(f"sqlite:///{tmp_path / 'people.db'}")
    folder = delivered(database, tmp_path)
    if change == "none":
        database.execute("DROP TABLE shoal_releases")
    else:
        database.execute("UPDATE shoal_releases SET release_id = 'x'")
    with pytest.raises(InputError, match=r"shoal_releases|0 tables of this release"):
        shoal.open_release(folder).verify(table=database.url)
