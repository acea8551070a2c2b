"""The best node of a lattice, proven: best first by a bound, with what is known of other nodes.

Generalization alone costs something: that bounds a node before its classes are counted. Nodes
come in the order of this bound, and the search ends when it reaches the best score. Where
some rows of a failing class can be in no part that holds (too few rows or values, too many rows of
one value), a node suppresses at least so many rows as any node above it must lose. So one node
that must lose too many rows, or too costly ones, prunes all below it; and before a node is counted
itself, the highest one that prunes it is looked for on a way up to the top.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Floats
from shoal.kernels.lattice.above import climb
from shoal.methods.lattice._known import Known, Lasting, open_nodes
from shoal.methods.lattice._lattice import Lattice, Node
from shoal.methods.lattice._losses import Objective
from shoal.methods.lattice._snapshots import Levels

FRESH = 0.7
"""When a node can afford so many fewer rows than before, what nodes must lose is counted again."""

SURELY = 1 - 1e-11
"""What is taken of a sum of costs, so that rounding never prunes a node."""

TIE = 1e-12
"""Scores that differ by less, as parts of them or of 1, are the same but for rounding."""


@dataclass(frozen=True)
class Found:
    """The best node found.

    ``bound``: no node scores below this. ``optimal``: whether the best node is proven to be the
    best one.
    """

    node: Node | None
    score: float
    bound: float
    optimal: bool
    evaluated: int


class Search:
    """A search for the node of least score that suppresses at most so many rows.

    - ``losses``: per attribute and level, what cells lose on average without suppression.
    - ``most``: how many rows may be suppressed.
    - ``monotone``: whether a node that suppresses too many rows tells that those below it do.
    - ``deadline``: when to stop with the best node found, by `time.monotonic`.
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
        self.n = lattice.table.total_rows
        self.known = Known(len(losses), lattice.peak.shape[1])
        self.lasting = Lasting(len(losses))
        # What each level adds to the bound, by attribute.
        self.level_costs: list[list[float]] = [[0.0] * len(loss) for loss in losses]
        if objective.kind == "cells":
            terms = [
                weight * objective.terms(loss) for weight, loss in zip(weights, losses, strict=True)
            ]
            self.level_costs = [each.tolist() for each in terms]
        elif objective.kind == "height":
            self.level_costs = [[float(level) for level in range(len(loss))] for loss in losses]
        self.lossy = np.zeros(lattice.peak.shape)
        for j, loss in enumerate(losses):
            self.lossy[j, : len(loss)] = loss
        self.alone = weights[:, None] * objective.terms(self.lossy)
        self.peaks = weights[:, None] * lattice.peak
        self.highest_cost: list[list[float]] = self.peaks.tolist()
        self.climbs = monotone or lattice.judge.lasts
        self.steps = self.ordered_steps()
        self.path = np.zeros((len(self.steps) + 1, len(losses)), dtype=np.int16)
        self.affordable = self.fresh = most
        """A node yet to come that suppresses more rows does not fit, or is not the best one."""
        self.costliest = (np.inf, 1.0)
        """What the costliest row may cost, and for which limit."""
        self.floor = 0.0
        """No node yet to come costs less by generalization alone."""
        self.best: Node | None = None
        self.score = self.limit = np.inf
        self.seen: dict[Levels, tuple[float, float]] = {}
        """Of counted nodes the score, infinite if they do not fit, and a bound of nodes above."""
        self.looked: set[Levels] = set()
        """All nodes that were ever counted."""
        self.stated: dict[Levels, Floats | None] = {}
        """What counted nodes add to the bound of those below; ``None`` if they prune them."""

    def ordered_steps(self) -> npt.NDArray[np.int16]:
        """List the steps up, attribute and level, those first that cost least."""
        steps = []
        for j, part in enumerate(self.level_costs):
            highest_cost = -np.inf
            for level in range(self.lattice.heights[j]):
                highest_cost = max(highest_cost, part[level + 1] - part[level])
                steps.append((highest_cost, level, j))
        made = [(j, level) for _, level, j in sorted(steps)]
        return np.array(made, dtype=np.int16).reshape(-1, 2)

    def late(self) -> bool:
        """Say whether the time is up."""
        return self.deadline is not None and time.monotonic() > self.deadline

    def plain(self, levels: Levels) -> float:
        """Bound a node by what generalization alone costs."""
        return sum([part[level] for part, level in zip(self.level_costs, levels, strict=True)])

    def lost(self, levels: Levels) -> Floats:
        """Give what cells lose on average, per attribute, without suppression."""
        return np.array([loss[level] for loss, level in zip(self.losses, levels, strict=True)])

    def count(self, levels: Levels, *, last: bool = False) -> float:
        """Count a node, once, and remember what it says; gives its score if it may be the best.

        ``last``: whether all nodes below had their turn, if cells decide.
        """
        if levels in self.seen:
            return self.seen[levels][0]
        last, own = last and self.objective.kind == "cells", self.own(levels)
        tell = self.objective.kind == "cells" and not last
        node = self.lattice.node_at(levels, self.affordable, own, tell=tell, lasting=not last)
        if levels in self.looked:
            self.lattice.evaluated -= 1  # the same node, judged again
        self.looked.add(levels)
        fits, score = node.suppressed <= self.most, np.inf
        if node.suppressed <= own:
            score = self.objective.score(node, self.lost(levels), self.weights, self.n)
            self.consider(node, score)
        self.seen[levels] = score, self.bound_above(node)
        if last:
            return score
        prunes = node.lasting > self.affordable or (self.monotone and not fits)
        self.lasting.add(levels, self.n if prunes else node.lasting)
        if prunes:
            self.known.prune(levels)
            self.stated[levels] = None
        elif node.adds is not None:
            part = self.costlier(node.adds)
            self.known.add(levels, part)
            self.stated[levels] = part
        return score

    def own(self, levels: Levels) -> int:
        """Find how many rows a node can suppress and still be the best.

        It is fewer than `affordable`: its own cells are known, and what generalization costs.
        """
        if self.objective.kind != "cells" or self.objective.geometric:
            return self.affordable
        more = 1.0 - sum([peak[at] for peak, at in zip(self.highest_cost, levels, strict=True)])
        if more <= 0 or not np.isfinite(self.limit):
            return self.affordable
        rows = (self.limit - self.plain(levels)) * self.n / more
        return min(self.affordable, int(rows * (1 + 1e-9)) + 1)

    def costlier(self, adds: Floats) -> Floats:
        """Say what rows that must go add to the bound of nodes below, by attribute and level."""
        with_them = self.objective.terms(self.lossy + adds / self.n)
        return np.asarray((self.weights[:, None] * with_them - self.alone) * SURELY)

    def consider(self, node: Node, score: float) -> None:
        """Take a node if it is better than the best one, or as good and of lower levels."""
        slack = TIE * max(1.0, abs(score))
        if self.best is None or score < self.score - slack:
            self.best, self.score = node, score
        elif score <= self.score + slack and node.levels < self.best.levels:
            self.best, self.score = node, min(score, self.score)
        self.limit = self.score + slack
        self.afford()

    def afford(self) -> None:
        """Find how many rows a node yet to come can suppress and still be the best.

        A suppressed row costs 1 in every column: so much in all, and so much more than its cells.
        What classes are compared with depends on it. So what was counted is counted again, if
        asked for, when it has become much less.
        """
        if self.objective.kind != "cells" or not np.isfinite(self.limit):
            return
        costly = self.objective.shown(self.limit)
        if not self.objective.geometric:
            if self.costliest[0] != self.limit:
                self.costliest = self.limit, self._costliest()
            more = 1.0 - self.costliest[1]
            costly = min(costly, (self.limit - self.floor) / more if more > 0 else np.inf)
        self.affordable = min(self.most, int(self.n * costly * (1 + 1e-9)) + 1)
        if self.lattice.judge.narrows and self.affordable < FRESH * self.fresh:
            self.fresh = self.affordable
            self.lasting = Lasting(len(self.losses))
            self.seen = {
                at: adds for at, adds in self.seen.items() if self.stated.get(at, 0) is None
            }

    def _costliest(self) -> float:
        """Bound what the costliest row costs at any node of at most the best score.

        By Lagrange: for every factor, the most that costliest cells of an attribute cost beyond the
        factor times what cells cost on average.
        """
        return min(
            factor * self.limit + float((self.peaks - factor * self.alone).max(axis=1).sum())
            for factor in (0.0, 0.5, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 5.0)
        )

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
        lattice = self.lattice
        for bound, levels in open_nodes(
            self.level_costs,
            lattice.lowest,
            lattice.heights,
            self.known,
            lambda: self.limit,
            lambda levels: self.seen.get(levels, (0.0, 0.0))[1],
        ):
            if self.late():
                return Found(self.best, self.score, bound, False, lattice.evaluated)
            if report:
                report(bound / self.score if 0 < self.score < np.inf else 0.0)
            self.floor = bound
            self.afford()
            if levels is not None:
                self.close(levels, bound)
        return Found(self.best, self.score, self.score, self.best is not None, lattice.evaluated)

    def descend(self) -> None:
        """Find a good node fast: from the top, down where it saves most, while it fits."""
        levels = self.lattice.heights
        if not np.isfinite(self.count(levels)):
            return
        while True:
            lower = [
                (*levels[:j], levels[j] - 1, *levels[j + 1 :])
                for j in range(len(levels))
                if levels[j] > self.lattice.lowest[j]
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
        """Count a node, unless one above it closes the matter; the highest prunes most."""
        if not (self.climbs and self.climb(levels, plain)):
            self.count(levels, last=True)

    def climb(self, levels: Levels, plain: float) -> bool:
        """Look for the highest node on a way up that closes a node, by halving.

        What a node must lose is lost below it, too. So nodes on the way close the first one up to
        some height, and none above it does.
        """
        needed = min(self.affordable, (self.limit - plain) * self.n)
        lasting, used = self.lasting, self.lasting.used
        low, high = (
            0,
            int(
                climb(
                    np.array(levels, dtype=np.int16),
                    self.steps,
                    lasting.levels[:used],
                    lasting.rows[:used],
                    needed,
                    self.path,
                )
            ),
        )
        path = self.path[:high].tolist()
        while high - low > 1:
            next_ = high - max(1, (high - low) // 8)
            if self.closes(tuple(path[next_]), levels, plain):
                low = next_
            else:
                high = next_
        if low and self.most == 0:
            self.stretch(tuple(path[low]), levels, plain)
        return low > 0

    def stretch(self, at: Levels, levels: Levels, plain: float) -> None:
        """Raise a node that closes another one, attribute by attribute, while it does."""
        for j in sorted(range(len(at)), key=lambda j: at[j] - self.lattice.heights[j]):
            while at[j] < self.lattice.heights[j]:
                above = (*at[:j], at[j] + 1, *at[j + 1 :])
                if above not in self.seen and self.lasting.most(above) <= self.affordable:
                    break  # it asks for too few rows
                if not self.closes(above, levels, plain):
                    break
                at = above

    def closes(self, above: Levels, levels: Levels, plain: float) -> bool:
        """Say whether a node closes one below it; it is counted if that is not known."""
        if above not in self.seen:
            self.count(above)
        if above not in self.stated:
            return False
        part = self.stated[above]
        if part is None:
            return True
        return plain + float(part[self.lattice.every, levels].sum()) > self.limit
