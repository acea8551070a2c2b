"""Change single places of a plan's data, as ``shoal run --set method.name=kaca`` does."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from shoal.errors import PlanError, did_you_mean


def changed(data: Mapping[str, Any], changes: Iterable[str]) -> dict[str, Any]:
    """Override values of a plan, each written as ``place=value``.

    A place is a path with dots: ``require.0.k`` is the k of the first requirement. A value is
    written as in a plan; a plain word need not be quoted.

    Examples
    --------
    >>> changed({"require": [{"k": 5}]}, ["require.0.k=3", "method.name=kaca"])
    {'require': [{'k': 3}], 'method': {'name': 'kaca'}}
    """
    made = copy.deepcopy(dict(data))
    for change in changes:
        place, keys, value = parts_of(change)
        if not keys:
            raise PlanError(
                f"A change must be written as place=value, unlike '{place}'.",
                "Such as --set require.0.k=5.",
            )
        _write(made, place, keys, _read(value))
    return made


def change_of(keys: Sequence[str], value: Any) -> str:
    """Write a change as `changed` reads it: names that need quotes have them.

    Examples
    --------
    >>> change_of(("columns", "birth date", "weight"), 5)
    'columns."birth date".weight=5'
    >>> change_of(("method",), {"name": "auto"})
    'method={name = "auto"}'
    """
    import tomlkit  # reading a plan does not need it

    made = tomlkit.inline_table()
    made.update(value if isinstance(value, dict) else {"x": value})
    text = made.as_string()
    if not isinstance(value, dict):
        text = text.removeprefix("{x = ").removesuffix("}")
    return f"{'.'.join(tomlkit.key(key).as_string() for key in keys)}={text}"


def parts_of(change: str) -> tuple[str, list[str], str]:
    """Split a change at the first equals sign that ends a place: a quoted name may hold others."""
    at = change.find("=")
    while at >= 0:
        keys = _keys(change[:at])
        if keys:
            return change[:at], keys, change[at + 1 :]
        at = change.find("=", at + 1)
    return change.partition("=")[0], [], ""


def _keys(place: str) -> list[str]:
    """Split the way at its dots; a name with dots is quoted, as in a plan."""
    try:
        found: Any = tomllib.loads(f"{place.strip()} = 0")
    except tomllib.TOMLDecodeError:
        return []
    keys = []
    while isinstance(found, dict):
        ((key, found),) = found.items()
        keys.append(key)
    return keys


def _read(value: str) -> Any:
    try:
        return tomllib.loads(f"x = {value}")["x"]
    except tomllib.TOMLDecodeError:
        return value


def _write(made: dict[str, Any], place: str, keys: list[str], value: Any) -> None:
    here: Any = made
    for at, key in enumerate(keys):
        above = ".".join(keys[:at])
        step: Any = key
        if isinstance(here, list):
            step = int(key) if key.isdecimal() else -1
            if not 0 <= step < len(here):
                raise PlanError(
                    f"'{place}' has no place in the plan: {above} is a list of {len(here)}.",
                    f"Name one by its number, from 0 to {len(here) - 1}.",
                )
        elif not isinstance(here, dict):
            raise PlanError(
                f"'{place}' has no place in the plan: {above} is not a table.",
                did_you_mean(keys[0], made),
            )
        if at == len(keys) - 1:
            here[step] = value
        else:
            here = here[step] if isinstance(here, list) else here.setdefault(step, {})
