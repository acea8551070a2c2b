"""Write tables into a database: new ones, in one transaction, and marked as ours."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal.base.cells import texts
from shoal.errors import OutputError, ShoalError
from shoal.io.frames import Coded
from shoal.io.frames.plain import plain
from shoal.io.sql.address import Address
from shoal.io.sql.connecting import connect, explained
from shoal.io.sql.reading import table_of
from shoal.io.sql.source import SQL, quoted

if TYPE_CHECKING:
    import pyarrow as pa

RELEASES = "shoal_releases"
"""The table that says which tables of a database Shoal wrote, and of which release."""

_ROWS = 1 << 20
_LONGEST_NAME = 63
"""Bytes of a table's name that PostgreSQL keeps; it cuts longer ones off without a word."""

_EVERYWHERE = (pl.String, pl.Float64, pl.Int8, pl.Int16, pl.Int32, pl.Int64)
_BY_SERVERS = (*_EVERYWHERE, pl.Boolean, pl.Date, pl.Float32, pl.Decimal, pl.UInt8, pl.UInt16)
_KEPT = {
    "SQLite": _EVERYWHERE,
    "PostgreSQL": (*_BY_SERVERS, pl.UInt32, pl.Datetime("us"), pl.Datetime("ms")),
    "DuckDB": (*_BY_SERVERS, pl.UInt32, pl.UInt64, pl.Datetime, pl.Time),
}
"""Types of columns whose values each database gives back as they were."""


@dataclass
class Delivery:
    """A transaction that writes the tables of a release; `deliver` begins and ends it.

    ``connection``: an open ADBC connection.
    ``database``: PostgreSQL, SQLite or DuckDB.
    ``replace``: whether tables that an earlier release wrote may be replaced.
    """

    connection: Any
    database: str
    replace: bool = False
    written: list[str] = field(default_factory=list)
    committed: bool = False
    types: dict[str, str] = field(default_factory=dict)
    release: str = ""
    """The release that the tables are marked as."""

    def write(self, table: str, rows: Coded, types: Mapping[str, str] | None = None) -> None:
        """Make a new table of these rows, in their order (raises `OutputError`).

        ``types`` are those of columns which such a database gave out as something else: it casts
        them back.
        """
        import pyarrow as pa

        with self._explained(table):
            self._clear(table)
            first = self._part(rows, 0)
            parts = (self._part(rows, at) for at in range(_ROWS, rows.height, _ROWS))
            reader = pa.RecordBatchReader.from_batches(
                first.schema,
                (batch for each in chain([first], parts) for batch in each.to_batches()),
            )
            schema, _, name = table.rpartition(".")
            with self.connection.cursor() as cursor:
                cursor.adbc_ingest(name, reader, mode="create", db_schema_name=schema or None)
                for column, kind in (types or {}).items():
                    if column in rows.columns:
                        place = '"' + column.replace('"', '""') + '"'
                        cursor.execute(
                            f"ALTER TABLE {quoted(table)} ALTER COLUMN {place} TYPE {kind} "
                            f"USING {place}::{kind}"
                        )
        self.written.append(table)
        self.types |= types or {}

    def read(self, table: str) -> Coded:
        """Read back what was written, before it is committed."""
        with self._explained(table):
            return table_of(self.connection, SQL(self.connection, table=table), None, self.types)

    def mark(self, release: str, facts: str) -> None:
        """Say in `RELEASES` which release the tables belong to."""
        self.release = release
        with self._explained(RELEASES), self.connection.cursor() as cursor:
            cursor.execute(
                f"CREATE TABLE IF NOT EXISTS {RELEASES} "
                "(table_name VARCHAR(200) PRIMARY KEY, release_id VARCHAR(100), facts TEXT)"
            )
            for table in self.written:
                cursor.execute(
                    f"INSERT INTO {RELEASES} VALUES ({_places(self.database, 3)})",
                    (table, release, facts),
                )

    def commit(self) -> None:
        """Let others see the tables."""
        with self._explained("The release"):
            self.connection.commit()
        self.committed = True

    def owner(self, table: str) -> str | None:
        """The release that a table belongs to; ``None`` if nobody of us wrote it."""
        if not self.has(RELEASES):
            return None
        with self.connection.cursor() as cursor:
            place = _places(self.database, 1)
            cursor.execute(
                f"SELECT release_id FROM {RELEASES} WHERE table_name = {place}", (table,)
            )
            found = cursor.fetchone()
        return None if found is None else str(found[0])

    def has(self, table: str) -> bool:
        """Whether the database has a table of that name."""
        schema, _, name = table.rpartition(".")
        with self.connection.cursor() as cursor:
            if self.database == "SQLite":
                cursor.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,))
            elif self.database == "PostgreSQL":
                cursor.execute("SELECT 1 WHERE to_regclass($1) IS NOT NULL", (quoted(table),))
            else:
                cursor.execute(
                    "SELECT 1 FROM information_schema.tables WHERE table_name = ? AND "
                    "table_schema = coalesce(?, current_schema())",
                    (name, schema or None),
                )
            return cursor.fetchone() is not None

    def require_free(self, table: str) -> None:
        """Refuse a name that is too long or taken, unless it may be replaced and is ours."""
        last = table.rpartition(".")[2]
        if len(last.encode()) > _LONGEST_NAME:
            raise OutputError(
                f"The name of the table '{table}' has more than {_LONGEST_NAME} bytes.",
                "Choose a shorter name under [output] sql.",
            )
        if not self.has(table):
            return
        if self.owner(table) is None:
            raise OutputError(
                f"The database has a table '{table}' that Shoal did not write.",
                "Choose another name under [output] sql; it is never replaced.",
            )
        if not self.replace:
            raise OutputError(
                f"The database has a table '{table}' of an earlier release.",
                "Choose another name, or write replace = true under [output] sql.",
            )

    def _clear(self, table: str) -> None:
        """Remove a table of an earlier release, in the same transaction."""
        self.require_free(table)
        if self.has(table):
            with self.connection.cursor() as cursor:
                cursor.execute(f"DROP TABLE {quoted(table)}")
                place = _places(self.database, 1)
                cursor.execute(f"DELETE FROM {RELEASES} WHERE table_name = {place}", (table,))

    def _part(self, rows: Coded, start: int) -> pa.Table:
        frame = pl.DataFrame(
            [rows.cells(name, slice(start, start + _ROWS)) for name in rows.columns]
        )
        return storable(plain(frame), self.database).to_arrow().replace_schema_metadata(None)

    @contextlib.contextmanager
    def _explained(self, what: str) -> Iterator[None]:
        try:
            yield
        except ShoalError:
            raise
        except Exception as fault:  # the driver's own, whose texts may quote cells
            name = "The release" if what == "The release" else f"The table '{what}'"
            raise explained(fault, OutputError, f"{name} cannot be written.") from None


