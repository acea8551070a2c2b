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

from shoal.kernels.clustering.shapes import Attributes
from shoal.kernels.compiled import compiled
from shoal.kernels.tree import BEGIN, END, FAN, MOST_LEVELS, above, below, lay, levels

__all__ = [
    "ABSENT",
    "BLOCK",
    "LEVELS",
    "NOWHERE",
    "POINTS",
    "SHARED",
    "STEPS",
    "Boxes",
    "build",
    "is_sparse",
    "make",
    "pack",
    "replace_row",
]

BLOCK = 16
NOWHERE = np.iinfo(np.int64).max

SHARED = 30
"""The bit that all attributes from this one on share: a word has no more of them.

A shared bit says that one of them may have a missing cell, so that bounds are a little wider.
"""

STEPS = 65_534
"""Into how many steps the range of a number is cut for its spots."""

ABSENT = STEPS + 1
"""The spot of a missing number."""

Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[Any]

LEVELS, BLOCKS, POINTS = range(3)
"""Places in `Boxes.facts`."""


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
    holes: npt.NDArray[np.int32]
    """Per node, a bit per attribute up to `SHARED`: whether a point has a missing cell there."""
    first: Ints
    """Per node: the lowest live row below it, `NOWHERE` if it is empty."""
    level: Ints
    """Where each level begins and ends."""
    facts: Ints
    """Levels in use (0: the boxes are not computed yet), blocks in use, live points."""
    missing: npt.NDArray[Any]
    """Per attribute: the code of a missing cell."""
    where: Ints
    """Per point: the place at which it stands."""
    categories: int
    """How many attributes are categorical; they come first."""
    spots: npt.NDArray[np.uint16]
    """Blocks × numbers × `BLOCK`: about where a point lies, in `STEPS` of the range."""
    lo_spot: npt.NDArray[np.uint16]
    """Groups × numbers × `FAN`: the spot of the least code in each box."""
    hi_spot: npt.NDArray[np.uint16]
    """The same for the largest code."""
    spot: npt.NDArray[np.uint16]
    """The spot of each code of all numbers, which begin where ``start`` of `Attributes` says."""
    start: Ints
    gap: npt.NDArray[np.int32]
    """Per attribute: how a missing cell shows among codes, or spots; −1 if there is none."""


