"""A heap of numbered things: the one of the least key on top, among equals by their ties.

Numbers that wait come first in the array; behind them are those that are free.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.kernels.compiled import compiled

__all__ = ["pop", "push"]

Ints = npt.NDArray[np.int64]


@compiled
def _before(key: npt.NDArray[Any], ties: npt.NDArray[Any], one: int, other: int) -> bool:
    """Say which comes first: by key, then by the columns of ``ties``, left to right."""
    if key[one] != key[other]:
        return key[one] < key[other]
    j = 0
    while j < ties.shape[1] - 1 and ties[one, j] == ties[other, j]:
        j += 1
    return ties[one, j] < ties[other, j]


@compiled
def push(heap: Ints, size: Ints, key: npt.NDArray[Any], ties: npt.NDArray[Any]) -> None:
    """Let the first free number wait."""
    at = size[0]
    size[0] = at + 1
    one = heap[at]
    while at > 0 and _before(key, ties, one, heap[(at - 1) // 2]):
        heap[at] = heap[(at - 1) // 2]
        at = (at - 1) // 2
    heap[at] = one


@compiled
def pop(heap: Ints, size: Ints, key: npt.NDArray[Any], ties: npt.NDArray[Any]) -> int:
    """Take the first number off; it is free until the next one is pushed."""
    first = heap[0]
    left = size[0] - 1
    size[0] = left
    one = heap[left]
    heap[left] = first
    at = 0
    while 2 * at + 1 < left:
        child = 2 * at + 1
        if child + 1 < left and _before(key, ties, heap[child + 1], heap[child]):
            child += 1
        if not _before(key, ties, heap[child], one):
            break
        heap[at] = heap[child]
        at = child
    if left:
        heap[at] = one
    return first
