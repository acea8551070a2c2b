"""Propose how a quasi-identifier becomes less exact, by what its values mean."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.base.plural import counted
from shoal.judging.remarks.words import Name
from shoal.steward.proposal.appearance import Appearance
from shoal.steward.proposal.orders import KnownOrder
from shoal.steward.proposal.profile import ColumnProfile
from shoal.table.hierarchies import Builder, Dates, Flat, Prefixes
from shoal.table.schema import Kind
from shoal.table.written_dates import ISO, MONTHS, WrittenDates

_UP_TO = 8
"""Up to this many values, groups are not needed."""


@dataclass(frozen=True)
class Generalization:
    """How a column is generalized."""

    kind: Kind
    """What the plan calls it."""
    reason: str
    """What is done, and why, without any cell."""
    hierarchy: Builder | None = None
    """What builds the draft of its hierarchy, if it has one."""
    draft: bool = False
    """Whether the hierarchy has no groups yet because nobody knows their meaning."""
    date_format: str | None = None
    """How dates are written, if they are no hierarchy and not written as year-month-day."""


def generalize(column: ColumnProfile) -> Generalization:
    """Propose intervals, prefixes, the calendar or a known order; else the value or ``*``.

    No hierarchy joins neighbours in the alphabet: such groups mean nothing to a reader.
    """
    if column.appearance is Appearance.DATE:
        return _dates(column)
    if Name(column.name).is_postal:
        return Generalization(
            Kind.CATEGORICAL,
            "A postal code, by its name. Each step hides another character at its end.",
            Prefixes(),
        )
    n = f"{column.distinct:,} different"
    if column.appearance is Appearance.CODE and column.distinct > _UP_TO:
        return Generalization(
            Kind.CATEGORICAL,
            f"{n} codes. Each step hides another character at their end, which fits if the "
            "first ones mean most.",
            Prefixes(),
        )
    if column.appearance.is_number and column.distinct > 2:
        sort = "whole numbers" if column.appearance is Appearance.INTEGER else "numbers"
        clear = Name(column.name).is_measure or column.distinct > _UP_TO
        codes = "" if clear else " If they are codes, make it categorical."
        return Generalization(
            Kind.NUMERIC, f"{n} {sort}. An attacker may know it, so it becomes a range.{codes}"
        )
    values = counted(column.distinct, "different value")
    if column.has_order:
        return Generalization(
            Kind.CATEGORICAL,
            f"{values}, ordered by their words. An attacker may know it; neighbouring values "
            "are grouped.",
            KnownOrder(),
        )
    if column.distinct <= _UP_TO:
        return Generalization(
            Kind.CATEGORICAL,
            f"{values}. An attacker may know it; published unchanged or as *.",
            Flat(),
        )
    return Generalization(
        Kind.CATEGORICAL,
        f"{values}. An attacker may know it; published unchanged or as * until you group "
        "values by meaning.",
        Flat(),
        draft=True,
    )


def _dates(column: ColumnProfile) -> Generalization:
    """Propose ranges of dates; for months and for times of day, the calendar."""
    written = column.date_format or ISO
    n = f"{column.distinct:,} different dates. An attacker may know it"
    order = " The day is read before the month." if written.startswith("%d/") else ""
    if column.plain_dates:
        return Generalization(
            Kind.DATE,
            f"{n}, so it becomes a range of dates.{order}",
            date_format=None if written == ISO else written,
        )
    return Generalization(
        Kind.CATEGORICAL,
        f"{n}; it climbs from day to month, year and decade.{order}",
        Dates() if written == MONTHS else WrittenDates(written),
    )