def make(
    attrs: Attributes, codes: npt.NDArray[Any], rows: Ints, order: Ints, missing: Ints
) -> Boxes:
    """Lay points out in an order; `pack` or `build` computes the boxes.

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
    groups = -(-int(levels(blocks)[-1, END]) // FAN)
    categories = int((~attrs.numeric).sum())
    spot = _spots(attrs)
    spots = np.zeros((blocks * BLOCK, d - categories), dtype=np.uint16)
    spots[:n] = spot[attrs.start[categories:-1] + laid[:n, categories:]]
    absent = np.where(attrs.numeric, ABSENT, missing)
    gap = np.where((codes == missing[:, None]).any(axis=1), absent, -1)
    return Boxes(
        codes=_blocks(laid, blocks),
        point=point.reshape(blocks, BLOCK),
        row=row.reshape(blocks, BLOCK),
        live=count,
        lo=np.zeros((groups, d, FAN), dtype=kind),
        hi=np.zeros((groups, d, FAN), dtype=kind),
        holes=np.zeros(groups * FAN, dtype=np.int32),
        first=np.full(groups * FAN, NOWHERE, dtype=np.int64),
        level=np.zeros((MOST_LEVELS, 2), dtype=np.int64),
        facts=np.array([0, blocks, n], dtype=np.int64),
        missing=missing.astype(kind),
        where=where,
        categories=categories,
        spots=_blocks(spots, blocks),
        lo_spot=np.zeros((groups, d - categories, FAN), dtype=np.uint16),
        hi_spot=np.zeros((groups, d - categories, FAN), dtype=np.uint16),
        spot=spot,
        start=attrs.start,
        gap=gap.astype(np.int32),
    )


def _blocks(laid: npt.NDArray[Any], blocks: int) -> npt.NDArray[Any]:
    """Turn points × attributes into blocks × attributes × `BLOCK`."""
    cut = laid.reshape(blocks, BLOCK, laid.shape[1])
    return np.ascontiguousarray(cut.transpose(0, 2, 1))


def _spots(attrs: Attributes) -> npt.NDArray[np.uint16]:
    """Say about where each code of a number lies, in steps of its range."""
    spot = np.zeros(len(attrs.place), dtype=np.uint16)
    for j in np.flatnonzero(attrs.numeric).tolist():
        mine = slice(attrs.start[j], attrs.start[j + 1])
        spot[mine] = attrs.place[mine] / max(int(attrs.reach[j]), 1) * STEPS
        spot[attrs.start[j + 1] - 1] = ABSENT
    return spot


@compiled
def build(boxes: Boxes) -> None:
    """Compute all levels and boxes from the blocks in use."""
    level, first, holes, live = boxes.level, boxes.first, boxes.holes, boxes.live
    row, missing = boxes.row, boxes.missing
    levels = lay(level, boxes.facts[BLOCKS])
    boxes.facts[LEVELS] = levels
    for node in range(level[levels - 1, END]):
        first[node] = NOWHERE  # and so it stays where a level leaves a gap
    for block in range(level[0, END]):
        first[block] = _lowest(row, live, block)
        gaps = 0
        for j in range(missing.shape[0]):
            if _narrow(boxes, block, j)[1]:
                gaps |= 1 << min(j, SHARED)
        holes[block] = gaps
    for at in range(1, levels):
        for node in range(level[at, BEGIN], level[at, END]):
            begin = below(level, at, node)
            _first_above(first, holes, begin, node)
            for j in range(missing.shape[0]):
                _narrow_above(boxes, begin, node, j)


@compiled
def _lowest(row: Ints, live: Ints, block: int) -> int:
    """Find the lowest row of a block's points."""
    lowest = NOWHERE
    for i in range(live[block]):
        lowest = min(lowest, row[block, i])
    return lowest


@compiled
def _narrow(boxes: Boxes, block: int, j: int) -> tuple[bool, bool]:
    """Compute one side of a block's box; say whether it stayed, and whether a cell is missing."""
    codes, lo, hi, none = boxes.codes, boxes.lo, boxes.hi, boxes.missing[j]
    group, f = block // FAN, block % FAN
    least, most, known, hole = none, none, False, False
    for i in range(boxes.live[block]):
        c = codes[block, j, i]
        if c == none:
            hole = True
        elif not known:
            least, most, known = c, c, True
        else:
            least, most = min(least, c), max(most, c)
    same = least == lo[group, j, f] and most == hi[group, j, f]
    if not same:
        _set_sides(boxes, group, j, f, least, most)
    return same, hole


@compiled
def _set_sides(boxes: Boxes, group: int, j: int, f: int, least: int, most: int) -> None:
    """Write one side of a box."""
    boxes.lo[group, j, f], boxes.hi[group, j, f] = least, most
    number = j - boxes.categories
    if number >= 0:
        boxes.lo_spot[group, number, f] = boxes.spot[boxes.start[j] + least]
        boxes.hi_spot[group, number, f] = boxes.spot[boxes.start[j] + most]


@compiled
def _narrow_above(boxes: Boxes, begin: int, node: int, j: int) -> bool:
    """Compute one side of a node's box from the nodes below it; say whether it stayed."""
    first, lo, hi, none = boxes.first, boxes.lo, boxes.hi, boxes.missing[j]
    under, group, f = begin // FAN, node // FAN, node % FAN
    least, most, known = none, none, False
    for c in range(FAN):
        if first[begin + c] == NOWHERE or lo[under, j, c] == none:
            continue
        if known:
            least, most = min(least, lo[under, j, c]), max(most, hi[under, j, c])
        else:
            least, most, known = lo[under, j, c], hi[under, j, c], True
    same = least == lo[group, j, f] and most == hi[group, j, f]
    if not same:
        _set_sides(boxes, group, j, f, least, most)
    return same


