"""The class being grown, and what every code costs it.

A code's cost depends on the ring between two ancestors of the class's node in which it lies.
Leaves are numbered depth first, so an ancestor is a range of codes, and finding the ring takes as
many compares as the class lies deep, however many leaves the tree has. The least cost in a ring
and those farther out bounds what a whole box can cost from below (for the nearest), the largest in
it and those farther in from above (for the farthest). A number's cost rises on both sides of the
class, so it is its own bound.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Bools, Ints, Small
from shoal.kernels.clustering.boxes import GROUP, LANES, STEPS, Boxes, bin_at, code_at, line_up
from shoal.kernels.clustering.lanes import (
    DISTANCE,
    DISTANCES,
    FROM,
    HOLED,
    LARGEST_CELL,
    NEAR,
    PLAIN,
    RINGS,
    ROUGH,
    TO,
    UNITS,
    WHICH,
    Query,
    fill,
    query_of,
)
from shoal.kernels.clustering.shapes import MEETING, MOVES, Attributes
from shoal.kernels.compiled import compiled
from shoal.kernels.tree import MOST_LEVELS

_STACK = MOST_LEVELS * GROUP

_VARIES = -1
"""Stands in `Open.even` for a ring whose codes differ in cost."""


class Open(NamedTuple):
    """The class being grown: its shape, its costs, and room to search in."""

    shape: Ints
    """Attributes × 4, see `shoal.kernels.clustering.shapes`."""
    lo: Ints
    """The least code the class covers, per attribute."""
    hi: Ints
    """The largest code the class covers, per attribute."""
    ends: Ints
    """Numbers: the class's positions (least, largest), and the cost's factor and summand."""
    missing_cost: Ints
    """What a missing cell costs, per attribute."""
    costliest: Ints
    """What any cell costs at most, per attribute."""
    above: Ints
    """Per attribute: how many ancestors the class's node has; 0 for a number."""
    start: Ints
    """Per attribute: where its rings begin, those of the class's node and all above it."""
    ring: Small
    """Per ring: the first and last code below."""
    query: Query
    """The costs as sums of steps."""
    ring_least: Ints
    """Per ring: the least cost in it, and in those farther out."""
    ring_most: Ints
    """Per ring: the largest cost in it, and in those farther in."""
    ring_base: Ints
    """Per ring: the class's part of the cost."""
    plain: Bools
    """Per attribute: whether all codes of each ring cost the same, and more than farther in."""
    even: Ints
    """Per ring: what every code in it costs; `_VARIES` if they differ."""
    stack: Ints
    """Nodes to visit: node, level, bound."""
    bounds: npt.NDArray[np.uint16]
    """The bounds of the nodes of a group, in units."""
    visited: Ints
    """How many nodes and blocks were looked at for the nearest, and for the farthest."""
    categories: int
    """How many attributes are categorical."""


class Units(NamedTuple):
    """What costs are as whole numbers of 16 bits."""

    base: int
    """What any record costs at least; it is left out."""
    each: float
    """How many units one is."""
    slack: float
    """By how many units sums may be beside the bound to the wrong side."""
    loose: int
    """By how many units in all they may be wrong."""


def open_class(attrs: Attributes) -> Open:
    """Make room for one class."""
    d = len(attrs.numeric)
    deepest = [
        int(attrs.depth[begin:end].max(initial=0)) + 2
        for begin, end in zip(attrs.node_start[:-1], attrs.node_start[1:], strict=True)
    ]
    start = np.concatenate(([0], np.cumsum(deepest))).astype(np.int64)
    rings = int(start[-1])
    return Open(
        shape=np.zeros((d, 4), dtype=np.int64),
        lo=np.zeros(d, dtype=np.int64),
        hi=np.zeros(d, dtype=np.int64),
        ends=np.zeros((d, 4), dtype=np.int64),
        missing_cost=np.zeros(d, dtype=np.int64),
        costliest=np.zeros(d, dtype=np.int64),
        above=np.zeros(d, dtype=np.int64),
        start=start,
        ring=np.zeros((rings, 2), dtype=np.int32),
        query=query_of(d, rings),
        ring_least=np.zeros(rings, dtype=np.int64),
        ring_most=np.zeros(rings, dtype=np.int64),
        ring_base=np.zeros(rings, dtype=np.int64),
        plain=np.zeros(d, dtype=np.bool_),
        even=np.zeros(rings, dtype=np.int64),
        stack=np.zeros((_STACK, 3), dtype=np.int64),
        bounds=line_up((LANES,), np.uint16),
        visited=np.zeros(4, dtype=np.int64),
        categories=int((~attrs.numeric).sum()),
    )


