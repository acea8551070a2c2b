"""Columns in lists, each list a role: ``quasi=["age", "zip"]``, ``sensitive="disease"``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from shoal.errors import ParameterError, SchemaError, a_type
from shoal.table.schema import Role

Columns: TypeAlias = str | Iterable[str] | Mapping[str, Any]
"""The name of a column, several names, or names with a hierarchy or options each."""

ROLE_OF = {
    "quasi": Role.QUASI,
    "sensitive": Role.SENSITIVE,
    "drop": Role.IDENTIFIER,
    "other": Role.OTHER,
}
"""The role of the columns in each list."""


def role_lists(lists: Mapping[str, Columns | None]) -> Iterator[tuple[str, str, Any]]:
    """Read lists of columns: for each the list, its name, and what is said of it besides.

    A column in two lists, or twice in one, is refused.

    >>> list(role_lists({"quasi": {"age": None, "zip": "zip.csv"}, "drop": "name", "other": None}))
    [('quasi', 'age', None), ('quasi', 'zip', 'zip.csv'), ('drop', 'name', None)]
    """
    listed: dict[str, str] = {}
    for place, columns in lists.items():
        for name, options in [] if columns is None else listed_columns(place, columns):
            if name in listed:
                raise SchemaError(
                    f"Column '{name}' is listed in {listed[name]} and in {place}."
                    if listed[name] != place
                    else f"Column '{name}' is listed twice in {place}.",
                    "Leave it in one place.",
                )
            listed[name] = place
            yield place, name, options


def listed_columns(place: str, columns: Columns) -> list[tuple[str, Any]]:
    """Read one list: a name, several, or a mapping of names; sets have no order to keep.

    >>> listed_columns("quasi", ["age", "zip"])
    [('age', None), ('zip', None)]
    """
    if isinstance(columns, str):
        return [(columns, None)]
    if isinstance(columns, Mapping):
        pairs = list(columns.items())
    elif isinstance(columns, Iterable) and not isinstance(columns, set | frozenset | bytes):
        pairs = [(name, None) for name in columns]
    else:
        raise ParameterError(
            f"{place} must list columns, not be {a_type(columns)}.",
            f'Such as {place}=["age", "zip"].',
        )
    for name, _ in pairs:
        if not isinstance(name, str):
            raise ParameterError(
                f"{place} must name columns by texts, not by {a_type(name)}.",
                f'Such as {place}=["age", "zip"].',
            )
    return pairs
