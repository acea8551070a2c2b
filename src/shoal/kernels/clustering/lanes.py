"""Bounds of many boxes at once, in the lanes of a vector.

What a code costs a class depends on the ring between two of the class's ancestors in which it
lies, and an ancestor is a range of codes. So a bound is a sum of steps: one for each ancestor that
the box lies outside of, and for a number the way from the class to the box. That takes compares
and additions only, no look-up, and a processor does sixteen at a time.

The compiler does not find this by itself: it unrolls the loop over a few lanes before it looks for
vectors. So vectors are a type of their own here, with the few things that are done with them, and
it splits them where a processor has shorter ones. As loops over lanes all of GAA-CP takes twice as
long, and with exact bounds, one box at a time, three to five times.

Sums are whole numbers of 16 bits, in units of which the costliest record costs `UNITS`. They are
rounded so that nothing is ruled out that could win: down for the nearest, up for the farthest.
What is too large stays at the largest number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Ints, Small
from shoal.kernels.clustering.boxes import GROUP, LANES, SHARED, line_up
from shoal.kernels.compiled import compiled

Cells = npt.NDArray[np.uint16]

NEAR, FAR = range(2)

RINGS, DISTANCES, HOLED, PLAIN, ROUGH = range(5)
"""Places in `Query.counts`."""

FIRST, LAST, STEP = range(3)
"""Rows of `Query.bands`."""

BEGINS, ENDS, FACTOR = range(3)
"""Rows of `Query.roads`."""

OWN, MISSING_COST, GAP = range(3)
"""Rows of `Query.gaps`."""

WHICH, FROM, TO, DISTANCE = range(4)
"""Places in each row of `Query.holed`."""

LARGEST_CELL = 65_535
UNITS = 60_000


class Query(NamedTuple):
    """What an open class costs, as sums of steps on one side; what adds nothing is left out.

    Numbers that lanes are compared to, or that are added to them, stand in it once for each lane.
    """

    counts: Ints
    """How many rings, numbers, and attributes with missing cells there are; how many of the rings
    are plain, and how many trees are not."""
    rings: Small
    """Rings × 3: attribute, first and last code below. Rings of attributes of which cells are
    missing come after the others, and are not counted."""
    bands: npt.NDArray[np.uint16]
    """Rings × 3 × `LANES`: the first and last bin below, and what lying outside adds."""
    distances: Ints
    """Numbers; those of which cells are missing come after the others, and are not counted."""
    roads: npt.NDArray[np.uint16]
    """Numbers × 3 × `LANES`: the first and last bin of the class, and what 65,536 steps cost."""
    holed: Ints
    """Attributes of which cells are missing × 4: which, from which ring to which, and which
    number of the ``distances`` it is, or −1."""
    gaps: npt.NDArray[np.uint16]
    """The same × 3 × `LANES`: what the codes of the class and a missing cell cost, and how a
    missing cell shows."""
    whole: Ints
    """What the codes of the class cost in plain trees."""
    exact: Ints
    """Per plain ring: what lying outside adds. Plain are trees of few enough leaves and without
    missing cells, of which all codes of a ring cost the same; their rings come first."""
    rough: Ints
    """Trees that are not plain."""


def query_of(d: int, rings: int) -> Query:
    """Make room for a query of so many attributes and rings."""
    return Query(
        counts=np.zeros(5, dtype=np.int64),
        rings=np.zeros((rings, 3), dtype=np.int32),
        bands=line_up((rings, 3, LANES), np.uint16),
        distances=np.zeros(d, dtype=np.int64),
        roads=line_up((d, 3, LANES), np.uint16),
        holed=np.zeros((d, 4), dtype=np.int64),
        gaps=line_up((d, 3, LANES), np.uint16),
        whole=np.zeros(1, dtype=np.int64),
        exact=np.zeros(rings, dtype=np.int64),
        rough=np.zeros(d, dtype=np.int64),
    )


class Part:
    """A function of NumPy, and its other form that becomes a part of compiled kernels."""

    def __init__(self, plain: Callable[..., Any]) -> None:
        self.plain, self.__doc__ = plain, plain.__doc__

    def __call__(self, *given: Any) -> Any:
        """Do it without the compiler."""
        return self.plain(*given)

    @property
    def _numba_type_(self) -> Any:
        """What Numba asks any object for that a compiled function names."""
        from shoal.kernels.clustering._vectors import FORMS

        return FORMS[self.plain.__name__]


@Part
def load(cells: Cells, at: int) -> Cells:
    """Load a vector from a place, counted from the beginning of an array of any shape."""
    return cells.reshape(-1)[at : at + LANES]


@Part
def store(cells: Cells, at: int, lanes: Cells) -> None:
    """Store a vector at a place."""
    cells.reshape(-1)[at : at + LANES] = lanes


@Part
def every(value: int) -> Cells:
    """Put a number into every lane."""
    return np.full(LANES, value, dtype=np.uint16)


@Part
def plus(one: Cells, other: Cells) -> Cells:
    """Add; what is too large stays at the largest number."""
    return np.minimum(one, LARGEST_CELL - other) + other


@Part
def minus(one: Cells, other: Cells) -> Cells:
    """Subtract; what would be less than nothing is 0."""
    return np.maximum(one, other) - other


@Part
def share(lanes: Cells, factor: Cells) -> Cells:
    """Multiply by so many 65,536ths."""
    return (lanes.astype(np.uint32) * factor >> 16).astype(np.uint16)


@Part
def none(lanes: Cells) -> Cells:
    """Give lanes of 0 the largest number, and others 0."""
    return np.where(lanes == 0, every(LARGEST_CELL), every(0))


@Part
def bits(lanes: Cells) -> int:
    """Give a bit per lane: whether it is 0."""
    return int(((lanes == 0) << np.arange(LANES)).sum())


@Part
def marked(missing_bits: Small, at: int, bit: int) -> Cells:
    """Give lanes the largest number whose word, from a place on, has a bit, and others 0."""
    return none(1 - (missing_bits[at : at + LANES] >> bit & 1))


@Part
def lowest(bits: int) -> int:
    """Find the lowest bit that is set."""
    return (int(bits) & -int(bits)).bit_length() - 1


@compiled
def fill(lanes: Cells, row: int, one: int, two: int, three: int) -> None:
    """Write three numbers into a row of a query, each once for each lane."""
    at = 3 * row * LANES
    store(lanes, at, every(one))
    store(lanes, at + LANES, every(two))
    store(lanes, at + 2 * LANES, every(three))


@compiled
def _larger(one: Cells, other: Cells) -> Cells:
    return plus(minus(one, other), other)


@compiled
def _smaller(one: Cells, other: Cells) -> Cells:
    return minus(one, minus(one, other))


@compiled
def _choose(mask: Cells, one: Cells, other: Cells) -> Cells:
    """Take lanes of the one where a mask is the largest number, of the other where it is 0."""
    return plus(minus(one, none(mask)), minus(other, mask))


@compiled
def _step(cells: Cells, near: int, far: int, query: Query, r: int) -> Cells:
    """Give the step of lanes that lie outside of a ring."""
    j, at = query.rings[r, 0] * (abs(far - near) + LANES), 3 * r * LANES
    beyond = plus(
        minus(load(cells, near + j), load(query.bands, at + LAST * LANES)),
        minus(load(query.bands, at + FIRST * LANES), load(cells, far + j)),
    )
    return minus(load(query.bands, at + STEP * LANES), none(beyond))


@compiled
def _distance(cells: Cells, near: int, far: int, query: Query, w: int) -> Cells:
    """Give what the way from the class to a number costs."""
    j, at = query.distances[w] * (abs(far - near) + LANES), 3 * w * LANES
    distance = _larger(
        minus(load(cells, near + j), load(query.roads, at + ENDS * LANES)),
        minus(load(query.roads, at + BEGINS * LANES), load(cells, far + j)),
    )
    return share(distance, load(query.roads, at + FACTOR * LANES))


@compiled
def rule_out(
    cells: Cells,
    group: int,
    missing_bits: Small,
    query: Query,
    limit: int,
    bounds: Cells,
    side: int,
    boxes: bool,
) -> int:
    """Compare the bounds of a group of boxes, or of a block's points, to a limit.

    - ``cells``: the sides of boxes, or the bins of points, as `Boxes` has them.
    - ``group``: which group, or block.
    - ``missing_bits``: the missing cells per box.
    - ``bounds``: room for the bounds, which are written for boxes only.
    - ``side``: `NEAR` or `FAR`.
    - ``boxes``: whether lanes are boxes, of which some cells may be missing, or points.

    Gives a bit per lane: whether its bound is at most the limit (`NEAR`), or at least (`FAR`).
    """
    begin = group * cells.shape[1] * LANES
    near = far = begin  # the side of boxes that faces the class if near comes first
    if boxes:
        begin *= 2
        near, far = begin + side * LANES, begin + (1 - side) * LANES
    total = every(0)
    for r in range(query.counts[RINGS]):
        total = plus(total, _step(cells, near, far, query, r))
    for w in range(query.counts[DISTANCES]):
        total = plus(total, _distance(cells, near, far, query, w))
    for h in range(query.counts[HOLED]):
        at = 3 * h * LANES
        part, missing_cost = (
            load(query.gaps, at + OWN * LANES),
            load(query.gaps, at + MISSING_COST * LANES),
        )
        for r in range(query.holed[h, FROM], query.holed[h, TO]):
            part = plus(part, _step(cells, near, far, query, r))
        if query.holed[h, DISTANCE] >= 0:
            part = plus(part, _distance(cells, near, far, query, query.holed[h, DISTANCE]))
        j = query.holed[h, WHICH]
        if boxes:
            better = _smaller(part, missing_cost) if side == NEAR else _larger(part, missing_cost)
            part = _choose(marked(missing_bits, group * GROUP, min(j, SHARED)), better, part)
        least = load(cells, near + j * (abs(far - near) + LANES))
        gap = load(query.gaps, at + GAP * LANES)
        every_gap = none(plus(minus(least, gap), minus(gap, least)))
        total = plus(total, _choose(every_gap, missing_cost, part))
    if boxes:
        store(bounds, 0, total)
    most = every(limit)
    return bits(minus(total, most) if side == NEAR else minus(most, total))
