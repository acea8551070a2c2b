"""What Zhang et al. (2014) measure: columns, settings, and what the data alone says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from shoal.measures import highly_sensitive
from shoal.table.sensitive import SensitiveColumn
from shoal_papers import adult
from shoal_papers.lines import Settings
from shoal_papers.results import Results
from shoal_papers.rules import NAMES, Points
from shoal_papers.samples import Sample

__all__ = [
    "COUNT",
    "DECOMPOSITION",
    "DIVERSITY",
    "HIGHEST",
    "MICD",
    "PLUS",
    "PRINTED",
    "SECRETS",
    "TABLE_5",
    "Grid",
    "columns",
    "facts",
    "highly",
    "least_noise",
    "out_of_reach",
]

MICD, DECOMPOSITION, PLUS = "micd", "decomposition", "decomposition-plus"
"""The paper's method and its two baselines."""

SECRETS = ("education", "occupation", "marital-status", "race", "workclass")
"""The sensitive columns in the order of table 4; |S| = s means the first s."""

HIGHEST, PRINTED = "occupation", "education"
"""The primary column by the paper's rule, the highest entropy, and the one that it names."""

COUNT, DIVERSITY = 3, 3
"""|S| where l changes, and l where |S| does."""

TABLE_5: Mapping[str, tuple[str, ...]] = {
    "race": ("Amer-Indian-Eskimo", "Other"),
    "education": ("Preschool", "1st-4th", "5th-6th", "Doctorate", "12th"),
    "marital-status": ("Married-AF-spouse", "Married-spouse-absent"),
    "workclass": ("Without-pay", "Federal-gov"),
    "occupation": ("Armed-Forces", "Priv-house-serv", "Protective-serv"),
}
"""The highly sensitive values as the paper lists them."""

THRESHOLD = Fraction(7, 10)
"""A group is open to an attack if this share of its values, or more, is highly sensitive."""


@dataclass(frozen=True)
class Grid(Settings):
    """The settings that were measured, and which of them the claims are judged by.

    Parameters
    ----------
    every
        All values of l that were measured.
    """

    every: Sequence[int] = ()

    @property
    def others(self) -> dict[str, str]:
        """The two baselines."""
        return {name: shown for name, shown in self.methods.items() if name != MICD}

    def at(self, primary: str | None = None, *, every: bool = False) -> Grid:
        """Give the same with another primary column, or with every l that was measured."""
        usual = self.usual if primary is None else {**self.usual, "primary": primary}
        values = {**self.values, "l": self.every} if every else self.values
        return replace(self, usual=usual, values=values)

    def line(self, results: Results, number: str, method: str, over: str) -> Points:
        """Give a method's line over l with |S| = 3, or over |S| with l = 3."""
        return self.points(results, number, (over,), {**self.usual, "method": method})

    def pairs(
        self,
        results: Results,
        first: tuple[str, str],
        second: tuple[str, str],
        overs: Sequence[str] = ("l", "secrets"),
    ) -> Iterator[tuple[dict[str, int], Sample, Sample]]:
        """Give two samples (a number and a method each) at each setting of some figures, once."""
        for over in overs:
            one, other = (self.line(results, *each, over) for each in (first, second))
            for x in sorted(one.keys() & other.keys()):
                if over == "l" or len(overs) == 1 or x != COUNT:
                    yield {NAMES.get(over, over): x}, one[x], other[x]


@lru_cache(maxsize=1)
def columns() -> dict[str, SensitiveColumn]:
    """Encode the sensitive columns of all rows."""
    frame = adult.rows_of(complete=True, train=True)
    return {name: SensitiveColumn.encode(frame[name], ()) for name in SECRETS}


def highly(name: str) -> int:
    """Count the highly sensitive values of a column."""
    return int(highly_sensitive(columns()[name]).sum())


def out_of_reach() -> dict[str, int]:
    """Find, for each column, the least l from which no group can be open to an attack."""
    return {
        name: next(least for least in range(2, column.size + 2) if highly(name) < THRESHOLD * least)
        for name, column in columns().items()
    }


def least_noise(name: str, least: int = DIVERSITY) -> int:
    """Count the values that noise alone must add to a column in groups of l rows, at least.

    With so many groups, rows / l, a value that more rows hold than there are groups stands twice
    in some; each row too many leaves a place that only an added value fills.
    """
    counts = columns()[name].counts
    groups = int(counts.sum()) // least
    return int(np.maximum(counts - groups, 0).sum())


def facts() -> dict[str, Any]:
    """Collect what texts name of the data: rare values, and noise that none can spare."""
    reach, last = out_of_reach(), SECRETS[COUNT - 1]
    *first, final = (name for name in SECRETS[COUNT - 1 :] if reach[name] <= DIVERSITY)
    least, rows = least_noise(last), int(columns()[last].counts.sum())
    return {
        "count": COUNT,
        "diversity": DIVERSITY,
        "further": f"{', '.join(first)} and {final}",
        "groups": rows // DIVERSITY,
        "last_column": last,
        "least_noise": least,
        "least_ratio": least / rows,
        "most_rows": columns()[last].counts.max(),
        "out_of_reach": ", ".join(
            f"l = {least} in {name} (h = {highly(name)})"
            for name, least in list(reach.items())[:COUNT]
        ),
        "rare_education": highly("education"),
        "rare_further": highly(SECRETS[COUNT]),
        "rows": rows,
    }
