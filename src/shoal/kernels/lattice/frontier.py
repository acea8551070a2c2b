"""The nodes of a lattice in the order of a bound: a heap that grows upward from the bottom."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.kernels.compiled import compiled
from shoal.kernels.heap import WAITING, pop, push
from shoal.kernels.lattice.above import Told, settling

__all__ = [
    "BOUND",
    "DONE",
    "FIRST",
    "FULL",
    "HINT",
    "OPEN",
    "PAUSED",
    "Frontier",
    "Steps",
    "advance",
    "expand",
    "frontier",
]

Ints = npt.NDArray[np.int64]
Levels = npt.NDArray[np.int16]
Floats = npt.NDArray[np.float64]

DONE, FULL, OPEN, PAUSED = 0, 1, 2, 3

BOUND, FIRST, HINT = range(3)
"""What `advance` finds of a node: its bound, its first attribute to raise, and its hint."""


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
    hint: Ints
    """Which node settled the one that this one was generated from: it may settle this one, too."""
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
        np.full(room, -1),
        np.arange(room),
        np.zeros(1, dtype=np.int64),
    )
    if old is None:
        made.size[WAITING] = 1  # the bottom
        return made
    for name in Frontier._fields:
        before = getattr(old, name)
        getattr(made, name)[: len(before)] = before
    return made


@compiled
def expand(
    nodes: Frontier,
    steps: Steps,
    at: Levels,
    bound: float,
    last: int,
    hint: int,
    above: float,
    limit: float,
) -> None:
    """Generate the nodes one step above; each node of the lattice is generated once.

    Parameters
    ----------
    hint
        Which node may settle them.
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
        node = nodes.heap[nodes.size[WAITING]]
        for i in range(at.shape[0]):
            nodes.levels[node, i] = at[i]
        nodes.levels[node, j] += 1
        nodes.bound[node], nodes.last[node], nodes.hint[node] = more, j, hint
        push(nodes.heap, nodes.size, node, nodes.bound, nodes.levels)


@compiled
def advance(
    nodes: Frontier,
    steps: Steps,
    told: Told,
    limit: float,
    turns: int,
    at: Levels,
    found: Floats,
) -> int:
    """Go on to the next node that those above it do not settle.

    Parameters
    ----------
    told
        What nodes that were counted add to the bound of those below.
    limit
        A node of a larger bound is settled.
    turns
        After so many nodes, pause.
    at, found
        Get the node's levels; its bound, its first attribute to raise, and its hint.
    """
    for _ in range(turns):
        if nodes.size[WAITING] == 0 or nodes.bound[nodes.heap[0]] > limit:
            return DONE
        if nodes.size[WAITING] + at.shape[0] > nodes.heap.shape[0]:
            return FULL
        node = pop(nodes.heap, nodes.size, nodes.bound, nodes.levels)
        bound, last, hint = nodes.bound[node], nodes.last[node], nodes.hint[node]
        for j in range(at.shape[0]):
            at[j] = nodes.levels[node, j]
        hint = settling(told, at, bound, limit, hint)
        found[BOUND], found[FIRST], found[HINT] = bound, last, hint
        if hint < 0:
            return OPEN
        expand(nodes, steps, at, bound, last, hint, 0.0, limit)
    return PAUSED
