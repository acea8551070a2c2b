"""Bounds of many boxes at once, in the lanes of a vector.

What a code costs a class depends on the ring between two of the class's ancestors in which it
lies, and an ancestor is a range of codes. So a bound is a sum of steps: one for each ancestor that
the box lies outside of, and for a number the way from the class to the box. That takes compares
and additions only, no look-up, and a processor does sixteen at a time.

The compiler does not find this by itself: it unrolls the loop over a few lanes before it looks for
vectors. So the loops are written in the compiler's own language, which has vectors of any width
and splits them where a processor has shorter ones.

Sums are whole numbers of 16 bits, in units of which the dearest record costs `UNITS`. They are
rounded so that nothing is ruled out that could win: down for the nearest, up for the farthest.
What is too large stays at the largest number.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.kernels.clustering.boxes import GROUP, LANES, SHARED, line_up

__all__ = [
    "BEGINS",
    "ENDS",
    "FACTOR",
    "FAR",
    "FIRST",
    "FROM",
    "GAP",
    "HOLE",
    "HOLED",
    "LARGEST",
    "LAST",
    "NEAR",
    "OWN",
    "PLAIN",
    "RINGS",
    "ROUGH",
    "STEP",
    "TO",
    "UNITS",
    "WAY",
    "WAYS",
    "WHICH",
    "Fetch",
    "Fill",
    "Lanes",
    "Lowest",
    "Part",
    "Query",
    "far_boxes",
    "far_points",
    "fetch",
    "fill",
    "lowest",
    "near_boxes",
    "near_points",
    "query_of",
]

NEAR, FAR = range(2)

RINGS, WAYS, HOLED, PLAIN, ROUGH = range(5)
"""Places in `Query.counts`."""

FIRST, LAST, STEP = range(3)
"""Rows of `Query.bands`."""

BEGINS, ENDS, FACTOR = range(3)
"""Rows of `Query.roads`."""

OWN, HOLE, GAP = range(3)
"""Rows of `Query.gaps`."""

WHICH, FROM, TO, WAY = range(4)
"""Places in each row of `Query.holed`."""

LARGEST = 65_535
UNITS = 60_000


class Query(NamedTuple):
    """What an open class costs, as sums of steps on one side; what adds nothing is left out.

    Numbers that lanes are compared to, or that are added to them, stand in it once for each lane.
    """

    counts: npt.NDArray[np.int64]
    """How many rings, numbers, and attributes with missing cells there are; how many of the rings
    are plain, and how many trees are not."""
    rings: npt.NDArray[np.int32]
    """Rings × 3: attribute, first and last code below. Rings of attributes of which cells are
    missing come after the others, and are not counted."""
    bands: npt.NDArray[np.uint16]
    """Rings × 3 × `LANES`: the first and last bin below, and what lying outside adds."""
    ways: npt.NDArray[np.int64]
    """Numbers; those of which cells are missing come after the others, and are not counted."""
    roads: npt.NDArray[np.uint16]
    """Numbers × 3 × `LANES`: the first and last bin of the class, and what 65,536 steps cost."""
    holed: npt.NDArray[np.int64]
    """Attributes of which cells are missing × 4: which, from which ring to which, and which
    number of the ``ways`` it is, or −1."""
    gaps: npt.NDArray[np.uint16]
    """The same × 3 × `LANES`: what the codes of the class and a missing cell cost, and how a
    missing cell shows."""
    whole: npt.NDArray[np.int64]
    """What the codes of the class cost in plain trees."""
    exact: npt.NDArray[np.int64]
    """Per plain ring: what lying outside adds. Plain are trees of few enough leaves and without
    missing cells, of which all codes of a ring cost the same; their rings come first."""
    rough: npt.NDArray[np.int64]
    """Trees that are not plain."""


def query_of(d: int, rings: int) -> Query:
    """Make room for a query of so many attributes and rings."""
    return Query(
        counts=np.zeros(5, dtype=np.int64),
        rings=np.zeros((rings, 3), dtype=np.int32),
        bands=line_up((rings, 3, LANES), np.uint16),
        ways=np.zeros(d, dtype=np.int64),
        roads=line_up((d, 3, LANES), np.uint16),
        holed=np.zeros((d, 4), dtype=np.int64),
        gaps=line_up((d, 3, LANES), np.uint16),
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

    Called with the sides of boxes, or the bins of points, as `Boxes` has them; the group, or
    block; the missing cells per box; the query; the limit; room for the bounds, which are written
    for boxes only. Returns a bit per lane: whether its bound is at most the limit (`NEAR`), or at
    least (`FAR`).

    Parameters
    ----------
    side
        `NEAR` or `FAR`.
    boxes
        Whether lanes are boxes, of which some cells may be missing, or points.
    """

    def __init__(self, side: int, *, boxes: bool) -> None:
        self.side, self.boxes = side, boxes

    def __call__(
        self,
        cells: npt.NDArray[np.uint16],
        group: int,
        holes: npt.NDArray[np.int32],
        query: Query,
        limit: int,
        bounds: npt.NDArray[np.uint16],
    ) -> int:
        """Do it without the compiler."""
        rings, ways, holed = query.counts[[RINGS, WAYS, HOLED]].tolist()
        total = np.zeros(LANES, dtype=np.int64)
        for r in range(rings):
            total += self._step(cells[group], query, r)
        for w in range(ways):
            total += self._way(cells[group], query, w)
        for h in range(holed):
            total += self._holed(cells[group], query, h, holes[group * GROUP :][:GROUP])
        total = np.minimum(total, LARGEST)
        if self.boxes:
            bounds[:] = total
        found = total <= limit if self.side == NEAR else total >= limit
        return int((found << np.arange(LANES)).sum())

    def _cells(self, cells: npt.NDArray[np.uint16], j: int) -> npt.NDArray[np.int64]:
        """Give both sides of boxes, those first that face the class if `NEAR`; or points, twice."""
        found = cells[j].astype(np.int64)
        if not self.boxes:
            return np.stack([found, found])
        return found if self.side == NEAR else found[::-1]

    def _step(self, cells: npt.NDArray[np.uint16], query: Query, r: int) -> npt.NDArray[np.int64]:
        """Give the step of lanes that lie outside of a ring."""
        one, other = self._cells(cells, query.rings[r, 0])
        first, last, step = query.bands[r].astype(np.int64)
        return np.where((one > last) | (other < first), step, 0)

    def _way(self, cells: npt.NDArray[np.uint16], query: Query, w: int) -> npt.NDArray[np.int64]:
        """Give what the way from the class to a number costs."""
        one, other = self._cells(cells, query.ways[w])
        begins, ends, factor = query.roads[w].astype(np.int64)
        way = np.maximum(np.maximum(one - ends, begins - other), 0)
        return np.asarray(way * factor >> 16)

    def _holed(
        self,
        cells: npt.NDArray[np.uint16],
        query: Query,
        h: int,
        holes: npt.NDArray[np.int32],
    ) -> npt.NDArray[np.int64]:
        """Give the part of an attribute of which cells are missing."""
        which, begin, end, way = query.holed[h].tolist()
        own, hole, gap = query.gaps[h].astype(np.int64)
        part = own.copy()
        for r in range(begin, end):
            part += self._step(cells, query, r)
        if way >= 0:
            part += self._way(cells, query, way)
        part = np.minimum(part, LARGEST)
        if self.boxes:
            some = (holes >> min(which, SHARED)) & 1 == 1
            choose = np.minimum if self.side == NEAR else np.maximum
            part = np.where(some, choose(part, hole), part)
        return np.where(self._cells(cells, which)[0] == gap, hole, part)

    def make(self) -> Any:
        """Give what other kernels have in its place."""
        from shoal.kernels.clustering._vectors import vectors_of

        return vectors_of(self.side, self.boxes)


