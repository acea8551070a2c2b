"""Where a table is cut into blocks: at medians, so that rows that lie close stay together.

Cuts are found from points: places that rows share, each with how many rows lie there. So they can
be found where the rows themselves are not, and every row finds its block by where it lies.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from shoal.table import NumericColumn, QuasiColumn

Places: TypeAlias = "npt.NDArray[np.intp]"

ROWS_PER_BLOCK = 250_000
"""Default number of rows per block."""


def blocks_for(rows: int) -> int:
    """Choose a number of blocks.

    By rows alone: by cores, a release would depend on the machine it was made on.
    """
    return max(rows // ROWS_PER_BLOCK, 1)


class Axis(NamedTuple):
    """Where points lie along a column.

    Places are kept per code: points are many, and codes take a byte or two.
    """

    places: npt.NDArray[np.float64]
    codes: npt.NDArray[np.integer[Any]]

    @classmethod
    def of(cls, column: QuasiColumn) -> Axis:
        """Place numbers where they are in their range, categories where their leaf is in the tree.

        A missing cell lies in the middle. Places are whole numbers up to 2³⁰, so that sums of them
        do not depend on their order.
        """
        if isinstance(column, NumericColumn):
            known = column.offsets.astype(np.float64) / max(column.reach, 1)
        else:
            known = np.arange(column.size) / max(column.size - 1, 1)
        return cls(np.rint(np.append(known, 0.5) * 2.0**30), column.codes)

    def at(self, points: Places) -> npt.NDArray[np.float64]:
        """Say where some points lie."""
        return np.asarray(self.places[self.codes[points]])

    def spread(self, points: Places, weights: npt.NDArray[np.int64]) -> float:
        """Give the standard deviation of where the rows at some points lie."""
        counts = np.bincount(self.codes[points], weights[points], minlength=len(self.places))
        mean = np.average(self.places, weights=counts)
        squares = np.average((self.places - mean) ** 2, weights=counts)
        return round(math.sqrt(float(squares)) / 2.0**30, 12)


class Cut(NamedTuple):
    """One cut: points up to the middle go one way (or those below it), the others the other."""

    column: int
    middle: float
    up_to: bool
    below: int
    above: int
    """What follows on each side: another cut by its place, or a block, as −1 less its number."""

    def is_below(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
        """Say which places lie below the cut."""
        return np.asarray(values <= self.middle if self.up_to else values < self.middle)


@dataclass(frozen=True)
class Cuts:
    """All cuts of a table; the first one is made first."""

    cuts: tuple[Cut, ...]
    count: int
    """How many blocks there are."""

    def blocks_of(self, axes: Sequence[Axis]) -> npt.NDArray[np.int32]:
        """Find the block of each point, of those that were cut by or any others.

        Examples
        --------
        >>> axis = Axis(np.array([0.0, 0.1, 0.9, 1.0]), np.array([0, 3, 1, 2]))
        >>> cut([axis], 2).blocks_of([axis]).tolist()
        [0, 1, 0, 1]
        """
        blocks = np.zeros(len(axes[0].codes), dtype=np.int32)
        if not self.cuts:
            return blocks
        waiting = [(0, np.arange(len(blocks)))]
        while waiting:
            number, points = waiting.pop()
            if number < 0:
                blocks[points] = -1 - number
                continue
            one = self.cuts[number]
            below = one.is_below(axes[one.column].at(points))
            waiting += [(one.below, points[below]), (one.above, points[~below])]
        return blocks


def cut(
    axes: Sequence[Axis],
    count: int,
    *,
    weights: npt.NDArray[np.int64] | None = None,
    allowed: Callable[[Places], bool] = lambda points: True,
) -> Cuts:
    """Cut points into blocks, the largest block first, at the median of the column of most spread.

    A block that cannot be cut stays whole, so there may be fewer. Blocks are numbered by their
    first point.

    `axes`: where each point lies, column by column.
    `count`: how many blocks there should be.
    `weights`: how many rows lie at each point; one if left out.
    `allowed`: says whether the rows at some points may become a block.
    """
    weights = np.ones(len(axes[0].codes), dtype=np.int64) if weights is None else weights
    open_: list[tuple[Places, int]] = [(np.arange(len(weights)), -1)]  # with the cut above
    whole: list[tuple[Places, int]] = []  # of these no cut is possible
    made: list[Cut] = []
    while open_ and len(open_) + len(whole) < count:
        largest = max(range(len(open_)), key=lambda at: int(weights[open_[at][0]].sum()))
        points, above = open_.pop(largest)
        found = _halves(points, axes, weights, allowed)
        if found is None:
            whole.append((points, above))
            continue
        one, halves = found
        number = len(made)
        made.append(one)
        _hang(made, above, number)
        open_ += [(halves[0], 2 * number), (halves[1], 2 * number + 1)]
    blocks = sorted([*open_, *whole], key=lambda each: int(each[0][0]) if len(each[0]) else 0)
    for number, (_, above) in enumerate(blocks):
        _hang(made, above, -1 - number)
    return Cuts(tuple(made), len(blocks))


def _hang(made: list[Cut], above: int, what: int) -> None:
    """Say what follows on a side of a cut: sides are numbered, two for each cut."""
    if above >= 0:
        number, side = divmod(above, 2)
        one = made[number]
        made[number] = one._replace(above=what) if side else one._replace(below=what)


def _halves(
    points: Places,
    axes: Sequence[Axis],
    weights: npt.NDArray[np.int64],
    allowed: Callable[[Places], bool],
) -> tuple[Cut, list[Places]] | None:
    """Cut a block in two, along the column of most spread along which it is possible."""
    spread = [axis.spread(points, weights) for axis in axes]
    for number in sorted(range(len(axes)), key=lambda each: -spread[each]):
        if not spread[number]:
            break
        values = axes[number].at(points)
        one = Cut(number, _median(values, weights[points]), True, 0, 0)
        below = one.is_below(values)
        if below.all():
            one = one._replace(up_to=False)
            below = one.is_below(values)
        halves = [points[below], points[~below]]
        if all(len(half) and allowed(half) for half in halves):
            return one, halves
    return None


def _median(values: npt.NDArray[np.float64], weights: npt.NDArray[np.int64]) -> float:
    """Give the median of values that occur so often."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    total = int(reached[-1])
    low, high = np.searchsorted(reached, [(total - 1) // 2, total // 2], side="right")
    return float((values[order[low]] + values[order[high]]) / 2)
