"""What a class looks like, and what it costs a record to join it.

A class is described per attribute by four numbers, its shape:

- numeric: code of the least value, code of the largest, 1 if a cell is missing, 0;
- categorical: node that covers all members, 0, 0, sum of its members' units.

Costs are data: an attribute brings positions or node values, and one of three rules says
how they add up (see `Attributes.rule`). Everything is an integer over one denominator, so
that equal costs are equal.
"""

from __future__ import annotations

from typing import NamedTuple

from shoal.base.arrays import Bools, Ints
from shoal.kernels.compiled import compiled

MEETING = 0
"""How far record and class must be generalized to meet, each on its own scale."""
ADDED_LOSS = 1
"""What all members lose when the record joins, less what they lost before."""
MOVES = 2
"""What it costs the record, and each member, to be moved to the node where they meet."""


class Attributes(NamedTuple):
    """What the kernels know of the attributes; arrays are laid end to end.

    ``start[j]`` is where attribute j's codes begin in ``place``, the last one meaning
    missing; ``node_start[j]`` where its nodes begin in the arrays of nodes.
    """

    rule: int
    numeric: Bools
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
    """Per node: half the scaled cost of one step up (not under `MOVES`)."""
    near: Ints
    """Per node: the least cost for a value below it to be moved there."""
    far: Ints
    """Per node: the largest cost for a value below it to be moved there."""
    move_start: Ints
    """Per node: where its moves begin, under `MOVES`."""
    move: Ints
    """Per node and depth of a node above it, or itself: the scaled cost of moving there."""
    apart: bool
    """Whether two different records never cost each other nothing."""


@compiled
def cost(attrs: Attributes, j: int, size: int, shape: Ints, c: int) -> int:
    """Give what one code of an attribute of either kind costs to a class."""
    start = attrs.start[j]
    codes = attrs.start[j + 1] - start - 1
    rule = attrs.rule
    if attrs.numeric[j]:
        reach = attrs.reach[j]
        if shape[2] == 1:
            if c == codes:
                return 0
            return reach // 2 if rule == MEETING else reach
        lo, hi = attrs.place[start + shape[0]], attrs.place[start + shape[1]]
        if c == codes:
            return reach // 2 if rule == MEETING else size * (reach - hi + lo)
        x = attrs.place[start + c]
        wide = max(x, hi) - min(x, lo)
        return wide if rule == MEETING else (size + 1) * wide - size * (hi - lo)
    nodes = attrs.node_start[j]
    node = shape[0]
    top = attrs.depth[nodes + node]
    mine = attrs.move_start[nodes + node]
    own = attrs.unit[nodes + node] if rule == MEETING else shape[3]
    if c == codes:
        if rule == MOVES:
            return attrs.move[attrs.move_start[nodes]] + size * attrs.move[mine]
        return top * own
    while c < attrs.first[nodes + node] or c > attrs.last[nodes + node]:
        node = attrs.parent[nodes + node]
    level = attrs.depth[nodes + node]
    leaf = nodes + attrs.place[start + c]
    if rule == MOVES:
        return attrs.move[attrs.move_start[leaf] + level] + size * attrs.move[mine + level]
    climb = (attrs.depth[leaf] - level) * attrs.unit[leaf]
    return (climb if rule == MEETING else 2 * climb) + (top - level) * own


@compiled
def join(attrs: Attributes, j: int, shape: Ints, c: int, empty: bool) -> bool:
    """Let code c into a class's shape; say whether what is published changed."""
    start = attrs.start[j]
    codes = attrs.start[j + 1] - start - 1
    if attrs.numeric[j]:
        if empty:
            shape[0], shape[1], shape[2] = c, c, int(c == codes)
            return True
        if shape[2] == 1:
            return False
        if c == codes:
            shape[2] = 1
            return True
        changed = False
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