class Fetch(Part):
    """A kernel that has the cells at one index brought near before they are asked for."""

    def __call__(self, cells: npt.NDArray[Any], at: int) -> None:
        """Do nothing: without the compiler it would save nothing."""

    def make(self) -> Any:
        """Give what other kernels have in its place."""
        from shoal.kernels.clustering._vectors import fetching

        return fetching()


class Fill(Part):
    """A kernel that writes three numbers into a row of a query, each once for each lane."""

    def __call__(
        self, lanes: npt.NDArray[np.uint16], row: int, one: int, two: int, three: int
    ) -> None:
        """Do it without the compiler."""
        lanes[row] = np.array([[one], [two], [three]])

    def make(self) -> Any:
        """Give what other kernels have in its place."""
        from shoal.kernels.clustering._vectors import filling

        return filling()


class Lowest(Part):
    """A kernel that finds the lowest bit that is set."""

    def __call__(self, bits: int) -> int:
        """Do it without the compiler."""
        return (int(bits) & -int(bits)).bit_length() - 1

    def make(self) -> Any:
        """Give what other kernels have in its place."""
        from shoal.kernels.clustering._vectors import lowest_bit

        return lowest_bit()


fetch = Fetch()
fill = Fill()
lowest = Lowest()
near_boxes = Lanes(NEAR, boxes=True)
far_boxes = Lanes(FAR, boxes=True)
near_points = Lanes(NEAR, boxes=False)
far_points = Lanes(FAR, boxes=False)
