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

from shoal.kernels.clustering.boxes import STEPS, Boxes
from shoal.kernels.clustering.lanes import (
    BASE,
    BEGINS,
    ENDS,
    EVERY,
    FACTOR,
    FAR,
    HOLE,
    HOLED,
    NEAR,
    PLAIN,
    RINGS,
    ROUGH,
    SLACK,
    WAYS,
    Program,
    Query,
    query_of,
)
from shoal.kernels.clustering.shapes import MEETING, MOVES, Attributes
from shoal.kernels.compiled import compiled
from shoal.kernels.tree import FAN

__all__ = ["Open", "climb", "open_class", "prepare", "price", "refresh", "ring_of"]

Ints = npt.NDArray[np.int64]

_STACK = 16 * FAN

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
    hole: Ints
    """What a missing cell costs, per attribute."""
    program: Program
    """The costs as sums of steps; its rings are those of the class's node and all above it."""
    query: Query
    """The program as it is being summed up."""
    ring_least: Ints
    """Per ring: the least cost in it, and in those farther out."""
    ring_most: Ints
    """Per ring: the largest cost in it, and in those farther in."""
    ring_base: Ints
    """Per ring: the class's part of the cost."""
    plain: npt.NDArray[np.bool_]
    """Per attribute: whether all codes of each ring cost the same, and more than farther in."""
    even: Ints
    """Per ring: what every code in it costs; `_VARIES` if they differ."""
    error: float
    """By how much, as a share, a sum of 32-bit floats may be wrong."""
    stack: Ints
    """Nodes to visit: node, level, bound."""
    bounds: npt.NDArray[np.float32]
    """The bounds of the nodes of a group, about."""
    visited: Ints
    """How many nodes and blocks were looked at: `NEAR_NODES` and so on."""
    categories: int
    """How many attributes are categorical."""


def open_class(attrs: Attributes) -> Open:
    """Make room for one class."""
    d = len(attrs.numeric)
    deepest = [
        int(attrs.depth[begin:end].max(initial=0)) + 2
        for begin, end in zip(attrs.node_start[:-1], attrs.node_start[1:], strict=True)
    ]
    start = np.concatenate(([0], np.cumsum(deepest))).astype(np.int64)
    rings = int(start[-1])
    program = Program(
        above=np.zeros(d, dtype=np.int64),
        start=start,
        ring=np.zeros((rings, 2), dtype=np.int32),
        steps=np.zeros((2, rings), dtype=np.float32),
        sums=np.zeros((d, 7), dtype=np.float32),
    )
    return Open(
        shape=np.zeros((d, 4), dtype=np.int64),
        lo=np.zeros(d, dtype=np.int64),
        hi=np.zeros(d, dtype=np.int64),
        ends=np.zeros((d, 4), dtype=np.int64),
        hole=np.zeros(d, dtype=np.int64),
        program=program,
        query=query_of(program),
        ring_least=np.zeros(rings, dtype=np.int64),
        ring_most=np.zeros(rings, dtype=np.int64),
        ring_base=np.zeros(rings, dtype=np.int64),
        plain=np.zeros(d, dtype=np.bool_),
        even=np.zeros(rings, dtype=np.int64),
        error=(rings + d + 8) / 2**22,
        stack=np.zeros((_STACK, 3), dtype=np.int64),
        bounds=np.zeros(FAN, dtype=np.float32),
        visited=np.zeros(4, dtype=np.int64),
        categories=int((~attrs.numeric).sum()),
    )


@compiled
def _write_rings(attrs: Attributes, j: int, size: int, made: Open) -> None:
    """Write the rings around the class's node, and what lying in them costs."""
    program, least, most = made.program, made.ring_least, made.ring_most
    rule, nodes = attrs.rule, attrs.node_start[j]
    node = nodes + made.shape[j, 0]
    top, mine = attrs.depth[node], attrs.move_start[node]
    own = attrs.unit[node] if rule == MEETING else made.shape[j, 3]
    begin = program.start[j]
    end = begin + top  # the ring of the root
    high = 0
    for at in range(begin, end + 1):
        up = at - begin
        base = size * attrs.move[mine + top - up] if rule == MOVES else up * own
        near, far = base + attrs.near[node], base + attrs.far[node]
        high = max(high, far)
        made.ring_base[at], least[at], most[at] = base, near, high
        made.even[at] = near if near == far else _VARIES
        program.ring[at, 0], program.ring[at, 1] = attrs.first[node], attrs.last[node]
        node = nodes + attrs.parent[node]
    for at in range(end - 1, begin - 1, -1):
        least[at] = min(least[at], least[at + 1])
    made.plain[j] = least[end] == most[end]
    for at in range(begin, end):
        made.plain[j] &= least[at] == most[at]
        program.steps[NEAR, at] = least[at + 1] - least[at]
        program.steps[FAR, at] = most[at + 1] - most[at]
    program.above[j] = top
    if rule == MOVES:
        made.hole[j] = attrs.move[attrs.move_start[nodes]] + size * attrs.move[mine]
    else:
        made.hole[j] = top * own
    sums = program.sums
    sums[j, BASE + NEAR], sums[j, BASE + FAR] = least[begin], most[begin]
    sums[j, HOLE] = made.hole[j]
    sums[j, SLACK] = made.error * max(most[end], made.hole[j])


