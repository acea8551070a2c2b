"""Missing cells per column, and which columns are missing together."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np

from shoal.base.arrays import Bools, Ints


@dataclass(frozen=True)
class Pattern:
    """Rows in which exactly these columns are missing; no column means complete rows."""

    columns: tuple[str, ...]
    rows: int


@dataclass(frozen=True)
class Missingness:
    """How much is missing, and where.

    ``rows``: rows of the table.
    ``columns``: missing cells per column.
    ``patterns``: every combination of missing columns that occurs, the most frequent first.

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
    def of(cls, missing: Bools, names: Sequence[str]) -> Missingness:
        """Count a mask of missing cells: rows × columns."""
        first, rows, _ = patterns(missing)
        order = np.lexsort((first, -rows))
        return cls(
            rows=len(missing),
            columns=dict(zip(names, missing.sum(axis=0).tolist(), strict=True)),
            patterns=tuple(
                Pattern(tuple(compress(names, missing[first[i]])), int(rows[i])) for i in order
            ),
        )

    def select(self, names: Collection[str]) -> Missingness:
        """Take some of the columns.

        >>> found = Missingness(4, {"age": 2, "zip": 1}, (Pattern((), 2), Pattern(("age",), 1),
        ...                                               Pattern(("age", "zip"), 1)))
        >>> found.select(["zip"]).patterns
        (Pattern(columns=(), rows=3), Pattern(columns=('zip',), rows=1))
        """
        rows: dict[tuple[str, ...], int] = {}
        for pattern in self.patterns:
            kept = tuple(name for name in pattern.columns if name in names)
            rows[kept] = rows.get(kept, 0) + pattern.rows
        ranked = sorted(rows.items(), key=lambda item: -item[1])
        columns = {name: cells for name, cells in self.columns.items() if name in names}
        return Missingness(self.rows, columns, tuple(Pattern(*each) for each in ranked))

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


def patterns(missing: Bools) -> tuple[Ints, Ints, Ints]:
    """Find the different rows of a mask: a row of each, how many there are, and which each is.

    >>> import numpy as np
    >>> patterns(np.array([[0, 0], [1, 0], [0, 0]], dtype=bool))
    (array([0, 1]), array([2, 1]), array([0, 1, 0]))
    """
    some = missing.any(axis=1)
    where = np.flatnonzero(some)  # few rows, as a rule: only they are sorted
    packed = np.packbits(missing[where], axis=1)
    # A whole row of bits as one item: sorting compares it at once.
    items = np.ascontiguousarray(packed).view(f"V{max(packed.shape[1], 1)}").ravel()
    _, first, which, rows = np.unique(
        items, return_index=True, return_inverse=True, return_counts=True
    )
    first, every = where[first], np.zeros(len(missing), dtype=np.int64)
    whole = len(missing) - len(where)
    every[where] = which.reshape(-1) + bool(whole)
    if whole:
        first = np.concatenate([[int(np.argmin(some))], first])
        rows = np.concatenate([[whole], rows])
    return first.astype(np.int64), rows.astype(np.int64), every
