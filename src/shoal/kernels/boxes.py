"""A tree of bounding boxes over the live points.

Points lie side by side in blocks; each block, and each run of `FAN` nodes below another,
has a box: the least and largest code per attribute, whether a cell is missing, and the
lowest live row. Leaves of a hierarchy are numbered depth first, so near values have near
codes and a box says how near or far its points can be. Boxes tighten as points leave, and
the tree is packed anew when it gets sparse.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.kernels.compiled import compiled

__all__ = ["BLOCK", "FAN", "NOWHERE", "Boxes", "build", "make", "pack", "settle"]

BLOCK = 16
FAN = 8
NOWHERE = np.iinfo(np.int64).max

Ints = npt.NDArray[np.int64]


class Boxes(NamedTuple):
    """The points and their boxes. Nodes of all levels lie end to end, blocks first."""

    codes: npt.NDArray[Any]
    """Blocks × attributes × `BLOCK`; the live points of a block come first."""
    point: npt.NDArray[np.int32]
    """Blocks × `BLOCK`: which point stands at a place."""
    row: Ints
    """Blocks × `BLOCK`: the lowest live row of that point."""
    live: Ints
    """Live points per block."""
    lo: npt.NDArray[Any]
    hi: npt.NDArray[Any]
    holes: Ints
    """Per node, a bit per attribute: whether a point has a missing cell there."""
    first: Ints
    """Per node: the lowest live row below it, `NOWHERE` if it is empty."""
    level: Ints
    """Where each level begins; entries past the root repeat the end."""
    facts: Ints
    """Levels in use, blocks in use, live points."""
    missing: npt.NDArray[Any]
    """Per attribute: the code of a missing cell."""


def make(codes: npt.NDArray[Any], rows: Ints, order: Ints, missing: Ints) -> Boxes:
    """Lay points out in an order.

    Parameters
    ----------
    codes
        Attributes × points.
    rows
        The lowest row of each point.
    order
        The points in the order in which they shall lie.
    missing
        The code of a missing cell, per attribute.
    """
    d, n = codes.shape
    kind = np.uint16 if int(missing.max()) <= np.iinfo(np.uint16).max else np.uint32
    blocks = -(-n // BLOCK)
    laid = np.zeros((blocks * BLOCK, d), dtype=kind)
    laid[:n] = codes[:, order].T
    point = np.zeros(blocks * BLOCK, dtype=np.int32)
    point[:n] = order
    row = np.full(blocks * BLOCK, NOWHERE, dtype=np.int64)
    row[:n] = rows[order]
    count = np.full(blocks, BLOCK, dtype=np.int64)
    count[-1] = n - (blocks - 1) * BLOCK
    nodes, width = blocks, blocks
    while width > 1:
        width = -(-width // FAN)
        nodes += width
    made = Boxes(
        codes=np.ascontiguousarray(laid.reshape(blocks, BLOCK, d).transpose(0, 2, 1)),
        point=point.reshape(blocks, BLOCK),
        row=row.reshape(blocks, BLOCK),
        live=count,
        lo=np.zeros((nodes, d), dtype=kind),
        hi=np.zeros((nodes, d), dtype=kind),
        holes=np.zeros(nodes, dtype=np.int64),
        first=np.full(nodes, NOWHERE, dtype=np.int64),
        level=np.zeros(16, dtype=np.int64),
        facts=np.array([0, blocks, n], dtype=np.int64),
        missing=missing.astype(kind),
    )
    build(made)
    return made


@compiled
def build(boxes: Boxes) -> None:
    """Compute all levels and boxes from the blocks in use."""
    level = boxes.level
    width = boxes.facts[1]
    level[0], level[1] = 0, width
    levels = 1
    while width > 1:
        width = (width + FAN - 1) // FAN
        levels += 1
        level[levels] = level[levels - 1] + width
    boxes.facts[0] = levels
    for block in range(boxes.facts[1]):
        _box_block(boxes, block)
    for at in range(1, levels):
        for node in range(level[at], level[at + 1]):
            _box_above(boxes, at, node)


@compiled
def _box_block(boxes: Boxes, block: int) -> None:
    n = boxes.live[block]
    codes, row = boxes.codes[block], boxes.row[block]
    first = NOWHERE
    for i in range(n):
        first = min(first, row[i])
    boxes.first[block] = first
    holes = 0
    for j in range(codes.shape[0]):
        missing = boxes.missing[j]
        mine = codes[j]
        lo, hi, known = missing, missing, False
        for i in range(n):
            c = mine[i]
            if c == missing:
                holes |= 1 << j
            elif not known:
                lo, hi, known = c, c, True
            else:
                lo, hi = min(lo, c), max(hi, c)
        boxes.lo[block, j], boxes.hi[block, j] = lo, hi
    boxes.holes[block] = holes


@compiled
def _box_above(boxes: Boxes, at: int, node: int) -> bool:
    """Compute a node's box from those below it; say whether it stayed the same."""
    begin = boxes.level[at - 1] + (node - boxes.level[at]) * FAN
    end = min(begin + FAN, boxes.level[at])
    first, holes = NOWHERE, 0
    for below in range(begin, end):
        if boxes.first[below] != NOWHERE:
            first = min(first, boxes.first[below])
            holes |= boxes.holes[below]
    same = first == boxes.first[node] and holes == boxes.holes[node]
    boxes.first[node], boxes.holes[node] = first, holes
    for j in range(boxes.missing.shape[0]):
        missing = boxes.missing[j]
        lo, hi, known = missing, missing, False
        for below in range(begin, end):
            if boxes.first[below] == NOWHERE or boxes.lo[below, j] == missing:
                continue
            if known:
                lo, hi = min(lo, boxes.lo[below, j]), max(hi, boxes.hi[below, j])
            else:
                lo, hi, known = boxes.lo[below, j], boxes.hi[below, j], True
        same = same and lo == boxes.lo[node, j] and hi == boxes.hi[node, j]
        boxes.lo[node, j], boxes.hi[node, j] = lo, hi
    return same


