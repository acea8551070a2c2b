"""How often the values of a column occur, and whether they are numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp

import polars as pl

from shoal.base.arrays import Ints
from shoal.io.frames import Dictionary
from shoal.table.schema import is_missing


@dataclass(frozen=True)
class Seen:
    """Counts of a column: cells, those that are not missing, and different values among them.

    ``variance`` says how much it varies how often values occur. ``counts`` has the different values
    (``value``) and how often each occurs (``count``); none where they are too many to be held in
    one place.
    """

    rows: int
    known: int
    distinct: int
    variance: float
    counts: pl.DataFrame = field(default_factory=pl.DataFrame)

    @classmethod
    def of(cls, found: Dictionary, missing: Sequence[str]) -> Seen:
        """Count a column."""
        return cls.counted(found.values, found.counts, missing)

    @classmethod
    def counted(cls, values: pl.Series, cells: Ints, missing: Sequence[str]) -> Seen:
        """Take values of which it is known how many cells hold each."""
        counts = pl.DataFrame({"value": values, "count": cells})
        counts = counts.filter(~is_missing(counts["value"], missing))
        many = counts["count"]
        variance = float(str(many.var() or 0.0))
        return cls(int(cells.sum()), int(many.sum()), counts.height, variance, counts)

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
        return self.variance / by_chance if by_chance > 0 else 0.0


_SAMPLE = 2_000


def numbers_in(values: pl.Series, missing: Sequence[str]) -> bool:
    """Say whether the known cells of a column are numbers, by its first rows."""
    some = values.head(_SAMPLE)
    found = as_numbers(some, missing)
    return found is not None and found.count() > 0


def as_numbers(values: pl.Series, missing: Sequence[str]) -> pl.Series | None:
    """Read a column as numbers, with nulls where cells are missing; ``None`` if it holds others."""
    known = ~is_missing(values, missing)
    if values.dtype.is_numeric():
        read = values.cast(pl.Float64)
    elif values.dtype == pl.String:
        read = values.str.strip_chars().cast(pl.Float64, strict=False)
    else:
        return None
    finite = read.is_finite().fill_null(False)
    if not (finite | ~known).all():
        return None
    return read.zip_with(known, pl.Series([None], dtype=pl.Float64))
