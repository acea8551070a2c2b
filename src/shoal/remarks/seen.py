"""How often the values of a column occur."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

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
    def of(cls, values: pl.Series, missing: Sequence[str]) -> Seen:
        """Count a column.

        Examples
        --------
        >>> seen = Seen.of(pl.Series(["a", "a", "b", ""]), [""])
        >>> seen.known, seen.distinct, seen.repeats
        (3, 2, 1.5)
        """
        counts = values.rename("value").value_counts(name="count")
        counts = counts.filter(~is_missing(counts["value"], missing))
        return cls(len(values), int(counts["count"].sum()), counts.height, counts)

    @property
    def repeats(self) -> float:
        """Rows per value, on average."""
        return self.known / self.distinct if self.distinct else 0.0

    @property
    def evenness(self) -> float:
        """Variance over mean of the counts: about 1 by chance, 0 if all values are as frequent."""
        return float(str(self.counts["count"].var() or 0.0)) / (self.repeats or 1.0)
