"""The first step: a file or a database, read as people say, its first rows and its columns."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import shoal
from shoal.io.sql import connections_file, saved_connections
from shoal.studio.jobs import State
from shoal.studio.panels._table_reading import fields_of, reading_of
from tests.studio.conftest import Asked, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def posted(asked: Asked, place: str, **data: Any) -> Any:
    """Post as a script of the page does, and wait until no table is on its way."""
    said = asked.client.post(place, data=data, headers={"HX-Request": "true"})
    loading = asked.studio.loading
    wait_for(lambda: asked.studio.loading is not loading or loading is None or loading.failed)
    return said


def sent(asked: Asked, name: str, content: bytes) -> Any:
    said = asked.client.post(
        "/table/upload", content=content, headers={"X-File-Name": name, "HX-Request": "true"}
    )
    wait_for(lambda: asked.studio.loading is None or asked.studio.loading.failed)
    return said


def test_a_file_that_was_dropped_is_shown_with_a_picture_of_each_column(
    asked: Asked, people: Path
) -> None:
    assert sent(asked, "people.csv", people.read_bytes()).headers["HX-Redirect"] == "/table"
    page = asked.get("/table").text
    assert "300 rows, 15 columns" in page
    assert "Married-civ-spouse" in page
    cards = asked.get("/table/profiles").text
    assert cards.count("<article") == 15
    assert cards.count('role="img"') == 15
    assert "Whole numbers" in cards
    assert "2 different values" in cards
    assert "others" in cards


def test_missing_cells_are_counted_and_shown_as_missing(asked: Asked, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    ages = ["NA" if i % 10 == 0 else str(20 + i % 40) for i in range(200)]
    pl.DataFrame({"age": ages, "sex": ["f", "m"] * 100}).write_csv(path)
    asked.open(path)
    assert ">NA<" not in asked.get("/table").text
    assert "20 missing (10.0%)" in asked.get("/table/profiles").text


def test_a_file_is_read_otherwise_and_back(asked: Asked, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("age;pay,sex\n" + "\n".join(f"{20 + i};{i},f" for i in range(20)))
    asked.open(path)
    columns = list(asked.studio.plan.columns)
    other = "," if columns == ["age", "pay,sex"] else ";"
    posted(asked, "/table/read", separator=other, quote="none", encoding="utf-8", decimal=".")
    assert list(asked.studio.plan.columns) != columns
    assert asked.studio.table.reading == {
        "separator": other,
        "quote": "",
        "encoding": "utf-8",
        "decimal": ".",
    }
    assert asked.studio.plan.input.separator == other
    assert f'<option value="{other}" selected' in asked.get("/table").text
    posted(asked, "/table/read", separator="", quote="")
    assert list(asked.studio.plan.columns) == columns


def test_an_upload_that_is_read_otherwise_stays_an_upload(asked: Asked) -> None:
    sent(asked, "x.csv", b"age;sex\n" + b"30;f\n40;m\n" * 20)
    posted(asked, "/table/read", separator=";")
    assert asked.studio.data["input"]["path"] == "x.csv"
    assert asked.studio.folder == asked.studio.workspace.uploads


def test_a_sheet_can_be_named_where_reading_failed(asked: Asked, tmp_path: Path) -> None:
    xlsxwriter = pytest.importorskip("xlsxwriter")
    path = tmp_path / "x.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        for name in ("others", "people"):
            sheet = book.add_worksheet(name)
            for row in range(21):
                sheet.write_row(row, 0, [19 + row, "fm"[row % 2]] if row else ["age", "sex"])
    asked.open(path)
    assert asked.studio.loading is not None
    page = asked.get("/table").text
    assert "sheet" in asked.studio.loading.problem.lower()
    assert 'name="sheet"' in page
    assert 'name="separator"' not in page
    posted(asked, "/table/read", sheet="people")
    assert asked.studio.table.rows == 20
    assert asked.studio.plan.input.sheet == "people"


def test_the_form_and_the_reading_are_one(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n")
    said = {"separator": "\t", "quote": "", "encoding": "latin-1"}
    form = {field.name: field.value for field in fields_of(path, said)}
    assert reading_of(form) == said
    assert [field.name for field in fields_of(tmp_path / "none.csv", {})] == []


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.csv", b""),
        ("x.csv", b"\n\n"),
        ("x.csv", b"a,b\n"),
        ("x.csv", b"a,b\n1,2\n"),
        ("x.csv", b"\x00\x01\x02" * 99),
        ("x.parquet", b"no parquet at all"),
        ("x.xlsx", b"PK\x03\x04 no workbook"),
        ("x.docx", b"some words"),
        ("noending", b"a,b\n1,2\n3,4\n"),
    ],
)
def test_what_is_no_table_is_said_in_one_sentence(asked: Asked, name: str, content: bytes) -> None:
    sent(asked, name, content)
    loading = asked.studio.loading
    assert loading is not None
    assert loading.failed
    assert "defect" not in loading.problem
    page = asked.get("/table")
    assert page.status_code == 200
    assert 'class="problem"' in page.text
    assert not asked.studio.has_table


def test_the_table_before_stays_if_the_next_one_is_none(asked: Asked, people: Path) -> None:
    asked.open(people)
    sent(asked, "x.csv", b"")
    page = asked.get("/table").text
    assert 'class="problem"' in page
    assert "300 rows" in page
    assert posted(asked, "/table/open", path=str(people)).headers["HX-Redirect"] == "/table"
    assert 'class="problem"' not in asked.get("/table").text


@pytest.mark.parametrize("path", ["", "nowhere.csv", "/tmp", "\0"])
def test_a_path_that_is_no_file_is_refused(asked: Asked, path: str) -> None:
    said = posted(asked, "/table/open", path=path)
    assert said.status_code == 422
    assert "no such file" in said.text


def test_no_other_table_while_work_is_waiting(asked: Asked, people: Path) -> None:
    asked.open(people)
    long = {**asked.studio.data, "refine": {"seconds": 100.0}}
    job = asked.studio.queue.add("release", {"plan": long, "folder": str(asked.studio.folder)})
    for said in (
        posted(asked, "/table/open", path=str(people)),
        posted(asked, "/table/read", separator=";"),
        asked.client.post(
            "/table/upload", content=b"a", headers={"X-File-Name": "a.csv", "HX-Request": "true"}
        ),
    ):
        assert said.status_code == 422
        assert "Jobs of the present table" in said.text
    assert not (asked.studio.workspace.uploads / "a.csv").exists()
    asked.studio.queue.stop(job.number)
    assert asked.studio.queue.wait(job.number, 20).state is State.STOPPED
    posted(asked, "/table/open", path=str(people))
    assert asked.studio.loading is None


def test_nobody_has_to_wait_for_a_table(asked: Asked, people: Path) -> None:
    asked.studio.load(people)
    assert asked.client.post("/table/stop", headers={"HX-Request": "true"}).status_code == 204
    assert "Drop a file" in asked.get("/table").text


def test_a_table_of_a_database_by_a_saved_connection(
    asked: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("adbc_driver_sqlite")
    file = tmp_path / "clinic.db"
    with sqlite3.connect(file) as clinic:
        clinic.execute("CREATE TABLE patients (age INTEGER, sex TEXT)")
        clinic.executemany(
            "INSERT INTO patients VALUES (?, ?)", [(20 + i, "fm"[i % 2]) for i in range(40)]
        )
    said = posted(asked, "/table/connections", name="clinic", url=f"sqlite:///{file}")
    assert "clinic" in said.text
    assert connections_file().stat().st_mode & 0o777 == 0o600
    posted(asked, "/table/database", connection="0", table="patients")
    assert asked.studio.table.rows == 40
    assert asked.studio.plan.input.sql is not None
    assert asked.studio.plan.input.sql.table == "patients"
    assert asked.run().state is State.DONE
    monkeypatch.setenv("CLINIC", f"sqlite:///{file}")
    query = "SELECT * FROM patients WHERE age < 40"
    posted(asked, "/table/database", url="$CLINIC", query=query)
    assert asked.studio.table.rows == 20
    assert 'name="separator"' not in asked.get("/table").text
    posted(asked, "/table/connections/remove", connection="0")
    assert saved_connections() == {}


@pytest.mark.parametrize(
    ("place", "data", "words"),
    [
        ("/table/database", {}, "No database is named"),
        ("/table/database", {"url": "mysql://x"}, "begins with no word"),
        ("/table/database", {"url": "$CLINIC"}, "neither a query nor"),
        ("/table/database", {"url": "$CLINIC", "table": "a", "query": "b"}, "both a query and"),
        ("/table/database", {"connection": "7", "table": "a"}, "no longer saved"),
        ("/table/database", {"url": "postgresql://a:pearl@b/c", "table": "d"}, "password"),
        ("/table/connections", {"name": "a", "url": "postgresql://a:pearl@b/c"}, "password"),
        ("/table/connections", {"url": "$CLINIC"}, "1 to 60 characters"),
        ("/table/connections/remove", {"connection": "x"}, "no longer saved"),
        ("/table/read", {"separator": ";"}, "No file is open"),
    ],
)
def test_what_cannot_be_is_refused(
    asked: Asked, place: str, data: dict[str, str], words: str
) -> None:
    said = posted(asked, place, **data)
    assert said.status_code == 422
    assert words in said.text
    assert "pearl" not in said.text


def test_a_database_that_is_not_there_is_said(asked: Asked) -> None:
    posted(asked, "/table/database", url="$NOWHERE_AT_ALL", table="x")
    assert asked.studio.loading is not None
    assert "NOWHERE_AT_ALL is not set" in asked.studio.loading.problem


def test_a_broken_file_of_connections_does_not_break_the_page(asked: Asked) -> None:
    connections_file().parent.mkdir(parents=True)
    connections_file().write_text("no toml")
    assert "cannot be read" in asked.get("/table").text


def test_a_plan_says_how_its_table_is_read(asked: Asked, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("a|b\n" + "\n".join(f"{i},0|{i % 3},5" for i in range(30)))
    made = shoal.propose(path, separator="|", decimal=",")
    asked.studio.load(path, plan=made.plan)
    wait_for(lambda: asked.studio.loading is None)
    assert asked.studio.table.reading == {"separator": "|", "decimal": ","}
    assert list(asked.studio.table.profiles) == ["a", "b"]


def test_a_file_is_chosen_and_read_otherwise_in_a_browser(
    served: str, browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("age;sex\n" + "\n".join(f"{20 + i};{'fm'[i % 2]}" for i in range(30)))
    page = browser.new_page()
    faults: list[str] = []
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.goto(served)
    page.wait_for_url("**/table")
    faults.clear()
    page.set_input_files("input[type=file]", path)
    page.get_by_text("30 rows, 2 columns").wait_for()
    page.locator(".profile").nth(1).wait_for()
    page.get_by_text("Change how it is read").click()
    page.get_by_label("Separator").select_option(",")
    page.get_by_text("30 rows, 1 column").or_(page.locator(".problem")).first.wait_for()
    assert faults == []
    page.close()
