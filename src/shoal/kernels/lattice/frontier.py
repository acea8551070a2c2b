"""The nodes of a lattice in the order of a bound: a heap that grows upward from the bottom.

A waiting node stands for a box of nodes, of which it is the lowest. Once it had its turn, the rest
of its box is cut into boxes, one per attribute. Where a node above is known to prune all below it,
so much of the box is left out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Floats, Ints
from shoal.kernels.compiled import compiled
from shoal.kernels.heap import WAITING, pop, push
from shoal.kernels.lattice.above import NodeBounds, lies_above, pruning_node

Levels = npt.NDArray[np.int16]

DONE, FULL, OPEN, PAUSED = 0, 1, 2, 3

BOUND, HINT = range(2)
"""What `advance` finds of a node: its bound, and its hint."""


class Steps(NamedTuple):
    """What each level of each attribute adds to the bound, and the highest level."""

    part: Floats
    """Attributes × levels."""
    height: Levels


class Frontier(NamedTuple):
    """Nodes, and a heap of their numbers by bound, then by levels."""

    levels: Levels
    bound: Floats
    top: Levels
    """The highest node of the box that each stands for."""
    hint: Ints
    """Which node pruned the one that this one was generated from: it may prune this one, too."""
    heap: Ints
    """Numbers of waiting nodes; behind them those that are free."""
    size: Ints
    """How many nodes wait."""


def frontier(capacity: int, height: Levels, old: Frontier | None = None) -> Frontier:
    """Make room for so many nodes; those of an old frontier come along."""
    made = Frontier(
        np.zeros((capacity, len(height)), dtype=np.int16),
        np.zeros(capacity),
        np.zeros((capacity, len(height)), dtype=np.int16),
        np.full(capacity, -1),
        np.arange(capacity),
        np.zeros(1, dtype=np.int64),
    )
    if old is None:
        made.size[WAITING] = 1  # the bottom, for all nodes
        made.top[0] = height
        return made
    for name in Frontier._fields:
        before = getattr(old, name)
        getattr(made, name)[: len(before)] = before
    return made


@compiled
def expand(
    nodes: Frontier,
    steps: Steps,
    adds: NodeBounds,
    at: Levels,
    top: Levels,
    bound: float,
    hint: int,
    above: float,
    limit: float,
) -> None:
    """Cut what is left of a node's box into boxes; each node of the lattice is in one.

    - ``adds``: what nodes that were counted add to the bound of those below.
    - ``at``, ``top``: the lowest and the highest node of the box.
    - ``hint``: which node may prune those of the box.
    - ``above``: a bound of all nodes above this one.
    - ``limit``: nodes of a larger bound are left out.
    """
    pruned = at
    known = 0 <= hint < adds.extra.shape[0] and adds.extra[hint] == np.inf
    if known and lies_above(adds.levels[hint], at):
        pruned = adds.levels[hint]
    for j in range(at.shape[0]):
        if pruned[j] >= top[j]:
            continue
        level = pruned[j] + 1
        more = 0.0  # always summed in this order, so that equal nodes have equal bounds
        for i in range(at.shape[0]):
            more += steps.part[i, level if i == j else at[i]]
        more = max(more, bound, above)
        if more > limit:
            continue
        node = nodes.heap[nodes.size[WAITING]]
        for i in range(at.shape[0]):
            nodes.levels[node, i] = at[i]
            nodes.top[node, i] = min(pruned[i], top[i]) if i < j else top[i]
        nodes.levels[node, j] = level
        nodes.bound[node], nodes.hint[node] = more, hint
        push(nodes.heap, nodes.size, node, nodes.bound, nodes.levels)


@compiled
def advance(
    nodes: Frontier,
    steps: Steps,
    adds: NodeBounds,
    limit: float,
    turns: int,
    at: Levels,
    top: Levels,
    found: Floats,
) -> int:
    """Go on to the next node that those above it do not prune.

    - ``adds``: what nodes that were counted add to the bound of those below.
    - ``limit``: a node of a larger bound is pruned.
    - ``turns``: after so many nodes, pause.
    - ``at``, ``top``, ``found``: get the node's levels, and the highest of its box; its bound, and
      its hint.
    """
    for _ in range(turns):
        if nodes.size[WAITING] == 0 or nodes.bound[nodes.heap[0]] > limit:
            return DONE
        if nodes.size[WAITING] + at.shape[0] > nodes.heap.shape[0]:
            return FULL
        node = pop(nodes.heap, nodes.size, nodes.bound, nodes.levels)
        bound, hint = nodes.bound[node], nodes.hint[node]
        for j in range(at.shape[0]):
            at[j], top[j] = nodes.levels[node, j], nodes.top[node, j]
        hint = pruning_node(adds, at, bound, limit, hint)
        found[BOUND], found[HINT] = bound, hint
        if hint < 0:
            return OPEN
        expand(nodes, steps, adds, at, top, bound, hint, 0.0, limit)
    return PAUSED
