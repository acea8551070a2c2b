"""Nodes of a lattice from the cheapest up, each taking its classes that hold out of the table.

A node is counted over the rows that no node before it took. It takes its classes if enough rows
stand in them. Where a class fails and no part of it can hold, that stays so when rows go; so a
node at which too few rows stand in other classes prunes all nodes below it for good. Before a
node is counted, nodes above it are, from the highest downward that is not dearer than a node that
was seen to have enough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from shoal.base.arrays import Ints
from shoal.methods.lattice._known import Known, open_nodes
from shoal.methods.lattice._lattice import Lattice
from shoal.methods.lattice._snapshots import Levels

NO_LIMIT = 1e300
"""More than any node costs; what prunes a node is infinite."""


class Sweep:
    """A way up a lattice.

    - ``level_costs``: per attribute, what a node costs for each level: whole numbers, so that sums
      are exact.
    - ``need``: how many rows must stand in classes that hold.
    """

    def __init__(self, lattice: Lattice, level_costs: Sequence[Ints], need: int) -> None:
        self.lattice, self.level_costs, self.need = lattice, level_costs, need
        self.known = Known(len(level_costs), 1)
        self.highest_cost = NO_LIMIT
        """What the cheapest node costs that was seen to have enough rows."""
        self.counted: dict[Levels, tuple[int, int]] = {}
        """What was counted since rows were last taken out."""

    def run(self, take: Callable[[Levels], bool], report: Callable[[], None]) -> None:
        """Go up, and have each node that has enough rows taken, until ``take`` says it is done."""
        lattice = self.lattice
        for bound, levels in open_nodes(
            self.level_costs, lattice.lowest, lattice.heights, self.known, lambda: NO_LIMIT
        ):
            report()
            if levels is not None and self.has_enough(levels, bound):
                self.highest_cost = NO_LIMIT
                self.counted.clear()
                if take(levels):
                    return

    def has_enough(self, levels: Levels, cost: float) -> bool:
        """Count a node, unless one above it tells that it has too few rows."""
        if self.lattice.judge.lasts:
            for above, costly in reversed(self.path_up(levels, cost)):
                held, could = self.count(above)
                if could < self.need:
                    self.known.prune(above)
                    return False
                if held >= self.need:
                    self.highest_cost = min(self.highest_cost, costly)
        held, could = self.count(levels)
        if could < self.need:
            self.known.prune(levels)
        return held >= self.need

    def count(self, levels: Levels) -> tuple[int, int]:
        """Count a node's rows in classes that hold, and in those of which a part could; once."""
        if levels not in self.counted:
            self.counted[levels] = self.lattice.rows_at(levels)
        return self.counted[levels]

    def path_up(self, levels: Levels, cost: float) -> list[tuple[Levels, float]]:
        """List nodes above one, each time by the step that costs least, and what they cost."""
        at = list(levels)
        path: list[tuple[Levels, float]] = []
        while True:
            step, least = -1, np.inf
            for j, costs in enumerate(self.level_costs):
                if at[j] < self.lattice.heights[j]:
                    more = float(costs[at[j] + 1] - costs[at[j]])
                    if more < least:
                        step, least = j, more
            if step < 0 or cost + least > self.highest_cost:
                return path
            at[step] += 1
            cost += least
            path.append((tuple(at), cost))
