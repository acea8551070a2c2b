"""Propose how a quasi-identifier becomes less exact, by what its values mean; build the draft."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import polars as pl

from shoal.base.cells import texts
from shoal.base.plural import counted
from shoal.errors import HierarchyError
from shoal.judging.remarks.words import Name
from shoal.steward.proposal.appearance import Appearance
from shoal.steward.proposal.orders import KnownOrder
from shoal.steward.proposal.profile import ColumnProfile
from shoal.table.hierarchies import BUILDERS, Builder, Dates, Flat, Hierarchy, Prefixes, tree_spec
from shoal.table.schema import Kind, Role, is_missing
from shoal.table.written_dates import ISO, MONTHS, WrittenDates

_UP_TO = 8
"""Up to this many values, groups are not needed."""


@dataclass(frozen=True)
class ColumnProposal:
    """A role for a column, with the reason in words."""

    name: str
    role: Role
    reason: str
    """Why, in one to three sentences without any cell of the column."""
    kind: Kind | None = None
    """What is proposed; the kind only for quasi-identifiers."""
    hierarchy: Builder | None = None
    """What builds the draft of its hierarchy, for categorical quasi-identifiers."""
    missing: tuple[str, ...] = ()
    """Texts that seem to mean "missing" in this column."""
    date_format: str | None = None
    """How dates are written, for quasi-identifiers of the kind date; ``None``: year first."""
    draft: bool = False
    """Whether its hierarchy has no groups yet because nobody knows their meaning."""
    is_entity: bool = False
    """Whether it numbers people who have several rows."""
    has_levels: bool = False
    """Whether levels of sensitivity make sense: categories, not too many, that repeat."""
    doubtful: bool = False
    """Whether another role is nearly as likely, so that somebody should say."""
    figures: str = ""
    """The end of the reason that holds only beside the other proposed roles: how many people it
    helps to single out."""


def generalize(column: ColumnProfile) -> ColumnProposal:
    """Propose intervals, prefixes, the calendar or a known order; else the value or ``*``.

    No hierarchy joins neighbours in the alphabet: such groups mean nothing to a reader.
    """
    made = partial(ColumnProposal, column.name, Role.QUASI, missing=column.missing_tokens)
    if column.appearance is Appearance.DATE:
        return _dates(column, made)
    category = partial(made, kind=Kind.CATEGORICAL)
    if Name(column.name).is_postal:
        text = "A postal code, by its name. Each step hides another character at its end."
        return category(text, hierarchy=Prefixes())
    n = f"{column.distinct:,} different"
    if column.appearance is Appearance.CODE and column.distinct > _UP_TO:
        steps = "Each step hides another character at their end, which fits if the first ones mean"
        return category(f"{n} codes. {steps} most.", hierarchy=Prefixes())
    if column.appearance.is_number and column.distinct > 2:
        sort = "whole numbers" if column.appearance is Appearance.INTEGER else "numbers"
        clear = Name(column.name).is_measure or column.distinct > _UP_TO
        codes = "" if clear else " If they are codes, make it categorical."
        text = f"{n} {sort}. An attacker may know it, so it becomes a range.{codes}"
        return made(text, Kind.NUMERIC)
    values = counted(column.distinct, "different value")
    if column.has_order:
        text = f"{values}, ordered by their words. An attacker may know it; neighbouring values"
        return category(f"{text} are grouped.", hierarchy=KnownOrder())
    text = f"{values}. An attacker may know it; published unchanged or as *"
    if column.distinct <= _UP_TO:
        return category(f"{text}.", hierarchy=Flat())
    return category(f"{text} until you group values by meaning.", hierarchy=Flat(), draft=True)


def _dates(column: ColumnProfile, made: Callable[..., ColumnProposal]) -> ColumnProposal:
    """Propose ranges of dates; for months and for times of day, the calendar."""
    written = column.date_format or ISO
    n = f"{column.distinct:,} different dates. An attacker may know it"
    order = " The day is read before the month." if written.startswith("%d/") else ""
    if column.plain_dates:
        return made(
            f"{n}, so it becomes a range of dates.{order}",
            Kind.DATE,
            date_format=None if written == ISO else written,
        )
    return made(
        f"{n}; it climbs from day to month, year and decade.{order}",
        Kind.CATEGORICAL,
        Dates() if written == MONTHS else WrittenDates(written),
    )


def build_draft(
    values: pl.Series, proposed: Builder, missing: Sequence[str]
) -> tuple[Hierarchy, Builder]:
    """Build the draft of a hierarchy; if values are named like groups, one without any.

    `missing`: the texts that mean "missing" in the column.
    """
    known = texts(values.filter(~is_missing(values, missing)))
    try:
        return proposed.build(known), proposed
    except HierarchyError:
        return Flat().build(known), Flat()


def spec_of(builder: Builder, tree: Hierarchy) -> dict[str, Any]:
    """Write how a hierarchy is built, or the tree where no plan can name its builder.

    Examples
    --------
    >>> spec_of(*reversed(build_draft(pl.Series(["f", "m"]), Flat(), ())))
    {'builder': 'flat'}
    """
    if BUILDERS.get(builder.name) is type(builder):
        return builder.to_spec()
    return tree_spec(tree)
