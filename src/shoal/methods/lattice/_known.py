"""What counted nodes of a lattice say about others."""

from __future__ import annotations

import numpy as np

from shoal.base.arrays import Floats
from shoal.kernels.lattice.above import NodeBounds, forget, largest, least
from shoal.methods.lattice._snapshots import Levels


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
