"""How likely people are found, and what attacks get: the worst first, a sentence each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple

from shoal.base.plural import counted
from shoal.cli import show
from shoal.judging.risk import (
    Answer,
    Attack,
    Linkage,
    PopulationUniqueness,
    Reidentification,
    Separation,
    UniqueSets,
)

_SETS = 5
"""How many minimal unique sets are shown."""


_SIZES = (1, 2, 5, 10, 20, 50, 100, inf)
"""Where the spans of the histogram of classes begin."""

_NAMES = {"pitman": "Pitman", "zayatz": "Zayatz", "snb": "SNB"}


class _Line(NamedTuple):
    name: str
    figure: Callable[[Reidentification], float | None]
    sentence: str


def risks(found: Reidentification) -> None:
    """Show the risks of a table, the worst first, and those of its original beside."""
    people = f"{found.people:,} people" if found.has_entity else counted(found.rows, "row")
    by = counted(len(found.columns), "quasi-identifier")
    title = f"Who is found: {people} in {counted(found.classes, 'class')} by {by}"
    head = ["risk", "share"] if found.before is None else ["risk", "share", "before"]
    shares = [(line.figure(found), line) for line in _lines(found)]
    rows = []
    for share, line in sorted(shares, key=lambda each: -(each[0] or 0.0)):
        row = [line.name, show.percent(share)]
        if found.before is not None:
            row.append(show.percent(line.figure(found.before)))
        rows.append((*row, line.sentence))
    show.grid(title, (*head, "what it means"), rows)
    _sizes(found)


def _sizes(found: Reidentification) -> None:
    """Show how many people are in classes of which size."""
    tables = [found] if found.before is None else [found, found.before]
    rows = []
    for low, high in pairwise(_SIZES):
        within = [sum(n for size, n in of.sizes.items() if low <= size < high) for of in tables]
        if any(within):
            shares = [people / of.people for people, of in zip(within, tables, strict=True)]
            rows.append((_span(low, high), *map(show.percent, shares)))
    head = ("class of", "people", "before")
    show.grid("Sizes of classes, counted in people", head[: 1 + len(tables)], rows)


def _span(low: float, high: float) -> str:
    """Write the sizes from ``low`` on and below ``high``."""
    if high == inf:
        return f"{low:,} or more"
    return f"{low:,}" if high == low + 1 else f"{low:,} to {high - 1:,}"


def questions(answers: Sequence[Answer]) -> None:
    """Show the answers to the three questions of the European guidance."""
    rows = [(each.question, show.percent(each.share), each.sentence) for each in answers]
    show.grid("The three questions (Opinion 05/2014)", ("question", "share", "answer"), rows)


def columns(apart: Sequence[Separation], sets: UniqueSets) -> None:
    """Show which columns make people unique."""
    alone = {each.columns[0]: each for each in apart if len(each.columns) == 1}
    ranked = sorted(sets.contributions.items(), key=lambda item: -item[1])
    title = f"How well columns identify people; no person is unique by up to {sets.largest} columns"
    head = ["column", "distinction", "separation"]
    if sets.sets:
        title = "Columns that make people unique"
        head.insert(1, "part of the scores")
    rows = []
    for name, share in ranked:
        row = [name, show.percent(alone[name].distinction), show.percent(alone[name].separation)]
        if sets.sets:
            row.insert(1, f"{share:.1%}")
        rows.append(row)
    show.grid(title, head, rows)
    if sets.sets:
        shown = [(", ".join(each.columns), f"{each.people:,}") for each in sets.sets[:_SETS]]
        show.grid("Minimal unique sets that concern most people", ("columns", "people"), shown)
        (least, first), *rest = sets.by_size.items()
        more = "".join(f"; by {size}: {people:,}" for size, people in rest)
        show.line(f"People who are unique by {counted(least, 'column')}: {first:,}{more}.")


def _lines(found: Reidentification) -> list[_Line]:
    """List the figures with what they mean."""
    n = found.uniques
    alone = f"{n:,} people are" if n > 1 else "One person is" if n else "Nobody is"
    lines = [
        _Line(
            "highest",
            lambda of: of.prosecutor.highest,
            "Re-identification risk if the attacker knows that the person is in the table "
            f"(maximum); the smallest class has {found.smallest:,}.",
        ),
        _Line(
            "average",
            lambda of: of.prosecutor.average,
            "Average re-identification risk of a person.",
        ),
        _Line(
            "unique",
            lambda of: of.uniques / of.people,
            f"{alone} unique in their class.",
        ),
    ]
    lines += [_above(bound) for bound in found.prosecutor.above]
    if found.has_stars or (found.before is not None and found.before.has_stars):
        lines += [
            _Line(
                "highest, * as any",
                lambda of: of.wildcard.highest,
                "The highest risk if a * may match any value.",
            ),
            _Line(
                "average, * as any",
                lambda of: of.wildcard.average,
                "The average risk if a * may match any value.",
            ),
        ]
    if found.journalist is not None:
        lines += [
            _Line(
                "journalist",
                lambda of: None if of.journalist is None else of.journalist.highest,
                _journalist(found),
            ),
            _Line(
                "marketer",
                lambda of: of.marketer,
                "The share of correct links if an attacker links all records to the population.",
            ),
        ]
    if found.uniqueness is not None:
        lines.append(
            _Line(
                "unique in population",
                lambda of: None if of.uniqueness is None else of.uniqueness.dankar.share,
                _estimates(found.uniqueness),
            )
        )
    return lines


def _above(bound: float) -> _Line:
    return _Line(
        f"above {bound:g}",
        lambda of: of.prosecutor.above[bound],
        f"People with a risk above {bound:g}.",
    )


def _journalist(found: Reidentification) -> str:
    """Say what the journalist's risk is, and whether it is counted or estimated."""
    who = "Re-identification risk if the attacker knows only that the person is in the population"
    if found.counted_population:
        outside = f" {found.outside:,} are not in it." if found.outside else ""
        return f"{who} (maximum).{outside}"
    return f"{who}; an estimate for the smallest classes: some people may be unique."


