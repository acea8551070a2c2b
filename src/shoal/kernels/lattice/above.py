"""What nodes of a lattice say about others: about those below, and about those above."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Floats, Ints
from shoal.kernels.compiled import compiled

Levels = npt.NDArray[np.int16]


class NodeBounds(NamedTuple):
    """What counted nodes add to the bound of those below them."""

    levels: Levels
    """Nodes × attributes."""
    extra: Floats
    """Per node, what it adds to all below: infinite, if it prunes them."""
    part: Floats
    """Nodes × attributes × levels: what it adds more to one of that level."""


@compiled
def lies_above(one: Levels, other: Levels) -> bool:
    """Say whether a node lies above another one, or is it."""
    j = 0
    while j < one.shape[0] and one[j] >= other[j]:
        j += 1
    return j == one.shape[0]


@compiled
def _added(adds: NodeBounds, i: int, at: Levels) -> float:
    """Say what a node adds to the bound of one: nothing if it does not lie above."""
    if not lies_above(adds.levels[i], at):
        return 0.0
    total = adds.extra[i]
    if total < np.inf:
        for j in range(at.shape[0]):
            total += adds.part[i, j, at[j]]
    return total


@compiled
def largest(adds: NodeBounds, at: Levels) -> float:
    """Find the most that a node adds to the bound of one; 0 if none lies above."""
    found = 0.0
    for i in range(adds.extra.shape[0]):
        found = max(found, _added(adds, i, at))
    return found


@compiled
def pruning_node(adds: NodeBounds, at: Levels, bound: float, limit: float, first: int) -> int:
    """Find a node that raises the bound of one above a limit, ``first`` tried first; or −1."""
    n = adds.extra.shape[0]
    if 0 <= first < n and bound + _added(adds, first, at) > limit:
        return first
    for i in range(n - 1, -1, -1):
        if bound + _added(adds, i, at) > limit:
            return i
    return -1


@compiled
def least(levels: Levels, values: Floats, at: Levels) -> float:
    """Find the least value of the nodes below one; infinite if there is none."""
    found = np.inf
    for i in range(values.shape[0]):
        if values[i] < found and lies_above(at, levels[i]):
            found = values[i]
    return found


@compiled
def climb(
    at: Levels, steps: Levels, levels: Levels, values: Floats, needed: float, path: Levels
) -> int:
    """Go up from a node step by step; gives how many nodes of the path may have enough.

    A node has at most the least value of the nodes below it, so those that may have enough come
    first.

    - ``steps``: attributes and levels to raise from, in order; those below the node are left out.
    - ``levels``, ``values``: nodes, and their values.
    - ``path``: gets the nodes, the first one included: as many as there are steps, and one.
    """
    d, n = at.shape[0], 1
    for j in range(d):
        path[0, j] = at[j]
    for s in range(steps.shape[0]):
        if steps[s, 1] < at[steps[s, 0]]:
            continue
        for j in range(d):
            path[n, j] = path[n - 1, j]
        path[n, steps[s, 0]] += 1
        n += 1
    low, high = 0, n  # the first one is asked for whatever is known
    while high - low > 1:
        middle = (low + high) // 2
        if least(levels, values, path[middle]) > needed:
            low = middle
        else:
            high = middle
    return high


@compiled
def smallest(levels: Levels, sizes: Ints, at: Levels, most: int) -> int:
    """Find the node of the least size below one, if it is less than ``most``; or −1."""
    found = -1
    for i in range(sizes.shape[0]):
        if sizes[i] < most and lies_above(at, levels[i]):
            found, most = i, sizes[i]
    return found


@compiled
def forget(adds: NodeBounds, at: Levels) -> int:
    """Drop the nodes below one that prunes them all; gives how many are left."""
    left = 0
    for i in range(adds.extra.shape[0]):
        if not lies_above(at, adds.levels[i]):
            if left < i:
                adds.extra[left] = adds.extra[i]
                for j in range(at.shape[0]):
                    adds.levels[left, j] = adds.levels[i, j]
                    for level in range(adds.part.shape[2]):
                        adds.part[left, j, level] = adds.part[i, j, level]
            left += 1
    return left
