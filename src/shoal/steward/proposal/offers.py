"""Lines that a proposed plan offers as comments: an age for a birth date, ends, rounding."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from shoal.base.plural import counted
from shoal.judging.remarks.near_unique import SMALL_TABLE_ROWS, is_near_unique
from shoal.judging.remarks.seen import as_numbers
from shoal.judging.remarks.words import Name
from shoal.judging.verification.spellings import spelled_apart
from shoal.steward.proposal.appearance import Appearance
from shoal.steward.proposal.distribution import short_text
from shoal.steward.proposal.generalizing import ColumnProposal
from shoal.steward.proposal.profile import ColumnProfile
from shoal.table.schema import Kind, Role

_LONG_TAIL = 0.1
"""An end is worth coding if its last k people spread over this part of the column's range."""

_STEPS_IN_RANGE = 20  # an end is as round as a twentieth of the range


@dataclass(frozen=True)
class Offer:
    """A line for a column of the plan, to take or to leave."""

    column: str
    line: str
    """What to write under it, as in ``top = 90``."""
    reason: str
    """Why, in a sentence or two. Bounds are round numbers, and no cell is shown."""

    @property
    def key(self) -> str:
        """The key of the line."""
        return self.line.split(" ", 1)[0]


def make_offers(
    table: pl.DataFrame,
    profiles: Sequence[ColumnProfile],
    proposals: Sequence[ColumnProposal],
    missing: tuple[str, ...],
    k: int,
    entity: str | None = None,
) -> tuple[Offer, ...]:
    """Offer what would protect people more and cost little.

    An age instead of a birth date; top and bottom coding of quasi-identifiers where few people
    lie at an end; rounding of sensitive amounts that are nearly unique; one value for texts that
    differ in their spelling alone.
    """
    made: list[Offer] = []
    for column, proposal in zip(profiles, proposals, strict=True):
        made += _one_spelling(table[column.name], proposal)
        if proposal.role is Role.QUASI and column.appearance is Appearance.DATE:
            made += _age(column)
            continue
        ranged = proposal.role is Role.QUASI and proposal.kind is Kind.NUMERIC
        amounts = proposal.role is Role.SENSITIVE and column.appearance.is_number
        if not (ranged or amounts):
            continue
        numbers = as_numbers(table[column.name], (*missing, *proposal.missing))
        if numbers is None:
            continue
        if ranged:
            people = None if entity is None else table[entity]
            made += _ends(column.name, numbers, people, k)
        elif column.rows >= SMALL_TABLE_ROWS:
            made += _rounding(column, numbers.drop_nulls(), k)
    return tuple(made)


def _one_spelling(cells: pl.Series, proposal: ColumnProposal) -> list[Offer]:
    """Offer to make one of texts that differ in case, spaces or Unicode form alone."""
    named = proposal.role is Role.QUASI and proposal.kind in (None, Kind.CATEGORICAL)
    alike = spelled_apart(cells) if named or proposal.role is Role.SENSITIVE else 0
    if not alike:
        return []
    reason = (
        f"{counted(alike, 'value')} of column '{proposal.name}' differ from another only in "
        "case, spaces or Unicode form, and count as different values. This line merges them."
    )
    return [Offer(proposal.name, "normalize = true", reason)]


def _age(column: ColumnProfile) -> list[Offer]:
    if not (Name(column.name).is_birth and column.plain_dates and column.within_a_life):
        return []
    reason = (
        "A birth date reveals much, and an age is often enough. To publish ages, remove the "
        "# and write the day on which to compute them."
    )
    return [Offer(column.name, 'age_at = "YYYY-MM-DD"', reason)]


def _ends(name: str, numbers: pl.Series, people: pl.Series | None, k: int) -> list[Offer]:
    """Offer a bound at either end of which at most few people are far out."""
    cells = pl.DataFrame({"low": numbers, "high": numbers})
    each = cells.drop_nulls()
    if people is not None:
        rows = cells.with_columns(who=people).drop_nulls()
        each = rows.group_by("who").agg(pl.min("low"), pl.max("high"))
    if each.height < 2 * k:
        return []
    least, most = float(str(each["low"].min())), float(str(each["high"].max()))
    step = _round_step((most - least) / _STEPS_IN_RANGE)
    if step == 0:
        return []
    known = numbers.drop_nulls()
    if (known == known.round()).all():
        step = max(step, 1.0)
    far = _LONG_TAIL * (most - least)
    made = []
    inner = float(each["high"].sort(descending=True)[k - 1])
    top = math.floor(inner / step) * step
    if top > least and most - inner >= far:
        out, there = int((each["high"] - inner >= far).sum()), int((each["high"] >= top).sum())
        made.append(_end(name, "top", "upper", top, out, there))
    inner = float(each["low"].sort()[k - 1])
    bottom = math.ceil(inner / step) * step
    if bottom < most and inner - least >= far:
        out, there = int((inner - each["low"] >= far).sum()), int((each["low"] <= bottom).sum())
        made.append(_end(name, "bottom", "lower", bottom, out, there))
    return made


def _end(name: str, key: str, side: str, bound: float, out: int, there: int) -> Offer:
    text = short_text(bound)
    lie = f"{counted(out, 'person', 'people')} {'lies' if out == 1 else 'lie'}"
    reason = (
        f"Only {lie} far out at the {side} end. With this line, all numbers beyond it are "
        f"published as {text}, which {there:,} people then share."
    )
    return Offer(name, f"{key} = {text}", reason)


def _rounding(column: ColumnProfile, numbers: pl.Series, k: int) -> list[Offer]:
    """Offer the finest round step by which k rows share an amount, on average."""
    if not is_near_unique(column.rows, column.known, column.distinct):
        return []
    span = float(str(numbers.max())) - float(str(numbers.min()))
    step = _round_step(span / max(column.known, 1))
    while step < span:
        if (numbers / step).round().n_unique() * k <= column.known:
            reason = (
                "Nearly every row has its own amount: an attacker who knows one finds the "
                "row. Rounded like this, each amount occurs in several rows."
            )
            return [Offer(column.name, f"round_to = {short_text(step)}", reason)]
        step = _round_step(step * 1.5)
    return []


def _round_step(least: float) -> float:
    """Give the least of 1, 2 and 5 times a power of ten that is not smaller."""
    if least <= 0 or not math.isfinite(least):
        return 0.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(each * power for each in (1, 2, 5, 10) if each * power >= least * (1 - 1e-9))
