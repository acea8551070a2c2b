"""Bounds of many boxes at once, in the lanes of a vector.

What a code costs a class depends on the ring between two of the class's ancestors in which it
lies, and an ancestor is a range of codes. So a bound is a sum of steps: one for each ancestor that
the box lies outside of, and for a number the way from the class to the box. That takes compares
and additions only, no look-up, and a processor does eight or more at a time.

The compiler does not find this by itself: it unrolls the loop over a few lanes before it looks for
vectors. So the loops are written in the compiler's own language, which has vectors of any width
and splits them where a processor has shorter ones.

Sums are 32-bit floats, and positions of numbers are rounded, so a bound is only about right:
`Program.sums` says by how much it may be wrong, and who asks allows for it.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.kernels.clustering.boxes import BLOCK, SHARED
from shoal.kernels.tree import FAN

__all__ = [
    "BASE",
    "BEGINS",
    "ENDS",
    "FACTOR",
    "FAR",
    "HOLE",
    "NEAR",
    "SLACK",
    "Lanes",
    "Program",
    "far_boxes",
    "far_points",
    "near_boxes",
    "near_points",
]

NEAR, FAR = range(2)
"""Rows of `Program.steps`, and the first places in each row of `Program.sums`."""

BASE, HOLE, FACTOR, BEGINS, ENDS, SLACK = 0, 2, 3, 4, 5, 6
"""Places in each row of `Program.sums`."""


class Program(NamedTuple):
    """What an open class costs, as sums of steps."""

    count: npt.NDArray[np.int64]
    """Per attribute: how many ancestors count; 0 for a number."""
    start: npt.NDArray[np.int64]
    """Per attribute: where its ancestors begin."""
    ring: npt.NDArray[np.int32]
    """Ancestors × 2: the first and last code below."""
    steps: npt.NDArray[np.float32]
    """2 × ancestors: what lying outside adds, at least (`NEAR`) or at most (`FAR`)."""
    sums: npt.NDArray[np.float32]
    """Attributes × 7: what the codes of the class cost at least and at most; a missing cell; a
    step of a number; the first and last spot of the class; by how much all this may be wrong."""


class Lanes:
    """A kernel that compares the bounds of a group of boxes, or of a block's points, to a limit.

    Called with the sides of boxes, or the codes of points, as `Boxes` has them, and how many
    attributes are categorical; the group, or block; the missing cells per box; how a missing cell
    shows; the program; the limit; room for the bounds, which are written for boxes only. Returns a
    bit per lane: whether its bound is at most the limit (`NEAR`), or at least (`FAR`).

    Parameters
    ----------
    width
        How many lanes there are.
    side
        `NEAR` or `FAR`.
    boxes
        Whether lanes are boxes, of which some cells may be missing, or points.
    """

    def __init__(self, width: int, side: int, *, boxes: bool) -> None:
        self.width, self.side, self.boxes = width, side, boxes

    def __call__(
        self,
        cells: npt.NDArray[Any],
        categories: int,
        group: int,
        holes: npt.NDArray[np.int32],
        gap: npt.NDArray[np.int32],
        program: Program,
        limit: float,
        bounds: npt.NDArray[np.float32],
    ) -> int:
        """Do it without the compiler."""
        total = np.zeros(self.width)
        for j, sums in enumerate(program.sums.astype(np.float64)):
            part = np.full(self.width, sums[BASE + self.side])
            one = other = cells[group, j].astype(np.int64)
            if self.boxes:  # to find the nearest, the sides that face the class from both ends
                one, other = one[self.side], one[1 - self.side]
            if j < categories:
                for at in range(program.start[j], program.start[j] + program.count[j]):
                    outside = (one > program.ring[at, 1]) | (other < program.ring[at, 0])
                    part += np.where(outside, program.steps[self.side, at], 0)
            else:
                way = np.maximum(one - sums[ENDS], sums[BEGINS] - other)
                part += np.maximum(way, 0) * sums[FACTOR]
            if gap[j] >= 0:
                if self.boxes:
                    some = (holes[group * FAN :][:FAN] >> min(j, SHARED)) & 1 == 1
                    choose = np.minimum if self.side == NEAR else np.maximum
                    part = np.where(some, choose(part, sums[HOLE]), part)
                part = np.where(one == gap[j], sums[HOLE], part)
            total += part
        if self.boxes:
            bounds[:] = total
        found = total <= limit if self.side == NEAR else total >= limit
        return int((found << np.arange(self.width)).sum())

    @functools.cached_property
    def inner(self) -> Any:
        """The same for other kernels, of which it becomes a part."""
        from shoal.kernels.clustering._vectors import vectors_of

        return vectors_of(self.width, self.side, self.boxes)

    @property
    def _numba_type_(self) -> Any:
        """What Numba asks any object for that a compiled function names."""
        return self.inner._numba_type_


near_boxes = Lanes(FAN, NEAR, boxes=True)
far_boxes = Lanes(FAN, FAR, boxes=True)
near_points = Lanes(BLOCK, NEAR, boxes=False)
far_points = Lanes(BLOCK, FAR, boxes=False)
