"""The live point nearest to a class, or farthest from it: exactly what a scan would find.

Nodes are visited best bound first and skipped when nothing below can win; among equal costs
the lowest row wins, so a node that could only equal the best cost is skipped when it holds
no lower row. Most boxes and points are ruled out many at once, by bounds that are only about
right (`shoal.kernels.clustering.lanes`). They order the nodes to visit; nodes that promise the
same come by their lowest rows. Where they are too near to the best cost to tell, and for points,
bounds and costs are exact.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from shoal.kernels.clustering.boxes import (
    BLOCK,
    GROUP,
    LEVELS,
    NOWHERE,
    SHARED,
    Boxes,
    side_at,
)
from shoal.kernels.clustering.lanes import (
    FAR,
    NEAR,
    PLAIN,
    ROUGH,
    far_boxes,
    far_points,
    fetch,
    lowest,
    near_boxes,
    near_points,
)
from shoal.kernels.clustering.prices import Open, Units, limit_of, prepare, price, ring_of
from shoal.kernels.clustering.shapes import Attributes
from shoal.kernels.compiled import compiled
from shoal.kernels.tree import BEGIN, BOUND, LEVEL, NODE, below, wait

__all__ = ["FAR_BLOCKS", "NEAR_BLOCKS", "farthest", "nearest"]

NEAR_NODES, NEAR_BLOCKS, FAR_NODES, FAR_BLOCKS = range(4)
"""Places in `Open.visited`: what was looked at for the nearest, and for the farthest."""


@compiled
def _at_least(attrs: Attributes, boxes: Boxes, made: Open, node: int) -> int:
    """Give a cost that no point below a node undercuts."""
    sides, ends, query = boxes.sides, made.ends, made.query
    g, f, gaps = node // GROUP, node % GROUP, boxes.holes[node]
    bound = query.whole[0]
    for r in range(query.counts[PLAIN]):
        j = query.rings[r, 0]
        if sides[g, j, 0, f] > query.rings[r, 2] or sides[g, j, 1, f] < query.rings[r, 1]:
            bound += query.exact[r]
    rough = query.counts[ROUGH]
    for at in range(rough + made.lo.shape[0] - made.categories):
        j = query.rough[at] if at < rough else made.categories + at - rough
        lo, hi = side_at(boxes, g, j, 0, f), side_at(boxes, g, j, 1, f)
        code = max(lo, min(hi, made.lo[j]))
        if code == boxes.missing[j]:
            bound += made.hole[j]
            continue
        if at < rough:
            part = made.ring_least[ring_of(made, j, code)]
        else:
            x = attrs.place[attrs.start[j] + code]
            part = ends[j, 2] * (max(x, ends[j, 1]) - min(x, ends[j, 0])) + ends[j, 3]
        if gaps != 0 and (gaps >> min(j, SHARED)) & 1:
            part = min(part, made.hole[j])
        bound += part
    return bound


@compiled
def _at_most(attrs: Attributes, boxes: Boxes, made: Open, node: int) -> int:
    """Give a cost that no point below a node exceeds."""
    sides, ends, query = boxes.sides, made.ends, made.query
    g, f, gaps = node // GROUP, node % GROUP, boxes.holes[node]
    bound = query.whole[0]
    for r in range(query.counts[PLAIN]):
        j = query.rings[r, 0]
        if sides[g, j, 1, f] > query.rings[r, 2] or sides[g, j, 0, f] < query.rings[r, 1]:
            bound += query.exact[r]
    rough = query.counts[ROUGH]
    for at in range(rough + made.lo.shape[0] - made.categories):
        j = query.rough[at] if at < rough else made.categories + at - rough
        lo, hi = side_at(boxes, g, j, 0, f), side_at(boxes, g, j, 1, f)
        if lo == boxes.missing[j]:
            bound += made.hole[j]
            continue
        if at < rough:
            part = made.ring_most[max(ring_of(made, j, lo), ring_of(made, j, hi))]
        else:
            x, y = attrs.place[attrs.start[j] + lo], attrs.place[attrs.start[j] + hi]
            wide = max(x, ends[j, 1]) - min(x, ends[j, 0])
            wide = max(wide, max(y, ends[j, 1]) - min(y, ends[j, 0]))
            part = ends[j, 2] * wide + ends[j, 3]
        if gaps != 0 and (gaps >> min(j, SHARED)) & 1:
            part = max(part, made.hole[j])
        bound += part
    return bound


@compiled
def nearest(
    attrs: Attributes, boxes: Boxes, made: Open, units: Units, best: int, row: int, place: int
) -> int:
    """Find the place of the cheapest live point, given cost, row and place of the best known.

    ``units`` is what `prepare` gave.
    """
    level, first, holes = boxes.level, boxes.first, boxes.holes
    bins, sides = boxes.bins, boxes.sides
    stack, bounds, query = made.stack, made.bounds, made.query
    limit = limit_of(units, best, NEAR)
    top = boxes.facts[LEVELS] - 1
    stack[0, NODE], stack[0, LEVEL], stack[0, BOUND] = level[top, BEGIN], top, 0
    height = 1
    looked, scanned = 0, 0
    while height > 0:
        height -= 1
        node, at, about = stack[height, NODE], stack[height, LEVEL], -stack[height, BOUND]
        if about > limit:
            continue
        if about >= limit - units.loose:  # too near to tell
            bound = _at_least(attrs, boxes, made, node)
            if bound > best or (bound == best and first[node] >= row):
                continue
        if at == 0:
            scanned += 1
            bits = near_points(bins, node, holes, query, limit, bounds)
            bits &= (1 << boxes.live[node]) - 1
            while bits != 0:
                i = lowest(bits)
                bits &= bits - 1
                cost = price(attrs, boxes, made, node, i)
                if cost <= best:
                    live = boxes.row[node, i]
                    if cost < best or live < row:
                        best, row, place = cost, live, node * BLOCK + i
            limit = limit_of(units, best, NEAR)
            continue
        begin = below(level, at, node, GROUP)
        looked += GROUP
        bits = near_boxes(sides, begin // GROUP, holes, query, limit, bounds)
        bottom = height
        while bits != 0:
            f = lowest(bits)
            bits &= bits - 1
            child = begin + f
            if first[child] == NOWHERE:
                continue
            wait(stack, bottom, height, child, at - 1, -int(np.int64(bounds[f])), first)
            if at == 1:
                fetch(bins, child)
            else:
                under = below(level, at - 1, child, GROUP)
                fetch(sides, under // GROUP)
                fetch(first, under)
                fetch(holes, under)
            height += 1
    made.visited[NEAR_NODES] += looked
    made.visited[NEAR_BLOCKS] += scanned
    return place


@compiled
def farthest(
    attrs: Attributes,
    boxes: Boxes,
    made: Open,
    ties: npt.NDArray[np.int32],
    begin_ties: int,
    most_ties: int,
) -> tuple[int, int]:
    """Find the place of the dearest live point; the lowest row among equals.

    With ``most_ties`` above 0, all points that cost as much are written to ``ties``, from
    ``begin_ties`` on. Returns the place, and how many there are; more than ``most_ties``
    are counted but not written.
    """
    level, first, holes = boxes.level, boxes.first, boxes.holes
    bins, sides = boxes.bins, boxes.sides
    stack, bounds, query = made.stack, made.bounds, made.query
    units = prepare(attrs, boxes, made, FAR)
    top = boxes.facts[LEVELS] - 1
    best, row, place = -1, NOWHERE, -1
    limit = 0
    stack[0, NODE], stack[0, LEVEL], stack[0, BOUND] = level[top, BEGIN], top, NOWHERE
    height = 1
    looked, scanned, equal = 0, 0, 0
    all_ties = most_ties > 0
    while height > 0:
        height -= 1
        node, at, about = stack[height, NODE], stack[height, LEVEL], stack[height, BOUND]
        if about < limit:
            continue
        if about <= limit + units.loose:  # too near to tell
            bound = _at_most(attrs, boxes, made, node)
            if bound < best or (bound == best and first[node] >= row and not all_ties):
                continue
        if at == 0:
            scanned += 1
            bits = far_points(bins, node, holes, query, limit, bounds)
            bits &= (1 << boxes.live[node]) - 1
            while bits != 0:
                i = lowest(bits)
                bits &= bits - 1
                cost = price(attrs, boxes, made, node, i)
                if cost >= best:
                    if all_ties:
                        equal = 0 if cost > best else equal
                        if equal < most_ties:
                            ties[begin_ties + equal] = boxes.point[node, i]
                        equal += 1
                    live = boxes.row[node, i]
                    if cost > best or live < row:
                        best, row, place = cost, live, node * BLOCK + i
            limit = limit_of(units, best, FAR)
            continue
        begin = below(level, at, node, GROUP)
        looked += GROUP
        bits = far_boxes(sides, begin // GROUP, holes, query, limit, bounds)
        bottom = height
        while bits != 0:
            f = lowest(bits)
            bits &= bits - 1
            child = begin + f
            if first[child] == NOWHERE:
                continue
            wait(stack, bottom, height, child, at - 1, int(np.int64(bounds[f])), first)
            if at == 1:
                fetch(bins, child)
            else:
                under = below(level, at - 1, child, GROUP)
                fetch(sides, under // GROUP)
                fetch(first, under)
                fetch(holes, under)
            height += 1
    made.visited[FAR_NODES] += looked
    made.visited[FAR_BLOCKS] += scanned
    return place, equal
