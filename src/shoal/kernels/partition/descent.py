"""Splitting of classes from the roots of their trees downward (Top-Down's loop).

Rows of a class lie side by side in ascending order. A class is tried on every attribute: its
rows fall to the children of the node it stands at, children that fail give all rows back, and
while the rows that stay behind fail, the largest child gives one row back. The attribute that
leaves most rows below is taken.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.base.arrays import Ints, Small
from shoal.kernels.compiled import compiled_with_arrays
from shoal.kernels.partition.tally import (
    ShareLimits,
    Tally,
    clear,
    enter,
    fill,
    holds,
    leave,
    tally,
)

DONE, PAUSED = 0, 1

WAITING, FINISHED, ROWS = range(3)
"""Places in `Descent.counters`."""


class Trees(NamedTuple):
    """The trees of all attributes, their nodes laid end to end, and where the rows stand."""

    path: Small
    """Per node and depth: the node above it at that depth; itself at its own and below."""
    depth: Small
    """Per node: its edges from the root."""
    place: Small
    """Per attribute and row: the node of its cell, the root where that is missing."""


class Descent(NamedTuple):
    """What `descend` keeps between calls; `descent` makes it."""

    rows: Ints
    """All rows, class after class, ascending inside each."""
    stack: Ints
    """Where the classes to be split begin and end."""
    nodes: Small
    """Per class to be split and attribute: the node it stands at; last, the one in hand."""
    label: Ints
    """Per row: the number of its finished class, −1 before."""
    goes: Small
    """Per row: the child it goes to by the best attribute so far, −1 if it stays."""
    fall: Small
    """Room for the child of each row of a class."""
    bucket: Ints
    """Room for the rows of a class, child by child."""
    slot: Small
    """Per node: its number among the children of a class, −1 if it is none."""
    child: Small
    """Per child of a class: its node."""
    begin: Ints
    """Per child: where its rows begin in the bucket."""
    kept: Ints
    """Per child: how many rows it holds."""
    rest: Tally
    """What stays behind."""
    giver: Tally
    """What the child in hand holds."""
    counters: Ints
    """Classes on the stack, finished ones, rows in those."""


def descent(trees: Trees, limits: ShareLimits, rows: Ints) -> Descent:
    """Begin with one class of some rows at the roots; the rows must hold the limits."""
    d, n = trees.place.shape
    most = len(rows) // max(limits.k, 1) + 2
    state = Descent(
        rows=rows.astype(np.int64),
        stack=np.zeros((most, 2), dtype=np.int64),
        nodes=np.zeros((most + 1, d), dtype=np.int32),
        label=np.full(n, -1, dtype=np.int64),
        goes=np.zeros(n, dtype=np.int32),
        fall=np.zeros(len(rows), dtype=np.int32),
        bucket=np.zeros(len(rows), dtype=np.int64),
        slot=np.full(len(trees.depth), -1, dtype=np.int32),
        child=np.zeros(len(rows), dtype=np.int32),
        begin=np.zeros(len(rows), dtype=np.int64),
        kept=np.zeros(len(rows), dtype=np.int64),
        rest=tally(limits),
        giver=tally(limits),
        counters=np.array([1, 0, 0]),
    )
    state.stack[0, 1] = len(rows)
    state.nodes[0] = np.flatnonzero(trees.depth == 0)
    return state


@compiled_with_arrays
def _spread(state: Descent, rows: Ints, fall: Small, stays: int) -> int:
    """Put the rows of each child side by side into the bucket; give the number of children.

    ``fall`` holds the node each row goes to, or ``stays``. Clear the slots afterwards.
    """
    slot, begin, kept = state.slot, state.begin, state.kept
    children = 0
    for node in fall:
        if node == stays:
            continue
        if slot[node] < 0:
            slot[node] = children
            state.child[children] = node
            kept[children] = 0
            children += 1
        kept[slot[node]] += 1
    at = 0
    for s in range(children):
        begin[s] = at
        at += kept[s]
        kept[s] = 0
    for i in range(rows.shape[0]):
        if fall[i] != stays:
            s = slot[fall[i]]
            state.bucket[begin[s] + kept[s]] = rows[i]
            kept[s] += 1
    return children


@compiled_with_arrays
def _give_back(limits: ShareLimits, state: Descent, children: int, down: int, best: int) -> int:
    """Let the largest child give back its last row until the rest holds; count what is below.

    Ends as soon as no more than ``best`` can be left.
    """
    kept = state.kept
    inside = -1
    while down > best and not holds(limits, state.rest):
        largest = 0
        for s in range(1, children):
            first = state.child[s] < state.child[largest]
            if kept[s] > kept[largest] or (kept[s] == kept[largest] and first):
                largest = s
        begin = state.begin[largest]
        if largest != inside:
            fill(limits, state.giver, state.bucket[begin : begin + kept[largest]])
            inside = largest
        kept[largest] -= 1
        down -= 1
        row = state.bucket[begin + kept[largest]]
        leave(limits, state.giver, row)
        enter(limits, state.rest, row)
        if not holds(limits, state.giver):
            for i in range(begin, begin + kept[largest]):
                enter(limits, state.rest, state.bucket[i])
            down -= kept[largest]
            kept[largest] = 0
    return down


@compiled_with_arrays
def _attempt(
    trees: Trees,
    limits: ShareLimits,
    state: Descent,
    rows: Ints,
    j: int,
    node: int,
    best: int,
    fewest: int,
) -> tuple[int, int]:
    """Try an attribute: how many rows go down, and to how many children.

    Where they are more than ``best``, or as many in fewer than ``fewest`` children, notes
    where they go.
    """
    fall, kept = state.fall[: rows.shape[0]], state.kept
    level = trees.depth[node] + 1
    for i in range(rows.shape[0]):
        fall[i] = trees.path[trees.place[j, rows[i]], level]
    children = _spread(state, rows, fall, node)
    down = 0
    for s in range(children):
        if kept[s] >= limits.k:
            fill(limits, state.giver, state.bucket[state.begin[s] : state.begin[s] + kept[s]])
            if holds(limits, state.giver):
                down += kept[s]
                continue
        kept[s] = 0
    if best <= down < rows.shape[0]:
        clear(state.rest)
        for i in range(rows.shape[0]):
            if fall[i] == node or kept[state.slot[fall[i]]] == 0:
                enter(limits, state.rest, rows[i])
        down = _give_back(limits, state, children, down, max(best - 1, 0))
    branches = 0
    for s in range(children):
        branches += kept[s] > 0
    if down > best or (down == best and branches < fewest):
        for row in rows:
            state.goes[row] = -1
        for s in range(children):
            for i in range(state.begin[s], state.begin[s] + kept[s]):
                state.goes[state.bucket[i]] = state.child[s]
    for s in range(children):
        state.slot[state.child[s]] = -1
    return down, branches


@compiled_with_arrays
def _push(state: Descent, lo: int, hi: int, j: int, node: int) -> None:
    """Put a class on the stack: it stands where the one in hand does, but for one node."""
    at = state.counters[WAITING]
    state.stack[at, 0], state.stack[at, 1] = lo, hi
    state.nodes[at] = state.nodes[-1]
    state.nodes[at, j] = node
    state.counters[WAITING] += 1


@compiled_with_arrays
def _split(state: Descent, lo: int, hi: int, j: int) -> None:
    """Send rows to where they go; what stays is a class again, where it was."""
    rows, fall = state.rows[lo:hi], state.fall[: hi - lo]
    for i in range(hi - lo):
        fall[i] = state.goes[rows[i]]
    children = _spread(state, rows, fall, -1)
    down = state.begin[children - 1] + state.kept[children - 1]
    at = down
    for i in range(hi - lo):
        if fall[i] < 0:
            state.bucket[at] = rows[i]
            at += 1
    rows[:] = state.bucket[: hi - lo]
    for s in range(children):
        _push(state, lo + state.begin[s], lo + state.begin[s] + state.kept[s], j, state.child[s])
        state.slot[state.child[s]] = -1
    if lo + down < hi:
        _push(state, lo + down, hi, j, state.nodes[-1, j])


@compiled_with_arrays
def descend(trees: Trees, limits: ShareLimits, state: Descent, budget: int) -> int:
    """Split classes until the budget (visited cells) is spent or all are finished.

    Returns DONE or PAUSED.
    """
    counters = state.counters
    spent = 0
    while counters[WAITING] > 0:
        if spent >= budget:
            return PAUSED
        counters[WAITING] -= 1
        lo, hi = state.stack[counters[WAITING], 0], state.stack[counters[WAITING], 1]
        state.nodes[-1] = state.nodes[counters[WAITING]]
        best, fewest, chosen = 0, 0, -1
        for j in range(trees.place.shape[0]):
            node = state.nodes[-1, j]
            rows = state.rows[lo:hi]
            found, branches = _attempt(trees, limits, state, rows, j, node, best, fewest)
            spent += hi - lo
            if found > best or (found == best and branches < fewest):
                best, fewest, chosen = found, branches, j
            if best == hi - lo and fewest == 1:
                break
        if chosen < 0:
            for i in range(lo, hi):
                state.label[state.rows[i]] = counters[FINISHED]
            counters[FINISHED] += 1
            counters[ROWS] += hi - lo
        else:
            _split(state, lo, hi, chosen)
    return DONE
