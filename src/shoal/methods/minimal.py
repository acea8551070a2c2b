"""All minimal nodes of a lattice: those that hold while nothing below them does."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from shoal.methods.lattice import Lattice, Levels

__all__ = ["at_height", "least_height", "minimal_nodes"]


def at_height(heights: Levels, height: int) -> Iterator[Levels]:
    """List the nodes whose levels sum to a height, in order."""
    if len(heights) == 1:
        if 0 <= height <= heights[0]:
            yield (height,)
        return
    for level in range(max(0, height - sum(heights[1:])), min(heights[0], height) + 1):
        for rest in at_height(heights[1:], height - level):
            yield (level, *rest)


def minimal_nodes(
    lattice: Lattice, most: int, report: Callable[[int, int], None] | None = None
) -> list[Levels]:
    """Find all nodes that suppress at most so many rows while no node below them does.

    Only where unions of groups hold what the groups hold: then nodes above a minimal one need
    not be looked at, nor those below one that fails. Before a node is looked at, those halfway
    to the top are: one that fails settles all below it.
    """
    known = _Known(len(lattice.heights))
    total = sum(lattice.heights)
    for height in range(total + 1):
        if report:
            report(height, total)
        for node in at_height(lattice.heights, height):
            if known.holds(node) or known.fails(node):
                continue
            above = lattice.heights
            while above != node and not known.fails(node):
                above = tuple((low + high) // 2 for low, high in zip(node, above, strict=True))
                if lattice.look(above).suppressed > most:
                    known.failing.append(above)
            if not known.fails(node):
                known.holding.append(node)
    return known.holding


class _Known:
    """Minimal nodes that hold, and nodes that fail."""

    def __init__(self, d: int) -> None:
        self.holding: list[Levels] = []
        self.failing: list[Levels] = []
        self._d = d

    def holds(self, node: Levels) -> bool:
        """Say whether a node lies above one that holds."""
        if not self.holding:
            return False
        return bool((np.array(self.holding) <= np.array(node)).all(axis=1).any())

    def fails(self, node: Levels) -> bool:
        """Say whether a node lies below one that fails."""
        if not self.failing:
            return False
        return bool((np.array(self.failing) >= np.array(node)).all(axis=1).any())


def least_height(
    lattice: Lattice, most: int, report: Callable[[int, int], None] | None = None
) -> tuple[int, list[Levels]]:
    """Find the least height at which a node holds, by halving, and all such nodes of it."""
    low, high = 0, sum(lattice.heights)
    best: tuple[int, list[Levels]] = (-1, [])
    turns = 0
    while low <= high:
        middle = (low + high) // 2
        holding = [
            node
            for node in at_height(lattice.heights, middle)
            if lattice.look(node).suppressed <= most
        ]
        turns += 1
        if report:
            report(min(turns, 8), 8)
        if holding:
            best, high = (middle, holding), middle - 1
        else:
            low = middle + 1
    return best