@contextlib.contextmanager
def deliver(address: Address, *, replace: bool = False) -> Iterator[Delivery]:
    """Begin a transaction; unless `Delivery.commit` is called, nothing of it stays.

    >>> import tempfile, pathlib
    >>> place = Address(f"sqlite:///{pathlib.Path(tempfile.mkdtemp()) / 'out.db'}")
    >>> with deliver(place) as delivery:
    ...     delivery.write("people", Coded(pl.DataFrame({"age": ["[30, 40]"] * 2})))
    ...     delivery.read("people").height
    2
    >>> place.file.exists()
    False
    """
    file = address.file
    there = file is None or file.exists()
    delivery: Delivery | None = None
    try:
        with connect(address, error=OutputError, write=True) as connection:
            delivery = Delivery(connection, address.database, replace)
            yield delivery
    finally:
        if file is not None and not there and not (delivery and delivery.committed):
            for each in (file, *(file.with_name(file.name + end) for end in (".wal", "-journal"))):
                each.unlink(missing_ok=True)


def require_free(address: Address, tables: Iterable[str], *, replace: bool) -> None:
    """Refuse, before any work, tables that could not be written (raises `OutputError`)."""
    file = address.file
    if file is not None and not file.exists():
        if not file.parent.is_dir():
            raise OutputError(
                f"There is no folder '{file.parent}' for the database.", "Make it, or name another."
            )
        return
    with connect(address, error=OutputError, write=True) as connection:
        delivery = Delivery(connection, address.database, replace)
        for table in tables:
            with delivery._explained(table):
                delivery.require_free(table)


def owners(address: Address, tables: Iterable[str]) -> set[str | None]:
    """Say which releases tables belong to; ``None`` where one is not there (`OutputError`)."""
    with connect(address, error=OutputError) as connection:
        delivery = Delivery(connection, address.database)
        with delivery._explained("The release"):
            return {delivery.owner(each) if delivery.has(each) else None for each in tables}


def storable(frame: pl.DataFrame, database: str) -> pl.DataFrame:
    """Turn columns whose type the database would change into texts.

    >>> frame = pl.DataFrame({"ill": [True], "at": [1.5]})
    >>> storable(frame, "SQLite").dtypes, storable(frame, "PostgreSQL").dtypes
    ([String, Float64], [Boolean, Float64])
    """
    return pl.DataFrame(
        [each if _kept(each.dtype, database) else texts(each) for each in frame.iter_columns()]
    )


def _kept(dtype: pl.DataType, database: str) -> bool:
    if isinstance(dtype, pl.Datetime):  # a moment is one in any time zone
        dtype = pl.Datetime(dtype.time_unit)
    return dtype in _KEPT[database]


def _places(database: str, count: int) -> str:
    """Write the places of parameters as the database reads them."""
    if database == "PostgreSQL":
        return ", ".join(f"${at}" for at in range(1, count + 1))
    return ", ".join("?" * count)