def _estimates(found: PopulationUniqueness) -> str:
    """Say which estimator was chosen, and what the others say."""
    others = [
        f"{_NAMES[each.name]} says {show.percent(each.share) or f'nothing ({each.reason})'}"
        for each in (found.pitman, found.zayatz, found.snb)
        if each.name != found.dankar.reason
    ]
    chosen = _NAMES[found.dankar.reason]
    return (
        f"People who are unique in the population, estimated by {chosen} (Dankar's rule); "
        f"{', '.join(others)}."
    )


def attacks(title: str, found: Sequence[Attack]) -> None:
    """Show what attacks get, what goes farthest beyond its control first.

    Attacks that get nothing are named in one line. All numbers are in the answer for programs.
    """
    repeated = len({each.name for each in found}) < len(found)
    shown = sorted((each for each in found if each.people), key=lambda each: -each.excess)
    of_columns = repeated and any(each.column for each in shown)
    head = ["attack", "share", "control", "what it means"]
    if of_columns:
        head.insert(1, "column")
    rows = []
    for each in shown:
        row = [each.name, show.percent(each.share), show.percent(each.control), _sentence(each)]
        if of_columns:
            row.insert(1, each.column or "")
        rows.append(row)
    if rows:
        show.grid(title, head, rows)
    without = [_named(each, repeated) for each in found if not each.people]
    if without:
        show.line(f"{'' if rows else f'{title}. '}Attacks that get nothing: {', '.join(without)}.")


def links(found: Sequence[Linkage]) -> None:
    """Show what one known secret tells about the others."""
    title = "How likely the best guess is right, for an attacker who knows a person's cells"
    head = ["known", "guessed", "by the cells", "and the value", "gain"]
    columns = ["known", "guessed", "cells", "value", "gain"]
    apart = any(link.linked is not None and link.linked != link.value for link in found)
    if apart:
        head += ["in one table", "gain there"]
        columns += ["linked", "linked_gain"]
    rows = []
    for link in found:
        fields = link.to_dict()
        shares = [show.percent(fields[name]) for name in columns[2:]]
        rows.append((link.known, link.other, *shares))
    show.grid(title, head, rows)


def _sentence(found: Attack) -> str:
    """Say what success means, and what seems to be promised."""
    text = f"{found.meaning[:1].upper()}{found.meaning[1:]}."
    if found.promise is not None:
        text += f" Promised: at most {found.promise:.0%}."
    return text


def _named(found: Attack, with_column: bool) -> str:
    column = f" of '{found.column}'" if with_column and found.column is not None else ""
    return f"{found.name}{column}"
