"""Say in the reasons of a proposal which quasi-identifiers make people unique."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from shoal.steward.proposal.generalizing import ColumnProposal
from shoal.table.schema import Column, Role, Schema

if TYPE_CHECKING:
    from shoal.judging.risk.identity.unique_sets import UniqueSets

_SMALL_TABLE_ROWS = 100
"""In fewer rows nearly everyone is unique, whatever the columns."""

_NOTABLE = 0.005

_AT_MOST = 3
"""The number of columns that an attacker may easily know together."""

_WHO = {1: "It alone singles", 2: "It and one more single", 3: "It and at most two more single"}


def say_who_makes_unique(
    table: pl.DataFrame,
    proposals: Sequence[ColumnProposal],
    missing: tuple[str, ...],
    entity: str | None = None,
) -> list[ColumnProposal]:
    """Add to the reason of each quasi-identifier how many people it helps to single out.

    How many are unique with and without it, and how many it singles out with few other columns:
    its minimal unique sets.
    """
    quasi = [made for made in proposals if made.role is Role.QUASI]
    if table.height < _SMALL_TABLE_ROWS:
        return list(proposals)
    from shoal.judging.risk.identity.records import records
    from shoal.judging.risk.identity.separation import unique_share, unique_without
    from shoal.judging.risk.identity.unique_sets import largest_size, unique_sets

    columns = {made.name: Column(Role.QUASI, missing=(*missing, *made.missing)) for made in quasi}
    if entity is not None and entity not in columns:
        columns[entity] = Column(Role.IDENTIFIER)
    schema = Schema(columns, entity=entity, missing=missing)
    found = records(pl.DataFrame([table[name] for name in columns]), schema)
    unique = unique_share(found)
    without = unique_without(found)
    sets = unique_sets(found, largest=largest_size(len(found.names), _AT_MOST))
    said = {
        name: f"{_sentence(unique, without[name])} {_among_small(sets, name)}".strip()
        for name in found.names
    }
    return [
        replace(made, reason=f"{made.reason} {said[made.name]}".strip(), figures=said[made.name])
        if made.name in said
        else made
        for made in proposals
    ]


def _among_small(sets: UniqueSets, name: str) -> str:
    """Say how many people the column and few others single out."""
    if len(sets.columns) == 1 or not sets.people:
        return ""
    alone = sets.by_column[name]
    whom = f"{_percent(alone / sets.total)} of the people" if alone else "nobody"
    return f"{_WHO[sets.largest]} out {whom}."


def _sentence(unique: float, without: float) -> str:
    """Say how much a column adds, if it adds anything to speak of."""
    if unique - without < _NOTABLE:
        return ""
    return (
        f"Without it, {_percent(without)} of the people would be unique; with it, "
        f"{_percent(unique)} are."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 0.995 else f"{100 * share:.3g} %"
