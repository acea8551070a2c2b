"""Greedy growth of classes, one nearest record at a time (GAA-CP's loop).

Everything is an integer: positions of numbers and steps of hierarchies are scaled to one
common denominator, so that equal distances are equal and ties go to the lowest row.

The live points lie side by side in memory. Each holds its distance to the open class; a
record that joins changes the tables of a few attributes, and only those are added anew.

A class is described per attribute by four numbers, ``shape[j]``:
numeric: lo code, hi code, starred, 0; categorical: node, 0, 0, sum of its leaves' units.
"""

from __future__ import annotations

from typing import NamedTuple

import numba as nb
import numpy as np
import numpy.typing as npt

__all__ = ["GreedyState", "assign", "grow"]

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]

DONE, PAUSED = 0, 1
FARTHEST = np.iinfo(np.int64).max


class Attributes(NamedTuple):
    """What the kernels know of the attributes; arrays are laid end to end.

    ``start[j]`` is where attribute j's codes begin in ``place``; ``node_start[j]`` where its
    nodes begin in ``depth``, ``parent``, ``first``, ``last`` and ``unit``.
    """

    numeric: npt.NDArray[np.bool_]
    start: Ints
    place: Ints
    """Numeric: the scaled position of a code. Categorical: the leaf node of a code."""
    reach: Ints
    """Numeric: the scaled range."""
    node_start: Ints
    depth: Ints
    parent: Ints
    first: Ints
    last: Ints
    unit: Ints
    """Half the scaled cost of one step up for a node: w·L / (2·depth); 0 at the root."""
    exact_loss: bool
    """True: the exact added loss. False: the distance of the paper."""


class GreedyState(NamedTuple):
    """What `grow` keeps between calls; `shoal.methods.gaacp` makes it."""

    codes: Small
    """Codes of the live points, attributes × points."""
    point: Small
    """Which point stands at each live place."""
    distance: Ints
    head: Ints
    """Per point: where in ``rows`` its lowest live row is."""
    tail: Ints
    """Per point: where its rows end."""
    rows: Ints
    """All rows, sorted by point, then by number."""
    person: Ints
    """Per row: who it belongs to."""
    seen: Ints
    """Per person: the last class that held them."""
    labels: Small
    shapes: Ints
    """Per class, per attribute: its shape (see the module)."""
    sizes: Ints
    table: Ints
    """Per code: its cost to the open class, attributes end to end."""
    fresh: Ints
    counters: Ints
    """Live points, classes closed, pending live place (−1: none), live rows, stuck (0/1)."""


@nb.njit(cache=True)
def _fill(
    attrs: Attributes, j: int, size: int, shape: Ints, codes: int, table: Ints
) -> None:  # pragma: no cover
    """Write the cost of every code of attribute j (missing last) to a class."""
    start = attrs.start[j]
    if attrs.numeric[j]:
        reach = attrs.reach[j]
        if shape[2] == 1:  # the class is published as *
            known = reach if attrs.exact_loss else reach // 2
            for c in range(codes):
                table[start + c] = known
            table[start + codes] = 0
            return
        lo, hi = attrs.place[start + shape[0]], attrs.place[start + shape[1]]
        grown, before = 1, 0
        if attrs.exact_loss:
            grown, before = size + 1, size * (hi - lo)
        for c in range(codes):
            x = attrs.place[start + c]
            table[start + c] = grown * (max(x, hi) - min(x, lo)) - before
        table[start + codes] = size * reach - before if attrs.exact_loss else reach // 2
        return
    nodes = attrs.node_start[j]
    node = shape[0]
    own = shape[3] if attrs.exact_loss else attrs.unit[nodes + node]
    times = 2 if attrs.exact_loss else 1
    top = attrs.depth[nodes + node]
    lo, hi = attrs.first[nodes + node], attrs.last[nodes + node]
    for c in range(lo, hi + 1):
        leaf = attrs.place[start + c]
        steps = attrs.depth[nodes + leaf] - top
        table[start + c] = times * steps * attrs.unit[nodes + leaf]
    while lo > 0 or hi < codes - 1:  # climb: what a parent adds lies beside its child
        node = attrs.parent[nodes + node]
        level = attrs.depth[nodes + node]
        above_lo, above_hi = attrs.first[nodes + node], attrs.last[nodes + node]
        base = (top - level) * own
        for c in range(above_lo, above_hi + 1):
            if c < lo or c > hi:
                leaf = attrs.place[start + c]
                steps = attrs.depth[nodes + leaf] - level
                table[start + c] = times * steps * attrs.unit[nodes + leaf] + base
        lo, hi = above_lo, above_hi
    table[start + codes] = top * own


@nb.njit(cache=True)
def _cost(
    attrs: Attributes, j: int, size: int, shape: Ints, codes: int, c: int
) -> int:  # pragma: no cover
    """Give one entry of the table that `_fill` writes."""
    start = attrs.start[j]
    if attrs.numeric[j]:
        reach = attrs.reach[j]
        if shape[2] == 1:
            if c == codes:
                return 0
            return reach if attrs.exact_loss else reach // 2
        lo, hi = attrs.place[start + shape[0]], attrs.place[start + shape[1]]
        if c == codes:
            return size * (reach - hi + lo) if attrs.exact_loss else reach // 2
        x = attrs.place[start + c]
        wide = max(x, hi) - min(x, lo)
        return (size + 1) * wide - size * (hi - lo) if attrs.exact_loss else wide
    nodes = attrs.node_start[j]
    node = shape[0]
    own = shape[3] if attrs.exact_loss else attrs.unit[nodes + node]
    top = attrs.depth[nodes + node]
    if c == codes:
        return top * own
    while c < attrs.first[nodes + node] or c > attrs.last[nodes + node]:
        node = attrs.parent[nodes + node]
    level = attrs.depth[nodes + node]
    leaf = attrs.place[start + c]
    climb = (attrs.depth[nodes + leaf] - level) * attrs.unit[nodes + leaf]
    return (2 * climb if attrs.exact_loss else climb) + (top - level) * own


