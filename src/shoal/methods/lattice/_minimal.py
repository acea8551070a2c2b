"""All minimal nodes of a lattice: those that hold while nothing below them does."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from shoal.methods.lattice._lattice import Lattice, Levels

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
    lattice: Lattice,
    most: int,
    *,
    monotone: bool,
    report: Callable[[float], None] | None = None,
) -> list[Levels]:
    """Find all nodes that suppress at most so many rows while no node below them does.

    Where a node suppresses at least the rows that nodes above it do (``monotone``), one that fails
    prunes all below it: before a node is looked at, those halfway to the top are.
    """
    known = _Known()
    total = sum(lattice.heights)
    if monotone and lattice.look(lattice.heights).suppressed > most:
        return []
    for height in range(total + 1):
        if report:
            report(height / max(total, 1))
        for node in at_height(lattice.heights, height):
            if known.holds(node) or known.fails(node):
                continue
            above = lattice.heights if monotone else node
            if not monotone and lattice.look(node).suppressed > most:
                continue
            while above != node and not known.fails(node):
                above = tuple((low + high) // 2 for low, high in zip(node, above, strict=True))
                if lattice.look(above).suppressed > most:
                    known.failing.append(above)
            if not known.fails(node):
                known.holding.append(node)
    return known.holding


class _Known:
    """Minimal nodes that hold, and nodes that fail."""

    def __init__(self) -> None:
        self.holding: list[Levels] = []
        self.failing: list[Levels] = []

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
    lattice: Lattice,
    most: int,
    *,
    monotone: bool,
    report: Callable[[float], None] | None = None,
) -> list[Levels]:
    """Find all nodes that hold of the least height at which one does.

    By halving where nodes above one that holds do, too; else from below.
    """
    low, high = 0, sum(lattice.heights)
    best: list[Levels] = []
    turns = 0
    while low <= high and not (best and not monotone):
        height = (low + high) // 2 if monotone else low
        holding = [
            node
            for node in at_height(lattice.heights, height)
            if lattice.look(node).suppressed <= most
        ]
        turns += 1
        if report:
            report(min(turns, 9) / 10)
        if holding:
            best, high = holding, height - 1
        else:
            low = height + 1
    return best