@compiled
def _first_above(first: Ints, holes: npt.NDArray[np.int32], begin: int, node: int) -> bool:
    """Compute a node's lowest row and its missing cells; say whether both stayed."""
    lowest, gaps = NOWHERE, 0
    for child in range(begin, begin + FAN):
        if first[child] != NOWHERE:
            lowest = min(lowest, first[child])
            gaps |= holes[child]
    same = lowest == first[node] and gaps == holes[node]
    first[node], holes[node] = lowest, gaps
    return same


@compiled
def replace_row(boxes: Boxes, place: int, following: int) -> None:
    """Give the point at a place its next lowest row, or remove it (`NOWHERE`)."""
    level, first, holes, live = boxes.level, boxes.first, boxes.holes, boxes.live
    row, missing = boxes.row, boxes.missing
    block = place // BLOCK
    i = place - block * BLOCK
    was = row[block, i]
    sides = 0  # a bit per attribute, up to `SHARED`, whose side of the box may have moved
    if following != NOWHERE:
        row[block, i] = following
        if was != first[block]:
            return
    else:
        sides = _remove(boxes, block, i)
    if was == first[block]:
        first[block] = _lowest(row, live, block)
    node = block
    for at in range(1, boxes.facts[LEVELS]):
        node = above(level, at, node)
        begin = below(level, at, node)
        same = _first_above(first, holes, begin, node)
        if sides != 0:
            moved = 0
            for j in range(missing.shape[0]):
                bit = min(j, SHARED)
                stayed = (sides >> bit) & 1 == 0
                if not stayed and not _narrow_above(boxes, begin, node, j):
                    moved |= 1 << bit
            sides = moved
        if same and sides == 0:
            return


@compiled
def _remove(boxes: Boxes, block: int, i: int) -> int:
    """Take a point out of its block; say which sides of the box moved, a bit per attribute."""
    codes, live, lo, hi, missing = boxes.codes, boxes.live, boxes.lo, boxes.hi, boxes.missing
    point, row, holes = boxes.point, boxes.row, boxes.holes
    last = live[block] - 1
    live[block] = last
    boxes.facts[POINTS] -= 1
    point[block, i] = point[block, last]
    row[block, i] = row[block, last]
    boxes.where[point[block, i]] = block * BLOCK + i
    group, f = block // FAN, block % FAN
    sides = 0
    for j in range(missing.shape[0]):
        gone = codes[block, j, i]
        codes[block, j, i] = codes[block, j, last]
        if j >= boxes.categories:
            number = j - boxes.categories
            boxes.spots[block, number, i] = boxes.spots[block, number, last]
        if last == 0:
            sides |= 1 << min(j, SHARED)
            continue
        side = gone == lo[group, j, f] or gone == hi[group, j, f]
        if side or (gone == missing[j] and j < SHARED):
            same, hole = _narrow(boxes, block, j)
            if side and not same:
                sides |= 1 << min(j, SHARED)
            elif not side and not hole:
                holes[block] &= ~(1 << j)  # a shared bit stays: another may need it
    if last == 0:
        holes[block] = 0
    return sides


@compiled
def is_sparse(facts: Ints) -> bool:
    """Say, by the facts of boxes, whether blocks are half empty, or not boxed yet."""
    return facts[LEVELS] == 0 or 2 * facts[POINTS] < facts[BLOCKS] * BLOCK


@compiled
def pack(boxes: Boxes) -> None:
    """Move the live points together, in the same order, and box them anew."""
    codes, live, point, row, where = boxes.codes, boxes.live, boxes.point, boxes.row, boxes.where
    d = boxes.missing.shape[0]
    to, i = 0, 0
    for block in range(boxes.facts[BLOCKS]):
        for k in range(live[block]):
            point[to, i] = point[block, k]
            where[point[to, i]] = to * BLOCK + i
            row[to, i] = row[block, k]
            for j in range(d):
                codes[to, j, i] = codes[block, j, k]
            for j in range(boxes.spots.shape[1]):
                boxes.spots[to, j, i] = boxes.spots[block, j, k]
            i += 1
            if i == BLOCK:
                live[to] = BLOCK  # never past the block being read
                to, i = to + 1, 0
    if i > 0 or to == 0:
        live[to] = i
        to += 1
    boxes.facts[BLOCKS] = to
    build(boxes)
