"""The largest buckets, again and again: a heap of those that hold rows, the first of equals on top.

Groups take one record from each of the largest buckets, which then shrink by one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.kernels.compiled import compiled

__all__ = ["Largest", "draw", "give_back", "heap_up", "take"]

Ints = npt.NDArray[np.int64]


class Largest(NamedTuple):
    """Buckets by size."""

    left: Ints
    """Per bucket: how many rows are left."""
    heap: Ints
    used: Ints
    """How much of the heap is in use."""
    taken: Ints
    """The buckets that were taken last, the largest first."""


def heap_up(left: Ints) -> Largest:
    """Make a heap of buckets, given how many rows each holds."""
    heap = np.lexsort((np.arange(len(left)), -left)).astype(np.int64)  # sorted is a heap
    used = np.array([np.count_nonzero(left)], dtype=np.int64)
    return Largest(left.astype(np.int64), heap, used, np.zeros(len(left), dtype=np.int64))


@compiled
def _before(left: Ints, one: int, other: int) -> bool:
    """Say whether a bucket comes before another: it is larger, or as large and first."""
    return left[one] > left[other] or (left[one] == left[other] and one < other)


@compiled
def _pop(largest: Largest) -> int:
    """Take the top off the heap."""
    heap, left = largest.heap, largest.left
    top = heap[0]
    largest.used[0] -= 1
    used = largest.used[0]
    moved, at = heap[used], 0
    while 2 * at + 1 < used:
        below = 2 * at + 1
        if below + 1 < used and _before(left, heap[below + 1], heap[below]):
            below += 1
        if not _before(left, heap[below], moved):
            break
        heap[at] = heap[below]
        at = below
    heap[at] = moved
    return top


@compiled
def _push(largest: Largest, bucket: int) -> None:
    """Put a bucket onto the heap."""
    heap, at = largest.heap, largest.used[0]
    largest.used[0] += 1
    while at > 0 and _before(largest.left, bucket, heap[(at - 1) // 2]):
        heap[at] = heap[(at - 1) // 2]
        at = (at - 1) // 2
    heap[at] = bucket


@compiled
def take(largest: Largest, wanted: int) -> bool:
    """Take the largest buckets off the heap, if there are enough that hold rows."""
    if largest.used[0] < wanted:
        return False
    for i in range(wanted):
        largest.taken[i] = _pop(largest)
    return True


@compiled
def give_back(largest: Largest, wanted: int) -> None:
    """Put those that were taken back, a row smaller, unless they are empty now."""
    for i in range(wanted):
        bucket = largest.taken[i]
        largest.left[bucket] -= 1
        if largest.left[bucket] > 0:
            _push(largest, bucket)


@compiled
def draw(largest: Largest, wanted: int, drawn: Ints, count: int, budget: int) -> int:
    """Draw groups of one row from each of the largest buckets; gives how many there are.

    ``drawn`` gets the buckets, group after group. It returns early when the budget of groups
    is spent; ``count`` are there already.
    """
    end = count + budget
    while count < end and take(largest, wanted):
        for i in range(wanted):
            drawn[count * wanted + i] = largest.taken[i]
        give_back(largest, wanted)
        count += 1
    return count
