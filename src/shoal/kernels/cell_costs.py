"""What published cells cost, laid out for kernels: whole numbers, columns end to end.

A group shows one cell per column, so it needs two numbers per column: the least and the largest
code of a number, or the lowest common ancestor of its leaves (and that once more). The missing
code is the largest of a number's codes, and ``*`` is the node above the root: both swallow what
they meet.
"""

from __future__ import annotations

from typing import NamedTuple

from shoal.base.arrays import Bools, Ints, Small
from shoal.kernels.compiled import compiled


class CellCosts(NamedTuple):
    """What cells cost the rows of a group, per column, as multiples of a common unit."""

    numeric: Bools
    plain: Bools
    """Per column: whether no cell is missing, and a cell costs every row of a group the same."""
    start: Ints
    """Per column: where its codes begin; the last one of each is missing."""
    down: Ints
    """Per code of a number: where a range that begins there begins as published."""
    up: Ints
    """Per code of a number: where a range that ends there ends as published."""
    node: Ints
    """Per code of a category: its leaf."""
    mass: Ints
    """Per code of a category: what slopes are multiplied by."""
    full: Ints
    """Per column: what ``*`` costs a known cell, and the most that any cell costs."""
    first: Ints
    """Per column: where its nodes begin, the first being ``*``, the second the root."""
    parent: Ints
    """Per node, counted within its column as everywhere: the one above it; ``*`` is its own."""
    base: Ints
    """Per node: what it costs a known cell."""
    slope: Ints
    """Per node: what it costs times the cell's mass."""
    meets: Ints
    """Per column: where its table of lowest common ancestors begins; −1: climb."""
    meeting: Small
    """The lowest common ancestor of each two nodes, column by column."""


@compiled
def meet(costs: CellCosts, j: int, a: int, b: int) -> int:
    """Find the lowest common ancestor of two nodes of a column."""
    first = costs.first[j]
    if costs.meets[j] >= 0:
        width = costs.first[j + 1] - first
        return costs.meeting[costs.meets[j] + a * width + b]
    while a != b:  # children come after their parents
        if a > b:
            a = costs.parent[first + a]
        else:
            b = costs.parent[first + b]
    return a


@compiled
def number_cost(costs: CellCosts, j: int, lo: int, hi: int) -> int:
    """Price a range from one code to another for a row that holds a number of it."""
    start, full = costs.start[j], costs.full[j]
    if start + hi + 1 == costs.start[j + 1]:
        return full
    if lo == hi:
        return 0
    return min(costs.up[start + hi] - costs.down[start + lo], full)
