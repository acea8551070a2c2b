"""Tables of databases are read as they stand; errors hold neither cells nor passwords."""

from __future__ import annotations

import contextlib
import datetime as dt
import sqlite3
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from shoal.errors import InputError, ParameterError, ShoalError
from shoal.io.sql import SQL, Address, read_sql
from tests.databases import Database
from tests.postgres import Server

PEOPLE = pl.DataFrame(
    {
        "zip": ["01234", "é漢 字", None, "NA"],
        "age": [7, None, 93, 2**40],
        "weight": [1.5, None, -0.25, 1e300],
    }
)


def test_a_table_and_a_query_are_read_as_they_stand(database: Database) -> None:
    source = database.fill("people", PEOPLE)
    assert_frame_equal(read_sql(source).frame, PEOPLE)
    by_query = read_sql(SQL(database.url, query="SELECT * FROM people;")).frame
    assert_frame_equal(by_query, PEOPLE)


def test_texts_that_repeat_are_numbered_while_they_are_read(database: Database) -> None:
    often = pl.concat([PEOPLE] * 3)
    coded = read_sql(database.fill("people", often), categories=["zip"]).table
    assert coded.knows("zip")
    assert_frame_equal(coded.frame, often)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT * FROM nobody", "no table of that name"),
        ("SELEC 1", "does not understand"),
        ("SELECT zip FROM people WHERE age = -1", "has no rows"),
        ("SELECT zip, age AS zip FROM people", "more than one column named 'zip'"),
    ],
)
def test_what_is_wrong_is_said_in_our_words(database: Database, query: str, said: str) -> None:
    database.fill("people", PEOPLE)
    with pytest.raises(InputError, match=said) as caught:
        read_sql(SQL(database.url, query=query))
    assert "01234" not in str(caught.value)


def test_types_of_postgresql(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", postgres.password)
    found = read_sql(
        SQL(
            postgres.url,
            query="""SELECT 12.50::numeric AS price, 1500::numeric AS whole,
            date '1999-12-31' AS born,
            timestamp '2020-01-01 10:00' AS seen, timestamptz '2020-01-01 10:00+02' AS there,
            true AS ill, 'x'::char(3) AS padded, '{"a": 1}'::jsonb AS note,
            '00000000-0000-0000-0000-000000000001'::uuid AS id""",
        )
    ).frame.row(0, named=True)
    assert found == {
        "price": "12.5",
        "whole": "1500",
        "born": dt.date(1999, 12, 31),
        "seen": dt.datetime(2020, 1, 1, 10),
        "there": dt.datetime(2020, 1, 1, 8, tzinfo=dt.UTC),
        "ill": True,
        "padded": "x  ",
        "note": '{"a": 1}',
        "id": "00000000-0000-0000-0000-000000000001",
    }


@pytest.mark.parametrize(
    "column", ["money '12.5'", "interval '1 day'", "'\\x00'::bytea", "array[1]"]
)
def test_types_that_would_be_misread_are_refused(
    postgres: Server, monkeypatch: pytest.MonkeyPatch, column: str
) -> None:
    monkeypatch.setenv("PGPASSWORD", postgres.password)
    with pytest.raises(InputError, match="Column 'odd'"):
        read_sql(SQL(postgres.url, query=f"SELECT {column} AS odd"))


def test_a_value_that_cannot_be_converted_is_not_quoted(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSWORD", postgres.password)
    with pytest.raises(InputError, match="cannot be converted") as caught:
        read_sql(
            SQL(postgres.url, query="SELECT ('canary' || i)::int FROM generate_series(1, 9) i")
        )
    assert "canary" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda s: s.url.replace("steward@", "steward:pearl-canary@"), "user or the password"),
        (lambda s: s.url.replace(str(s.port), "1"), "nobody listens"),
        (lambda s: s.url.replace("/postgres", "/nodb"), "no database of that name"),
        (lambda s: s.url.replace("steward@", "steward:pearl:ca@nary@"), "host is not known"),
    ],
)
def test_whoever_cannot_connect_is_told_why_without_the_password(
    postgres: Server, monkeypatch: pytest.MonkeyPatch, change: object, said: str
) -> None:
    monkeypatch.setenv("PGPASSWORD", postgres.password)
    with pytest.raises(InputError, match=said) as caught:
        read_sql(SQL(change(postgres), table="people"))  # type: ignore[operator]
    for secret in (postgres.password, "pearl", "canary", "nary@"):
        assert secret not in str(caught.value)


def test_addresses_are_shown_without_passwords() -> None:
    secret = Address(
        "postgresql://ann:pea%rl@db.example:5433/clinic?sslmode=require&password=pearl"
    )
    assert secret.has_password
    assert secret.shown == "postgresql://ann@db.example:5433/clinic?sslmode=require"
    for text in (str(secret), repr(secret), repr(SQL(secret.given, table="people"))):
        assert "pea" not in text
    assert Address("$CLINIC").shown == "$CLINIC"
    assert not Address("postgresql://ann@db.example/clinic").has_password


def test_an_address_may_be_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Database(f"sqlite:///{tmp_path / 'x.db'}")
    file.fill("people", PEOPLE)
    with pytest.raises(ParameterError, match="variable CLINIC_URL is not set"):
        read_sql(SQL("$CLINIC_URL", table="people"))
    monkeypatch.setenv("CLINIC_URL", file.url)
    assert_frame_equal(read_sql(SQL("${CLINIC_URL}", table="people")).frame, PEOPLE)


def test_open_connections_of_any_library_will_do(tmp_path: Path) -> None:
    clinic = sqlite3.connect(":memory:")
    clinic.execute("CREATE TABLE people (zip TEXT, age INTEGER)")
    clinic.executemany("INSERT INTO people VALUES (?, ?)", [("01234", 7), (None, 8)])
    found = read_sql(SQL(clinic, table="people")).frame
    assert found.rows() == [("01234", 7), (None, 8)]
    with pytest.raises(InputError, match="given connection") as caught:
        read_sql(SQL(clinic, query="SELECT * FROM canary"))
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: SQL("mysql://host/db", table="t"),
        lambda: SQL("people.db", table="t"),
        lambda: SQL("sqlite:///x.db"),
        lambda: SQL("sqlite:///x.db", query="SELECT 1", table="t"),
        lambda: SQL("sqlite:///x.db", table=" "),
        lambda: read_sql(SQL("sqlite:////no/such/folder/x.db", table="t")),
    ],
)
def test_bad_input_gets_two_sentences(wrong: object) -> None:
    with pytest.raises(ShoalError) as caught:
        wrong()  # type: ignore[operator]
    assert caught.value.problem.endswith(".")
    assert caught.value.hint.endswith(".")


def test_a_query_that_writes_leaves_the_source_as_it_was(database: Database) -> None:
    database.fill("people", PEOPLE)
    for query in ("DELETE FROM people RETURNING *", "DELETE FROM people", "DROP TABLE people"):
        with contextlib.suppress(InputError):
            read_sql(SQL(database.url, query=query))
        assert len(database.rows("SELECT * FROM people")) == PEOPLE.height
