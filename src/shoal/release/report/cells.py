"""What happened to the cells of each column, as one bar of five parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shoal.release.report.numbers import share

OUTCOMES = {
    "kept": "published unchanged",
    "generalized": "published coarser: a range or a group of values",
    "starred": "published as *, although it was known",
    "already_missing": "was missing, and is published as *",
    "removed": "in a row that is not published",
}
"""What can happen to a cell, and what that means."""

COLOURS = {
    "kept": "#009e73",
    "generalized": "#56b4e9",
    "starred": "#e69f00",
    "already_missing": "#9aa5ae",
    "removed": "#c8501a",
}
"""Colours that most people can tell apart, also those who see few."""


@dataclass(frozen=True)
class Part:
    """One part of a bar, in percent of its length."""

    outcome: str
    start: float
    length: float
    share: str

    @property
    def word(self) -> str:
        """The outcome in words."""
        return self.outcome.replace("_", " ")


def cell_bar(shares: Mapping[str, float]) -> list[Part]:
    """Draw a column of ``facts["loss"]`` as a bar, without parts of no length.

    >>> cells = dict.fromkeys(OUTCOMES, 0.0) | {"kept": 0.25, "generalized": 0.75}
    >>> [(part.outcome, part.start, part.length) for part in cell_bar(cells)]
    [('kept', 0.0, 25.0), ('generalized', 25.0, 75.0)]
    """
    made, start = [], 0.0
    whole = sum(shares.values()) or 1.0  # rounded shares need not sum to 1
    for outcome in OUTCOMES:
        length = round(100 * shares[outcome] / whole, 3)
        if shares[outcome]:
            made.append(Part(outcome, round(start, 3), length, share(shares[outcome])))
        start += length
    return made
