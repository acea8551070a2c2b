"""Left-over records join the class that costs them least.

Classes lie in blocks, like points, but a class covers a range of codes. A box over classes
knows, per attribute, the range of their least and of their largest codes: a record cannot
cost less than against the nearest code any of them covers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.base.arrays import Bools, Ints
from shoal.kernels.clustering.boxes import NOWHERE
from shoal.kernels.clustering.shapes import MEETING, MOVES, Attributes, cost, join
from shoal.kernels.compiled import compiled
from shoal.kernels.tree import BEGIN, BOUND, END, FAN, LEVEL, NODE, above, below, levels, wait


class ClassBoxes(NamedTuple):
    """Boxes over classes; level 0 are the classes themselves, in a given order."""

    order: Ints
    """Which class stands at a place."""
    lo_least: Ints
    lo_most: Ints
    hi_least: Ints
    hi_most: Ints
    starred: Ints
    """Per node and attribute: whether a class below shows ``*`` for a number."""
    level: Ints
    stack: Ints


def cover(attrs: Attributes, shapes: Ints, order: Ints) -> ClassBoxes:
    """Box all classes, near ones side by side."""
    d, n = len(attrs.numeric), len(order)
    level = levels(n)
    nodes = int(level[-1, END])
    sides = [np.zeros((nodes, d), dtype=np.int64) for _ in range(5)]
    buffer = np.zeros((16 * FAN, 3), dtype=np.int64)
    made = ClassBoxes(order, sides[0], sides[1], sides[2], sides[3], sides[4], level, buffer)
    _build(attrs, shapes, made)
    return made


@compiled
def _box_class(attrs: Attributes, shapes: Ints, boxes: ClassBoxes, at: int) -> None:
    shape = shapes[boxes.order[at]]
    for j in range(attrs.numeric.shape[0]):
        if attrs.numeric[j]:
            lo, hi = shape[j, 0], shape[j, 1]
            boxes.starred[at, j] = shape[j, 2]
            if shape[j, 2] == 1:
                lo, hi = 0, attrs.start[j + 1] - attrs.start[j] - 2
        else:
            node = attrs.node_start[j] + shape[j, 0]
            lo, hi = attrs.first[node], attrs.last[node]
        boxes.lo_least[at, j], boxes.lo_most[at, j] = lo, lo
        boxes.hi_least[at, j], boxes.hi_most[at, j] = hi, hi


@compiled
def _box_above(boxes: ClassBoxes, at: int, node: int) -> None:
    begin = below(boxes.level, at, node, FAN)
    end = min(begin + FAN, boxes.level[at - 1, END])
    for j in range(boxes.lo_least.shape[1]):
        lo_least, lo_most = boxes.lo_least[begin, j], boxes.lo_most[begin, j]
        hi_least, hi_most = boxes.hi_least[begin, j], boxes.hi_most[begin, j]
        starred = boxes.starred[begin, j]
        for child in range(begin + 1, end):
            lo_least = min(lo_least, boxes.lo_least[child, j])
            lo_most = max(lo_most, boxes.lo_most[child, j])
            hi_least = min(hi_least, boxes.hi_least[child, j])
            hi_most = max(hi_most, boxes.hi_most[child, j])
            starred = max(starred, boxes.starred[child, j])
        boxes.lo_least[node, j], boxes.lo_most[node, j] = lo_least, lo_most
        boxes.hi_least[node, j], boxes.hi_most[node, j] = hi_least, hi_most
        boxes.starred[node, j] = starred


@compiled
def _build(attrs: Attributes, shapes: Ints, boxes: ClassBoxes) -> None:
    for at in range(boxes.level[0, END]):
        _box_class(attrs, shapes, boxes, at)
    for level in range(1, boxes.level.shape[0]):
        for node in range(boxes.level[level, BEGIN], boxes.level[level, END]):
            _box_above(boxes, level, node)


@compiled
def _bound(attrs: Attributes, boxes: ClassBoxes, node: int, record: Ints) -> int:
    """Give a cost that no class below a node can undercut for this record."""
    total = 0
    for j in range(record.shape[0]):
        start = attrs.start[j]
        code = record[j]
        if code == attrs.start[j + 1] - start - 1:
            continue  # missing: some class may show * already
        if attrs.numeric[j]:
            if boxes.starred[node, j] == 1:
                continue
            x = attrs.place[start + code]
            lo = attrs.place[start + boxes.lo_most[node, j]]
            hi = attrs.place[start + boxes.hi_least[node, j]]
            total += max(x, hi) - min(x, lo)
            continue
        if boxes.lo_least[node, j] <= code <= boxes.hi_most[node, j]:
            continue
        near = boxes.lo_least[node, j] if code < boxes.lo_least[node, j] else boxes.hi_most[node, j]
        nodes = attrs.node_start[j]
        leaf = attrs.place[start + code]
        meet = leaf
        while near < attrs.first[nodes + meet] or near > attrs.last[nodes + meet]:
            meet = attrs.parent[nodes + meet]
        if attrs.rule == MOVES:
            total += attrs.move[attrs.move_start[nodes + leaf] + attrs.depth[nodes + meet]]
        else:
            steps = attrs.depth[nodes + leaf] - attrs.depth[nodes + meet]
            total += steps * attrs.unit[nodes + leaf] * (1 if attrs.rule == MEETING else 2)
    return total


@compiled
def place(
    attrs: Attributes, shapes: Ints, sizes: Ints, boxes: ClassBoxes, record: Ints, banned: Bools
) -> int:
    """Find where the class stands that costs a record least; the earliest of equals, −1 if none.

    Classes that are ``banned`` are passed over.
    """
    stack = boxes.stack
    best, chosen, found = NOWHERE, NOWHERE, -1
    top = boxes.level.shape[0] - 1
    stack[0, NODE], stack[0, LEVEL], stack[0, BOUND] = boxes.level[top, BEGIN], top, 0
    height = 1
    while height > 0:
        height -= 1
        node, at, bound = stack[height, NODE], stack[height, LEVEL], -stack[height, BOUND]
        if bound > best:
            continue
        if at == 0:
            label = boxes.order[node]
            if banned[label]:
                continue
            total = 0
            for j in range(record.shape[0]):
                total += cost(attrs, j, sizes[label], shapes[label, j], record[j])
            if total < best or (total == best and label < chosen):
                best, chosen, found = total, label, node
            continue
        begin = below(boxes.level, at, node, FAN)
        bottom = height
        for child in range(begin, min(begin + FAN, boxes.level[at - 1, END])):
            bound = _bound(attrs, boxes, child, record)
            if bound > best:
                continue
            wait(stack, bottom, height, child, at - 1, -bound, None)
            height += 1
    return found


@compiled
def put(
    attrs: Attributes, shapes: Ints, sizes: Ints, boxes: ClassBoxes, record: Ints, at: int
) -> None:
    """Let a record into the class at a place, and widen the boxes above it."""
    label = boxes.order[at]
    for j in range(record.shape[0]):
        join(attrs, j, shapes[label, j], record[j], sizes[label] == 0)
    sizes[label] += 1
    _box_class(attrs, shapes, boxes, at)
    node = at
    for level in range(1, boxes.level.shape[0]):
        node = above(boxes.level, level, node, FAN)
        _box_above(boxes, level, node)
