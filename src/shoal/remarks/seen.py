"""How often the values of a column occur."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

import polars as pl

from shoal.frames import Dictionary
from shoal.schema import is_missing

__all__ = ["Seen"]


@dataclass(frozen=True)
class Seen:
    """Counts of a column's values.

    Parameters
    ----------
    rows, known, distinct
        Cells, those that are not missing, and the different values among them.
    counts
        The different values (``value``) and how often each occurs (``count``).
    """

    rows: int
    known: int
    distinct: int
    counts: pl.DataFrame

    @classmethod
    def of(cls, found: Dictionary, missing: Sequence[str]) -> Seen:
        """Count a column.

        Examples
        --------
        >>> seen = Seen.of(Dictionary.of(pl.Series(["a", "a", "b", ""])), [""])
        >>> seen.known, seen.distinct, seen.repeats
        (3, 2, 1.5)
        """
        counts = pl.DataFrame({"value": found.values, "count": found.counts})
        counts = counts.filter(~is_missing(counts["value"], missing))
        return cls(len(found.codes), int(counts["count"].sum()), counts.height, counts)

    @property
    def repeats(self) -> float:
        """Rows per value, on average."""
        return self.known / self.distinct if self.distinct else 0.0

    @property
    def unevenness(self) -> float:
        """How much counts vary: about 1 by chance, 0 if all values are as frequent.

        Chance deals rows to values that are equally likely; only those that got some are seen,
        so counts follow a Poisson distribution without its zero.
        """
        likely = mean = self.repeats
        for _ in range(100):
            likely = mean * (1 - exp(-likely))
        by_chance = mean * (1 + likely - mean)
        found = float(str(self.counts["count"].var() or 0.0))
        return found / by_chance if by_chance > 0 else 0.0
