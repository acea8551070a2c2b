"""The address of a database, which may be written down, and its password, which may not."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from shoal.errors import ParameterError

KINDS = {"sqlite": "SQLite", "duckdb": "DuckDB"}
KINDS |= dict.fromkeys(("postgresql", "postgres"), "PostgreSQL")
"""The first word of an address, and the database that it means."""

EXAMPLES = "Such as postgresql://user@host/database, sqlite:///file.db or duckdb:///file.duckdb."

_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))\Z")
_HERE = (None, "127.0.0.1", "::1", "localhost")
_PASSWORDS = ("password", "sslpassword", "passfile", "sslkey")


@dataclass(frozen=True)
class Address:
    """Where a database is.

    Whatever is shown or written of it has no password: see `shown`.

    ``given``: a URL, or ``$NAME``: the URL is then in the environment variable of that name.

    >>> Address("postgresql://ann:pearl@db.example/people").shown
    'postgresql://ann@db.example/people'
    >>> Address("sqlite:///people.db").shown
    'sqlite:///people.db'
    >>> Address("sqlite:///people.db").database, Address("duckdb://").database
    ('SQLite', 'DuckDB')
    >>> Address("mysql://host/people")
    Traceback (most recent call last):
    shoal.errors.ParameterError: The address of the database begins with no word that is known.
    Such as postgresql://user@host/database, sqlite:///file.db or duckdb:///file.duckdb.
    """

    given: str = field(repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.given, str):
            raise ParameterError("The address of a database is a text.", EXAMPLES)
        if _VARIABLE.match(self.given.strip()):
            return  # it is looked at when it is used: a plan may be read elsewhere
        self._require_known(self.given)

    @property
    def variable(self) -> str | None:
        """The environment variable that holds the URL, if it is named instead."""
        found = _VARIABLE.match(self.given.strip())
        return None if found is None else found[1] or found[2]

    @property
    def url(self) -> str:
        """The URL with all that is needed to connect; never to be shown."""
        if self.variable is None:
            return self.given
        found = os.environ.get(self.variable)
        if not found:
            raise ParameterError(
                f"The environment variable {self.variable} is not set, and the address of the "
                "database is asked for there.",
                f"Set it: export {self.variable}=postgresql://user@host/database.",
            )
        self._require_known(found)
        return found

    @property
    def shown(self) -> str:
        """The address without passwords, as it may be shown and written down."""
        if self.variable is not None:
            return self.given.strip()
        if self.file is not None or self.database != "PostgreSQL":
            return self.given.partition("?")[0]
        parts = urlsplit(self.given)
        user, at, host = parts.netloc.rpartition("@")
        place = f"{user.partition(':')[0]}{at}{host}"
        kept = [each for each in parts.query.split("&") if each and not _tells(each)]
        return urlunsplit((parts.scheme, place, parts.path, "&".join(kept), ""))

    @property
    def has_password(self) -> bool:
        """Whether a password is written in what was given (not: in the environment)."""
        if self.variable is not None:
            return False
        parts = urlsplit(self.given)
        user = parts.netloc.rpartition("@")[0]
        return ":" in user or any(map(_tells, parts.query.split("&")))

    @property
    def database(self) -> str:
        """What kind of database it is: PostgreSQL, SQLite or DuckDB."""
        return KINDS[urlsplit(self.url).scheme.lower()]

    @property
    def file(self) -> Path | None:
        """The file of a SQLite or DuckDB database; ``None``: a server, or memory alone."""
        url = self.url
        if KINDS[urlsplit(url).scheme.lower()] == "PostgreSQL":
            return None
        # Three slashes lead to a relative path, four to an absolute one, as elsewhere.
        place = unquote(url.split(":", 1)[1].removeprefix("//").removeprefix("/"))
        place = place.partition("?")[0]
        return Path(place) if place and place != ":memory:" else None

    @property
    def resolved(self) -> Address:
        """The same, with the path of a file from the root of the disk on."""
        return self.below(Path.cwd())

    def below(self, folder: Path) -> Address:
        """Let the path of a file start from a folder, as paths of a plan do."""
        if self.variable is not None or self.file is None or self.file.is_absolute():
            return self
        scheme = self.given.split(":", 1)[0]
        return Address(f"{scheme}:///{folder / self.file}")

    def same(self, other: Address) -> bool:
        """Whether two addresses name one database, as far as their texts tell."""
        if self.file is not None and other.file is not None:
            return self.file.resolve() == other.file.resolve()
        return _place(self.url) == _place(other.url)

    def _require_known(self, url: str) -> None:
        try:
            scheme = urlsplit(url).scheme.lower()
        except ValueError:  # brackets that do not close
            scheme = ""
        if scheme not in KINDS or not url.lower().startswith(f"{scheme}:"):
            raise ParameterError(
                "The address of the database begins with no word that is known.", EXAMPLES
            )

    def __str__(self) -> str:
        return self.shown

    def __repr__(self) -> str:
        return f"Address({self.shown!r})"


def _tells(option: str) -> bool:
    """Whether an option of a URL is a secret, or says where one lies."""
    return any(name.lower() in _PASSWORDS for name, _ in parse_qsl(option, keep_blank_values=True))


def _place(url: str) -> tuple[str | None, int | None, str]:
    parts = urlsplit(url)
    host = "localhost" if parts.hostname in _HERE else parts.hostname
    return host, parts.port or 5432, parts.path.strip("/")
