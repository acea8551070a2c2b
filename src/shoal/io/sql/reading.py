"""Read what a query gives, part by part, as a Parquet file is read."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal.errors import InputError, ShoalError
from shoal.io.frames.coded import Coded
from shoal.io.frames.convert import arrow_column, is_text, to_polars
from shoal.io.frames.names import check_names
from shoal.io.frames.parts import Parts, joined
from shoal.io.frames.plain import plain_column
from shoal.io.result import Read
from shoal.io.sql.connecting import connect, explained
from shoal.io.sql.source import SQL

if TYPE_CHECKING:
    import pyarrow as pa

_UNREAD = ("money", "interval", "inet", "cidr", "bytea", "timetz", "bit", "varbit", "xml")
"""Types of PostgreSQL that its driver hands over as something else than their text."""

_EXACT = re.compile(r"numeric\(.*,")

_ZONED_TIME = "TIME WITH TIME ZONE"
"""A type of DuckDB whose zone its driver leaves out."""

_CAST_BACK = {
    "PostgreSQL": re.compile(r"(?:numeric|time|timestamp|uuid|character|jsonb?|oid)\b[\w ,()-]*\Z"),
    "DuckDB": re.compile(r"TIME(?:STAMP_S)?\Z|U?HUGEINT\Z|UUID\Z|JSON\Z"),
}
"""Types whose values come out as texts or in other units, and go back by a cast."""

_TYPES = (
    "SELECT attname::text, format_type(atttypid, atttypmod) FROM pg_attribute "
    "WHERE attrelid = 'pg_temp.shoal_types'::regclass AND attnum > 0 ORDER BY attnum"
)

_IN_ORDER = (
    "SET LOCAL synchronize_seqscans = off",
    "SET LOCAL max_parallel_workers_per_gather = 0",
)
"""So that a table that did not change gives its rows in the same order again."""


def read_sql(
    source: SQL, *, categories: Collection[str] | None = (), exact: Collection[str] = ()
) -> Read:
    """Read a table of a database, or what a query gives.

    ``categories``: columns of texts whose values are numbered while they are read; ``None``: all.
    ``exact``: columns whose numbers keep the zeros at their end where each cell of the database has
        decimals of its own, as in ``numeric``; others get one form for one number.
    """
    from shoal.io.sql.sqlite import is_sqlite, read_mixed, typed  # few tables are its

    sqlite = is_sqlite(source)
    mixed = read_mixed(source) if sqlite else None
    if mixed is not None:
        return Read(mixed, None, "sql")
    if source.address is None:
        table = _through(source, exact)
    else:
        declared = _declared(source)
        for name, kind in declared.items():
            if kind == _ZONED_TIME:
                raise _unreadable(name, source.name, kind)
        full = {name for name, kind in declared.items() if _EXACT.match(kind)}
        with connect(source.address) as connection:  # numeric(10,3): all have 3 decimals
            table = table_of(connection, source, categories, {*full, *exact})
    return Read(typed(table) if sqlite else table, None, "sql")


def table_of(
    connection: Any,
    source: SQL,
    categories: Collection[str] | None = (),
    exact: Collection[str] = (),
) -> Coded:
    """Read through an open ADBC connection, see `read_sql` (raises `InputError`)."""
    columns: dict[str, Parts] = {}
    names: list[str] = []
    rows = 0
    try:
        with connection.cursor() as cursor:
            if source.address is not None and source.address.database == "PostgreSQL":
                for setting in _IN_ORDER:
                    cursor.execute(setting)
            cursor.execute(source.statement)
            reader = cursor.fetch_record_batch()
            names = list(reader.schema.names)
            check_names(names, source.name)
            for field in reader.schema:  # the driver would hand over other values
                if _declared_type(field) in _UNREAD:
                    raise _unreadable(field.name, source.name, _declared_type(field))
            texts = {field.name for field in reader.schema if _comes_as_text(field.type)}
            coded = texts if categories is None else texts & set(categories)
            columns = {name: Parts(repeats=name in coded or name not in texts) for name in names}
            for batch in reader:
                rows += batch.num_rows
                for name, field, cells in zip(names, reader.schema, batch.columns, strict=True):
                    columns[name].add(_cells(cells, field, name, source.name, name in exact))
    except ShoalError:
        raise
    except Exception as fault:  # the driver's own, whose texts may quote cells
        raise explained(fault, InputError, f"{_upper(source.name)} cannot be read.") from None
    if rows == 0:
        raise InputError(f"{_upper(source.name)} has no rows.", "Check that it was filled.")
    return joined(columns, rows, source.name)


def _through(source: SQL, exact: Collection[str]) -> Coded:
    """Read through a connection that somebody else opened, of any library."""
    if hasattr(source.database, "adbc_get_info"):
        return table_of(source.database, source, exact=exact)
    try:
        frame = pl.read_database(source.statement, source.database)
    except Exception as fault:  # any library, any error: its text may quote cells
        raise InputError(
            f"{_upper(source.name)} cannot be read through the given connection "
            f"({type(fault).__name__}).",
            "Try it there first, or give the address of the database.",
        ) from None
    if not frame.height:
        raise InputError(f"{_upper(source.name)} has no rows.", "Check that it was filled.")
    return Coded(to_polars(frame))


def declared_types(source: SQL) -> dict[str, str]:
    """Say which columns a database declares as types whose values it gives out otherwise.

    Empty for SQLite, and where a view for the session alone may not be made.
    """
    back = _CAST_BACK.get(source.address.database) if source.address is not None else None
    if back is None:
        return {}
    return {name: kind for name, kind in _declared(source).items() if back.match(kind)}


def _declared(source: SQL) -> dict[str, str]:
    """Name the types of columns as the database does, where it can be asked."""
    if source.address is None or source.address.database not in _CAST_BACK:
        return {}
    found: dict[str, str] = {}
    # A view that is never committed; of the cells it sees nothing. Whoever may not make one, or
    # whose query is wrong, hears of it when the query is run.
    with (
        connect(source.address) as connection,
        connection.cursor() as cursor,
        contextlib.suppress(Exception),
    ):
        if source.address.database == "DuckDB":
            cursor.execute(f"DESCRIBE {source.statement}")
        else:
            cursor.execute(f"CREATE TEMPORARY VIEW shoal_types AS {source.statement}")
            cursor.execute(_TYPES)
        found = {name: kind for name, kind, *_ in cursor.fetchall()}
    return found


def _cells(
    cells: pa.Array, field: pa.Field, name: str, source: str, exact: bool = False
) -> pl.Series:
    """Take a part of a column; a decimal number that came as text gets its one form."""
    import pyarrow as pa

    if isinstance(cells, pa.ExtensionArray):
        if field.type.extension_name == "arrow.uuid":
            cells = pa.array([None if each is None else str(each) for each in cells.to_pylist()])
        else:
            cells = cells.storage
    found = plain_column(arrow_column(cells, name, source), source)
    if _declared_type(field) == "numeric" and found.dtype == pl.String and not exact:
        short = found.str.strip_chars_end("0").str.strip_chars_end(".")
        return short.zip_with(found.str.contains(".", literal=True).fill_null(False), found)
    return found


def _unreadable(name: str, source: str, kind: str) -> InputError:
    return InputError(
        f"Column '{name}' of {source} is of the type {kind}, which cannot be read as it is.",
        "Leave it out, or cast it in a query, such as CAST(… AS text) or AS numeric.",
    )


def _declared_type(field: pa.Field) -> str:
    """The type of a column in PostgreSQL's own words, if it says it."""
    return str((field.metadata or {}).get(b"POSTGRESQL:type", b"").decode())


def _comes_as_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return isinstance(kind, pa.BaseExtensionType) or is_text(kind)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