@compiled
def settle(boxes: Boxes, place: int, row: int) -> None:
    """Give the point at a place its next lowest row, or remove it (`NOWHERE`)."""
    block = place // BLOCK
    i = place - block * BLOCK
    was = boxes.row[block, i]
    if row != NOWHERE:
        boxes.row[block, i] = row
        if was != boxes.first[block]:
            return
        first = NOWHERE
        for other in range(boxes.live[block]):
            first = min(first, boxes.row[block, other])
        boxes.first[block] = first
        node = block
        for at in range(1, boxes.facts[0]):
            node = boxes.level[at] + (node - boxes.level[at - 1]) // FAN
            if boxes.first[node] != was:
                return
            begin = boxes.level[at - 1] + (node - boxes.level[at]) * FAN
            first = NOWHERE
            for below in range(begin, min(begin + FAN, boxes.level[at])):
                first = min(first, boxes.first[below])
            boxes.first[node] = first
        return
    last = boxes.live[block] - 1
    boxes.live[block] = last
    boxes.facts[2] -= 1
    boxes.point[block, i] = boxes.point[block, last]
    boxes.row[block, i] = boxes.row[block, last]
    for j in range(boxes.missing.shape[0]):
        boxes.codes[block, j, i] = boxes.codes[block, j, last]
    _box_block(boxes, block)
    node = block
    for at in range(1, boxes.facts[0]):
        node = boxes.level[at] + (node - boxes.level[at - 1]) // FAN
        if _box_above(boxes, at, node):
            return


@compiled
def pack(boxes: Boxes) -> None:
    """Move the live points together, in the same order, and box them anew."""
    d = boxes.missing.shape[0]
    to, i = 0, 0
    for block in range(boxes.facts[1]):
        for k in range(boxes.live[block]):
            boxes.point[to, i] = boxes.point[block, k]
            boxes.row[to, i] = boxes.row[block, k]
            for j in range(d):
                boxes.codes[to, j, i] = boxes.codes[block, j, k]
            i += 1
            if i == BLOCK:
                boxes.live[to] = BLOCK  # never past the block being read
                to, i = to + 1, 0
    if i > 0 or to == 0:
        boxes.live[to] = i
        to += 1
    boxes.facts[1] = to
    build(boxes)
