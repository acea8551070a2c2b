"""A tree of bounding boxes over the live points.

Points lie side by side in blocks; each block, and each run of `GROUP` nodes below another,
has a box: the least and largest code per attribute, whether a cell is missing, and the
lowest live row. Leaves of a hierarchy are numbered depth first, so near values have near
codes and a box says how near or far its points can be. Boxes tighten as points leave, and
the tree is packed anew when it gets sparse.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Ints, Small
from shoal.kernels.clustering.shapes import Attributes
from shoal.kernels.compiled import compiled
from shoal.kernels.tree import BEGIN, END, MOST_LEVELS, above, below, lay, levels

LANES = 16
"""How many cells of 16 bits are compared at once: a vector of most processors."""

BLOCK = LANES
"""Points in a block."""

GROUP = LANES
"""Nodes below a node."""

NOWHERE = np.iinfo(np.int64).max

SHARED = 30
"""The bit that all attributes from this one on share: a word has no more of them.

A shared bit says that one of them may have a missing cell, so that bounds are a little wider.
"""

STEPS = 65_534
"""The largest bin, and into how many steps the range of a number is cut for its bins."""

ABSENT = STEPS + 1
"""The bin of a missing cell, unless codes are their own bins."""

LINE = 64
"""Bytes that a processor reads at once."""


LEVELS, BLOCKS, POINTS = range(3)
"""Places in `Boxes.facts`."""


class Boxes(NamedTuple):
    """The points and their boxes. Nodes of all levels lie end to end, blocks first."""

    bins: npt.NDArray[np.uint16]
    """Blocks × attributes × `BLOCK`: about where a cell lies; the live points of a block come
    first. A number's bin is its place in `STEPS` of the range; a category's is its code, or if
    there are too many of them, that without its last bits."""
    codes: npt.NDArray[Any]
    """Blocks × wide attributes × `BLOCK`: their codes."""
    point: Small
    """Blocks × `BLOCK`: which point stands at a place."""
    row: Ints
    """Blocks × `BLOCK`: the lowest live row of that point."""
    live: Ints
    """Live points per block."""
    sides: npt.NDArray[np.uint16]
    """Groups × attributes × 2 × `GROUP`: the least and the largest bin in each box; node
    16·g + f is (g, f)."""
    code_sides: npt.NDArray[Any]
    """Groups × wide attributes × 2 × `GROUP`: the least and the largest code."""
    missing_bits: Small
    """Per node, a bit per attribute up to `SHARED`: whether a point has a missing cell there."""
    first: Ints
    """Per node: the lowest live row below it, `NOWHERE` if it is empty."""
    level: Ints
    """Where each level begins and ends."""
    facts: Ints
    """Levels in use (0: the boxes are not computed yet), blocks in use, live points."""
    missing: Ints
    """Per attribute: the code of a missing cell."""
    where: Ints
    """Per point: the place at which it stands."""
    narrow: int
    """How many attributes come before the first wide one: codes of categories that are their own
    bins. All others are wide."""
    bin_of: npt.NDArray[np.uint16]
    """The bin of each code of all attributes, which begin where ``start`` of `Attributes` says."""
    start: Ints
    gap: Small
    """Per attribute: the bin of a missing cell; −1 if there is none."""


def make(
    attrs: Attributes, codes: npt.NDArray[Any], rows: Ints, order: Ints, missing: Ints
) -> Boxes:
    """Lay points out in an order; `pack` or `build` computes the boxes.

    - ``codes``: attributes × points.
    - ``rows``: the lowest row of each point.
    - ``order``: the points in the order in which they shall lie.
    - ``missing``: the code of a missing cell, per attribute.
    """
    d, n = codes.shape
    wide = attrs.numeric | (missing > ABSENT)
    narrow = int(wide.argmax()) if wide.any() else d
    kind = np.uint16 if int(missing[narrow:].max(initial=0)) <= ABSENT else np.uint32
    blocks = -(-n // BLOCK)
    bin_of = _bins(attrs, missing)
    bins = line_up((blocks, d, BLOCK), np.uint16)
    laid = line_up((blocks, d - narrow, BLOCK), kind)
    one = np.zeros(blocks * BLOCK, dtype=np.int64)
    for j in range(d):
        one[:n] = codes[j, order]
        bins[:, j] = bin_of[attrs.start[j] + one].reshape(blocks, BLOCK)
        if j >= narrow:
            laid[:, j - narrow] = one.reshape(blocks, BLOCK)
    point = np.zeros(blocks * BLOCK, dtype=np.int32)
    point[:n] = order
    where = np.empty(n, dtype=np.int64)
    where[order] = np.arange(n)
    row = np.full(blocks * BLOCK, NOWHERE, dtype=np.int64)
    row[:n] = rows[order]
    count = np.full(blocks, BLOCK, dtype=np.int64)
    count[-1] = n - (blocks - 1) * BLOCK
    groups = -(-int(levels(blocks, GROUP)[-1, END]) // GROUP)
    absent = bin_of[attrs.start[:-1] + missing].astype(np.int32)
    absent[(codes != missing[:, None]).all(axis=1)] = -1
    return Boxes(
        bins=bins,
        codes=laid,
        point=point.reshape(blocks, BLOCK),
        row=row.reshape(blocks, BLOCK),
        live=count,
        sides=line_up((groups, d, 2, GROUP), np.uint16),
        code_sides=line_up((groups, d - narrow, 2, GROUP), kind),
        missing_bits=np.zeros(groups * GROUP, dtype=np.int32),
        first=np.full(groups * GROUP, NOWHERE, dtype=np.int64),
        level=np.zeros((MOST_LEVELS, 2), dtype=np.int64),
        facts=np.array([0, blocks, n], dtype=np.int64),
        missing=missing.astype(np.int64),
        where=where,
        narrow=narrow,
        bin_of=bin_of,
        start=attrs.start,
        gap=absent,
    )


def line_up(shape: tuple[int, ...], kind: Any) -> npt.NDArray[Any]:
    """Make an array of zeros that begins where a line does, so that no vector lies in two."""
    size = math.prod(shape) * np.dtype(kind).itemsize
    buffer = np.zeros(size + LINE, dtype=np.uint8)
    begin = -buffer.ctypes.data % LINE
    return buffer[begin : begin + size].view(kind).reshape(shape)


def _bins(attrs: Attributes, missing: Ints) -> npt.NDArray[np.uint16]:
    """Say about where each code lies: in order, and missing cells apart."""
    bin_of = np.zeros(len(attrs.place), dtype=np.uint16)
    for j, size in enumerate(missing.tolist()):
        mine = slice(attrs.start[j], attrs.start[j + 1])
        if attrs.numeric[j]:
            bin_of[mine] = attrs.place[mine] / max(int(attrs.reach[j]), 1) * STEPS
        else:
            bits = (size + 1).bit_length() - 16 if size > ABSENT else 0
            bin_of[mine] = np.arange(size + 1) >> bits
        if attrs.numeric[j] or size > ABSENT:
            bin_of[attrs.start[j + 1] - 1] = ABSENT
    return bin_of


@compiled
def build(boxes: Boxes) -> None:
    """Compute all levels and boxes from the blocks in use."""
    level, first, missing_bits, live = boxes.level, boxes.first, boxes.missing_bits, boxes.live
    row, missing = boxes.row, boxes.missing
    levels = lay(level, boxes.facts[BLOCKS], GROUP)
    boxes.facts[LEVELS] = levels
    for node in range(level[levels - 1, END]):
        first[node] = NOWHERE  # and so it stays where a level leaves a gap
    for block in range(level[0, END]):
        first[block] = _lowest(row, live, block)
        gaps = 0
        for j in range(missing.shape[0]):
            if _narrow(boxes, block, j)[1]:
                gaps |= 1 << min(j, SHARED)
        missing_bits[block] = gaps
    for at in range(1, levels):
        for node in range(level[at, BEGIN], level[at, END]):
            begin = below(level, at, node, GROUP)
            _first_above(first, missing_bits, begin, node)
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
def code_at(boxes: Boxes, block: int, j: int, i: int) -> int:
    """Give the code of a point."""
    if j < boxes.narrow:
        return np.int64(boxes.bins[block, j, i])  # type: ignore[return-value]
    return np.int64(boxes.codes[block, j - boxes.narrow, i])  # type: ignore[return-value]


@compiled
def side_at(boxes: Boxes, group: int, j: int, side: int, f: int) -> int:
    """Give the least code in a box (side 0), or the largest (side 1)."""
    if j < boxes.narrow:
        return np.int64(boxes.sides[group, j, side, f])  # type: ignore[return-value]
    return np.int64(boxes.code_sides[group, j - boxes.narrow, side, f])  # type: ignore[return-value]


@compiled
def bin_at(boxes: Boxes, j: int, code: int) -> int:
    """Give the bin of a code."""
    return np.int64(boxes.bin_of[boxes.start[j] + code])  # type: ignore[return-value]


@compiled
def _narrow(boxes: Boxes, block: int, j: int) -> tuple[bool, bool]:
    """Compute two sides of a block's box; say whether they stayed, and if a cell is missing."""
    none = boxes.missing[j]
    least, most, known, has_missing = none, none, False, False
    for i in range(boxes.live[block]):
        c = code_at(boxes, block, j, i)
        if c == none:
            has_missing = True
        elif not known:
            least, most, known = c, c, True
        else:
            least, most = min(least, c), max(most, c)
    return _set_sides(boxes, block, j, least, most), has_missing


