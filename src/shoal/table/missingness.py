"""Where a table has holes: missing cells per column, and which columns miss together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Missingness", "Pattern"]


@dataclass(frozen=True)
class Pattern:
    """Rows in which exactly these columns are missing; no column means complete rows."""

    columns: tuple[str, ...]
    rows: int


@dataclass(frozen=True)
class Missingness:
    """How much is missing, and where.

    Parameters
    ----------
    rows
        Rows of the table.
    columns
        Missing cells per column.
    patterns
        Every combination of missing columns that occurs, the most frequent first.

    Examples
    --------
    >>> import numpy as np
    >>> holes = np.array([[1, 0], [1, 1], [0, 0], [1, 0]], dtype=bool)
    >>> found = Missingness.of(holes, ["age", "zip"])
    >>> found.columns, found.value_rate, found.record_rate
    ({'age': 3, 'zip': 1}, 0.5, 0.75)
    >>> found.patterns[0]
    Pattern(columns=('age',), rows=2)
    """

    rows: int
    columns: dict[str, int]
    patterns: tuple[Pattern, ...]

    @classmethod
    def of(cls, holes: npt.NDArray[np.bool_], names: Sequence[str]) -> Missingness:
        """Count a mask of missing cells: rows × columns."""
        packed = np.packbits(holes, axis=1)
        # A whole row of bits as one item: sorting compares it at once.
        items = np.ascontiguousarray(packed).view(f"V{max(packed.shape[1], 1)}").ravel()
        _, first, rows = np.unique(items, return_index=True, return_counts=True)
        order = np.lexsort((first, -rows))
        return cls(
            rows=len(holes),
            columns=dict(zip(names, holes.sum(axis=0).tolist(), strict=True)),
            patterns=tuple(_pattern(holes[first[i]], names, int(rows[i])) for i in order),
        )

    @property
    def cells(self) -> int:
        """Missing cells in all."""
        return sum(self.columns.values())

    @property
    def incomplete(self) -> int:
        """Rows with a missing cell."""
        return sum(pattern.rows for pattern in self.patterns if pattern.columns)

    @property
    def value_rate(self) -> float:
        """The share of cells that are missing (VMR)."""
        return self.cells / ((self.rows * len(self.columns)) or 1)

    @property
    def record_rate(self) -> float:
        """The share of rows with a missing cell (RMR)."""
        return self.incomplete / (self.rows or 1)


def _pattern(holes: npt.NDArray[Any], names: Sequence[str], rows: int) -> Pattern:
    return Pattern(tuple(name for name, hole in zip(names, holes, strict=True) if hole), rows)
