"""The live point nearest to a class, or farthest from it: exactly what a scan would find.

Categorical attributes come first. Their costs per code are tables, and a table's envelope
bounds what a whole box can cost: seen from the codes the class covers, the least cost on
the way to a code (for the nearest) or the largest cost up to it (for the farthest). A
number's cost rises on both sides of the class, so it is its own envelope and needs no table.

Nodes are visited best bound first and skipped when nothing below can win; among equal costs
the lowest row wins, so a node that could only equal the best cost is skipped when it holds
no lower row.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.kernels.clustering.boxes import BLOCK, LEVELS, NOWHERE, SHARED, Boxes
from shoal.kernels.clustering.shapes import MEETING, Attributes, fill
from shoal.kernels.compiled import compiled
from shoal.kernels.tree import BEGIN, BOUND, FAN, LEVEL, NODE, below, wait

__all__ = [
    "FAR_BLOCKS",
    "NEAR_BLOCKS",
    "Open",
    "farthest",
    "nearest",
    "open_class",
    "price",
    "refresh",
]

Ints = npt.NDArray[np.int64]

_STACK = 16 * FAN
_CACHED = 2**20
"""How many entries the tables of all nodes may have to be kept."""

NEAR_NODES, NEAR_BLOCKS, FAR_NODES, FAR_BLOCKS = range(4)
"""Places in `Open.visited`: what was looked at for the nearest, and for the farthest."""


class Open(NamedTuple):
    """The class being grown: its shape, its costs, and room to search in."""

    shape: Ints
    """Attributes × 4, see `shoal.kernels.clustering.shapes`."""
    table: Ints
    """What a record of some code costs; a run of entries per categorical attribute."""
    least: Ints
    """The lower envelope of ``table``."""
    most_left: Ints
    """The largest cost from a code on to the class's codes; 0 to their right."""
    most_right: Ints
    """The largest cost from the class's codes on to a code; 0 to their left."""
    room: Ints
    """Where each attribute's runs begin: one per node if ``lasting``, else one."""
    lasting: npt.NDArray[np.bool_]
    """Whether an attribute's tables depend on the node alone, and there is room for all."""
    written: npt.NDArray[np.bool_]
    """Per node of all attributes: whether its lasting table was made."""
    run: npt.NDArray[np.uint32]
    """Where the run in use begins, per attribute; for a number, its codes in ``place``."""
    lo: npt.NDArray[Any]
    """The least code the class covers, per attribute."""
    hi: npt.NDArray[Any]
    """The largest code the class covers, per attribute."""
    ends: Ints
    """Numbers: the class's positions (least, largest), and the cost's factor and summand."""
    hole: Ints
    """What a missing cell costs, per attribute."""
    stack: Ints
    """Nodes to visit: node, level, bound."""
    bounds: Ints
    """The bounds of the nodes of a group."""
    visited: Ints
    """How many nodes and blocks were looked at: `NEAR_NODES` and so on."""
    categories: int
    """How many attributes are categorical."""


def open_class(attrs: Attributes, boxes: Boxes) -> Open:
    """Make room for one class."""
    d = len(attrs.numeric)
    codes = np.diff(attrs.start)
    nodes = np.diff(attrs.node_start)
    whole = codes * nodes
    lasting = ~attrs.numeric & (attrs.rule == MEETING) & (np.cumsum(whole) <= _CACHED)
    runs = np.where(attrs.numeric, 0, np.where(lasting, whole, codes))
    room = np.concatenate(([0], np.cumsum(runs))).astype(np.int64)
    kind = boxes.codes.dtype
    return Open(
        shape=np.zeros((d, 4), dtype=np.int64),
        table=np.zeros(room[-1], dtype=np.int64),
        least=np.zeros(room[-1], dtype=np.int64),
        most_left=np.zeros(room[-1], dtype=np.int64),
        most_right=np.zeros(room[-1], dtype=np.int64),
        room=room,
        lasting=lasting,
        written=np.zeros(len(attrs.depth), dtype=np.bool_),
        run=np.where(attrs.numeric, attrs.start[:-1], room[:-1]).astype(np.uint32),
        lo=np.zeros(d, dtype=kind),
        hi=np.zeros(d, dtype=kind),
        ends=np.zeros((d, 4), dtype=np.int64),
        hole=np.zeros(d, dtype=np.int64),
        stack=np.zeros((_STACK, 3), dtype=np.int64),
        bounds=np.zeros(FAN, dtype=np.int64),
        visited=np.zeros(4, dtype=np.int64),
        categories=int((~attrs.numeric).sum()),
    )


