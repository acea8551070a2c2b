"""Connections that people save under a name: addresses of databases, never a password."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

from shoal.errors import InputError, ParameterError
from shoal.io.disk import cannot_write, replace_file
from shoal.io.sql.address import Address

_LONGEST = 60
_NO_PASSWORD = (
    "Set PGPASSWORD, write it to ~/.pgpass, or name an environment variable that holds the whole "
    "address as $NAME."
)


def connections_file() -> Path:
    """Say where connections are saved: ``shoal/connections.toml`` in the user's config folder.

    That is ``$XDG_CONFIG_HOME``, or ``~/.config``.
    """
    given = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    home = given if given.is_absolute() else Path.home() / ".config"
    return home / "shoal" / "connections.toml"


def saved_connections(path: Path | None = None) -> dict[str, Address]:
    """Read the saved connections, by their names.

    ``path``: the file; without it `connections_file`.

    Raises `InputError` if the file cannot be read, or somebody wrote a password into it.
    """
    path = path or connections_file()
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):  # not TOML, or not text
        raise InputError(
            f"The saved connections in '{path}' cannot be read.", "Mend the file, or remove it."
        ) from None
    made = {}
    for name, address in data.items():
        url = address.get("url") if isinstance(address, dict) else None
        try:
            made[name] = safe_address(url if isinstance(url, str) else "")
        except ParameterError as error:
            raise InputError(
                f"The saved connection '{name}' in '{path}' cannot be used: {error.problem}",
                error.hint,
            ) from None
    return made


def save_connection(name: str, url: str, path: Path | None = None) -> None:
    """Save the address of a database under a name; one of the same name is replaced.

    Nobody else can read the file.

    Raises `ParameterError` if the name is none, or the address is none or holds a password.
    Raises `InputError` or `OutputError` if the file cannot be read or written.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "connections.toml"
    >>> save_connection("clinic", "postgresql://ann@db.example/clinic", file)
    >>> saved_connections(file)
    {'clinic': Address('postgresql://ann@db.example/clinic')}
    >>> save_connection("clinic", "postgresql://ann:pearl@db.example/clinic", file)
    Traceback (most recent call last):
    shoal.errors.ParameterError: The address holds a password, which is never written down. Set...
    """
    name = name.strip()
    if not name or len(name) > _LONGEST or not name.isprintable():
        raise ParameterError(
            f"A connection is saved under a name of 1 to {_LONGEST} characters.", "Such as clinic."
        )
    path = path or connections_file()
    # A path in it would lead elsewhere from another folder.
    _write({**saved_connections(path), name: safe_address(url.strip()).resolved}, path)


def remove_connection(name: str, path: Path | None = None) -> None:
    """Forget a saved connection, if there is one of that name."""
    path = path or connections_file()
    known = saved_connections(path)
    if name in known:
        _write({each: address for each, address in known.items() if each != name}, path)


def safe_address(url: str) -> Address:
    """Read an address that may be written down (raises `ParameterError` if it holds a password).

    >>> safe_address("$CLINIC").variable
    'CLINIC'
    """
    address = Address(url)
    if address.has_password:
        raise ParameterError(
            "The address holds a password, which is never written down.", _NO_PASSWORD
        )
    return address


def _write(connections: Mapping[str, Address], path: Path) -> None:
    import tomlkit  # reading does not need it

    text = tomlkit.dumps({name: {"url": each.given} for name, each in connections.items()})
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from None
    with replace_file(path) as out:
        os.fchmod(out.fileno(), 0o600)
        out.write(text.encode())
