"""A table in a database, as a source like a file."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from shoal.errors import ParameterError
from shoal.io.frames.coded import Coded
from shoal.io.frames.source import Source
from shoal.io.sql.address import Address


@dataclass(frozen=True, eq=False)
class SQL(Source):
    """A table of a database, or what a query gives, to be used where a file's path could be.

    Nothing is read before it is needed. Credentials come from where the database's own
    tools look for them (``PGPASSWORD``, ``~/.pgpass``); a password in the address is used, and
    never shown or written.

    Parameters
    ----------
    database
        The URL of a database (``postgresql://user@host/database``, ``sqlite:///file.db``,
        ``duckdb:///file.duckdb``), the name of an environment variable that holds one
        (``$NAME``), or an open connection (ADBC, DB-API, DuckDB, SQLAlchemy).
    query, table
        The query to run, or the table to read whole (``schema.table`` where it needs one).

    Examples
    --------
    >>> SQL("postgresql://ann@db.example/clinic", table="patients")
    SQL(PostgreSQL, table 'patients')
    >>> SQL("sqlite:///clinic.db")
    Traceback (most recent call last):
    shoal.errors.ParameterError: A database is named, and neither a query nor a table. Give one of
    the two.
    """

    database: Any = field(repr=False)
    query: str | None = None
    table: str | None = None

    def __post_init__(self) -> None:
        if (self.query is None) == (self.table is None):
            what = "neither a query nor" if self.query is None else "both a query and"
            raise ParameterError(
                f"A database is named, and {what} a table.", "Give one of the two."
            )
        for name in ("query", "table"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, str) or not value.strip()):
                raise ParameterError(f"The {name} of a database is a text.", "Such as 'people'.")
        if isinstance(self.database, str):
            object.__setattr__(self, "database", Address(self.database))

    @property
    def address(self) -> Address | None:
        """Where the database is; ``None`` for an open connection."""
        return self.database if isinstance(self.database, Address) else None

    @property
    def statement(self) -> str:
        """The query that gives the table."""
        if self.query is not None:
            return self.query.strip().rstrip(";")
        assert self.table is not None
        return f"SELECT * FROM {quoted(self.table)}"

    @property
    def name(self) -> str:
        """How messages call it."""
        return "the query" if self.table is None else f"the table '{self.table}'"

    def read(self, exact: Collection[str] = ()) -> Coded:
        """Read it whole, see `read_sql` (raises `InputError`)."""
        from shoal.io.sql.reading import read_sql  # which needs this class

        return read_sql(self, exact=exact).table

    def below(self, folder: Path) -> SQL:
        """Let the path of a database file start from a folder, as paths of a plan do."""
        address = self.address
        return self if address is None else replace(self, database=address.below(folder))

    def describe(self) -> str:
        """Say in a few words what it is; the query itself may hold values."""
        kind = "a connection" if self.address is None else _kind(self.address)
        return f"{kind}, {'a query' if self.table is None else self.name.removeprefix('the ')}"

    def __repr__(self) -> str:
        return f"SQL({self.describe()})"


def quoted(table: str) -> str:
    """Quote the name of a table, and of the schema before it.

    >>> print(quoted('clinic.patients'), quoted('a"b'))
    "clinic"."patients" "a""b"
    """
    return ".".join('"' + part.replace('"', '""') + '"' for part in table.split("."))


def _kind(address: Address) -> str:
    """Name the database, also while the variable that says where it is is not set."""
    try:
        return address.database
    except ParameterError:
        return "a database"
