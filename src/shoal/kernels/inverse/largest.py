"""The largest buckets, again and again: a heap of those that hold rows, the first of equals on top.

Groups take one record from each of the largest buckets, which then shrink by one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.base.arrays import Ints
from shoal.kernels.compiled import compiled
from shoal.kernels.heap import WAITING, pop, push


class Largest(NamedTuple):
    """Buckets by size."""

    key: Ints
    """Per bucket: how many rows are left, below zero, so that the largest comes first."""
    number: Ints
    """Buckets × 1: the first of equals comes first."""
    heap: Ints
    size: Ints
    """How many buckets wait in the heap."""
    popped: Ints
    """The buckets that were popped last, the largest first."""


def heap_up(left: Ints) -> Largest:
    """Make a heap of buckets, given how many rows each holds."""
    number = np.arange(len(left), dtype=np.int64)
    heap = np.lexsort((number, -left)).astype(np.int64)  # sorted is a heap
    size = np.array([np.count_nonzero(left)], dtype=np.int64)
    return Largest(-left.astype(np.int64), number[:, None], heap, size, np.zeros_like(number))


@compiled
def pop_largest(largest: Largest, wanted: int) -> bool:
    """Pop the largest buckets, if there are enough that hold rows."""
    if largest.size[WAITING] < wanted:
        return False
    for i in range(wanted):
        largest.popped[i] = pop(largest.heap, largest.size, largest.key, largest.number)
    return True


@compiled
def push_back(largest: Largest, wanted: int) -> None:
    """Push those that were popped back, a row smaller, unless they are empty now."""
    for i in range(wanted):
        bucket = largest.popped[i]
        largest.key[bucket] += 1
        if largest.key[bucket] < 0:
            push(largest.heap, largest.size, bucket, largest.key, largest.number)


@compiled
def draw(largest: Largest, wanted: int, drawn: Ints, count: int, budget: int) -> int:
    """Draw groups of one row from each of the largest buckets; gives how many there are.

    ``drawn`` gets the buckets, group after group. It returns early when the budget of groups
    is spent; ``count`` are there already.
    """
    end = count + budget
    while count < end and pop_largest(largest, wanted):
        for i in range(wanted):
            drawn[count * wanted + i] = largest.popped[i]
        push_back(largest, wanted)
        count += 1
    return count
