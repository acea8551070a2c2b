"""The costliest rows of some points: a heap, the cheapest of them on top.

Each entry is a point and how many of its rows are held; together they hold no more rows than are
asked for.
"""

from __future__ import annotations

from typing import NamedTuple

from shoal.base.arrays import Ints
from shoal.kernels.compiled import compiled

ENTRIES, ROWS, TOTAL = 0, 1, 2
"""Places in the sums of a heap: its entries, the rows they hold, and what these are worth."""


class Costliest(NamedTuple):
    """The heap: what a row of an entry is worth, its point, how many of its rows are held."""

    worth: Ints
    point: Ints
    held: Ints
    sums: Ints


@compiled
def empty(heap: Costliest) -> None:
    """Hold nothing."""
    heap.sums[ENTRIES] = 0
    heap.sums[ROWS] = 0
    heap.sums[TOTAL] = 0


@compiled
def offer(heap: Costliest, most: int, worth: int, point: int, rows: int) -> bool:
    """Hold the rows of a point, as far as they are among the costliest; say whether any is.

    Cheaper ones go, as soon as more than ``most`` rows are held.
    """
    sums = heap.sums
    if sums[ROWS] >= most and worth <= heap.worth[0]:
        return False
    rows = min(rows, most)
    at = sums[ENTRIES]
    sums[ENTRIES] = at + 1
    sums[ROWS] += rows
    sums[TOTAL] += rows * worth
    while at > 0 and heap.worth[(at - 1) // 2] > worth:
        _move(heap, (at - 1) // 2, at)
        at = (at - 1) // 2
    heap.worth[at] = worth
    heap.point[at] = point
    heap.held[at] = rows
    while sums[ROWS] > most:
        over = sums[ROWS] - most
        if heap.held[0] > over:
            heap.held[0] -= over
            sums[ROWS] -= over
            sums[TOTAL] -= over * heap.worth[0]
        else:
            sums[ROWS] -= heap.held[0]
            sums[TOTAL] -= heap.held[0] * heap.worth[0]
            _drop(heap)
    return True


@compiled
def _move(heap: Costliest, place: int, to: int) -> None:
    heap.worth[to] = heap.worth[place]
    heap.point[to] = heap.point[place]
    heap.held[to] = heap.held[place]


@compiled
def _drop(heap: Costliest) -> None:
    """Take the cheapest entry off."""
    last = heap.sums[ENTRIES] - 1
    heap.sums[ENTRIES] = last
    worth, point, held = heap.worth[last], heap.point[last], heap.held[last]
    at = 0
    while 2 * at + 1 < last:
        child = 2 * at + 1
        if child + 1 < last and heap.worth[child + 1] < heap.worth[child]:
            child += 1
        if heap.worth[child] >= worth:
            break
        _move(heap, child, at)
        at = child
    heap.worth[at] = worth
    heap.point[at] = point
    heap.held[at] = held
