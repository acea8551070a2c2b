"""What nodes of a lattice say about those below them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from shoal.kernels.compiled import compiled

__all__ = ["forget", "largest"]

Levels = npt.NDArray[np.int16]
Floats = npt.NDArray[np.float64]


@compiled
def _above(one: Levels, other: Levels) -> bool:
    """Say whether a node lies above another one, or is it."""
    j = 0
    while j < one.shape[0] and one[j] >= other[j]:
        j += 1
    return j == one.shape[0]


@compiled
def largest(levels: Levels, values: Floats, at: Levels) -> float:
    """Find the largest value of the nodes above one; 0 if there is none."""
    found = 0.0
    for i in range(values.shape[0]):
        if values[i] > found and _above(levels[i], at):
            found = values[i]
    return found


@compiled
def forget(levels: Levels, values: Floats, at: Levels, value: float) -> int:
    """Drop the nodes below one that have no larger value; gives how many are left."""
    left = 0
    for i in range(values.shape[0]):
        if values[i] > value or not _above(at, levels[i]):
            for j in range(at.shape[0]):
                levels[left, j] = levels[i, j]
            values[left] = values[i]
            left += 1
    return left
