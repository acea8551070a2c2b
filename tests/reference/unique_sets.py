"""Minimal unique sets by their definition: every set of columns, every pair of rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

__all__ = ["minimal_unique_sets"]

Cells = Sequence[Sequence[object]]


def minimal_unique_sets(
    rows: Cells, owners: Sequence[int], largest: int, star: object = "*"
) -> dict[tuple[int, ...], list[int]]:
    """For each set of columns the rows for which it is unique and minimal."""
    if not rows:
        return {}
    width = len(rows[0])
    made: dict[tuple[int, ...], list[int]] = {}
    for size in range(1, largest + 1):
        for columns in combinations(range(width), size):
            found = [
                row
                for row in range(len(rows))
                if _unique(rows, owners, row, columns, star)
                and not any(
                    _unique(rows, owners, row, fewer, star)
                    for less in range(1, size)
                    for fewer in combinations(columns, less)
                )
            ]
            if found:
                made[columns] = found
    return made


def _unique(
    rows: Cells, owners: Sequence[int], row: int, columns: Sequence[int], star: object
) -> bool:
    """Nobody else has the row's cells, and none of them is a star."""
    mine = [rows[row][j] for j in columns]
    if star in mine:
        return False
    return all(
        owners[other] == owners[row] or [rows[other][j] for j in columns] != mine
        for other in range(len(rows))
    )