@compiled
def refresh(attrs: Attributes, boxes: Boxes, j: int, size: int, made: Open) -> None:
    """Bring attribute j's costs up to date after the class changed."""
    start = attrs.start[j]
    codes = attrs.start[j + 1] - start - 1
    if attrs.numeric[j]:
        reach, sums = attrs.reach[j], made.program.sums
        lo, hi = made.shape[j, 0], made.shape[j, 1]
        if made.shape[j, 2] == 1:  # published as *
            known = reach // 2 if attrs.rule == MEETING else reach
            made.lo[j], made.hi[j] = 0, codes - 1
            made.ends[j, 0], made.ends[j, 1], made.ends[j, 2] = 0, 0, 0
            made.ends[j, 3], made.hole[j] = known, 0
            lo, hi = 0, 0
        else:
            made.lo[j], made.hi[j] = lo, hi
            first, last = attrs.place[start + lo], attrs.place[start + hi]
            made.ends[j, 0], made.ends[j, 1] = first, last
            if attrs.rule == MEETING:
                made.ends[j, 2], made.ends[j, 3], made.hole[j] = 1, 0, reach // 2
            else:
                made.ends[j, 2], made.ends[j, 3] = size + 1, -size * (last - first)
                made.hole[j] = size * (reach - last + first)
        ends = made.ends[j]
        base = ends[2] * (ends[1] - ends[0]) + ends[3]
        sums[j, BASE + NEAR], sums[j, BASE + FAR], sums[j, HOLE] = base, base, made.hole[j]
        sums[j, FACTOR] = ends[2] * reach / STEPS
        sums[j, BEGINS], sums[j, ENDS] = boxes.spot[start + lo], boxes.spot[start + hi]
        # A spot is up to one step beside the position.
        largest = max(base + ends[2] * reach, made.hole[j])
        sums[j, SLACK] = made.error * largest + 3 * ends[2] * reach / STEPS
        return
    _write_rings(attrs, j, size, made)
    node = attrs.node_start[j] + made.shape[j, 0]
    made.lo[j], made.hi[j] = attrs.first[node], attrs.last[node]


@compiled
def ring_of(made: Open, j: int, code: int) -> int:
    """Find the ring in which a known code lies."""
    ring, begin = made.program.ring, made.program.start[j]
    at = begin
    for inner in range(begin, begin + made.program.above[j]):
        at += (code < ring[inner, 0]) | (code > ring[inner, 1])  # each lies in the next
    return at


@compiled
def climb(attrs: Attributes, made: Open, j: int, code: int) -> int:
    """Give what a code of a tree costs."""
    start = attrs.start[j]
    if code == attrs.start[j + 1] - start - 1:
        return made.hole[j]
    at = ring_of(made, j, code)
    if made.even[at] != _VARIES:
        return made.even[at]
    nodes = attrs.node_start[j]
    leaf = nodes + attrs.place[start + code]
    level = made.program.start[j] + made.program.above[j] - at
    if attrs.rule == MOVES:
        own = attrs.move[attrs.move_start[leaf] + level]
    else:
        own = (attrs.depth[leaf] - level) * attrs.unit[leaf]
        if attrs.rule != MEETING:
            own *= 2
    return own + made.ring_base[at]


@compiled
def prepare(boxes: Boxes, made: Open, side: int) -> float:
    """Write a query for the nearest or farthest; say by how much its rough bounds may be wrong."""
    query, start, above = made.query, made.program.start, made.program.above
    sums, steps, ring = made.program.sums, made.program.steps, made.program.ring
    slack, base, whole = 1.0, 0.0, 0
    rings, ways, holed, plain, rough = 0, 0, 0, 0, 0
    for turn in range(2):  # plain trees, then what else there is
        for j in range(sums.shape[0]):
            hole = boxes.gap[j] >= 0
            if (made.plain[j] and not hole) != (turn == 0):
                continue
            slack += sums[j, SLACK]
            if turn == 0:
                whole += made.ring_least[start[j]]
            elif j < made.categories:
                query.rough[rough] = j
                rough += 1
            if hole:
                query.holed[holed] = j
                holed += 1
                continue
            base += sums[j, BASE + side]
            if j >= made.categories:
                if sums[j, FACTOR] > 0:
                    query.ways[ways] = j
                    ways += 1
                continue
            for at in range(start[j], start[j] + above[j]):
                if steps[side, at] > 0:
                    query.rings[rings, 0] = j
                    query.rings[rings, 1], query.rings[rings, 2] = ring[at, 0], ring[at, 1]
                    query.steps[rings] = steps[side, at]
                    query.exact[rings] = made.ring_least[at + 1] - made.ring_least[at]
                    rings += 1
        if turn == 0:
            plain = rings
    if rings % 2 == 1:  # lanes take two at a time
        query.rings[rings, 0] = 0
        query.rings[rings, 1], query.rings[rings, 2] = 0, EVERY
        query.steps[rings] = 0
        rings += 1
    counts = query.counts
    counts[RINGS], counts[WAYS], counts[HOLED] = rings, ways, holed
    counts[PLAIN], counts[ROUGH] = plain, rough
    query.base[0], query.whole[0] = base, whole
    return slack


@compiled
def price(attrs: Attributes, boxes: Boxes, made: Open, block: int, i: int) -> int:
    """Give what one point costs, by the query that was prepared."""
    codes, ends, query = boxes.codes, made.ends, made.query
    total = query.whole[0]
    for r in range(query.counts[PLAIN]):
        code = codes[block, query.rings[r, 0], i]
        if code < query.rings[r, 1] or code > query.rings[r, 2]:
            total += query.exact[r]
    for r in range(query.counts[ROUGH]):
        total += climb(attrs, made, query.rough[r], codes[block, query.rough[r], i])
    for j in range(made.categories, made.lo.shape[0]):
        code = boxes.numbers[block, j - made.categories, i]
        if code == boxes.missing[j]:
            total += made.hole[j]
        else:
            x = attrs.place[attrs.start[j] + code]
            wide = max(x, ends[j, 1]) - min(x, ends[j, 0])
            total += ends[j, 2] * wide + ends[j, 3]
    return total
