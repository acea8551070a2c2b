"""Databases that tests read from and write to: a real one of each kind."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from shoal.io.sql import SQL, Address, connect, read_sql

__all__ = ["KINDS", "Database"]

KINDS = ("postgresql", "sqlite", "duckdb")


@dataclass(frozen=True)
class Database:
    """One database: how to reach it, fill it and look into it."""

    url: str

    def fill(self, table: str, frame: pl.DataFrame) -> SQL:
        """Make a table of a frame."""
        with connect(Address(self.url), write=True) as connection:
            with connection.cursor() as cursor:
                cursor.adbc_ingest(table, frame.to_arrow(), mode="create")
            connection.commit()
        return SQL(self.url, table=table)

    def execute(self, statement: str) -> None:
        """Run one statement."""
        with connect(Address(self.url), write=True) as connection:
            with connection.cursor() as cursor:
                cursor.execute(statement)
            connection.commit()

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Give what a query finds."""
        return read_sql(SQL(self.url, query=query)).frame.rows()

    def tables(self) -> set[str]:
        """List its tables."""
        query = "SELECT table_name FROM information_schema.tables WHERE table_schema IN "
        query += "('public', 'main')"
        if self.url.startswith("sqlite"):
            query = "SELECT name FROM sqlite_master"
        file = Address(self.url).file
        if file is not None and not file.exists():
            return set()
        with connect(Address(self.url)) as connection, connection.cursor() as cursor:
            cursor.execute(query)
            return {name for (name,) in cursor.fetchall()}


def fresh(kind: str, folder: Path, server: Any) -> Database:
    """Give an empty database of a kind."""
    if kind != "postgresql":
        return Database(f"{kind}:///{folder / 'people.db'}")
    database = Database(server.url)
    name = f"test_{abs(hash(str(folder))) % 10**12}"
    with connect(Address(server.url)) as connection:
        connection.adbc_connection.set_autocommit(True)
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {name}")
    return Database(database.url.rpartition("/")[0] + f"/{name}")
