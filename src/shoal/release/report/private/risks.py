"""How likely people are found, before and after, and how large their classes are."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from shoal.base.arrays import Floats, Ints
from shoal.release.report.numbers import share

if TYPE_CHECKING:
    from shoal.judging.risk.identity.records import Records
    from shoal.release import Release

SPANS = (1, 2, 3, 5, 10, 20, 50, 100, 1000, inf)
"""Where the bars of the histogram begin."""


@dataclass(frozen=True)
class SizeBar:
    """A bar of the histogram: which share of people is in classes of these sizes."""

    size: str
    before: float
    after: float

    @property
    def words(self) -> str:
        """The bar as text."""
        return f"class of {self.size}: {share(self.before)} before, {share(self.after)} after"


@dataclass(frozen=True, eq=False)
class Sizes:
    """The number of people by the size of the smallest of their classes, in rising order."""

    sizes: Ints
    people: Ints

    @classmethod
    def of(cls, found: Records) -> Sizes:
        """Count the people of a table."""
        each = np.rint(1 / found.per_person(1 / found.sizes)).astype(np.int64)
        return cls(*np.unique(each, return_counts=True))

    @property
    def risks(self) -> Floats:
        """How likely each is found."""
        return np.asarray(1 / self.sizes)


@dataclass(frozen=True)
class Risks:
    """Figures for an attacker who knows that a person is in the table.

    ``lines``: per figure its name, and how it was and is.
    ``sizes``: the histogram of classes.
    """

    lines: tuple[tuple[str, str, str], ...]
    sizes: tuple[SizeBar, ...]

    @classmethod
    def of(cls, release: Release) -> Risks:
        """Count the release and its original, as `Release.reidentification` does.

        That also asks what a ``*`` could match, which takes longer than all of this page.
        """
        from shoal.judging.risk.identity.records import records  # only who writes a release

        after, whole = records(release), release.whole
        before = records(whole.coded, whole.schema, quasi=after.names, people=release.people)
        return cls.between(Sizes.of(before), Sizes.of(after))

    @classmethod
    def between(cls, before: Sizes, after: Sizes) -> Risks:
        """Say the figures of classes as they were and as they are."""
        return cls(tuple(_lines(before, after)), tuple(_bars(before, after)))


def _lines(before: Sizes, after: Sizes) -> list[tuple[str, str, str]]:
    """Say the same figures of both."""
    from shoal.judging.risk.identity.reidentification import THRESHOLDS, RiskFigures

    both = (before, after)
    figures = [RiskFigures.of(each.risks, THRESHOLDS, each.people) for each in both]
    alone = [int(each.people[each.sizes == 1].sum()) for each in both]

    lines = {
        "highest risk of a person": [f"{each.highest:.1%}" for each in figures],
        "average risk": [share(each.average) for each in figures],
        "people unique in their class": [f"{each:,}" for each in alone],
    }
    for most in THRESHOLDS:
        lines[f"people with a risk above {most:g}"] = [share(each.above[most]) for each in figures]
    return [(name, was, now) for name, (was, now) in lines.items()]


def _bars(before: Sizes, after: Sizes) -> list[SizeBar]:
    """Put people into spans of the sizes of their classes."""
    made = []
    for low, high in pairwise(SPANS):
        parts = [
            float(np.average((each.sizes >= low) & (each.sizes < high), weights=each.people))
            for each in (before, after)
        ]
        if any(parts):
            made.append(SizeBar(_span(low, high), *parts))
    return made


def _span(low: float, high: float) -> str:
    if high == inf:
        return f"{low:,} or more"
    return f"{low:,}" if high == low + 1 else f"{low:,} to {high - 1:,}"