@compiled
def _write_rings(attrs: Attributes, j: int, size: int, made: Open) -> None:
    """Write the rings around the class's node, and what lying in them costs."""
    ring, least, most = made.ring, made.ring_least, made.ring_most
    rule, nodes = attrs.rule, attrs.node_start[j]
    node = nodes + made.shape[j, 0]
    top, mine = attrs.depth[node], attrs.move_start[node]
    own = attrs.unit[node] if rule == MEETING else made.shape[j, 3]
    begin = made.start[j]
    end = begin + top  # the ring of the root
    high = 0
    for at in range(begin, end + 1):
        up = at - begin
        base = size * attrs.move[mine + top - up] if rule == MOVES else up * own
        near, far = base + attrs.near[node], base + attrs.far[node]
        high = max(high, far)
        made.ring_base[at], least[at], most[at] = base, near, high
        made.even[at] = near if near == far else _VARIES
        ring[at, 0], ring[at, 1] = attrs.first[node], attrs.last[node]
        node = nodes + attrs.parent[node]
    for at in range(end - 1, begin - 1, -1):
        least[at] = min(least[at], least[at + 1])
    made.plain[j] = least[end] == most[end]
    for at in range(begin, end):
        made.plain[j] &= least[at] == most[at]
    made.above[j] = top
    if rule == MOVES:
        made.missing_cost[j] = attrs.move[attrs.move_start[nodes]] + size * attrs.move[mine]
    else:
        made.missing_cost[j] = top * own
    made.costliest[j] = max(most[end], made.missing_cost[j])


@compiled
def refresh(attrs: Attributes, j: int, size: int, made: Open) -> None:
    """Bring attribute j's costs up to date after the class changed."""
    start = attrs.start[j]
    codes = attrs.start[j + 1] - start - 1
    if attrs.numeric[j]:
        reach = attrs.reach[j]
        lo, hi = made.shape[j, 0], made.shape[j, 1]
        if made.shape[j, 2] == 1:  # published as *
            known = reach // 2 if attrs.rule == MEETING else reach
            made.lo[j], made.hi[j] = 0, codes - 1
            made.ends[j, 0], made.ends[j, 1], made.ends[j, 2] = 0, 0, 0
            made.ends[j, 3], made.missing_cost[j] = known, 0
            made.costliest[j] = known
            return
        made.lo[j], made.hi[j] = lo, hi
        first, last = attrs.place[start + lo], attrs.place[start + hi]
        made.ends[j, 0], made.ends[j, 1] = first, last
        if attrs.rule == MEETING:
            made.ends[j, 2], made.ends[j, 3], made.missing_cost[j] = 1, 0, reach // 2
        else:
            made.ends[j, 2], made.ends[j, 3] = size + 1, -size * (last - first)
            made.missing_cost[j] = size * (reach - last + first)
        made.costliest[j] = max(made.ends[j, 2] * reach, made.missing_cost[j])
        return
    _write_rings(attrs, j, size, made)
    node = attrs.node_start[j] + made.shape[j, 0]
    made.lo[j], made.hi[j] = attrs.first[node], attrs.last[node]


@compiled
def ring_of(made: Open, j: int, code: int) -> int:
    """Find the ring in which a known code lies."""
    ring, begin = made.ring, made.start[j]
    at = begin
    for inner in range(begin, begin + made.above[j]):
        at += (code < ring[inner, 0]) | (code > ring[inner, 1])  # each lies in the next
    return at


@compiled
def climb(attrs: Attributes, made: Open, j: int, code: int) -> int:
    """Give what a code of a tree costs."""
    start = attrs.start[j]
    if code == attrs.start[j + 1] - start - 1:
        return made.missing_cost[j]
    at = ring_of(made, j, code)
    if made.even[at] != _VARIES:
        return made.even[at]
    nodes = attrs.node_start[j]
    leaf = nodes + attrs.place[start + code]
    level = made.start[j] + made.above[j] - at
    if attrs.rule == MOVES:
        own = attrs.move[attrs.move_start[leaf] + level]
    else:
        own = (attrs.depth[leaf] - level) * attrs.unit[leaf]
        if attrs.rule != MEETING:
            own *= 2
    return own + made.ring_base[at]


@compiled
def _rounded(units: float, side: int) -> int:
    """Round units so that nothing is ruled out that could win; what is too large is the largest."""
    return int(min(units, float(LARGEST_CELL - side))) + side


