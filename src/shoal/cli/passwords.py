"""Passwords on the command line: everybody on the machine can read them there, so it is told."""

from __future__ import annotations

import re
from collections.abc import Iterable

WARNING = (
    "The command line holds a password, which other users of this machine can read and the "
    "shell keeps."
)
REMEDY = (
    "Write it to ~/.pgpass, set PGPASSWORD, name a service (?service=NAME) or put the whole "
    "address into an environment variable and write '$NAME'; then change the password."
)

# A path that was an address has one slash left.
_IN_ADDRESS = re.compile(r"(\w\w:/{1,2}[^\s:/@'\"]*):[^\n]+@")
_AS_OPTION = re.compile(r"(\b(?:ssl)?password=)(?:[^\s&'\"]|['\"](?=\w))+", re.IGNORECASE)


def holds_password(arguments: Iterable[str]) -> bool:
    """Whether an argument is, or holds, an address with a password.

    Examples
    --------
    >>> holds_password(["--sql", "postgresql://ann:pearl@db/people"])
    True
    >>> holds_password(["--sql", "postgresql://ann@db:5432/people", "12:30@noon"])
    False
    """
    return any(without_password(each) != each for each in arguments)


def without_password(text: str) -> str:
    """Leave passwords of addresses out of a text.

    Examples
    --------
    >>> without_password("There is no file 'postgresql://ann:p@rl/@db/people'.")
    "There is no file 'postgresql://ann@db/people'."
    >>> without_password("There is no file 'postgresql:/ann:it's pearl@db/people'.")
    "There is no file 'postgresql:/ann@db/people'."
    >>> without_password("postgresql://db/people?password=pearl&sslmode=require")
    'postgresql://db/people?password=…&sslmode=require'
    """
    return _AS_OPTION.sub(r"\1…", _IN_ADDRESS.sub(r"\1@", text))
