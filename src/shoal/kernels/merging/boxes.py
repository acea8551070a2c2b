"""Boxes of clusters, and what keeps a search out of them (EBKC's index).

Clusters whose first records are alike in coarse parts lie in one inner box; inner boxes that are
alike in some attributes lie in one outer box. A box knows, per attribute, how near its members
come: per code of an attribute of few values the least distance to one that some member has, else
the range of numbers or the node above categories. No mean distance to a cluster inside is less
than the sum of these. Where that is above what was found already, or above the limit, the box is
left out. Attributes of few values are summed up for many boxes at once, which lie side by side.
"""

from __future__ import annotations

from typing import NamedTuple

from shoal.base.arrays import Bools, Ints, Small
from shoal.kernels.compiled import compiled
from shoal.kernels.merging.clusters import Scales, lift


class Boxes(NamedTuple):
    """The boxes; `shoal.methods.merging.ebkc` makes them. Bounds are of outer boxes first."""

    home: Ints
    """Per row: the inner box of a cluster that it opens."""
    outer: Ints
    """Per inner box: its outer one."""
    begin: Ints
    """Per outer box: its first inner one; they lie side by side."""
    head: Ints
    """Per inner box: its first cluster, −1 if there is none."""
    first_pack: Ints
    """Per inner box: its first pack of clusters, −1 if there is none."""
    filled: Bools
    """Per outer box: whether it holds a cluster."""
    lo: Ints
    """Per box, per attribute: numeric, the least position of a member; categorical with many
    values, the lowest node above all members, −1 at first."""
    hi: Ints
    """The largest position; below the least if no member is known."""
    gap: Bools
    """Per box, per attribute: whether a member is missing."""
    present: Bools
    """Per box, per code of few: whether a member has it."""
    near: Ints
    """Per code of few, per box: the least distance to a member; far more, if there is none."""
    least: Ints
    """Room for a sum per box."""


@compiled
def add_near(scales: Scales, boxes: Boxes, begin: int, end: int, codes: Small, row: int) -> None:
    """Sum up, for some boxes, how near their members come in all attributes of few values."""
    least = boxes.least[begin:end]  # counted from 0, so that several are added at once
    least[:] = 0
    for j in range(codes.shape[1]):
        if scales.column[j] >= 0:
            near = boxes.near[scales.column[j] + int(codes[row, j])][begin:end]
            for i in range(least.shape[0]):
                least[i] += near[i]


@compiled
def bound(scales: Scales, boxes: Boxes, box: int, codes: Small, row: int, cap: int) -> int:
    """Give a sum that no mean distance to a cluster of the box is below; stop above the cap.

    It goes on from what `add_near` found.
    """
    total = boxes.least[box]
    for j in range(codes.shape[1]):
        if total > cap:
            break
        if scales.column[j] >= 0:
            continue
        code = int(codes[row, j])
        start = scales.start[j]
        if scales.numeric[j]:
            half = scales.reach[j] // 2
            if code == scales.start[j + 1] - start - 1:  # missing
                total += 0 if boxes.gap[box, j] else half
            else:
                x = scales.value[start + code]
                least = max(boxes.lo[box, j] - x, x - boxes.hi[box, j], 0)
                if boxes.gap[box, j]:
                    known = boxes.lo[box, j] <= boxes.hi[box, j]
                    least = min(least, half) if known else half
                total += least
        else:
            cell = scales.cell[start + code]
            meet = lift(scales, cell, boxes.lo[box, j])
            if meet != boxes.lo[box, j]:
                total += (scales.depth[cell] - scales.depth[meet]) * scales.value[start + code]
    return total


@compiled
def widen(scales: Scales, boxes: Boxes, box: int, codes: Small, row: int) -> None:
    """Let the bounds of a box hold for a new member, too."""
    for j in range(codes.shape[1]):
        code = int(codes[row, j])
        column = scales.column[j]
        start = scales.start[j]
        values = scales.start[j + 1] - start
        if column >= 0:
            if boxes.present[box, column + code]:
                continue
            boxes.present[box, column + code] = True
            at = scales.pair_start[j] + code * values
            for other in range(values):
                if scales.pair[at + other] < boxes.near[column + other, box]:
                    boxes.near[column + other, box] = scales.pair[at + other]
        elif scales.numeric[j]:
            if code == values - 1:
                boxes.gap[box, j] = True
            else:
                x = scales.value[start + code]
                boxes.lo[box, j] = min(boxes.lo[box, j], x)
                boxes.hi[box, j] = max(boxes.hi[box, j], x)
        else:
            cell = scales.cell[start + code]
            node = boxes.lo[box, j]
            boxes.lo[box, j] = cell if node < 0 else lift(scales, node, cell)
