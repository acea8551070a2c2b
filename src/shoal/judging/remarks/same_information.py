"""Columns that say the same under different roles, such as a wage and its logarithm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from shoal.io.frames import Coded
from shoal.judging.remarks.seen import Seen
from shoal.judging.remarks.twins import find_rising, find_twins
from shoal.judging.remarks.words import Name
from shoal.table.schema import Role, Schema

_OPEN = (Role.SENSITIVE, Role.OTHER)  # published as they are


@dataclass(frozen=True)
class SameInformation:
    """Two columns of different roles that say the same, one of them published as it is.

    ``by_name``: only their names say so, not their values.

    Examples
    --------
    >>> SameInformation(("wage", "lwage"), (Role.SENSITIVE, Role.QUASI)).sentence[:53]
    "Columns 'wage' (sensitive) and 'lwage' (quasi) hold t"
    """

    columns: tuple[str, str]
    roles: tuple[Role, Role]
    by_name: bool = False

    @property
    def sentence(self) -> str:
        """What is wrong, and what to do; no cell is told."""
        (a, b), (one, other) = self.columns, self.roles
        shown = [name for name, role in zip(self.columns, self.roles, strict=True) if role in _OPEN]
        consequence = (
            f"'{shown[0]}' is published unchanged, which undoes the generalization of the other"
            if len(shown) == 1
            else "both are published, so each undoes the protection of the other"
        )
        same = (
            "seem to hold the same information, judging by their names"
            if self.by_name
            else "hold the same information"
        )
        return (
            f"Columns '{a}' ({one}) and '{b}' ({other}) {same}, and {consequence}. {self._remedy}"
        )

    @property
    def _remedy(self) -> str:
        by_role = dict(zip(self.roles, self.columns, strict=True))
        if Role.IDENTIFIER in by_role:
            shown = next(name for role, name in by_role.items() if role in _OPEN)
            return f"Make '{shown}' an identifier as well."
        gone = f"'{by_role[Role.OTHER]}'" if Role.OTHER in by_role else "one"
        return f"Give both the same role, or make {gone} an identifier."


def same_information(table: Coded, schema: Schema, seen: Mapping[str, Seen]) -> list[str]:
    """Remark on pairs of columns of which one would undo what is done to the other."""
    missing = {name: schema.missing_of(name) for name in schema}
    distinct = {name: seen[name].distinct for name in schema}
    roles = {name: column.role for name, column in schema.items()}
    pairs = _at_odds(roles)
    twins = find_twins(table, distinct, missing)
    rising = find_rising(table, distinct, missing, pairs)
    same = {name: (*twins.get(name, ()), *rising.get(name, ())) for name in schema}
    return [found.sentence for found in find_same_information(roles, same)]


def find_same_information(
    roles: Mapping[str, Role], same: Mapping[str, Sequence[str]], *, names: bool = False
) -> list[SameInformation]:
    """Find the pairs of different roles that say the same, one of them published as it is.

    ``same`` lists the columns that say the same as each column, by their values; with ``names``,
    names alone count, too: ``lwage`` beside ``wage``.
    """
    made = []
    for a, b in _at_odds(roles):
        by_values = b in same.get(a, ()) or a in same.get(b, ())
        if by_values or (names and Name(a).is_kin_of(Name(b))):
            made.append(SameInformation((a, b), (roles[a], roles[b]), by_name=not by_values))
    return made


def _at_odds(roles: Mapping[str, Role]) -> list[tuple[str, str]]:
    """List the pairs of which one is published as it is, and the other protected in another way."""
    return [
        (a, b)
        for a, b in combinations(roles, 2)
        if roles[a] is not roles[b]
        and (roles[a] in _OPEN or roles[b] in _OPEN)
        and not (_is_left_out(a, b, roles) or _is_left_out(b, a, roles))
    ]


def _is_left_out(gone: str, kept: str, roles: Mapping[str, Role]) -> bool:
    """Say whether a column is only left out because a sensitive one says the same.

    Then all is well; a number of people beside a sensitive column would still tell who is who.
    """
    if roles[gone] is not Role.IDENTIFIER or roles[kept] is not Role.SENSITIVE:
        return False
    name = Name(gone)
    return not (name.is_identifier or name.is_person_number or name.is_number_of_something)
