"""Find the column that numbers people who have several rows, by its name or by its values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from shoal.io.frames import Coded
from shoal.judging.remarks.person_number import PersonNumber, find_person_numbers
from shoal.judging.remarks.seen import Seen
from shoal.judging.remarks.words import Name
from shoal.steward.proposal.generalizing import ColumnProposal
from shoal.steward.proposal.profile import ColumnProfile
from shoal.table.schema import Role


@dataclass(frozen=True)
class FoundPeople:
    """How people with several rows are told apart."""

    columns: list[ColumnProposal]
    """What is proposed for each column, after that."""
    entity: str | None = None
    """The column that numbers people, if there is one beyond doubt."""
    doubted: PersonNumber | None = None
    """The column that may number people, which a person must say."""


def entity_question(found: PersonNumber) -> str:
    """Ask whether a column numbers people, and say how to answer."""
    return (
        f"'{found.column}' may identify people with several rows: {found.reason}. If it does, "
        f'make it an identifier and write entity = "{found.column}", so that k counts people. '
        'If no person has two rows, write entity = "none". `shoal run` needs this decision.'
    )


def find_people(
    table: pl.DataFrame,
    profiles: Sequence[ColumnProfile],
    proposals: Sequence[ColumnProposal],
    missing: tuple[str, ...],
    given: Mapping[str, Role] | None = None,
    entity: str | None = None,
) -> FoundPeople:
    """Take the column whose name says that it numbers people, or look for one by its values.

    A column that has two signs of it is taken for such a one: it becomes an identifier. One sign
    is a doubt. See `shoal.judging.remarks.person_number` for the signs.

    `given`, `entity`: roles that were given already, and the entity column.
    """
    columns, given = list(proposals), given or {}
    if entity is not None:
        return FoundPeople(columns, entity if entity in table.columns else None)
    for column, made in zip(profiles, columns, strict=True):
        if made.is_entity and not column.missing and column.distinct >= 2:
            return FoundPeople(columns, made.name)
    coded = Coded(table)
    seen = {made.name: Seen.of(coded[made.name], (*missing, *made.missing)) for made in columns}
    names = [
        made.name
        for made in columns
        if made.role is not Role.SENSITIVE
        and made.name not in given
        and not (named := Name(made.name)).is_postal
        and not (named.is_known or named.is_measure)
    ]
    found = find_person_numbers(coded, seen, names)
    if not found:
        return FoundPeople(columns)
    first = found[0]
    others = [made for made in columns if made.role is Role.QUASI and made.name != first.column]
    whole = seen[first.column].known == table.height
    if not (first.sure and whole and others):
        return FoundPeople(columns, doubted=first)
    reason = f"It identifies people with several rows: {first.reason}."
    entity = first.column
    identifier = ColumnProposal(entity, Role.IDENTIFIER, reason, is_entity=True)
    return FoundPeople([identifier if made.name == entity else made for made in columns], entity)
