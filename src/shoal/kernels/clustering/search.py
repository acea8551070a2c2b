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

from shoal.base.arrays import Small
from shoal.kernels.clustering.boxes import BLOCK, GROUP, LEVELS, NOWHERE, SHARED, Boxes, side_at
from shoal.kernels.clustering.lanes import FAR, NEAR, PLAIN, ROUGH, lowest, rule_out
from shoal.kernels.clustering.prices import Open, Units, limit_of, prepare, price, ring_of
from shoal.kernels.clustering.shapes import Attributes
from shoal.kernels.compiled import compiled
from shoal.kernels.tree import BEGIN, BOUND, LEVEL, NODE, below, wait

NEAR_BLOCKS, FAR_BLOCKS = 1, 3
"""Places in `Open.visited`; before each stands how many nodes were looked at."""


@compiled
def _bound(attrs: Attributes, boxes: Boxes, made: Open, node: int, side: int) -> int:
    """Give a cost that no point below a node undercuts (`NEAR`), or exceeds (`FAR`)."""
    sides, ends, query = boxes.sides, made.ends, made.query
    g, f, gaps = node // GROUP, node % GROUP, boxes.missing_bits[node]
    bound = query.whole[0]
    for r in range(query.counts[PLAIN]):
        j = query.rings[r, 0]
        one, other = sides[g, j, side, f], sides[g, j, 1 - side, f]
        if one > query.rings[r, 2] or other < query.rings[r, 1]:
            bound += query.exact[r]
    rough = query.counts[ROUGH]
    for at in range(rough + made.lo.shape[0] - made.categories):
        j = query.rough[at] if at < rough else made.categories + at - rough
        lo, hi = side_at(boxes, g, j, 0, f), side_at(boxes, g, j, 1, f)
        if side == NEAR:  # the code below that is nearest to the class
            lo = max(lo, min(hi, made.lo[j]))
            hi = lo
        if lo == boxes.missing[j]:
            bound += made.missing_cost[j]
            continue
        if at < rough and side == NEAR:
            part = made.ring_least[ring_of(made, j, lo)]
        elif at < rough:
            part = made.ring_most[max(ring_of(made, j, lo), ring_of(made, j, hi))]
        else:
            x, y = attrs.place[attrs.start[j] + lo], attrs.place[attrs.start[j] + hi]
            wide = max(
                max(x, ends[j, 1]) - min(x, ends[j, 0]), max(y, ends[j, 1]) - min(y, ends[j, 0])
            )
            part = ends[j, 2] * wide + ends[j, 3]
        if gaps != 0 and (gaps >> min(j, SHARED)) & 1:
            part = (
                min(part, made.missing_cost[j]) if side == NEAR else max(part, made.missing_cost[j])
            )
        bound += part
    return bound


@compiled
def _search(
    attrs: Attributes,
    boxes: Boxes,
    made: Open,
    units: Units,
    side: int,
    best: int,
    row: int,
    place: int,
    ties: Small,
    begin_ties: int,
    most_ties: int,
) -> tuple[int, int]:
    """Find the place of the live point that costs least (`NEAR`) or most (`FAR`), and count ties.

    Cost, row and place are those of the best known. Callers write ``side`` out, so it is no
    question when this runs.
    """
    level, first, missing_bits = boxes.level, boxes.first, boxes.missing_bits
    bins, sides = boxes.bins, boxes.sides
    stack, bounds, query = made.stack, made.bounds, made.query
    limit = limit_of(units, best, side)
    sign = 1 if side == FAR else -1  # what promises more is larger
    top = boxes.facts[LEVELS] - 1
    stack[0, NODE], stack[0, LEVEL] = level[top, BEGIN], top
    stack[0, BOUND] = NOWHERE if side == FAR else 0
    height = 1
    looked, scanned, equal = 0, 0, 0
    all_ties = most_ties > 0
    while height > 0:
        height -= 1
        node, at, promise = stack[height, NODE], stack[height, LEVEL], stack[height, BOUND]
        if promise < sign * limit:
            continue
        if promise <= sign * limit + units.loose:  # too near to tell
            gain = sign * (_bound(attrs, boxes, made, node, side) - best)
            if gain < 0 or (gain == 0 and first[node] >= row and not all_ties):
                continue
        if at == 0:
            scanned += 1
            bits = rule_out(bins, node, missing_bits, query, limit, bounds, side, False)
            bits &= (1 << boxes.live[node]) - 1
            while bits != 0:
                i = lowest(bits)
                bits &= bits - 1
                cost = price(attrs, boxes, made, node, i)
                gain = sign * (cost - best)
                if gain >= 0:
                    if all_ties:
                        equal = 0 if gain > 0 else equal
                        if equal < most_ties:
                            ties[begin_ties + equal] = boxes.point[node, i]
                        equal += 1
                    live = boxes.row[node, i]
                    if gain > 0 or live < row:
                        best, row, place = cost, live, node * BLOCK + i
            limit = limit_of(units, best, side)
            continue
        begin = below(level, at, node, GROUP)
        looked += GROUP
        bits = rule_out(sides, begin // GROUP, missing_bits, query, limit, bounds, side, True)
        bottom = height
        while bits != 0:
            f = lowest(bits)
            bits &= bits - 1
            child = begin + f
            if first[child] == NOWHERE:
                continue
            wait(stack, bottom, height, child, at - 1, sign * int(np.int64(bounds[f])), first)
            height += 1
    made.visited[2 * side] += looked
    made.visited[2 * side + 1] += scanned
    return place, equal


@compiled
def nearest(
    attrs: Attributes, boxes: Boxes, made: Open, units: Units, best: int, row: int, place: int
) -> int:
    """Find the place of the cheapest live point, given cost, row and place of the best known.

    ``units`` is what `prepare` gave.
    """
    none = boxes.point[0]
    return _search(attrs, boxes, made, units, NEAR, best, row, place, none, 0, 0)[0]


@compiled
def farthest(
    attrs: Attributes, boxes: Boxes, made: Open, ties: Small, begin_ties: int, most_ties: int
) -> tuple[int, int]:
    """Find the place of the costliest live point; the lowest row among equals.

    With ``most_ties`` above 0, all points that cost as much are written to ``ties``, from
    ``begin_ties`` on. Returns the place, and how many there are; more than ``most_ties``
    are counted but not written.
    """
    units = prepare(attrs, boxes, made, FAR)
    return _search(attrs, boxes, made, units, FAR, -1, NOWHERE, -1, ties, begin_ties, most_ties)
