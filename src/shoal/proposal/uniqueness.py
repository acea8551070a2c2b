"""Say in the reasons of a proposal which quasi-identifiers make people unique."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from shoal.proposal.roles import ColumnProposal
from shoal.schema import Column, Role, Schema

__all__ = ["say_who_makes_unique"]

_FEW_ROWS = 100
"""In fewer rows nearly everyone is unique, whatever the columns."""

_NOTABLE = 0.005


def say_who_makes_unique(
    table: pl.DataFrame,
    proposals: Sequence[ColumnProposal],
    missing: tuple[str, ...],
    entity: str | None = None,
) -> list[ColumnProposal]:
    """Add to the reason of each quasi-identifier how many people are unique with and without it.

    Examples
    --------
    >>> import shoal
    >>> made = shoal.propose(shoal.datasets.adult().select("age", "sex", "race", "education"))
    >>> made.reasons["sex"].split(". ")[-1]
    'Without it 1.5 % of the people would be unique, with it 2.7 % are.'
    """
    quasi = [made for made in proposals if made.role is Role.QUASI]
    if table.height < _FEW_ROWS:
        return list(proposals)
    from shoal.risk.identity.leaving_out import unique_share, unique_without
    from shoal.risk.identity.records import records

    columns = {made.name: Column(Role.QUASI, missing=(*missing, *made.missing)) for made in quasi}
    if entity is not None and entity not in columns:
        columns[entity] = Column(Role.IDENTIFIER)
    schema = Schema(columns, entity=entity, missing=missing)
    found = records(pl.DataFrame([table[name] for name in columns]), schema)
    unique = unique_share(found)
    without = unique_without(found)
    return [
        replace(made, reason=f"{made.reason} {_sentence(unique, without[made.name])}".strip())
        if made.role is Role.QUASI
        else made
        for made in proposals
    ]


def _sentence(unique: float, without: float) -> str:
    """Say how much a column adds, if it adds anything to speak of."""
    if unique - without < _NOTABLE:
        return ""
    return (
        f"Without it {_percent(without)} of the people would be unique, with it {_percent(unique)} "
        "are."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 0.995 else f"{100 * share:.3g} %"
