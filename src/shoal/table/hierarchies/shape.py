"""The shape of a tree as arrays: depths, ranges of leaves, ancestors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.errors import ParameterError

IntArray = npt.NDArray[np.int32]
Ints = npt.NDArray[np.integer[Any]]


def shape_of(parents: Sequence[int]) -> dict[str, IntArray]:
    """Find the shape of a tree whose nodes are numbered depth first, the root being 0.

    It is what follows from the parents alone, by the names that `Hierarchy` has for it.

    >>> shape = shape_of([-1, 0, 1, 1, 0])
    >>> [shape[what].tolist() for what in ("depth", "leaf_nodes", "leaf_counts")]
    [[0, 1, 2, 2, 1], [2, 3, 4], [3, 2, 1, 1, 1]]
    """
    n = len(parents)
    parent = np.array(parents, dtype=np.int32)
    depth = np.zeros(n, dtype=np.int32)
    depth[1:] = -1
    by_depth = [np.zeros(1, dtype=np.int32)]
    while True:  # level by level: a child is one edge below its parent
        below = np.flatnonzero((depth < 0) & (depth[parent] == len(by_depth) - 1))
        if not below.size:
            break
        depth[below] = len(by_depth)
        by_depth.append(below.astype(np.int32))

    is_leaf = np.ones(n, dtype=np.int32)
    is_leaf[parent[1:]] = 0
    counts = is_leaf.copy()
    ancestors = np.zeros((n, len(by_depth)), dtype=np.int32)
    for level, nodes in enumerate(by_depth[1:], start=1):
        ancestors[nodes] = ancestors[parent[nodes]]
        ancestors[nodes, level:] = nodes[:, None]
    for nodes in reversed(by_depth[1:]):
        np.add.at(counts, parent[nodes], counts[nodes])
    first = (np.cumsum(is_leaf) - is_leaf).astype(np.int32)
    made = {
        "parent": parent,
        "depth": depth,
        "first_leaf": first,
        "last_leaf": first + counts - np.int32(1),
        "leaf_counts": counts,
        "leaf_nodes": np.flatnonzero(is_leaf).astype(np.int32),
        "ancestors": ancestors,
    }
    for each in made.values():
        each.setflags(write=False)
    return made


def numbers_of(given: Ints | int, size: int | None = None) -> Ints:
    """Take the numbers of nodes or codes, of which there are so many."""
    numbers = np.asarray(given)
    if numbers.dtype.kind not in "iu" or (size and numbers.size and numbers.max() >= size):
        raise ParameterError(
            "Nodes and codes must be whole numbers that the tree has.",
            "Find them with node, nodes and codes.",
        )
    return numbers
