"""The best node of a lattice, proven: best first by a bound, with what is known of other nodes.

Generalization alone costs something: that bounds a node before its classes are counted. Nodes
come in the order of this bound, and the search ends when it reaches the best score. Where
no part of a failing class holds (too few rows or values, not too large shares), a node suppresses
at least the rows of such classes at any node above it. So one node that suppresses too much, or
too dearly, settles all below it; and before a node is counted itself, nodes above it are, from
the highest that could still be better than the best one downward.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shoal.kernels.lattice.above import forget, largest
from shoal.kernels.lattice.frontier import (
    BOUND,
    DONE,
    FIRST,
    FULL,
    OPEN,
    Steps,
    advance,
    expand,
    frontier,
)
from shoal.methods.lattice._lattice import Lattice, Levels, Node
from shoal.methods.lattice._losses import Objective

__all__ = ["Found", "Known", "Search"]

Floats = npt.NDArray[np.float64]

WAITING = 2**16
"""For how many waiting nodes there is room at first."""

TURNS = 2**16
"""After so many nodes that need not be counted, look at the clock."""

TIE = 1e-12
"""Scores that differ by less, as parts of them or of 1, are the same but for rounding."""


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


class Known:
    """What counted nodes say about those below them.

    Examples
    --------
    >>> known = Known(2)
    >>> known.add((2, 1), 0.5)
    >>> known.least_extra((1, 1)), known.least_extra((1, 2))
    (0.5, 0.0)
    """

    def __init__(self, d: int) -> None:
        self.levels = np.zeros((1024, d), dtype=np.int16)
        self.extra = np.zeros(1024)
        self.used = 0

    def add(self, levels: Levels, extra: float) -> None:
        """Remember a node; those below it that say no more are forgotten."""
        at, used = np.array(levels, dtype=np.int16), self.used
        self.used = int(forget(self.levels[:used], self.extra[:used], at, extra))
        if self.used == len(self.extra):
            self.levels = np.concatenate((self.levels, np.zeros_like(self.levels)))
            self.extra = np.concatenate((self.extra, np.zeros_like(self.extra)))
        self.levels[self.used], self.extra[self.used] = levels, extra
        self.used += 1

    def least_extra(self, levels: Levels) -> float:
        """Give the most that a node above says about what is suppressed here, too."""
        at = np.array(levels, dtype=np.int16)
        return float(largest(self.levels[: self.used], self.extra[: self.used], at))


class Search:
    """A search for the node of least score that suppresses at most so many rows.

    Parameters
    ----------
    losses
        Per attribute and level, what cells lose on average without suppression.
    most
        How many rows may be suppressed.
    monotone
        Whether a node that suppresses too many rows tells that those below it do.
    deadline
        When to stop with the best node found, by `time.monotonic`.
    """

    def __init__(
        self,
        lattice: Lattice,
        objective: Objective,
        losses: list[Floats],
        weights: Floats,
        most: int,
        monotone: bool,
        deadline: float | None = None,
    ) -> None:
        self.lattice, self.objective = lattice, objective
        self.losses, self.weights = losses, weights
        self.most, self.monotone, self.deadline = most, monotone, deadline
        self.n = lattice.table.n_rows
        self.known = Known(len(losses))
        # What each level adds to the bound, by attribute.
        self.parts: list[list[float]] = [[0.0] * len(loss) for loss in losses]
        if objective.kind == "cells":
            terms = [
                weight * objective.terms(loss) for weight, loss in zip(weights, losses, strict=True)
            ]
            self.parts = [each.tolist() for each in terms]
        elif objective.kind == "height":
            self.parts = [[float(level) for level in range(len(loss))] for loss in losses]
        self.climbs = monotone or lattice.lasts
        self.best: Node | None = None
        self.score = self.limit = np.inf
        self.seen: dict[Levels, tuple[float, float]] = {}
        """Of counted nodes the score, infinite if they do not fit, and a bound of nodes above."""

    def late(self) -> bool:
        """Say whether the time is up."""
        return self.deadline is not None and time.monotonic() > self.deadline

    def plain(self, levels: Levels) -> float:
        """Bound a node by what generalization alone costs."""
        return sum([part[level] for part, level in zip(self.parts, levels, strict=True)])

    def lost(self, levels: Levels) -> Floats:
        """Give what cells lose on average, per attribute, without suppression."""
        return np.array([loss[level] for loss, level in zip(self.losses, levels, strict=True)])

    def count(self, levels: Levels) -> float:
        """Count a node, once, and remember what it says; gives its score if it fits."""
        if levels in self.seen:
            return self.seen[levels][0]
        node = self.lattice.look(levels, self.most)
        fits, score = node.suppressed <= self.most, np.inf
        if fits:
            score = self.objective.score(node, self.lost(levels), self.weights, self.n)
            self.consider(node, score)
        self.seen[levels] = score, self.bound_above(node)
        if node.lasting > self.most or (self.monotone and not fits):
            self.known.add(levels, np.inf)
        elif self.objective.kind == "cells" and node.lasting:
            least = self.lost(levels) + node.lasting_extra / self.n
            worth = float(self.weights @ self.objective.terms(least))
            self.known.add(levels, worth - self.plain(levels))
        return score

    def consider(self, node: Node, score: float) -> None:
        """Take a node if it is better than the best one, or as good and of lower levels."""
        slack = TIE * max(1.0, abs(score))
        if self.best is None or score < self.score - slack:
            self.best, self.score = node, score
        elif score <= self.score + slack and node.levels < self.best.levels:
            self.best, self.score = node, min(score, self.score)
        self.limit = self.score + slack

    def bound_above(self, node: Node) -> float:
        """Bound nodes above a counted one by its classes, which can only merge."""
        if self.objective.kind == "squares":
            return float(node.all_squares)
        if self.objective.kind == "classes":
            return (self.n - self.most) / max(node.all_classes, 1)
        return 0.0

    def closed(self, levels: Levels, plain: float) -> bool:
        """Say whether a node cannot be better than the best one, as far as others tell."""
        return plain + self.known.least_extra(levels) > self.limit

    def run(self, report: Callable[[float], None] | None = None) -> Found:
        """Look at nodes until the best one is proven, or the time is up.

        ``report`` is called with the bound as a share of the best score.
        """
        self.descend()
        d = len(self.losses)
        height = np.array(self.lattice.heights, dtype=np.int16)
        part = np.zeros((d, int(height.max(initial=0)) + 1))
        for j, each in enumerate(self.parts):
            part[j, : len(each)] = each
        steps, nodes = Steps(part, height), frontier(WAITING, d)
        nodes.bound[0] = self.plain((0,) * d)
        at, found = np.zeros(d, dtype=np.int16), np.zeros(2)
        while True:
            used = self.known.used
            known, extra = self.known.levels[:used], self.known.extra[:used]
            status = advance(nodes, steps, known, extra, self.limit, TURNS, at, found)
            if status == DONE:
                break
            if status == FULL:
                nodes = frontier(2 * len(nodes.heap), d, nodes)
                continue
            bound = float(found[BOUND])
            if self.late():
                return Found(self.best, self.score, bound, False, self.lattice.evaluated)
            if report:
                report(bound / self.score if 0 < self.score < np.inf else 0.0)
            if status == OPEN:
                levels = tuple(at.tolist())
                self.close(levels, bound)
                above = self.seen[levels][1] if levels in self.seen else 0.0
                expand(nodes, steps, at, bound, int(found[FIRST]), above, self.limit)
        proven = self.best is not None
        return Found(self.best, self.score, self.score, proven, self.lattice.evaluated)

    def descend(self) -> None:
        """Find a good node fast: from the top, down where it saves most, while it fits."""
        levels = self.lattice.heights
        if not np.isfinite(self.count(levels)):
            return
        while True:
            lower = [
                (*levels[:j], levels[j] - 1, *levels[j + 1 :])
                for j in range(len(levels))
                if levels[j]
            ]
            lower.sort(key=lambda each: (self.plain(each), each))
            for each in lower:
                if self.late():
                    return
                if np.isfinite(self.known.least_extra(each)) and self.count(each) <= self.limit:
                    levels = each
                    break
            else:
                return

    def close(self, levels: Levels, plain: float) -> None:
        """Count a node, unless nodes above it close the matter; the highest settles most."""
        if self.climbs:
            for above in reversed(self.way_up(levels, plain)[1:]):
                self.count(above)
                if self.closed(levels, plain):
                    return
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
            if step < 0 or plain + least > self.limit:
                return way
            at[step] += 1
            plain += least
            way.append(tuple(at))
