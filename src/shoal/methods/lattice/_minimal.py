"""All minimal nodes of a lattice, or those of the least height: nothing below them holds."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from shoal.methods.base import Progress
from shoal.methods.lattice._lattice import Lattice
from shoal.methods.lattice._losses import score_of
from shoal.methods.lattice._method import in_rows, lattice_of, require_searchable
from shoal.methods.lattice._objective import ObjectiveMethod
from shoal.methods.lattice._snapshots import Levels
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table


@dataclass(frozen=True)
class MinimalMethod(ObjectiveMethod):
    """A method that takes the best of some minimal nodes."""

    @staticmethod
    @abstractmethod
    def find(
        lattice: Lattice,
        most: int,
        *,
        monotone: bool,
        report: Callable[[float], None] | None = None,
    ) -> list[Levels]:
        """Find the nodes to choose from; see `minimal_nodes`."""

    def find_groups(
        self, table: Table, require: Sequence[Requirement], rng: Generator, progress: Progress
    ) -> Grouping:
        """Find the nodes, and label the classes of the best."""
        lattice, found = self.minimal(table, require, progress)
        if not found:
            raise self.refuse(lattice)
        best = min(found, key=score_of(lattice, self.scored))
        return self.grouping_at(lattice, best, self.scored)

    def minimal(
        self, table: Table, require: Sequence[Requirement], progress: Progress | None = None
    ) -> tuple[Lattice, list[Levels]]:
        """Set the lattice up, and find its nodes."""
        lattice = lattice_of(self.weigh(table), require, self.scored)
        require_searchable(lattice, "Use full-domain with a time_limit")
        monotone, report = self.monotone(table, require), in_rows(progress, table)
        found = self.find(lattice, self.most(table), monotone=monotone, report=report)
        report(1.0)
        return lattice, found


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
    lattice: Lattice, most: int, *, monotone: bool, report: Callable[[float], None] | None = None
) -> list[Levels]:
    """Find all nodes that suppress at most so many rows while no node below them does.

    Where a node suppresses at least the rows that nodes above it do (``monotone``), one that fails
    prunes all below it: before a node is looked at, those halfway to the top are.
    """
    known = _Known()
    total = sum(lattice.heights)
    if monotone and lattice.node_at(lattice.heights).suppressed > most:
        return []
    for height in range(total + 1):
        if report:
            report(height / max(total, 1))
        for node in at_height(lattice.heights, height):
            if known.holds(node) or known.fails(node):
                continue
            above = lattice.heights if monotone else node
            if not monotone and lattice.node_at(node).suppressed > most:
                continue
            while above != node and not known.fails(node):
                above = tuple((low + high) // 2 for low, high in zip(node, above, strict=True))
                if lattice.node_at(above).suppressed > most:
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
    lattice: Lattice, most: int, *, monotone: bool, report: Callable[[float], None] | None = None
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
            if lattice.node_at(node).suppressed <= most
        ]
        turns += 1
        if report:
            report(min(turns, 9) / 10)
        if holding:
            best, high = holding, height - 1
        else:
            low = height + 1
    return best