@compiled
def _narrow_above(boxes: Boxes, begin: int, node: int, j: int) -> bool:
    """Compute two sides of a node's box from the nodes below it; say whether they stayed."""
    none, under = boxes.missing[j], begin // GROUP
    least, most, known = none, none, False
    for c in range(GROUP):
        low, high = side_at(boxes, under, j, 0, c), side_at(boxes, under, j, 1, c)
        if boxes.first[begin + c] == NOWHERE or low == none:
            continue
        if known:
            least, most = min(least, low), max(most, high)
        else:
            least, most, known = low, high, True
    return _set_sides(boxes, node, j, least, most)


@compiled
def _set_sides(boxes: Boxes, node: int, j: int, least: int, most: int) -> bool:
    """Write two sides of a node's box; say whether they stayed."""
    group, f = node // GROUP, node % GROUP
    if side_at(boxes, group, j, 0, f) == least and side_at(boxes, group, j, 1, f) == most:
        return True
    wide = j - boxes.narrow
    if wide >= 0:
        sides = boxes.code_sides
        sides[group, wide, 0, f], sides[group, wide, 1, f] = least, most
        least, most = bin_at(boxes, j, least), bin_at(boxes, j, most)
    boxes.sides[group, j, 0, f], boxes.sides[group, j, 1, f] = least, most
    return False


