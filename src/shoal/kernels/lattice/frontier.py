"""The nodes of a lattice in the order of a bound: a heap that grows upward from the bottom."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.kernels.compiled import compiled
from shoal.kernels.lattice.above import largest

__all__ = ["DONE", "FULL", "OPEN", "PAUSED", "Frontier", "Steps", "advance", "expand", "frontier"]

Ints = npt.NDArray[np.int64]
Levels = npt.NDArray[np.int16]
Floats = npt.NDArray[np.float64]

DONE, FULL, OPEN, PAUSED = 0, 1, 2, 3


class Steps(NamedTuple):
    """What each level of each attribute adds to the bound, and the highest level."""

    part: Floats
    """Attributes × levels."""
    height: Levels


class Frontier(NamedTuple):
    """Nodes, and a heap of their numbers by bound, then by levels."""

    levels: Levels
    bound: Floats
    last: Ints
    """The first attribute that nodes generated from this one may raise."""
    heap: Ints
    """Numbers of waiting nodes; behind them those that are free."""
    size: Ints
    """How many nodes wait."""


def frontier(room: int, d: int, old: Frontier | None = None) -> Frontier:
    """Make room for so many nodes; those of an old frontier come along."""
    made = Frontier(
        np.zeros((room, d), dtype=np.int16),
        np.zeros(room),
        np.zeros(room, dtype=np.int64),
        np.arange(room),
        np.zeros(1, dtype=np.int64),
    )
    if old is None:
        made.size[0] = 1  # the bottom
        return made
    for name in Frontier._fields:
        before = getattr(old, name)
        getattr(made, name)[: len(before)] = before
    return made


@compiled
def _before(nodes: Frontier, one: int, other: int) -> bool:
    """Say which node comes first."""
    if nodes.bound[one] != nodes.bound[other]:
        return nodes.bound[one] < nodes.bound[other]
    j = 0
    while j < nodes.levels.shape[1] - 1 and nodes.levels[one, j] == nodes.levels[other, j]:
        j += 1
    return nodes.levels[one, j] < nodes.levels[other, j]


@compiled
def _push(nodes: Frontier) -> None:
    """Let the first free node wait."""
    at = nodes.size[0]
    nodes.size[0] = at + 1
    node = nodes.heap[at]
    while at > 0 and _before(nodes, node, nodes.heap[(at - 1) // 2]):
        nodes.heap[at] = nodes.heap[(at - 1) // 2]
        at = (at - 1) // 2
    nodes.heap[at] = node


@compiled
def _pop(nodes: Frontier) -> int:
    """Take the first node; it is free until the next one is pushed."""
    first = nodes.heap[0]
    size = nodes.size[0] - 1
    nodes.size[0] = size
    node = nodes.heap[size]
    nodes.heap[size] = first
    at = 0
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and _before(nodes, nodes.heap[child + 1], nodes.heap[child]):
            child += 1
        if not _before(nodes, nodes.heap[child], node):
            break
        nodes.heap[at] = nodes.heap[child]
        at = child
    if size:
        nodes.heap[at] = node
    return first


@compiled
def expand(
    nodes: Frontier, steps: Steps, at: Levels, bound: float, last: int, above: float, limit: float
) -> None:
    """Generate the nodes one step above; each node of the lattice is generated once.

    Parameters
    ----------
    above
        A bound of all nodes above this one.
    limit
        Nodes of a larger bound are left out.
    """
    for j in range(last, at.shape[0]):
        if at[j] == steps.height[j]:
            continue
        more = max(bound + steps.part[j, at[j] + 1] - steps.part[j, at[j]], above)
        if more > limit:
            continue
        node = nodes.heap[nodes.size[0]]
        for i in range(at.shape[0]):
            nodes.levels[node, i] = at[i]
        nodes.levels[node, j] += 1
        nodes.bound[node], nodes.last[node] = more, j
        _push(nodes)


@compiled
def advance(
    nodes: Frontier,
    steps: Steps,
    known: Levels,
    extra: Floats,
    limit: float,
    turns: int,
    at: Levels,
    found: Floats,
) -> int:
    """Go on to the next node that those above it do not settle.

    Parameters
    ----------
    known, extra
        Nodes that were counted, and what they add to the bound of those below.
    limit
        A node of a larger bound is settled.
    turns
        After so many nodes, pause.
    at, found
        Get the node's levels; its bound, and its first attribute to raise.
    """
    for _ in range(turns):
        if nodes.size[0] == 0 or nodes.bound[nodes.heap[0]] > limit:
            return DONE
        if nodes.size[0] + at.shape[0] > nodes.heap.shape[0]:
            return FULL
        node = _pop(nodes)
        bound, last = nodes.bound[node], nodes.last[node]
        for j in range(at.shape[0]):
            at[j] = nodes.levels[node, j]
        found[0], found[1] = bound, last
        if bound + largest(known, extra, at) <= limit:
            return OPEN
        expand(nodes, steps, at, bound, last, 0.0, limit)
    return PAUSED
