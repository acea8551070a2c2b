"""Roles that were given before a table was profiled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shoal.errors import ParameterError, SchemaError, a_type, did_you_mean
from shoal.table.roles import ROLE_OF, Columns, role_lists
from shoal.table.schema import NO_ENTITY, Role


def given_roles(columns: Sequence[str], lists: Mapping[str, Columns | None]) -> dict[str, Role]:
    """Read lists of columns, each of one role, and of one table.

    Examples
    --------
    >>> given = given_roles(["name", "age"], {"quasi": "age", "drop": ["name"]})
    >>> {name: role.value for name, role in given.items()}
    {'age': 'quasi', 'name': 'identifier'}
    """
    given: dict[str, Role] = {}
    for place, name, options in role_lists(lists):
        if name not in columns:
            raise SchemaError(
                f"{place} names the column '{name}', which is not in the table.",
                did_you_mean(name, columns),
            )
        if options is not None:
            raise ParameterError(
                f"{place} gives options for column '{name}', but `propose` takes only names.",
                "Give only names, and change the proposed options afterwards.",
            )
        given[name] = ROLE_OF[place]
    return given


def require_entity(entity: str, columns: Sequence[str], given: Mapping[str, Role]) -> None:
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
    if given.get(entity, Role.IDENTIFIER) is not Role.IDENTIFIER:
        raise SchemaError(
            f"Column '{entity}' identifies people, but it is listed as {given[entity]}.",
            "It must be removed: leave it out of the list.",
        )