@compiled
def _add_rings(boxes: Boxes, made: Open, side: int, j: int, each: float, rings: int) -> int:
    """Write the rings of a tree that add something to a query; gives how many there are then."""
    query, ring, begin = made.query, made.ring, made.start[j]
    costs = made.ring_least if side == NEAR else made.ring_most
    for at in range(begin, begin + made.above[j]):
        step = costs[at + 1] - costs[at]
        if step <= 0:
            continue
        first, last = ring[at, 0], ring[at, 1]
        query.rings[rings, 0], query.rings[rings, 1], query.rings[rings, 2] = j, first, last
        query.exact[rings] = step
        # A bin may stand for several codes: those for which it is not sure count as nearer if
        # `NEAR`, else as farther.
        low = bin_at(boxes, j, first - side) + side if first >= side else 0
        high = bin_at(boxes, j, last + side) - side
        if high < low:
            low, high = LARGEST_CELL, 0  # all are outside
        fill(query.bands, rings, low, high, _rounded(step * each, side))
        rings += 1
    return rings


@compiled
def prepare(attrs: Attributes, boxes: Boxes, made: Open, side: int) -> Units:
    """Write a query for the nearest or farthest; say in which units."""
    query, ends, counts = made.query, made.ends, made.query.counts
    total = 1
    for j in range(made.lo.shape[0]):
        total += made.costliest[j]
    each = UNITS / total
    base, whole, slack, loose = 0, 0, 1.0, 2.0
    rings, distances, holed, rough = 0, 0, 0, 0
    for turn in range(3):  # plain trees, what else has no missing cells, and what has some
        for j in range(made.lo.shape[0]):
            plain = made.plain[j] and j < boxes.narrow
            if turn != (2 if boxes.gap[j] >= 0 else 0 if plain else 1):
                continue
            number = j >= made.categories
            if number:
                own = ends[j, 2] * (ends[j, 1] - ends[j, 0]) + ends[j, 3]
            elif side == NEAR:
                own = made.ring_least[made.start[j]]
            else:
                own = made.ring_most[made.start[j]]
            if turn == 0:
                whole += own
            elif not number:
                query.rough[rough] = j
                rough += 1
            if turn < 2:
                base += own
            else:
                missing_cost = _rounded(made.missing_cost[j] * each, side)
                fill(query.gaps, holed, _rounded(own * each, side), missing_cost, boxes.gap[j])
                query.holed[holed, WHICH], query.holed[holed, FROM] = j, rings
                query.holed[holed, DISTANCE] = -1
                loose += 1
            if not number:
                begin = rings
                rings = _add_rings(boxes, made, side, j, each, rings)
                loose += rings - begin
            elif ends[j, 2] > 0:
                one_bin = ends[j, 2] * attrs.reach[j] * each / STEPS
                lo, hi = bin_at(boxes, j, made.lo[j]), bin_at(boxes, j, made.hi[j])
                fill(query.roads, distances, lo, hi, _rounded(one_bin * 65536, side))
                slack += one_bin + side  # up to one bin beside the place, and rounded down
                loose += one_bin + 2
                query.distances[distances] = j
                if turn == 2:
                    query.holed[holed, DISTANCE] = distances
                distances += 1
            if turn == 2:
                query.holed[holed, TO] = rings
                holed += 1
        if turn == 0:
            counts[PLAIN] = rings
        if turn == 1:
            counts[RINGS], counts[DISTANCES] = rings, distances
    counts[HOLED], counts[ROUGH] = holed, rough
    query.whole[0] = whole
    return Units(base, each, slack, int(slack + loose))


@compiled
def limit_of(units: Units, best: int, side: int) -> int:
    """Say how many units a record at most has that costs no more (`NEAR`), or at least (`FAR`).

    No record has `LARGEST_CELL`, but what a caller made dearer than any.
    """
    found = (best - units.base) * units.each
    found += units.slack if side == NEAR else -units.slack
    return int(min(max(found, 0.0), float(LARGEST_CELL - 1)))


@compiled
def price(attrs: Attributes, boxes: Boxes, made: Open, block: int, i: int) -> int:
    """Give what one point costs, by the query that was prepared."""
    bins, ends, query = boxes.bins, made.ends, made.query
    total = query.whole[0]
    for r in range(query.counts[PLAIN]):
        code = bins[block, query.rings[r, 0], i]
        if code < query.rings[r, 1] or code > query.rings[r, 2]:
            total += query.exact[r]
    for r in range(query.counts[ROUGH]):
        j = query.rough[r]
        total += climb(attrs, made, j, code_at(boxes, block, j, i))
    for j in range(made.categories, made.lo.shape[0]):
        code = boxes.codes[block, j - boxes.narrow, i]
        if code == boxes.missing[j]:
            total += made.missing_cost[j]
        else:
            x = attrs.place[attrs.start[j] + code]
            wide = max(x, ends[j, 1]) - min(x, ends[j, 0])
            total += ends[j, 2] * wide + ends[j, 3]
    return total
