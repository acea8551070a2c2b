"""Points in an order in which near ones lie side by side, so that boxes over them are small.

They are cut in two at the median of the column in which they are farthest apart, and so are both
parts, until a part fills one box. Cuts are made where boxes end.
"""

from __future__ import annotations

from shoal.base.arrays import Ints, Small
from shoal.kernels.clustering.squares import Space
from shoal.kernels.compiled import compiled
from shoal.kernels.tree import FAN

PAIRS = 128
"""How many pairs of points tell in which column a part is widest."""


@compiled
def _apart(space: Space, j: int, one: int, other: int) -> int:
    """Measure two codes of a column: their squared distance."""
    if one == other:
        return 0
    end = space.start[j + 1] - 1
    total = space.missing_cost[j] if one == end or other == end else 0
    if space.numeric[j]:
        step = space.place[one] - space.place[other]
        return space.factor[j] * (step * step + total)
    a, b = space.node[one], space.node[other]
    while a != b:  # the deeper of both climbs
        if space.depth[a] >= space.depth[b]:
            a = space.parent[a]
        else:
            b = space.parent[b]
        total += 1
    return space.factor[j] * total


@compiled
def _widest(space: Space, cells: Small, order: Ints, begin: int, end: int) -> int:
    """Find the column in which the points of a part are farthest apart."""
    half = (end - begin) // 2
    step = max(half // PAIRS, 1)
    best, widest = 0.0, -1
    for j in range(space.numeric.shape[0]):
        total = 0.0
        for i in range(begin, begin + half, step):
            total += _apart(space, j, int(cells[order[i], j]), int(cells[order[i + half], j]))
        if total > best:
            best, widest = total, j
    return widest


@compiled
def _split(cells: Small, order: Ints, begin: int, end: int, middle: int, j: int) -> None:
    """Bring the points of the least codes before the middle."""
    lo, hi = begin, end - 1
    while lo < hi:
        pivot = cells[order[(lo + hi) // 2], j]
        left, right = lo, hi
        while left <= right:
            while cells[order[left], j] < pivot:
                left += 1
            while cells[order[right], j] > pivot:
                right -= 1
            if left <= right:
                kept = order[left]
                order[left] = order[right]
                order[right] = kept
                left += 1
                right -= 1
        if middle <= right:
            hi = right
        elif middle >= left:
            lo = left
        else:
            break


@compiled
def cut(space: Space, cells: Small, order: Ints, stack: Ints) -> None:
    """Put points in order.

    - ``cells``: per point and column: the code, as a place in tables over codes.
    - ``order``: all points; gets the order.
    - ``stack``: room for two numbers per cut.
    """
    stack[0, 0], stack[0, 1] = 0, order.shape[0]
    height = 1
    while height > 0:
        height -= 1
        begin, end = stack[height, 0], stack[height, 1]
        if end - begin <= FAN:
            continue
        unit = FAN
        while unit * FAN * 2 <= end - begin:
            unit *= FAN
        middle = begin + max((end - begin) // 2 // unit, 1) * unit
        if middle >= end:
            continue
        j = _widest(space, cells, order, begin, end)
        if j >= 0:
            _split(cells, order, begin, end, middle, j)
        stack[height, 0], stack[height, 1] = begin, middle
        stack[height + 1, 0], stack[height + 1, 1] = middle, end
        height += 2
