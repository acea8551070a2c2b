"""Connect to a database; what its driver says stays inside, as it may quote cells and passwords."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from shoal.errors import InputError, OutputError, ShoalError, require_extra
from shoal.io.sql.address import Address

_DRIVERS = {
    "PostgreSQL": ("sql", "adbc_driver_postgresql"),
    "SQLite": ("sql", "adbc_driver_sqlite"),
    "DuckDB": ("duckdb", "adbc_driver_duckdb"),
}

_BY_STATE = {
    "28": ("It refuses the user or the password.", "Set PGPASSWORD, or write it to ~/.pgpass."),
    "3D": ("There is no database of that name.", "Check the address."),
    "3F": ("There is no schema of that name.", "Check the name before the point."),
    "42501": ("The user may not do that.", "Ask for the right, or take another user."),
    "42P01": ("There is no table of that name.", "Check the name, and the schema before it."),
    "42703": ("There is no column of that name.", "Check the query."),
    "42": ("It does not understand the query.", "Try it in the database's own tool first."),
    "22": ("A value cannot be converted as the query asks.", "Try it in the database's own tool."),
    "53": ("It has no room or no connection left.", "Try again later."),
    "57": ("It ended the connection.", "Ask why, and try again."),
    "08": ("The connection broke.", "Check the network, and try again."),
}
"""What a database means by the beginning of its SQLSTATE."""

_BY_WORDS = {
    "password authentication failed": _BY_STATE["28"],
    "no password supplied": _BY_STATE["28"],
    "no such table": _BY_STATE["42P01"],
    "does not exist!": _BY_STATE["42P01"],  # DuckDB's way
    "no such column": _BY_STATE["42703"],
    "binder error": _BY_STATE["42703"],
    "syntax error": _BY_STATE["42"],
    "already exists": ("A table of that name is there already.", "Choose another name."),
    "database is locked": ("Another program is writing to it.", "Try again when it is done."),
    "conflicting lock": ("Another program has it open.", "Close it there first."),
    "readonly database": ("It can only be read.", "Check the permissions of its file."),
    "disk is full": ("Its disk is full.", "Make room."),
    "connection refused": ("Nobody listens there.", "Check host and port, and start it."),
    "could not translate host name": ("The host is not known.", "Check the address."),
    "invalid input syntax": _BY_STATE["22"],
    "terminating connection": _BY_STATE["57"],
    "server closed the connection": _BY_STATE["57"],
    "no connection to the server": _BY_STATE["57"],
}
"""The same, where drivers give no SQLSTATE; their words are compared, never shown."""


@contextlib.contextmanager
def connect(
    address: Address, *, error: type[ShoalError] = InputError, write: bool = False
) -> Iterator[Any]:
    """Open an ADBC connection with a transaction, and close it; what fails is rolled back.

    ``error``: the class of the errors it raises.
    ``write``: whether a file that is not there is made.

    Raises `InputError`, `OutputError` or `InstallationError` if the driver is not installed, or the
    database refuses.
    """
    name = address.database
    extra, driver = _DRIVERS[name]
    require_extra(extra, "adbc_driver_manager", driver, "pyarrow")
    file = address.file
    if file is not None and not write and not file.is_file():
        raise error(f"There is no database file '{file}'.", "Check the address.")
    place = address.url if name == "PostgreSQL" else str(file or ":memory:")
    try:
        connection = import_module(f"{driver}.dbapi").connect(place)
    except Exception as fault:  # every driver has its own; their texts may hold the password
        raise explained(fault, error, f"{name} cannot be reached.") from None
    try:
        yield connection
    except BaseException:
        with contextlib.suppress(Exception):
            connection.rollback()
        raise
    finally:
        with contextlib.suppress(Exception):
            connection.close()


def explained(fault: BaseException, error: type[ShoalError], problem: str) -> ShoalError:
    """Say what a driver's error means, in words that hold nothing of the table or the password."""
    state, words = str(getattr(fault, "sqlstate", None) or ""), str(fault).lower()
    found = _BY_STATE.get(state[:5]) or _BY_STATE.get(state[:2])
    if found is None:
        found = next((meant for part, meant in _BY_WORDS.items() if part in words), None)
    if found is None and "database" in words and "does not exist" in words:
        found = _BY_STATE["3D"]
    if found is None:
        kind = "" if error is OutputError else " the address,"
        return error(problem, f"Check{kind} the database and the user's rights.")
    reason, hint = found
    return error(f"{problem.removesuffix('.')}: {reason[:1].lower()}{reason[1:]}", hint)