@nb.njit(cache=True)
def _join(
    attrs: Attributes, j: int, shape: Ints, codes: int, c: int, empty: bool
) -> bool:  # pragma: no cover
    """Let code c into a class's shape; say whether what is published changed."""
    start = attrs.start[j]
    if attrs.numeric[j]:
        if c == codes:
            changed = empty or shape[2] == 0
            shape[2] = 1
            return changed
        if empty:
            shape[0], shape[1], shape[2] = c, c, 0
            return True
        changed = False
        if shape[2] == 0:
            if c < shape[0]:
                shape[0], changed = c, True
            if c > shape[1]:
                shape[1], changed = c, True
        return changed
    nodes = attrs.node_start[j]
    leaf = 0 if c == codes else attrs.place[start + c]
    if empty:
        shape[0], shape[3] = leaf, 2 * attrs.unit[nodes + leaf]
        return True
    node = shape[0]
    shape[3] += 2 * attrs.unit[nodes + leaf]
    if c == codes:
        node = 0
    else:
        while c < attrs.first[nodes + node] or c > attrs.last[nodes + node]:
            node = attrs.parent[nodes + node]
    changed = node != shape[0]
    shape[0] = node
    return changed


@nb.njit(cache=True)
def grow(attrs: Attributes, state: GreedyState, k: int, budget: int) -> int:  # pragma: no cover
    """Close classes until the budget (visited points) is spent or no class can be closed.

    Returns DONE or PAUSED. A class takes its pending seed, then the nearest live record
    again and again until it holds k people; the farthest record from it is the next seed.
    """
    d = attrs.numeric.shape[0]
    counters = state.counters
    spent = 0
    while counters[2] >= 0 and counters[3] >= k:
        if spent >= budget:
            return PAUSED
        label = counters[1]
        shape = state.shapes[label]
        place = counters[2]
        size, people = 0, 0
        while True:
            # Move the lowest row of the chosen point into the class.
            chosen = state.point[place]
            row = state.rows[state.head[chosen]]
            state.head[chosen] += 1
            counters[3] -= 1
            state.labels[row] = label
            if state.seen[state.person[row]] != label:
                state.seen[state.person[row]] = label
                people += 1
            live = counters[0]
            for j in range(d):
                codes = attrs.start[j + 1] - attrs.start[j] - 1
                c = state.codes[j, place]
                changed = _join(attrs, j, shape[j], codes, c, size == 0)
                if not (changed or attrs.exact_loss):
                    continue
                _fill(attrs, j, size + 1, shape[j], codes, state.fresh)
                start = attrs.start[j]
                mine = state.codes[j]
                if size == 0:
                    if j == 0:
                        for i in range(live):
                            state.distance[i] = state.fresh[start + mine[i]]
                    else:
                        for i in range(live):
                            state.distance[i] += state.fresh[start + mine[i]]
                else:
                    for c in range(start, start + codes + 1):
                        state.table[c] = state.fresh[c] - state.table[c]
                    for i in range(live):
                        state.distance[i] += state.table[start + mine[i]]
                spent += live
                for c in range(start, start + codes + 1):
                    state.table[c] = state.fresh[c]
            size += 1
            if state.head[chosen] == state.tail[chosen]:  # the point is used up
                live -= 1
                counters[0] = live
                for j in range(d):
                    state.codes[j, place] = state.codes[j, live]
                state.point[place] = state.point[live]
                state.distance[place] = state.distance[live]
            if people >= k or live == 0:
                break
            best, place = FARTHEST, -1
            for i in range(live):
                if state.distance[i] <= best:
                    p = state.point[i]
                    if state.distance[i] < best or (
                        state.rows[state.head[p]] < state.rows[state.head[state.point[place]]]
                    ):
                        best, place = state.distance[i], i
            spent += live
        state.sizes[label] = size
        counters[2] = -1
        if people < k:  # nothing is left to complete it
            counters[4] = 1
            return DONE
        counters[1] += 1
        best = -1
        for i in range(counters[0]):
            if state.distance[i] >= best:
                p = state.point[i]
                if state.distance[i] > best or (
                    state.rows[state.head[p]] < state.rows[state.head[state.point[counters[2]]]]
                ):
                    best, counters[2] = state.distance[i], i
    return DONE


@nb.njit(cache=True)
def assign(attrs: Attributes, state: GreedyState, record: Small) -> int:  # pragma: no cover
    """Let a left-over record into its nearest class; the earliest of equals."""
    d = attrs.numeric.shape[0]
    best, chosen = FARTHEST, -1
    for label in range(state.counters[1]):
        total = 0
        for j in range(d):
            codes = attrs.start[j + 1] - attrs.start[j] - 1
            total += _cost(attrs, j, state.sizes[label], state.shapes[label, j], codes, record[j])
            if total >= best:
                break
        if total < best:
            best, chosen = total, label
    for j in range(d):
        codes = attrs.start[j + 1] - attrs.start[j] - 1
        _join(attrs, j, state.shapes[chosen, j], codes, record[j], False)
    state.sizes[chosen] += 1
    return chosen
