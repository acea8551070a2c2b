"""Roles that somebody said before a table was looked at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from shoal.errors import ParameterError, SchemaError, a_type, did_you_mean
from shoal.schema import NO_ENTITY, Role

__all__ = ["require_entity", "said_roles"]

_ROLE_OF = {
    "quasi": Role.QUASI,
    "sensitive": Role.SENSITIVE,
    "drop": Role.IDENTIFIER,
    "other": Role.OTHER,
}


def said_roles(
    columns: Sequence[str], lists: Mapping[str, Iterable[str] | str | None]
) -> dict[str, Role]:
    """Read lists of columns, each of one role.

    Examples
    --------
    >>> said = said_roles(["name", "age"], {"quasi": "age", "drop": ["name"]})
    >>> {name: role.value for name, role in said.items()}
    {'age': 'quasi', 'name': 'identifier'}
    """
    said: dict[str, Role] = {}
    for place, given in lists.items():
        for name in _names(place, given):
            if name not in columns:
                raise SchemaError(
                    f"{place} names the column '{name}', which is not in the table.",
                    did_you_mean(name, columns),
                )
            if name in said:
                raise SchemaError(f"Column '{name}' is listed twice.", "Leave it in one place.")
            said[name] = _ROLE_OF[place]
    return said


def require_entity(entity: str, columns: Sequence[str], said: Mapping[str, Role]) -> None:
    """Refuse an entity that is no column, or one that is to be published."""
    if not isinstance(entity, str):
        raise ParameterError(
            f"entity must be the name of a column, not {a_type(entity)}.",
            'Such as entity="patient".',
        )
    if entity not in columns and entity != NO_ENTITY:
        raise SchemaError(
            f"entity names the column '{entity}', which is not in the table.",
            did_you_mean(entity, columns),
        )
    if said.get(entity, Role.IDENTIFIER) is not Role.IDENTIFIER:
        raise SchemaError(
            f"Column '{entity}' is listed as {said[entity]}, and tells people apart.",
            "It must be dropped: leave it out of the list.",
        )


def _names(place: str, given: Iterable[str] | str | None) -> list[str]:
    if given is None:
        return []
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, Iterable) or isinstance(names, bytes):
        raise ParameterError(
            f"{place} must list columns, and is {a_type(given)}.",
            f'Such as {place}=["age", "zip"].',
        )
    listed = list(names)
    for name in listed:
        if not isinstance(name, str):
            raise ParameterError(
                f"{place} lists {a_type(name)}, and columns are named by texts.",
                f'Such as {place}=["age", "zip"].',
            )
    return listed
