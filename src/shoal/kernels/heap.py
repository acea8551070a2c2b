"""A heap of numbered things: the one of the least key on top, among equals by their ties.

Numbers that wait come first in the array; behind them are those that were popped last.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from shoal.base.arrays import Ints
from shoal.kernels.compiled import compiled

Numbers = npt.NDArray[Any]

WAITING = 0
"""Place in the size of a heap: how many numbers wait."""


@compiled
def _before(key: Numbers, ties: Numbers, one: int, other: int) -> bool:
    """Say which comes first: by key, then by the columns of ``ties``, left to right."""
    if key[one] != key[other]:
        return key[one] < key[other]
    j = 0
    while j < ties.shape[1] - 1 and ties[one, j] == ties[other, j]:
        j += 1
    return ties[one, j] < ties[other, j]


@compiled
def rise(heap: Numbers, at: int, key: Numbers, ties: Numbers, where: Numbers | None) -> int:
    """Let the number at a place rise to where it belongs; gives its place.

    ``where``, if it is given, says of every number where it is in the heap.
    """
    one = heap[at]
    while at > 0 and _before(key, ties, one, heap[(at - 1) // 2]):
        heap[at] = heap[(at - 1) // 2]
        if where is not None:
            where[heap[at]] = at
        at = (at - 1) // 2
    heap[at] = one
    if where is not None:
        where[one] = at
    return at


@compiled
def sink(
    heap: Numbers, size: int, at: int, key: Numbers, ties: Numbers, where: Numbers | None
) -> None:
    """Let the number at a place sink to where it belongs, in a heap of some size."""
    one = heap[at]
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and _before(key, ties, heap[child + 1], heap[child]):
            child += 1
        if not _before(key, ties, heap[child], one):
            break
        heap[at] = heap[child]
        if where is not None:
            where[heap[at]] = at
        at = child
    heap[at] = one
    if where is not None:
        where[one] = at


@compiled
def push(heap: Numbers, size: Ints, one: int, key: Numbers, ties: Numbers) -> None:
    """Let a number wait."""
    at = size[WAITING]
    size[WAITING] = at + 1
    heap[at] = one
    rise(heap, at, key, ties, None)


@compiled
def pop(heap: Numbers, size: Ints, key: Numbers, ties: Numbers) -> int:
    """Take the first number off; it lies behind the others until the next one is pushed."""
    first = heap[0]
    left = size[WAITING] - 1
    size[WAITING] = left
    heap[0], heap[left] = heap[left], first
    sink(heap, left, 0, key, ties, None)
    return first
