"""Read SQLite, where each cell has a type of its own; a column's follows from the rows taken."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from typing import Any

import polars as pl

from shoal.base.cells import texts
from shoal.errors import InputError
from shoal.io.frames.coded import Coded
from shoal.io.frames.dictionary import Dictionary
from shoal.io.frames.names import check_names
from shoal.io.sql.source import SQL

_BATCH = 50_000
_FIRST = 1024
"""The rows by which the driver decides what a column holds."""


def is_sqlite(source: SQL) -> bool:
    """Say whether a source is a SQLite database, by its address or as an open connection."""
    if source.address is None:
        return isinstance(source.database, sqlite3.Connection)
    return source.address.database == "SQLite"


def read_mixed(source: SQL) -> Coded | None:
    """Read a table whose columns hold cells of several kinds; ``None`` if the driver can do it.

    The driver takes the first cells of a column for all of it, and writes numbers among texts with
    seven digits.

    >>> import numpy as np
    >>> clinic = sqlite3.connect(":memory:")
    >>> _ = clinic.execute("CREATE TABLE patients (pay REAL)")
    >>> _ = clinic.executemany("INSERT INTO patients VALUES (?)", [(123456789.25,), ("unknown",)])
    >>> found = read_mixed(SQL(clinic, table="patients"))
    >>> found.frame["pay"].to_list(), found.take(np.array([0])).frame["pay"].to_list()
    (['123456789.25', 'unknown'], [123456789.25])
    """
    read = False
    try:
        with _opened(source) as database:
            names = _names(database, source.statement)
            check_names(names, source.name)
            if source.address is not None:
                first = f"SELECT * FROM (\n{source.statement}\n) LIMIT {_FIRST}"
                found = _kinds(database, source.statement, names)
                if all(map(_is_plain, found, _kinds(database, first, names))):
                    return None
            columns = [_Cells(name) for name in names]
            with _cursor(database, source.statement) as cursor:
                while rows := cursor.fetchmany(_BATCH):
                    for column, cells in zip(columns, zip(*rows, strict=True), strict=True):
                        if not column.add(cells):
                            return None
                    read = True
    except sqlite3.Error:  # whoever runs the query next says what is wrong with it
        return None
    if not read:
        return None
    made = {column.name: column.whole() for column in columns}
    return Coded(pl.DataFrame([of(slice(None)) for of in made.values()]), typed=made)


def typed(table: Coded) -> Coded:
    """Let rows in which a column is missing everywhere not know what it is in others."""
    columns = {name: table.column(name) for name in table.columns}
    made = {}
    for name, column in columns.items():
        values = column.values if isinstance(column, Dictionary) else column
        if values is None or not values.null_count():
            continue
        made[name] = partial(_cells, table, name)
        if values.null_count() == len(values):
            columns[name] = made[name](slice(None))
    return Coded(columns, table.height, made)


def _cells(table: Coded, name: str, rows: Any) -> pl.Series:
    taken: pl.Series = table.cells(name)[rows]
    return taken.cast(pl.String) if taken.null_count() == len(taken) else taken


class _Cells:
    """The cells of a column, each kind of them apart."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._parts: list[tuple[pl.Series, ...]] = []

    def add(self, cells: Sequence[Any]) -> bool:
        """Take further cells; false if some are neither texts nor numbers."""
        if not {type(each) for each in cells} <= {str, int, float, type(None)}:
            return False
        self._parts.append(
            tuple(
                pl.Series(self.name, [e if type(e) is kind else None for e in cells], dtype=dtype)
                for kind, dtype in ((str, pl.String), (float, pl.Float64), (int, pl.Int64))
            )
        )
        return True

    def whole(self) -> Callable[[Any], pl.Series]:
        """Give the cells of some rows, with the type that they have by right."""
        words, decimals, wholes = (pl.concat(each) for each in zip(*self._parts, strict=True))

        def taken(rows: Any) -> pl.Series:
            each: tuple[pl.Series, ...] = words[rows], decimals[rows], wholes[rows]
            word, decimal, whole = each
            if word.null_count() == len(word):
                if decimal.null_count() < len(decimal):
                    return decimal.zip_with(decimal.is_not_null(), whole.cast(pl.Float64))
                return whole if whole.null_count() < len(whole) else word
            number = texts(decimal).zip_with(decimal.is_not_null(), texts(whole))
            return word.zip_with(word.is_not_null(), number)

        return taken


@contextmanager
def _opened(source: SQL) -> Iterator[sqlite3.Connection]:
    """Open a database whose address is given, and close it; an open one stays open."""
    if source.address is None:
        yield source.database
        return
    file = source.address.file
    if file is not None and not file.is_file():
        raise InputError(f"There is no database file '{file}'.", "Check the address.")
    with closing(sqlite3.connect(":memory:" if file is None else file)) as database:
        yield database


@contextmanager
def _cursor(database: sqlite3.Connection, statement: str) -> Iterator[sqlite3.Cursor]:
    """Run a query; rows are tuples, whatever whoever opened the database wants."""
    with closing(database.cursor()) as cursor:
        cursor.row_factory = None
        yield cursor.execute(statement)


def _names(database: sqlite3.Connection, statement: str) -> list[str]:
    with _cursor(database, f"SELECT * FROM (\n{statement}\n) LIMIT 0") as cursor:
        return [each[0] for each in cursor.description]


def _kinds(database: sqlite3.Connection, statement: str, names: Sequence[str]) -> list[set[str]]:
    """Say of each column which kinds of cells it holds, but for those that are missing."""
    quoted = (name.replace('"', '""') for name in names)
    listed = ", ".join(f'group_concat(DISTINCT typeof("{name}"))' for name in quoted)
    with _cursor(database, f"SELECT {listed} FROM (\n{statement}\n)") as cursor:
        return [set((each or "null").split(",")) - {"null"} for each in cursor.fetchone()]


def _is_plain(found: set[str], begun: set[str]) -> bool:
    """Say whether cells are all of one kind, and the first of them show it."""
    return not found or (len(found) == 1 and (found == begun or found == {"integer"}))
