"""What became of each cell, and how coarse each column became: how wide ranges are, for example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Ints
from shoal.measures._pairs import CategoryPair, NumberPair, Pair, require_pair
from shoal.publications.recoding import CategoryCells, Cells, NumberCells
from shoal.table import NumericColumn, QuasiColumn


class CellOutcomes(NamedTuple):
    """How many cells of a column met which fate; together they are all rows of the original."""

    kept: int
    """Known, and published as they were."""
    generalized: int
    """Known, and published as an interval or a higher node."""
    starred: int
    """Known, and published as ``*``."""
    already_missing: int
    """Missing before, and published as ``*``."""
    removed: int
    """In rows that were not published."""

    def shares(self) -> dict[str, float]:
        """Divide by all rows."""
        return {outcome: count / (sum(self) or 1) for outcome, count in self._asdict().items()}


def cells_by_outcome(pair: Pair) -> dict[str, CellOutcomes]:
    """Count, per quasi-identifier, what became of the original's cells.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> original = pl.DataFrame({"age": [30, 31, None, 50, 60]})
    >>> published = pl.DataFrame({"age": ["30", "[31, 39]", "*", "*"]})
    >>> schema = shoal.Schema({"age": shoal.quasi()})
    >>> pair = shoal.measures.pair(original, published, schema, rows=[0, 1, 2, 3])
    >>> cells_by_outcome(pair)["age"]
    CellOutcomes(kept=1, generalized=1, starred=1, already_missing=1, removed=1)
    """
    require_pair(pair)
    names = (column.name for column in pair.table.quasi)
    return {n: _count(c, pair.n_removed) for n, c in zip(names, pair.columns, strict=True)}


def _count(column: NumberPair | CategoryPair, removed: int) -> CellOutcomes:
    known, star = ~column.missing, column.star
    same = column.unchanged & known & ~star
    kinds = (same, known & ~star & ~same, known & star, ~known)
    kept, generalized, starred, missing = (int(column.counts[kind].sum()) for kind in kinds)
    return CellOutcomes(kept, generalized, starred, missing, removed)


LOST = 0.5
"""From this share of ``*`` on, a column tells its readers next to nothing."""


@dataclass(frozen=True)
class Coarseness:
    """What became of a column.

    Parameters
    ----------
    outcomes
        How many cells were kept, generalized, published as ``*``, missing before or removed.
    width
        Of numbers: how wide the published range is, on the median of the known cells; ``*`` is as
        wide as the column. Of dates it is in days. ``None`` for categories.
    values, of
        Of categories: how many values the published cell covers, on the median, and how many there
        are. ``None`` for numbers.
    dates
        Whether numbers are days of the calendar.
    """

    outcomes: CellOutcomes
    width: float | None = None
    values: int | None = None
    of: int | None = None
    dates: bool = False

    @property
    def starred(self) -> float:
        """The share of the known cells of published rows that became ``*``."""
        return self.outcomes.starred / (self._known or 1)

    @property
    def kept(self) -> float:
        """The share of the known cells of published rows that stayed as they were."""
        return self.outcomes.kept / (self._known or 1)

    @property
    def is_lost(self) -> bool:
        """Whether at least half of its known cells are ``*``."""
        return self.starred >= LOST

    @property
    def typical(self) -> str:
        """The median cell in words.

        Examples
        --------
        >>> Coarseness(CellOutcomes(5, 5, 0, 0, 0), width=123456.7).typical
        'a range of 123,457'
        >>> Coarseness(CellOutcomes(9, 1, 0, 0, 0), values=1, of=7).typical
        'the value itself'
        >>> Coarseness(CellOutcomes(5, 5, 0, 0, 0), width=1826.0, dates=True).typical
        'a range of 5 years'
        """
        if self.starred > LOST:
            return "*"
        if self.width is not None and self.dates:
            return _in_days(self.width + 1) if self.width else "the day itself"
        if self.width is not None:
            wide = f"{self.width:,.0f}" if self.width >= 1000 else f"{self.width:.4g}"
            return f"a range of {wide}" if self.width else "the number itself"
        if self.values == 1:
            return "the value itself"
        return "*" if self.values == self.of else f"{self.values:,} of {self.of:,} values"

    @property
    def _known(self) -> int:
        return self.outcomes.kept + self.outcomes.generalized + self.outcomes.starred


def coarseness(pair: Pair) -> dict[str, Coarseness]:
    """Say, per quasi-identifier, how coarse its published cells are.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> original = pl.DataFrame({"age": [30, 31, 50, 60]})
    >>> published = pl.DataFrame({"age": ["[30, 40]", "[30, 40]", "[50, 60]", "*"]})
    >>> schema = shoal.Schema({"age": shoal.quasi()})
    >>> found = coarseness(shoal.measures.pair(original, published, schema))["age"]
    >>> found.typical, found.starred
    ('a range of 10', 0.25)
    """
    require_pair(pair)
    outcomes = cells_by_outcome(pair)
    made = {}
    for found in pair.columns:
        counts = np.where(found.missing, 0, found.counts)
        known = np.bincount(found.cell, counts, minlength=len(found.cells)).astype(np.int64)
        column = found.column
        made[column.name] = coarseness_of(column, found.cells, known, outcomes[column.name])
    return made


def coarseness_of(
    column: QuasiColumn, cells: Cells, known: Ints, outcomes: CellOutcomes
) -> Coarseness:
    """Measure the distinct cells of a column, each weighted by how many known cells it shows."""
    shown = known > 0
    if isinstance(column, NumericColumn):
        assert isinstance(cells, NumberCells)
        widths = np.where(cells.star, column.domain, cells.widths)
        return Coarseness(outcomes, width=_median(widths[shown], known[shown]), dates=cells.dates)
    assert isinstance(cells, CategoryCells)
    covered = _median(cells.leaf_counts[shown], known[shown])
    return Coarseness(outcomes, values=int(covered), of=cells.hierarchy.n_leaves)


def _in_days(days: float) -> str:
    """Say a number of days in the unit that people would."""
    for unit, length in (("years", 365.2425), ("months", 365.2425 / 12)):
        if days >= 1.99 * length:
            return f"a range of {days / length:,.2g} {unit}"
    return f"a range of {days:,.0f} days"


def _median(numbers: npt.NDArray[np.generic], counts: Ints) -> float:
    """Find the least number that at least half of the counts do not exceed; 0 of nothing."""
    if not len(numbers):
        return 0.0
    order = np.argsort(numbers, kind="stable")
    reached = np.cumsum(counts[order])
    place = int(np.searchsorted(reached, reached[-1] / 2))
    return float(numbers[order][place])
