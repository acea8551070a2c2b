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

__all__ = ["BLOCK", "FAN", "NOWHERE", "SHARED", "Boxes", "build", "make", "pack", "settle"]

BLOCK = 16
FAN = 8
NOWHERE = np.iinfo(np.int64).max

SHARED = 62
"""The bit that all attributes from this one on share: a word has no more of them.

A shared bit says that one of them may have a missing cell, so that bounds are a little wider.
"""

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
    """Groups × attributes × `FAN`: the least code in each box; node 8·g + f is (g, f)."""
    hi: npt.NDArray[Any]
    """The same for the largest code."""
    holes: Ints
    """Per node, a bit per attribute up to `SHARED`: whether a point has a missing cell there."""
    first: Ints
    """Per node: the lowest live row below it, `NOWHERE` if it is empty."""
    level: Ints
    """Where each level begins; entries past the root repeat the end."""
    facts: Ints
    """Levels in use, blocks in use, live points."""
    missing: npt.NDArray[Any]
    """Per attribute: the code of a missing cell."""
    where: Ints
    """Per point: the place at which it stands."""


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
    where = np.empty(n, dtype=np.int64)
    where[order] = np.arange(n)
    row = np.full(blocks * BLOCK, NOWHERE, dtype=np.int64)
    row[:n] = rows[order]
    count = np.full(blocks, BLOCK, dtype=np.int64)
    count[-1] = n - (blocks - 1) * BLOCK
    groups, width = -(-blocks // FAN), blocks
    while width > 1:
        width = -(-width // FAN)
        groups += -(-width // FAN)
    made = Boxes(
        codes=np.ascontiguousarray(laid.reshape(blocks, BLOCK, d).transpose(0, 2, 1)),
        point=point.reshape(blocks, BLOCK),
        row=row.reshape(blocks, BLOCK),
        live=count,
        lo=np.zeros((groups, d, FAN), dtype=kind),
        hi=np.zeros((groups, d, FAN), dtype=kind),
        holes=np.zeros(groups * FAN, dtype=np.int64),
        first=np.full(groups * FAN, NOWHERE, dtype=np.int64),
        level=np.zeros(16, dtype=np.int64),
        facts=np.array([0, blocks, n], dtype=np.int64),
        missing=missing.astype(kind),
        where=where,
    )
    build(made)
    return made


@compiled
def build(boxes: Boxes) -> None:
    """Compute all levels and boxes from the blocks in use."""
    level = boxes.level
    width = boxes.facts[1]
    level[0], level[1] = 0, (width + FAN - 1) // FAN * FAN
    for block in range(width):
        _box_block(boxes, block)
    for padding in range(width, level[1]):
        boxes.first[padding] = NOWHERE
    levels = 1
    while width > 1:
        width = (width + FAN - 1) // FAN
        begin = level[levels]
        level[levels + 1] = begin + (width + FAN - 1) // FAN * FAN
        for node in range(begin, begin + width):
            _box_above(boxes, levels, node)
        for padding in range(begin + width, level[levels + 1]):
            boxes.first[padding] = NOWHERE
        levels += 1
    boxes.facts[0] = levels


@compiled
def _box_block(boxes: Boxes, block: int) -> None:
    """Compute a block's box from its points."""
    first, holes = NOWHERE, 0
    for i in range(boxes.live[block]):
        first = min(first, boxes.row[block, i])
    boxes.first[block] = first
    for j in range(boxes.missing.shape[0]):
        if _narrow(boxes, block, j)[1]:
            holes |= 1 << min(j, SHARED)
    boxes.holes[block] = holes


@compiled
def _narrow(boxes: Boxes, block: int, j: int) -> tuple[bool, bool]:
    """Compute one side of a block's box; say whether it stayed, and whether a cell is missing."""
    missing = boxes.missing[j]
    group, f = block // FAN, block % FAN
    lo, hi, known, hole = missing, missing, False, False
    for i in range(boxes.live[block]):
        c = boxes.codes[block, j, i]
        if c == missing:
            hole = True
        elif not known:
            lo, hi, known = c, c, True
        else:
            lo, hi = min(lo, c), max(hi, c)
    same = lo == boxes.lo[group, j, f] and hi == boxes.hi[group, j, f]
    boxes.lo[group, j, f], boxes.hi[group, j, f] = lo, hi
    return same, hole


@compiled
def _narrow_above(boxes: Boxes, begin: int, node: int, j: int) -> bool:
    """Compute one side of a node's box from the nodes below it; say whether it stayed."""
    missing = boxes.missing[j]
    below, group, f = begin // FAN, node // FAN, node % FAN
    lo, hi, known = missing, missing, False
    for c in range(FAN):
        if boxes.first[begin + c] == NOWHERE or boxes.lo[below, j, c] == missing:
            continue
        if known:
            lo, hi = min(lo, boxes.lo[below, j, c]), max(hi, boxes.hi[below, j, c])
        else:
            lo, hi, known = boxes.lo[below, j, c], boxes.hi[below, j, c], True
    same = lo == boxes.lo[group, j, f] and hi == boxes.hi[group, j, f]
    boxes.lo[group, j, f], boxes.hi[group, j, f] = lo, hi
    return same


@compiled
def _first_above(boxes: Boxes, begin: int, node: int) -> bool:
    """Compute a node's lowest row and its missing cells; say whether both stayed."""
    first, holes = NOWHERE, 0
    for child in range(begin, begin + FAN):
        if boxes.first[child] != NOWHERE:
            first = min(first, boxes.first[child])
            holes |= boxes.holes[child]
    same = first == boxes.first[node] and holes == boxes.holes[node]
    boxes.first[node], boxes.holes[node] = first, holes
    return same


@compiled
def _box_above(boxes: Boxes, at: int, node: int) -> None:
    """Compute a node's whole box."""
    begin = boxes.level[at - 1] + (node - boxes.level[at]) * FAN
    _first_above(boxes, begin, node)
    for j in range(boxes.missing.shape[0]):
        _narrow_above(boxes, begin, node, j)


@compiled
def settle(boxes: Boxes, place: int, row: int) -> None:
    """Give the point at a place its next lowest row, or remove it (`NOWHERE`)."""
    block = place // BLOCK
    i = place - block * BLOCK
    was = boxes.row[block, i]
    sides = 0  # a bit per attribute, up to `SHARED`, whose side of the box may have moved
    if row != NOWHERE:
        boxes.row[block, i] = row
        if was != boxes.first[block]:
            return
    else:
        sides = _remove(boxes, block, i)
    if was == boxes.first[block]:
        first = NOWHERE
        for other in range(boxes.live[block]):
            first = min(first, boxes.row[block, other])
        boxes.first[block] = first
    node = block
    for at in range(1, boxes.facts[0]):
        above = boxes.level[at] + (node - boxes.level[at - 1]) // FAN
        begin = boxes.level[at - 1] + (above - boxes.level[at]) * FAN
        same = _first_above(boxes, begin, above)
        if sides != 0:
            moved = 0
            for j in range(boxes.missing.shape[0]):
                bit = min(j, SHARED)
                if (sides >> bit) & 1 and not _narrow_above(boxes, begin, above, j):
                    moved |= 1 << bit
            sides = moved
        if same and sides == 0:
            return
        node = above


@compiled
def _remove(boxes: Boxes, block: int, i: int) -> int:
    """Take a point out of its block; say which sides of the box moved, a bit per attribute."""
    last = boxes.live[block] - 1
    boxes.live[block] = last
    boxes.facts[2] -= 1
    boxes.point[block, i] = boxes.point[block, last]
    boxes.row[block, i] = boxes.row[block, last]
    boxes.where[boxes.point[block, i]] = block * BLOCK + i
    group, f = block // FAN, block % FAN
    sides = 0
    for j in range(boxes.missing.shape[0]):
        gone = boxes.codes[block, j, i]
        boxes.codes[block, j, i] = boxes.codes[block, j, last]
        if last == 0:
            sides |= 1 << min(j, SHARED)
        elif gone == boxes.lo[group, j, f] or gone == boxes.hi[group, j, f]:
            if not _narrow(boxes, block, j)[0]:
                sides |= 1 << min(j, SHARED)
        elif gone == boxes.missing[j] and j < SHARED and not _narrow(boxes, block, j)[1]:
            boxes.holes[block] &= ~(1 << j)  # a shared bit stays: another may need it
    if last == 0:
        boxes.holes[block] = 0
    return sides


@compiled
def pack(boxes: Boxes) -> None:
    """Move the live points together, in the same order, and box them anew."""
    d = boxes.missing.shape[0]
    to, i = 0, 0
    for block in range(boxes.facts[1]):
        for k in range(boxes.live[block]):
            boxes.point[to, i] = boxes.point[block, k]
            boxes.where[boxes.point[to, i]] = to * BLOCK + i
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
