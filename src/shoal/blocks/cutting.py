"""Which rows go together: a table is cut at medians into blocks of rows that lie close."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from shoal.table import NumericColumn, QuasiColumn

__all__ = ["ROWS_PER_BLOCK", "blocks_for", "cut", "positions"]

Rows: TypeAlias = "npt.NDArray[np.intp]"

ROWS_PER_BLOCK = 250_000
"""So many rows a block has if nobody says how many blocks there are."""


def blocks_for(rows: int) -> int:
    """Choose a number of blocks.

    By rows alone: by cores, a release would depend on the machine it was made on.

    Examples
    --------
    >>> blocks_for(48_842), blocks_for(1_000_000), blocks_for(10_000_000)
    (1, 4, 40)
    """
    return max(rows // ROWS_PER_BLOCK, 1)


def positions(column: QuasiColumn) -> npt.NDArray[np.float64]:
    """Say where each code of a column lies between 0 and 1; a missing cell lies in the middle.

    Numbers lie where they are in their range, categories where their leaf is in the tree.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = shoal.table.Table.encode(pl.DataFrame({"a": [3, 4, 7]}), {"a": "quasi"})
    >>> positions(table.quasi[0]).tolist()
    [0.0, 0.25, 1.0, 0.5]
    """
    if isinstance(column, NumericColumn):
        known = column.offsets.astype(np.float64) / max(column.reach, 1)
    else:
        known = np.arange(column.size) / max(column.size - 1, 1)
    return np.append(known, 0.5)


def cut(
    columns: Sequence[npt.NDArray[np.float64]],
    count: int,
    *,
    people: npt.NDArray[np.int64] | None = None,
    allowed: Callable[[Rows], bool] = lambda rows: True,
) -> list[Rows]:
    """Cut rows into blocks, the largest block first, at the median of the column of most spread.

    Rows of equal values stay together, and so do those of a person, who goes where the mean of
    their rows lies. A block that cannot be cut stays whole, so there may be fewer.

    Parameters
    ----------
    columns
        Where each row lies, column by column.
    count
        How many blocks there should be.
    people
        Tells people apart, row by row.
    allowed
        Says whether some rows may become a block.

    Examples
    --------
    >>> [rows.tolist() for rows in cut([np.array([0.0, 1.0, 0.1, 0.9])], 2)]
    [[0, 2], [1, 3]]
    """
    blocks = [np.arange(len(columns[0]))]
    whole: list[Rows] = []  # of these no cut is possible
    while blocks and len(blocks) + len(whole) < count:
        largest = max(range(len(blocks)), key=lambda at: len(blocks[at]))
        rows = blocks.pop(largest)
        halves = _halves(rows, columns, people, allowed)
        if halves is None:
            whole.append(rows)
        else:
            blocks += halves
    return sorted([*blocks, *whole], key=lambda rows: int(rows[0]))


def _halves(
    rows: Rows,
    columns: Sequence[npt.NDArray[np.float64]],
    people: npt.NDArray[np.int64] | None,
    allowed: Callable[[Rows], bool],
) -> list[Rows] | None:
    """Cut a block in two, along the column of most spread along which it is possible."""
    spread = [float(column[rows].std()) for column in columns]
    for at in sorted(range(len(columns)), key=lambda each: -spread[each]):
        if not spread[at]:
            break
        values = columns[at][rows]
        if people is not None:
            values = _means(values, people[rows])
        middle = np.median(values)
        below = values <= middle
        if below.all():
            below = values < middle
        halves = [rows[below], rows[~below]]
        if all(len(half) and allowed(half) for half in halves):
            return halves
    return None


def _means(
    values: npt.NDArray[np.float64], people: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Give each row the mean of the rows of its person."""
    _, who = np.unique(people, return_inverse=True)
    who = who.reshape(-1)
    return np.asarray((np.bincount(who, values) / np.bincount(who))[who])