@compiled
def _write(attrs: Attributes, j: int, size: int, made: Open, at: int) -> None:
    """Write a categorical attribute's table and envelopes, from ``at`` on."""
    table, least = made.table, made.least
    left, right = made.most_left, made.most_right
    fill(attrs, j, size, made.shape[j], table, at)
    node = attrs.node_start[j] + made.shape[j, 0]
    lo, hi = at + attrs.first[node], at + attrs.last[node]
    end = at + attrs.start[j + 1] - attrs.start[j] - 1  # the missing cell
    inner = NOWHERE
    for c in range(lo, hi + 1):
        inner = min(inner, table[c])
    for c in range(lo, hi + 1):
        least[c] = inner
    low = NOWHERE
    for c in range(at, lo):
        low = min(low, table[c])
        least[c] = low
    low = NOWHERE
    for c in range(end - 1, hi, -1):
        low = min(low, table[c])
        least[c] = low
    high = 0
    for c in range(hi, at - 1, -1):
        high = max(high, table[c])
        left[c] = high
    for c in range(hi + 1, end + 1):
        left[c] = 0
    for c in range(at, lo):
        right[c] = 0
    high = 0
    for c in range(lo, end):
        high = max(high, table[c])
        right[c] = high
    least[end] = table[end]
    right[end] = table[end]


@compiled
def refresh(attrs: Attributes, j: int, size: int, made: Open) -> None:
    """Bring attribute j's costs up to date after the class changed."""
    start = attrs.start[j]
    codes = attrs.start[j + 1] - start - 1
    if attrs.numeric[j]:
        reach = attrs.reach[j]
        if made.shape[j, 2] == 1:  # published as *
            known = reach // 2 if attrs.rule == MEETING else reach
            made.lo[j], made.hi[j] = 0, codes - 1
            made.ends[j, 0], made.ends[j, 1], made.ends[j, 2] = 0, 0, 0
            made.ends[j, 3], made.hole[j] = known, 0
            return
        lo, hi = made.shape[j, 0], made.shape[j, 1]
        made.lo[j], made.hi[j] = lo, hi
        lo, hi = attrs.place[start + lo], attrs.place[start + hi]
        made.ends[j, 0], made.ends[j, 1] = lo, hi
        if attrs.rule == MEETING:
            made.ends[j, 2], made.ends[j, 3], made.hole[j] = 1, 0, reach // 2
        else:
            made.ends[j, 2], made.ends[j, 3] = size + 1, -size * (hi - lo)
            made.hole[j] = size * (reach - hi + lo)
        return
    node = attrs.node_start[j] + made.shape[j, 0]
    made.lo[j], made.hi[j] = attrs.first[node], attrs.last[node]
    at = made.room[j]
    if made.lasting[j]:
        at += made.shape[j, 0] * (codes + 1)
    if not made.written[node]:
        _write(attrs, j, size, made, at)
        made.written[node] = made.lasting[j]
    made.run[j] = at
    made.hole[j] = made.table[at + codes]


@compiled
def price(position: Ints, boxes: Boxes, made: Open, block: int, i: int) -> int:
    """Give what one point costs."""
    total = 0
    for j in range(made.categories):
        total += made.table[made.run[j] + boxes.codes[block, j, i]]
    for j in range(made.categories, made.lo.shape[0]):
        code = boxes.codes[block, j, i]
        if code == boxes.missing[j]:
            total += made.hole[j]
        else:
            x = position[made.run[j] + code]
            wide = max(x, made.ends[j, 1]) - min(x, made.ends[j, 0])
            total += made.ends[j, 2] * wide + made.ends[j, 3]
    return total


@compiled
def nearest(position: Ints, boxes: Boxes, made: Open, best: int, row: int, place: int) -> int:
    """Find the place of the cheapest live point, given cost, row and place of the best known."""
    level, first, holes = boxes.level, boxes.first, boxes.holes
    lo, hi, missing, codes = boxes.lo, boxes.hi, boxes.missing, boxes.codes
    table, least, run, mine = made.table, made.least, made.run, made.lo
    ends, hole, stack = made.ends, made.hole, made.stack
    bounds = made.bounds
    categories, d = made.categories, missing.shape[0]
    top = boxes.facts[LEVELS] - 1
    stack[0, NODE], stack[0, LEVEL], stack[0, BOUND] = level[top, BEGIN], top, 0
    height = 1
    looked, scanned = 0, 0
    while height > 0:
        height -= 1
        node, at, bound = stack[height, NODE], stack[height, LEVEL], -stack[height, BOUND]
        if bound > best or (bound == best and first[node] >= row):
            continue
        if at == 0:
            scanned += 1
            for i in range(boxes.live[node]):
                price = 0
                for j in range(categories):
                    price += table[run[j] + codes[node, j, i]]
                    if price > best:
                        break
                if price > best:
                    continue
                for j in range(categories, d):
                    code = codes[node, j, i]
                    if code == missing[j]:
                        price += hole[j]
                    else:
                        x = position[run[j] + code]
                        wide = max(x, ends[j, 1]) - min(x, ends[j, 0])
                        price += ends[j, 2] * wide + ends[j, 3]
                if price <= best:
                    live = boxes.row[node, i]
                    if price < best or live < row:
                        best, row, place = price, live, node * BLOCK + i
            continue
        begin = below(level, at, node)
        g = begin // FAN
        looked += FAN
        for f in range(FAN):
            bounds[f] = 0
        for j in range(categories):  # eight sums at once keep the processor busy
            r, m = run[j], mine[j]
            for f in range(FAN):
                bounds[f] += least[r + max(lo[g, j, f], min(hi[g, j, f], m))]
        bottom = height
        for f in range(FAN):
            child = begin + f
            bound = bounds[f]
            if first[child] == NOWHERE or (bound > best and holes[child] == 0):
                continue
            gaps = holes[child]
            if gaps != 0:
                for j in range(categories):
                    if (gaps >> min(j, SHARED)) & 1:
                        part = least[run[j] + max(lo[g, j, f], min(hi[g, j, f], mine[j]))]
                        bound += min(hole[j] - part, 0)
            for j in range(categories, d):
                code = max(lo[g, j, f], min(hi[g, j, f], mine[j]))
                if code == missing[j]:
                    bound += hole[j]
                    continue
                x = position[run[j] + code]
                part = ends[j, 2] * (max(x, ends[j, 1]) - min(x, ends[j, 0])) + ends[j, 3]
                if gaps != 0 and (gaps >> min(j, SHARED)) & 1:
                    part = min(part, hole[j])
                bound += part
            if bound > best or (bound == best and first[child] >= row):
                continue
            wait(stack, bottom, height, child, at - 1, -bound, first)
            height += 1
    made.visited[NEAR_NODES] += looked
    made.visited[NEAR_BLOCKS] += scanned
    return place


