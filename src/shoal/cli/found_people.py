"""How likely people are found, for people to read: the worst first, a sentence each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from shoal.cli import show
from shoal.plural import counted
from shoal.risk import (
    Answer,
    PopulationUniqueness,
    Reidentification,
    Separation,
    UniqueSets,
)

__all__ = ["columns", "questions", "risks"]

_SETS = 5
"""How many minimal unique sets are shown."""


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
        row = [line.name, _percent(share)]
        if found.before is not None:
            row.append(_percent(line.figure(found.before)))
        rows.append((*row, line.sentence))
    show.grid(title, (*head, "what it means"), rows)


def questions(answers: Sequence[Answer]) -> None:
    """Show the answers to the three questions of the European guidance."""
    rows = [(each.question, _percent(each.share), each.sentence) for each in answers]
    show.grid("The three questions (Opinion 05/2014)", ("question", "share", "answer"), rows)


def columns(apart: Sequence[Separation], sets: UniqueSets) -> None:
    """Show which columns make people unique."""
    alone = {each.columns[0]: each for each in apart if len(each.columns) == 1}
    ranked = sorted(sets.contributions.items(), key=lambda item: -item[1])
    rows = [
        (
            name,
            f"{share:.1%}",
            show.number(alone[name].distinction),
            show.number(alone[name].separation),
        )
        for name, share in ranked
    ]
    by_size = ", ".join(f"{people:,} by {size}" for size, people in sets.by_size.items())
    many = counted(sets.largest, "column")
    title = f"Columns that make people unique (up to {many}: {by_size or 'nobody'})"
    show.grid(title, ("column", "part of the scores", "distinction", "separation"), rows)
    if sets.sets:
        shown = [(", ".join(each.columns), f"{each.people:,}") for each in sets.sets[:_SETS]]
        show.grid("Minimal unique sets of most people", ("columns", "people"), shown)


def _lines(found: Reidentification) -> list[_Line]:
    """List the figures with what they mean."""
    lines = [
        _Line(
            "highest",
            lambda of: of.prosecutor.highest,
            "Who knows that a person is in the table finds the person at most so often; the "
            f"smallest class has {found.smallest:,}.",
        ),
        _Line(
            "average",
            lambda of: of.prosecutor.average,
            "A person of whom that is known is found so often, on average.",
        ),
        _Line(
            "unique",
            lambda of: of.uniques / of.people,
            "So many people are alone in their class.",
        ),
    ]
    lines += [_above(bound) for bound in found.prosecutor.above]
    if found.has_stars or (found.before is not None and found.before.has_stars):
        lines += [
            _Line(
                "highest, * as any",
                lambda of: of.wildcard.highest,
                "The highest risk if a * may be any value, not one of its own.",
            ),
            _Line(
                "average, * as any",
                lambda of: of.wildcard.average,
                "The average risk if a * may be any value.",
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
                "Who links all records to names of the population is right so often.",
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
        f"So many people have a risk above {bound:g}.",
    )


def _journalist(found: Reidentification) -> str:
    """Say what the journalist's risk is, and whether it is counted or estimated."""
    who = "Who knows only that a person is in the population finds the person"
    if found.counted_population:
        outside = f" {found.outside:,} are not in it." if found.outside else ""
        return f"{who} at most so often.{outside}"
    return f"{who} so often in the smallest classes, as an estimate; some may be unique."


def _estimates(found: PopulationUniqueness) -> str:
    """Say which estimator was chosen, and what the others say."""
    said = [
        f"{each.name} {_percent(each.share) or f'none ({each.reason})'}"
        for each in (found.pitman, found.zayatz, found.snb)
    ]
    return (
        f"So much of the population is unique, estimated by {found.dankar.reason}: "
        f"{', '.join(said)}."
    )


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.2%}"
