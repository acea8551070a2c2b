"""Boxes of clusters, and what keeps a search out of them (EBKC's index).

Clusters whose first records are alike in coarse parts lie in one inner box; inner boxes that are
alike in some attributes lie in one outer box. A box knows, per attribute, how near its members
come: the range of numbers, and per category the least distance to a category that some member
has. No mean distance to a cluster inside is less than the sum of these. Where that is above what
was found already, or above the limit, the box is left out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.kernels.compiled import compiled
from shoal.kernels.merging.clusters import Scales, lift

__all__ = ["Boxes", "bound", "widen"]

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]


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
    filled: npt.NDArray[np.bool_]
    """Per outer box: whether it holds a cluster."""
    lo: Ints
    """Per box, per attribute: numeric, the least position of a member; categorical with many
    values, the lowest node above all members, −1 at first."""
    hi: Ints
    """The largest position; below the least if no member is known."""
    gap: npt.NDArray[np.bool_]
    """Per box, per attribute: whether a member is missing."""
    present: npt.NDArray[np.bool_]
    """Per box, per code of few: whether a member has it."""
    near: Ints
    """Per box, per code of few: the least distance to a member."""
    column: Ints
    """Per attribute: where its codes begin in ``near``; −1 if it is numeric or has many."""
    pair: Ints
    """Distances between two codes, for attributes of few, laid end to end."""
    pair_start: Ints
    """Per attribute: where its distances begin."""


@compiled
def bound(
    scales: Scales, boxes: Boxes, box: int, codes: Small, row: int, cap: int
) -> int:  # pragma: no cover
    """Give a sum that no mean distance to a cluster of the box is below; stop above the cap."""
    total = 0
    for j in range(codes.shape[1]):
        code = int(codes[row, j])
        column = boxes.column[j]
        start = scales.start[j]
        if column >= 0:
            total += boxes.near[box, column + code]
        elif scales.numeric[j]:
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
        if total > cap:
            break
    return total


@compiled
def widen(
    scales: Scales, boxes: Boxes, box: int, codes: Small, row: int
) -> None:  # pragma: no cover
    """Let the bounds of a box hold for a new member, too."""
    for j in range(codes.shape[1]):
        code = int(codes[row, j])
        column = boxes.column[j]
        start = scales.start[j]
        values = scales.start[j + 1] - start
        if column >= 0:
            if boxes.present[box, column + code]:
                continue
            boxes.present[box, column + code] = True
            at = boxes.pair_start[j] + code * values
            for other in range(values):
                if boxes.pair[at + other] < boxes.near[box, column + other]:
                    boxes.near[box, column + other] = boxes.pair[at + other]
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