@compiled
def farthest(
    position: Ints,
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
    lo, hi, missing, codes = boxes.lo, boxes.hi, boxes.missing, boxes.codes
    table, left, right, run = made.table, made.most_left, made.most_right, made.run
    ends, hole, stack = made.ends, made.hole, made.stack
    bounds = made.bounds
    categories, d = made.categories, missing.shape[0]
    top = boxes.facts[LEVELS] - 1
    best, row, place = -1, NOWHERE, -1
    stack[0, NODE], stack[0, LEVEL], stack[0, BOUND] = level[top, BEGIN], top, NOWHERE
    height = 1
    looked, scanned, equal = 0, 0, 0
    all_ties = most_ties > 0
    while height > 0:
        height -= 1
        node, at, bound = stack[height, NODE], stack[height, LEVEL], stack[height, BOUND]
        if bound < best or (bound == best and first[node] >= row and not all_ties):
            continue
        if at == 0:
            scanned += 1
            for i in range(boxes.live[node]):
                price = 0
                for j in range(categories):
                    price += table[run[j] + codes[node, j, i]]
                for j in range(categories, d):
                    code = codes[node, j, i]
                    if code == missing[j]:
                        price += hole[j]
                    else:
                        x = position[run[j] + code]
                        wide = max(x, ends[j, 1]) - min(x, ends[j, 0])
                        price += ends[j, 2] * wide + ends[j, 3]
                if price >= best:
                    if all_ties:
                        equal = 0 if price > best else equal
                        if equal < most_ties:
                            ties[begin_ties + equal] = boxes.point[node, i]
                        equal += 1
                    live = boxes.row[node, i]
                    if price > best or live < row:
                        best, row, place = price, live, node * BLOCK + i
            continue
        begin = below(level, at, node)
        g = begin // FAN
        looked += FAN
        for f in range(FAN):
            bounds[f] = 0
        for j in range(categories):
            r = run[j]
            for f in range(FAN):
                bounds[f] += max(left[r + lo[g, j, f]], right[r + hi[g, j, f]])
        bottom = height
        for f in range(FAN):
            child = begin + f
            if first[child] == NOWHERE:
                continue
            bound = bounds[f]
            gaps = holes[child]
            if gaps != 0:
                for j in range(categories):
                    if (gaps >> min(j, SHARED)) & 1:
                        part = max(left[run[j] + lo[g, j, f]], right[run[j] + hi[g, j, f]])
                        bound += max(hole[j] - part, 0)
            for j in range(categories, d):
                if lo[g, j, f] == missing[j]:
                    bound += hole[j]
                    continue
                x, y = position[run[j] + lo[g, j, f]], position[run[j] + hi[g, j, f]]
                wide = max(x, ends[j, 1]) - min(x, ends[j, 0])
                wide = max(wide, max(y, ends[j, 1]) - min(y, ends[j, 0]))
                part = ends[j, 2] * wide + ends[j, 3]
                if gaps != 0 and (gaps >> min(j, SHARED)) & 1:
                    part = max(part, hole[j])
                bound += part
            if bound < best or (bound == best and first[child] >= row and not all_ties):
                continue
            wait(stack, bottom, height, child, at - 1, bound, first)
            height += 1
    made.visited[FAR_NODES] += looked
    made.visited[FAR_BLOCKS] += scanned
    return place, equal
