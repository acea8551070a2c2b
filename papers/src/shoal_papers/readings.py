"""How a paper is read where its text leaves more than one way, and what each way makes of it.

A reading shows the measured numbers in its own way: the runs of another variant in the place of
the default's, another number, fewer settings. Every claim is judged again on what it shows, so
that a page says under which reading a claim holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import polars as pl

from shoal_papers.claims import Claim
from shoal_papers.results import Results
from shoal_papers.verdicts import NOT_MEASURED, WORST_FIRST, Finding

__all__ = [
    "OpenPoint",
    "Quote",
    "Read",
    "Reading",
    "best",
    "counting",
    "judge_readings",
    "only",
    "replacing",
    "turned",
]

View: TypeAlias = Callable[[Results], Results]


@dataclass(frozen=True)
class Quote:
    """Words of the paper that speak for a reading.

    Parameters
    ----------
    where
        The section, table or line.
    words
        A few words of the original.
    english
        The same in English.
    """

    where: str
    words: str
    english: str

    def __str__(self) -> str:
        return f"{self.where}: “{self.words}” ({self.english})"


@dataclass(frozen=True)
class Reading:
    """One way to read an open point.

    Parameters
    ----------
    name
        What it takes the text to mean, in a few words; no two of a paper are the same.
    support
        The words that speak for it. A reading without support is not used.
    view
        Shows the numbers as this reading has them; without one, as they are by default.
    claims
        The claims, one by one, with the rules of this reading; without them, the paper's as they
        are judged by default.
    """

    name: str
    support: tuple[Quote, ...]
    view: View | None = None
    claims: Sequence[Claim] | None = None


@dataclass(frozen=True)
class OpenPoint:
    """Where a paper's text can be read in more than one way.

    Parameters
    ----------
    question
        What the text leaves open.
    readings
        The readings, the default first.
    why
        Why the first is the default; by the text, not by its result.
    remark
        What else was measured about it.
    """

    question: str
    readings: tuple[Reading, ...]
    why: str
    remark: str = ""


@dataclass(frozen=True, eq=False)
class Read:
    """An open point, and per reading what is found of each claim."""

    point: OpenPoint
    findings: tuple[tuple[Finding, ...], ...]


def judge_readings(
    points: Sequence[OpenPoint], claims: Sequence[Claim], results: Results
) -> list[Read]:
    """Judge every claim under every reading; only one point at a time is read otherwise."""
    return [
        Read(point, tuple(_findings(reading, claims, results) for reading in point.readings))
        for point in points
    ]


def _findings(reading: Reading, claims: Sequence[Claim], results: Results) -> tuple[Finding, ...]:
    shown = reading.view(results) if reading.view else results
    judged = claims if reading.claims is None else reading.claims
    return tuple(claim.judge(shown) for claim in judged)


def turned(read: Read, claim: int) -> dict[str, str]:
    """Give the verdicts of readings that differ from the default's, by the reading's name."""
    ours, *others = (found[claim].verdict for found in read.findings)
    names = (reading.name for reading in read.point.readings[1:])
    return {name: v for name, v in zip(names, others, strict=True) if v not in (ours, NOT_MEASURED)}


def best(verdicts: Sequence[str]) -> str:
    """Give the best of some verdicts.

    Examples
    --------
    >>> best(["does not hold", "holds except", "not measured"])
    'holds except'
    """
    found = [verdict for verdict in verdicts if verdict != NOT_MEASURED]
    return max(found, key=WORST_FIRST.index) if found else NOT_MEASURED


def replacing(setting: str, others: Mapping[str, str]) -> View:
    """Show the runs of some values of a setting under the names of others, whose runs go.

    Examples
    --------
    >>> runs = pl.DataFrame({"method": ["a", "b"], "seed": [1, 1], "loss": [1.0, 2.0]})
    >>> replacing("method", {"a": "b"})(Results(runs, ("loss",))).runs.rows()
    [('a', 1, 2.0)]
    """

    def view(results: Results) -> Results:
        runs = results.runs.filter(~pl.col(setting).is_in(list(others)))
        names = {other: name for name, other in others.items()}
        return Results(runs.with_columns(pl.col(setting).replace(names)), results.numbers)

    return view


def counting(others: Mapping[str, str]) -> View:
    """Show some numbers in the place of others.

    Examples
    --------
    >>> runs = pl.DataFrame({"k": [2], "seed": [1], "by_or": [1.0], "by_and": [2.0]})
    >>> counting({"by_or": "by_and"})(Results(runs, ("by_or", "by_and"))).runs["by_or"].item()
    2.0
    """

    def view(results: Results) -> Results:
        shown = {name: pl.col(other) for name, other in others.items()}
        return Results(results.runs.with_columns(**shown), results.numbers)

    return view


def only(keep: pl.Expr) -> View:
    """Show the runs that a condition keeps.

    Examples
    --------
    >>> runs = pl.DataFrame({"l": [5, 9], "seed": [1, 1], "noise": [1.0, 2.0]})
    >>> only(pl.col("l") <= 7)(Results(runs, ("noise",))).runs.height
    1
    """
    return lambda results: Results(results.runs.filter(keep), results.numbers)
