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
from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.kernels.clustering.boxes import BLOCK, SHARED
from shoal.kernels.tree import FAN

__all__ = [
    "BASE",
    "BEGINS",
    "ENDS",
    "EVERY",
    "FACTOR",
    "FAR",
    "HOLE",
    "HOLED",
    "NEAR",
    "PLAIN",
    "RINGS",
    "ROUGH",
    "SLACK",
    "WAYS",
    "Fetch",
    "Lanes",
    "Lowest",
    "Part",
    "Program",
    "Query",
    "far_boxes",
    "far_points",
    "fetch",
    "lowest",
    "near_boxes",
    "near_points",
    "query_of",
]

NEAR, FAR = range(2)
"""Rows of `Program.steps`, and the first places in each row of `Program.sums`."""

BASE, HOLE, FACTOR, BEGINS, ENDS, SLACK = 0, 2, 3, 4, 5, 6
"""Places in each row of `Program.sums`."""

RINGS, WAYS, HOLED, PLAIN, ROUGH = range(5)
"""Places in `Query.counts`."""

EVERY = np.iinfo(np.int32).max


class Program(NamedTuple):
    """What an open class costs, as sums of steps."""

    above: npt.NDArray[np.int64]
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


class Query(NamedTuple):
    """A program as one side of it is summed up: what adds nothing is left out."""

    counts: npt.NDArray[np.int64]
    """How many rings, numbers, and attributes with missing cells there are; how many of the rings
    are plain, and how many trees are not."""
    base: npt.NDArray[np.float32]
    """What the codes of the class cost, without attributes that have missing cells."""
    rings: npt.NDArray[np.int32]
    """Rings × 3: attribute, first and last code below; an even number of them."""
    steps: npt.NDArray[np.float32]
    """Per ring: what lying outside adds."""
    ways: npt.NDArray[np.int64]
    """Numbers of which no cell is missing."""
    holed: npt.NDArray[np.int64]
    """Attributes of which cells are missing."""
    whole: npt.NDArray[np.int64]
    """What the codes of the class cost in plain trees."""
    exact: npt.NDArray[np.int64]
    """Per plain ring: what lying outside adds. Plain are trees without missing cells, of which
    all codes of a ring cost the same; their rings come first."""
    rough: npt.NDArray[np.int64]
    """Trees that are not plain."""


def query_of(program: Program) -> Query:
    """Make room for a query."""
    d, rings = len(program.above), len(program.ring) + 1
    return Query(
        counts=np.zeros(5, dtype=np.int64),
        base=np.zeros(1, dtype=np.float32),
        rings=np.zeros((rings, 3), dtype=np.int32),
        steps=np.zeros(rings, dtype=np.float32),
        ways=np.zeros(d, dtype=np.int64),
        holed=np.zeros(d, dtype=np.int64),
        whole=np.zeros(1, dtype=np.int64),
        exact=np.zeros(rings, dtype=np.int64),
        rough=np.zeros(d, dtype=np.int64),
    )


class Part(ABC):
    """A function of which compiled kernels have another form, that becomes a part of them."""

    @abstractmethod
    def make(self) -> Any:
        """Give what other kernels have in its place."""

    @functools.cached_property
    def inner(self) -> Any:
        """Keep what was made."""
        return self.make()

    @property
    def _numba_type_(self) -> Any:
        """What Numba asks any object for that a compiled function names."""
        return self.inner._numba_type_


class Lanes(Part):
    """A kernel that compares the bounds of a group of boxes, or of a block's points, to a limit.

    Called with the sides of boxes, or the codes of points, as `Boxes` has them, and how many
    attributes are categorical; the group, or block; the missing cells per box; how a missing cell
    shows; the program and the query; the limit; room for the bounds, which are written for boxes
    only. Returns a bit per lane: whether its bound is at most the limit (`NEAR`), or at least
    (`FAR`).

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
        query: Query,
        limit: float,
        bounds: npt.NDArray[np.float32],
    ) -> int:
        """Do it without the compiler."""
        rings, ways, holed = query.counts[[RINGS, WAYS, HOLED]].tolist()
        total = np.full(self.width, float(query.base[0]))
        for (j, first, last), step in zip(query.rings[:rings].tolist(), query.steps, strict=False):
            total += self._outside(cells, group, j, first, last) * float(step)
        for j in query.ways[:ways].tolist():
            total += self._way(cells, group, j, program)
        for j in query.holed[:holed].tolist():
            hole = float(program.sums[j, HOLE])
            part = np.full(self.width, float(program.sums[j, BASE + self.side]))
            if j >= categories:
                part += self._way(cells, group, j, program)
            for at in range(program.start[j], program.start[j] + program.above[j]):
                first, last = program.ring[at].tolist()
                step = program.steps[self.side, at]
                part += self._outside(cells, group, j, first, last) * float(step)
            if self.boxes:
                some = (holes[group * FAN :][:FAN] >> min(j, SHARED)) & 1 == 1
                choose = np.minimum if self.side == NEAR else np.maximum
                part = np.where(some, choose(part, hole), part)
            total += np.where(self._cells(cells, group, j)[0] == gap[j], hole, part)
        if self.boxes:
            bounds[:] = total
        found = total <= limit if self.side == NEAR else total >= limit
        return int((found << np.arange(self.width)).sum())

    def _cells(self, cells: npt.NDArray[Any], group: int, j: int) -> npt.NDArray[np.int64]:
        """Give both sides of boxes, those first that face the class if `NEAR`; or points, twice."""
        found = cells[group, j].astype(np.int64)
        if not self.boxes:
            return np.stack([found, found])
        return found if self.side == NEAR else found[::-1]

    def _outside(
        self, cells: npt.NDArray[Any], group: int, j: int, first: int, last: int
    ) -> npt.NDArray[np.bool_]:
        one, other = self._cells(cells, group, j)
        return np.asarray((one > last) | (other < first))

    def _way(
        self, cells: npt.NDArray[Any], group: int, j: int, program: Program
    ) -> npt.NDArray[np.float64]:
        one, other = self._cells(cells, group, j)
        sums = program.sums[j].astype(np.float64)
        way = np.maximum(one - sums[ENDS], sums[BEGINS] - other)
        return np.asarray(np.maximum(way, 0) * sums[FACTOR])

    def make(self) -> Any:
        """Give what other kernels have in its place."""
        from shoal.kernels.clustering._vectors import vectors_of

        return vectors_of(self.width, self.side, self.boxes)


class Fetch(Part):
    """A kernel that has the cells at one index brought near before they are asked for."""

    def __call__(self, cells: npt.NDArray[Any], at: int) -> None:
        """Do nothing: without the compiler it would save nothing."""

    def make(self) -> Any:
        """Give what other kernels have in its place."""
        from shoal.kernels.clustering._vectors import fetching

        return fetching()


class Lowest(Part):
    """A kernel that finds the lowest bit that is set."""

    def __call__(self, bits: int) -> int:
        """Do it without the compiler."""
        return (bits & -bits).bit_length() - 1

    def make(self) -> Any:
        """Give what other kernels have in its place."""
        from shoal.kernels.clustering._vectors import lowest_bit

        return lowest_bit()


fetch = Fetch()
lowest = Lowest()
near_boxes = Lanes(FAN, NEAR, boxes=True)
far_boxes = Lanes(FAN, FAR, boxes=True)
near_points = Lanes(BLOCK, NEAR, boxes=False)
far_points = Lanes(BLOCK, FAR, boxes=False)
