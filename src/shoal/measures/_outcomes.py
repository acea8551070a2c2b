"""What became of each cell: kept, generalized, starred, missing before, or removed."""

from __future__ import annotations

from typing import NamedTuple

from shoal.measures._pairs import CategoryPair, NumberPair, Pair, require_pair


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
