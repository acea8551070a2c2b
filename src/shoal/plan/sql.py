"""What a plan says of databases; passwords are not a plan's to hold."""

from __future__ import annotations

import pydantic
from pydantic import Field

from shoal.errors import ShoalError
from shoal.io.sql.address import Address
from shoal.io.sql.source import SQL
from shoal.plan.base import Strict


class _Database(Strict):
    """The address of a database."""

    url: str = Field(
        description="postgresql://user@host/database, sqlite:///file or duckdb:///file, or $NAME: "
        "the environment variable that holds it. Never a password: that comes from PGPASSWORD, "
        "~/.pgpass or the variable."
    )

    @pydantic.field_validator("url")
    @classmethod
    def _holds_no_password(cls, given: str) -> str:
        try:
            address = Address(given)
        except ShoalError as error:
            raise ValueError(f"{error.problem} {error.hint}".rstrip(".")) from None
        if address.has_password:
            raise ValueError(
                "a plan holds no password; take it out of the url, and set PGPASSWORD, write it to "
                "~/.pgpass, or name an environment variable as url = '$NAME'"
            )
        return given


class SqlInput(_Database):
    """A table of a database, or a query, to read instead of a file."""

    query: str | None = Field(None, description="What to read: one SELECT.")
    table: str | None = Field(None, description="Or a whole table, such as clinic.patients.")

    @pydantic.model_validator(mode="after")
    def _reads_one_thing(self) -> SqlInput:
        if (self.query is None) == (self.table is None):
            raise ValueError("give a query or a table, one of the two")
        return self


class SqlOutput(_Database):
    """Tables of a database that the release is written to, besides its folder."""

    table: str = Field(
        min_length=1,
        description="The new table; where a release has several, their names begin with it.",
    )
    replace: bool = Field(
        False, description="Whether a table that an earlier release wrote is replaced."
    )


def sql_input(source: object) -> SqlInput | None:
    """Write down where a table of a database was read, without any password; else ``None``.

    Examples
    --------
    >>> sql_input(SQL("postgresql://ann:pearl@db.example/clinic", table="patients")).url
    'postgresql://ann@db.example/clinic'
    """
    if not isinstance(source, SQL) or source.address is None:
        return None
    return SqlInput(url=source.address.resolved.shown, query=source.query, table=source.table)
