"""The skeleton of a tree of boxes: things side by side, and a fan of nodes below each other node.

Nodes of all levels lie end to end, the things themselves first. A tree brings its own boxes, and
bounds by them, and says how many nodes lie below one: `FAN`, or as many as it bounds at once.
Here is what lies below and above a node, and the way through a tree on which the most promising
node comes first.
"""

from __future__ import annotations

import numpy as np

from shoal.base.arrays import Ints
from shoal.kernels.compiled import compiled

FAN = 8
"""Nodes below a node, if they are bounded one by one."""

MOST_LEVELS = 22
"""Enough for as many things as an index can number."""

BEGIN, END = range(2)
"""Places in each row of levels. Each level begins at a multiple of the fan."""

NODE, LEVEL, BOUND = range(3)
"""Places in each row of a stack."""


def _lay(level: Ints, n: int, fan: int) -> int:
    """Write where each level of a tree over n things begins and ends; gives how many there are.

    The root is never a thing itself.
    """
    level[0, BEGIN], level[0, END] = 0, n
    at, width = 0, n
    while width > 1 or at == 0:
        width = (width + fan - 1) // fan
        begin = level[at, BEGIN] + width * fan
        at += 1
        level[at, BEGIN], level[at, END] = begin, begin + width
    return at + 1


lay = compiled(_lay)


def levels(n: int, fan: int = FAN) -> Ints:
    """Lay out the levels of a tree over n things.

    Examples
    --------
    >>> levels(20).tolist()
    [[0, 20], [24, 27], [32, 33]]
    """
    level = np.zeros((MOST_LEVELS, 2), dtype=np.int64)
    return level[: _lay(level, n, fan)]


@compiled
def below(level: Ints, at: int, node: int, fan: int) -> int:
    """Find the first of the nodes below a node of a level above the lowest."""
    return level[at - 1, BEGIN] + (node - level[at, BEGIN]) * fan


@compiled
def above(level: Ints, at: int, node: int, fan: int) -> int:
    """Find the node of a level below which a node of the level before lies."""
    return level[at, BEGIN] + (node - level[at - 1, BEGIN]) // fan


@compiled
def wait(
    stack: Ints, bottom: int, height: int, node: int, at: int, bound: int, first: Ints | None
) -> None:
    """Put a node on a stack, above those from ``bottom`` on that promise less.

    Those of a larger bound promise more; of equals the one of the lower ``first``, if given.
    """
    slot = height
    while slot > bottom and (
        stack[slot - 1, BOUND] > bound
        or (
            first is not None
            and stack[slot - 1, BOUND] == bound
            and first[stack[slot - 1, NODE]] < first[node]
        )
    ):
        for part in range(3):
            stack[slot, part] = stack[slot - 1, part]
        slot -= 1
    stack[slot, NODE], stack[slot, LEVEL], stack[slot, BOUND] = node, at, bound
