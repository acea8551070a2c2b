"""What counted nodes of a lattice say about others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from shoal.base.arrays import Floats, Ints
from shoal.kernels.lattice.above import NodeBounds, forget, largest, least
from shoal.kernels.lattice.frontier import BOUND, DONE, FULL, OPEN, Steps, advance, expand, frontier
from shoal.methods.lattice._snapshots import Levels

WAITING = 2**12
"""For how many waiting nodes there is room at first."""

TURNS = 2**16
"""After so many nodes that need not be counted, look at the clock."""


class Known:
    """What counted nodes say about those below them.

    Examples
    --------
    >>> known = Known(2, 3)
    >>> known.add((2, 1), np.array([[0.5, 0.25, 0.0], [0.25, 0.0, 0.0]]))
    >>> known.least_extra((1, 0)), known.least_extra((1, 2))
    (0.5, 0.0)
    >>> known.prune((2, 2))
    >>> known.least_extra((1, 2)), known.used
    (inf, 1)
    """

    def __init__(self, d: int, levels: int) -> None:
        self.store = NodeBounds(
            np.zeros((64, d), dtype=np.int16), np.zeros(64), np.zeros((64, d, levels))
        )
        self._use(0)

    def _use(self, used: int) -> None:
        levels, extra, part = self.store
        self.used = used
        self.adds = NodeBounds(levels[:used], extra[:used], part[:used])
        """What the nodes say."""

    def add(self, levels: Levels, part: Floats) -> None:
        """Remember what a node adds to the bound of those below, by attribute and level."""
        self._append(levels, 0.0)
        self.store.part[self.used - 1] = part

    def prune(self, levels: Levels) -> None:
        """Remember a node that prunes all below it; what is known of these is forgotten."""
        self._use(int(forget(self.adds, np.array(levels, dtype=np.int16))))
        self._append(levels, np.inf)

    def _append(self, levels: Levels, extra: float) -> None:
        if self.used == len(self.store.extra):
            held, more, part = self.store
            self.store = NodeBounds(
                np.concatenate((held, held)),
                np.concatenate((more, more)),
                np.concatenate((part, part)),
            )
        self.store.levels[self.used], self.store.extra[self.used] = levels, extra
        self._use(self.used + 1)

    def least_extra(self, levels: Levels) -> float:
        """Give the most that a node above says about what is suppressed here, too."""
        return float(largest(self.adds, np.array(levels, dtype=np.int16)))


class Lasting:
    """How many rows every node below a counted one suppresses: nodes above it ask for no more.

    Examples
    --------
    >>> lasting = Lasting(2)
    >>> lasting.add((1, 0), 7)
    >>> lasting.most((1, 1)), lasting.most((0, 1))
    (7.0, inf)
    """

    def __init__(self, d: int) -> None:
        self.levels = np.zeros((64, d), dtype=np.int16)
        self.rows = np.zeros(64)
        self.used = 0

    def add(self, levels: Levels, rows: int) -> None:
        """Remember a node."""
        if self.used == len(self.rows):
            self.levels = np.concatenate((self.levels, np.zeros_like(self.levels)))
            self.rows = np.concatenate((self.rows, np.zeros_like(self.rows)))
        self.levels[self.used], self.rows[self.used] = levels, rows
        self.used += 1

    def most(self, levels: Levels) -> float:
        """Say how many rows a node can ask for at most, by those counted below it."""
        at = np.array(levels, dtype=np.int16)
        return float(least(self.levels[: self.used], self.rows[: self.used], at))


def open_nodes(
    costs: Sequence[Sequence[float] | Ints],
    lowest: Levels,
    heights: Levels,
    known: Known,
    limit: Callable[[], float],
    above: Callable[[Levels], float] = lambda levels: 0.0,
) -> Iterator[tuple[float, Levels | None]]:
    """Go up a lattice from the node of least bound to the next, as long as that is below a limit.

    Gives the bound, and the node, if it must be counted; without one there is time to look at the
    clock. ``costs``: what each level of each attribute adds to the bound. ``above``: what is known,
    once a node was counted, of those above it.
    """
    d, height = len(heights), np.array(heights, dtype=np.int16)
    part = np.zeros((d, max(heights) + 1))
    for j, each in enumerate(costs):
        part[j, : height[j] + 1] = each[: height[j] + 1]
    steps, nodes = Steps(part, height), frontier(WAITING, height)
    nodes.levels[0] = lowest
    nodes.bound[0] = sum([each[level] for each, level in zip(costs, lowest, strict=True)])
    at, top, found = np.zeros(d, dtype=np.int16), np.zeros(d, dtype=np.int16), np.zeros(2)
    while True:
        status = advance(nodes, steps, known.adds, limit(), TURNS, at, top, found)
        if status == DONE:
            return
        if status == FULL:
            nodes = frontier(2 * len(nodes.heap), height, nodes)
            continue
        bound, levels = float(found[BOUND]), tuple(at.tolist()) if status == OPEN else None
        yield bound, levels
        if levels is not None:
            more, hint = above(levels), known.used - 1
            expand(nodes, steps, known.adds, at, top, bound, hint, more, limit())