@compiled
def _first_above(first: Ints, missing_bits: Small, begin: int, node: int) -> bool:
    """Compute a node's lowest row and its missing cells; say whether both stayed."""
    lowest, gaps = NOWHERE, 0
    for child in range(begin, begin + GROUP):
        if first[child] != NOWHERE:
            lowest = min(lowest, first[child])
            gaps |= missing_bits[child]
    same = lowest == first[node] and gaps == missing_bits[node]
    first[node], missing_bits[node] = lowest, gaps
    return same


@compiled
def replace_row(boxes: Boxes, place: int, following: int) -> None:
    """Give the point at a place its next lowest row, or remove it (`NOWHERE`)."""
    level, first, missing_bits, live = boxes.level, boxes.first, boxes.missing_bits, boxes.live
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
        node = above(level, at, node, GROUP)
        begin = below(level, at, node, GROUP)
        same = _first_above(first, missing_bits, begin, node)
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
    bins, codes, live, missing = boxes.bins, boxes.codes, boxes.live, boxes.missing
    point, row, missing_bits = boxes.point, boxes.row, boxes.missing_bits
    last = live[block] - 1
    live[block] = last
    boxes.facts[POINTS] -= 1
    point[block, i] = point[block, last]
    row[block, i] = row[block, last]
    boxes.where[point[block, i]] = block * BLOCK + i
    group, f = block // GROUP, block % GROUP
    sides = 0
    for j in range(missing.shape[0]):
        gone = code_at(boxes, block, j, i)
        bins[block, j, i] = bins[block, j, last]
        if j >= boxes.narrow:
            codes[block, j - boxes.narrow, i] = codes[block, j - boxes.narrow, last]
        if last == 0:
            sides |= 1 << min(j, SHARED)
            continue
        side = gone == side_at(boxes, group, j, 0, f) or gone == side_at(boxes, group, j, 1, f)
        if side or (gone == missing[j] and j < SHARED):
            same, has_missing = _narrow(boxes, block, j)
            if side and not same:
                sides |= 1 << min(j, SHARED)
            elif not side and not has_missing:
                missing_bits[block] &= ~(1 << j)  # a shared bit stays: another may need it
    if last == 0:
        missing_bits[block] = 0
    return sides


@compiled
def is_sparse(facts: Ints) -> bool:
    """Say, by the facts of boxes, whether blocks are half empty, or not boxed yet."""
    return facts[LEVELS] == 0 or 2 * facts[POINTS] < facts[BLOCKS] * BLOCK


@compiled
def pack(boxes: Boxes) -> None:
    """Move the live points together, in the same order, and box them anew."""
    bins, live, point, row, where = boxes.bins, boxes.live, boxes.point, boxes.row, boxes.where
    d = boxes.missing.shape[0]
    to, i = 0, 0
    for block in range(boxes.facts[BLOCKS]):
        for k in range(live[block]):
            point[to, i] = point[block, k]
            where[point[to, i]] = to * BLOCK + i
            row[to, i] = row[block, k]
            for j in range(d):
                bins[to, j, i] = bins[block, j, k]
            for j in range(boxes.codes.shape[1]):
                boxes.codes[to, j, i] = boxes.codes[block, j, k]
            i += 1
            if i == BLOCK:
                live[to] = BLOCK  # never past the block being read
                to, i = to + 1, 0
    if i > 0 or to == 0:
        live[to] = i
        to += 1
    boxes.facts[BLOCKS] = to
    build(boxes)
