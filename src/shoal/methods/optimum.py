"""The best node of a lattice, proven: best first by a bound, with what is known of other nodes.

Generalization alone costs something: that bounds a node before its classes are counted. Nodes
come in the order of this bound, and the search ends when it reaches the best score. Where
no part of a failing group holds (k-anonymity, not shares), a node suppresses at least the rows
that any node above it does. So one node that suppresses too much, or too dearly, settles all
below it; and before a node is counted itself, nodes above it are, by halving the way up.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shoal.methods.lattice import Lattice, Levels, Node
from shoal.methods.objectives import Objective

__all__ = ["Found", "find_optimum"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Found:
    """The best node found.

    Parameters
    ----------
    bound
        No node scores below this.
    optimal
        Whether the best node is proven to be the best one.
    """

    node: Node | None
    score: float
    bound: float
    optimal: bool
    evaluated: int


class _Known:
    """What counted nodes say about those below them."""

    def __init__(self, d: int) -> None:
        self.levels = np.zeros((1024, d), dtype=np.int16)
        self.extra = np.zeros(1024)
        self.used = 0

    def add(self, levels: Levels, extra: float) -> None:
        """Remember a node; those below it that say no more are forgotten."""
        used = self.used
        below = (self.levels[:used] <= np.array(levels, dtype=np.int16)).all(axis=1)
        stay = ~(below & (self.extra[:used] <= extra))
        if not stay.all():
            left = int(stay.sum())
            self.levels[:left] = self.levels[:used][stay]
            self.extra[:left] = self.extra[:used][stay]
            self.used = left
        if self.used == len(self.extra):
            self.levels = np.concatenate((self.levels, np.zeros_like(self.levels)))
            self.extra = np.concatenate((self.extra, np.zeros_like(self.extra)))
        self.levels[self.used], self.extra[self.used] = levels, extra
        self.used += 1

    def least_extra(self, levels: Levels) -> float:
        """Give the most that a node above says about what is suppressed here, too."""
        if not self.used:
            return 0.0
        above = (self.levels[: self.used] >= np.array(levels, dtype=np.int16)).all(axis=1)
        return float(self.extra[: self.used][above].max(initial=0.0))


def find_optimum(
    lattice: Lattice,
    objective: Objective,
    losses: list[Floats],
    weights: Floats,
    *,
    most: int,
    monotone: bool,
    deadline: float | None = None,
    report: Callable[[int], None] | None = None,
) -> Found:
    """Find the node of least score that suppresses at most so many rows.

    Parameters
    ----------
    losses
        Per attribute and level, what cells lose on average without suppression.
    most
        How many rows may be suppressed.
    monotone
        Whether a node suppresses at least the rows that nodes above it do.
    deadline
        When to stop with the best node found, by `time.monotonic`.
    """
    search = _Search(lattice, objective, losses, weights, most, monotone)
    return search.run(deadline, report)


class _Search:
    def __init__(
        self,
        lattice: Lattice,
        objective: Objective,
        losses: list[Floats],
        weights: Floats,
        most: int,
        monotone: bool,
    ) -> None:
        self.lattice, self.objective = lattice, objective
        self.losses, self.weights = losses, weights
        self.most, self.monotone = most, monotone
        self.n = lattice.table.n_rows
        self.known = _Known(len(losses))
        # What each level adds to the bound, by attribute.
        self.parts: list[list[float]] = [[0.0] * len(loss) for loss in losses]
        if objective.kind == "cells":
            terms = [
                weight * objective.terms(loss) for weight, loss in zip(weights, losses, strict=True)
            ]
            self.parts = [each.tolist() for each in terms]
        elif objective.kind == "height":
            self.parts = [[float(level) for level in range(len(loss))] for loss in losses]
        self.misses = 0
        self.best: Node | None = None
        self.score = np.inf
        self.seen: dict[Levels, Node] = {}

    def plain(self, levels: Levels) -> float:
        """Bound a node by what generalization alone costs."""
        return sum([part[level] for part, level in zip(self.parts, levels, strict=True)])

    def lost(self, levels: Levels) -> Floats:
        return np.array([loss[level] for loss, level in zip(self.losses, levels, strict=True)])

    def count(self, levels: Levels) -> Node:
        """Count a node, once, and remember what it says."""
        if levels in self.seen:
            return self.seen[levels]
        node = self.lattice.look(levels)
        self.seen[levels] = node
        score = self.objective.score(node, self.lost(levels), self.weights, self.n)
        fits = node.suppressed <= self.most
        if fits and (score, levels) < (self.score, () if self.best is None else self.best.levels):
            self.best, self.score = node, score
        if self.monotone:
            if not fits:
                self.misses += 1
                self.known.add(levels, np.inf)
            elif self.objective.kind == "cells" and node.suppressed:
                self.known.add(levels, score - self.plain(levels))
        return node

    def settled(self, levels: Levels, plain: float) -> bool:
        """Say whether a node cannot be better than the best one, as far as others tell."""
        return plain + self.known.least_extra(levels) > self.score

    def run(self, deadline: float | None, report: Callable[[int], None] | None) -> Found:
        self.descend()
        heap = [(self.plain((0,) * len(self.losses)), (0,) * len(self.losses), 0)]
        turns = 0
        while heap:
            bound, levels, last = heapq.heappop(heap)
            if bound > self.score:
                heap = []
                break
            turns += 1
            if deadline is not None and turns % 16 == 0 and time.monotonic() > deadline:
                return Found(self.best, self.score, bound, False, self.lattice.evaluated)
            if report and turns % 64 == 0:
                report(self.lattice.evaluated)
            if not self.settled(levels, bound):
                self.settle(levels, bound)
            for j in range(last, len(levels)):
                if levels[j] < self.lattice.heights[j]:
                    child = (*levels[:j], levels[j] + 1, *levels[j + 1 :])
                    part = self.parts[j]
                    plain = max(bound + part[child[j]] - part[levels[j]], self.inherited(levels))
                    if plain <= self.score:
                        heapq.heappush(heap, (plain, child, j))
        proven = self.best is not None
        return Found(self.best, self.score, self.score, proven, self.lattice.evaluated)

    def inherited(self, levels: Levels) -> float:
        """Bound nodes above a counted one by its classes, which can only merge."""
        node = self.seen.get(levels)
        if node is None or self.objective.kind != "squares":
            return 0.0
        return float(node.all_squares)

    def descend(self) -> None:
        """Find a good node fast: from the top, down where it saves most, while it fits."""
        if not self.monotone:
            return
        levels = self.lattice.heights
        if self.count(levels).suppressed > self.most:
            return
        while True:
            lower = [
                (*levels[:j], levels[j] - 1, *levels[j + 1 :])
                for j in range(len(levels))
                if levels[j]
            ]
            lower.sort(key=lambda each: (self.plain(each), each))
            for each in lower:
                if np.isfinite(self.known.least_extra(each)):
                    node = self.count(each)
                    score = self.objective.score(node, self.lost(each), self.weights, self.n)
                    if node.suppressed <= self.most and score <= self.score:
                        levels = each
                        break
            else:
                return

    def settle(self, levels: Levels, plain: float) -> None:
        """Count a node, unless nodes above it settle the matter."""
        if self.monotone and self.objective.kind == "cells":
            way = self.way_up(levels, plain)
            low, high = 1, len(way) - 1
            # Where most nodes suppress too much, the highest one settles most.
            middle = high if 2 * self.misses > len(self.seen) else (low + high) // 2
            while low <= high:
                self.count(way[middle])
                if self.settled(levels, plain):
                    return
                high = middle - 1
                middle = (low + high) // 2
        self.count(levels)

    def way_up(self, levels: Levels, plain: float) -> list[Levels]:
        """List nodes from one up, each time by the step that costs least, below the best score."""
        way = [levels]
        at = list(levels)
        while True:
            step, least = -1, np.inf
            for j, part in enumerate(self.parts):
                if at[j] < self.lattice.heights[j]:
                    more = part[at[j] + 1] - part[at[j]]
                    if more < least:
                        step, least = j, more
            if step < 0 or plain + least > self.score:
                return way
            at[step] += 1
            plain += least
            way.append(tuple(at))
