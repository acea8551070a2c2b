"""Which rows go together: a table is cut at medians into blocks of rows that lie close."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from shoal.table import NumericColumn, QuasiColumn

__all__ = ["ROWS_PER_BLOCK", "Axis", "blocks_for", "cut"]

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


class Axis(NamedTuple):
    """Where the rows of a table lie along a column, between 0 and 1.

    Places are kept per code: rows are many, and codes take a byte or two.
    """

    places: npt.NDArray[np.float64]
    codes: npt.NDArray[np.integer[Any]]

    @classmethod
    def of(cls, column: QuasiColumn) -> Axis:
        """Place numbers where they are in their range, categories where their leaf is in the tree.

        A missing cell lies in the middle.

        Examples
        --------
        >>> import polars as pl, shoal
        >>> table = shoal.table.Table.encode(pl.DataFrame({"a": [3, 4, 7]}), {"a": "quasi"})
        >>> Axis.of(table.quasi[0]).at(np.array([2, 1])).tolist()
        [1.0, 0.25]
        """
        if isinstance(column, NumericColumn):
            known = column.offsets.astype(np.float64) / max(column.reach, 1)
        else:
            known = np.arange(column.size) / max(column.size - 1, 1)
        return cls(np.append(known, 0.5), column.codes)

    def at(self, rows: Rows) -> npt.NDArray[np.float64]:
        """Say where some rows lie."""
        return np.asarray(self.places[self.codes[rows]])

    def spread(self, rows: Rows) -> float:
        """Give the standard deviation of where some rows lie, in 12 digits."""
        counts = np.bincount(self.codes[rows], minlength=len(self.places))
        mean = np.average(self.places, weights=counts)
        squares = np.average((self.places - mean) ** 2, weights=counts)
        return round(math.sqrt(float(squares)), 12)


def cut(
    axes: Sequence[Axis],
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
    axes
        Where each row lies, column by column.
    count
        How many blocks there should be.
    people
        Tells people apart, row by row.
    allowed
        Says whether some rows may become a block.

    Examples
    --------
    >>> axis = Axis(np.array([0.0, 0.1, 0.9, 1.0]), np.array([0, 3, 1, 2]))
    >>> [rows.tolist() for rows in cut([axis], 2)]
    [[0, 2], [1, 3]]
    """
    blocks = [np.arange(len(axes[0].codes))]
    whole: list[Rows] = []  # of these no cut is possible
    while blocks and len(blocks) + len(whole) < count:
        largest = max(range(len(blocks)), key=lambda at: len(blocks[at]))
        rows = blocks.pop(largest)
        halves = _halves(rows, axes, people, allowed)
        if halves is None:
            whole.append(rows)
        else:
            blocks += halves
    return sorted([*blocks, *whole], key=lambda rows: int(rows[0]))


def _halves(
    rows: Rows,
    axes: Sequence[Axis],
    people: npt.NDArray[np.int64] | None,
    allowed: Callable[[Rows], bool],
) -> list[Rows] | None:
    """Cut a block in two, along the column of most spread along which it is possible."""
    spread = [axis.spread(rows) for axis in axes]
    for number in sorted(range(len(axes)), key=lambda each: -spread[each]):
        if not spread[number]:
            break
        values = axes[number].at(rows)
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
