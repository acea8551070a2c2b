"""The lattice of full-domain generalizations: a level per attribute for the whole table.

Level 0 shows values as they are, each level above one step of the hierarchy, the last one its
root. A hierarchy of uneven depth is filled upward: a leaf that lies less deep keeps its value
until the level of its own parent is reached. Nodes are not materialised: one is looked at by
its levels, and its classes are rolled up from the smallest known finer node.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from shoal.grouping import Grouping
from shoal.kernels.collapse import collapse
from shoal.kernels.lattice import Ladder, Room, gather, make_room, price, roll
from shoal.models import KAnonymity, Requirement
from shoal.table import CategoricalColumn, Table

__all__ = ["Lattice", "Levels", "Node"]

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
Levels: TypeAlias = tuple[int, ...]

KEPT = 256
"""How many snapshots of classes are remembered."""


@dataclass(frozen=True, eq=False)
class _Snapshot:
    """The classes of a node: a tuple that stands for each, its rows, what costs need."""

    rep: Small
    rows: Ints
    known: Floats
    base: Floats


@dataclass(frozen=True, eq=False)
class Node:
    """What is known of a node of the lattice.

    Parameters
    ----------
    levels
        A level per attribute.
    suppressed
        Rows of classes that fail a requirement.
    classes
        Classes that hold, and the sum of their squared sizes.
    extra
        Per attribute, by how much suppressed rows cost more than their cells would.
    """

    levels: Levels
    suppressed: int
    classes: int
    squares: int
    all_classes: int
    all_squares: int
    extra: Floats


@dataclass(eq=False)
class Lattice:
    """The lattice of a table, with the requirements that classes must hold.

    Parameters
    ----------
    costs
        Per attribute and level, what a known cell of each code costs, from 0 to 1. Codes that
        become the same cell cost the same.
    bases
        Per attribute, what is added for each code at every level above 0; or nothing.
    """

    table: Table
    require: Sequence[Requirement]
    costs: Sequence[Sequence[Floats]]
    bases: Sequence[Floats] | None = None
    evaluated: int = 0
    _kept: OrderedDict[Levels, _Snapshot] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        self.columns = self.table.trees
        self.heights: Levels = tuple(c.hierarchy.height for c in self.columns)
        self.points = collapse([c.codes for c in self.columns], [c.size + 1 for c in self.columns])
        _, firsts = np.unique(self.points, return_index=True)
        codes = np.stack([c.codes[firsts] for c in self.columns], axis=1).astype(np.int32)
        self.ladder = _ladder(self.columns, codes)
        self.flat = np.concatenate([np.concatenate(list(levels)) for levels in self.costs])
        self.room: Room = make_room(len(codes))
        rows = np.bincount(self.points).astype(np.int64)
        holes = codes == np.array([c.size for c in self.columns])
        known = rows[:, None] * ~holes if holes.any() else np.zeros((len(rows), 0))
        base = np.zeros((len(rows), 0))
        if self.bases is not None:
            per = [b[codes[:, j]] * rows for j, b in enumerate(self.bases)]
            base = np.stack(per, axis=1)
        self.bottom = _Snapshot(
            np.arange(len(codes), dtype=np.int32), rows, known.astype(np.float64), base
        )
        self._by_k = all(type(each) is KAnonymity for each in self.require) and (
            self.table.people is None
        )
        self._k = max((e.k for e in self.require if isinstance(e, KAnonymity)), default=1)
        self._place: dict[Levels, int] = {}
        self._whose: list[Levels] = [()] * KEPT
        self._at = np.zeros((KEPT, len(self.columns)), dtype=np.int16)
        self._size = np.zeros(KEPT, dtype=np.int64)
        self._rep = np.empty(len(rows), dtype=np.int32)
        self._rows = np.empty(len(rows), dtype=np.int64)
        self._label = np.empty(len(rows), dtype=np.int32)

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return int(np.prod([height + 1 for height in self.heights], dtype=object))

    def cells(self, j: int, level: int) -> int:
        """Count the different cells that an attribute shows at a level."""
        at = int(self.ladder.start[j] + level * self.ladder.width[j])
        return len(np.unique(self.ladder.up[at + self.ladder.codes[:, j]]))

    def look(self, levels: Levels) -> Node:
        """Count the classes of a node."""
        made = self._classes(levels)
        fails = self._fails(levels, made)
        extra = np.zeros(len(levels))
        at = np.array(levels, dtype=np.int64)
        price(self.ladder, at, self.flat, made.rep, made.rows, made.known, made.base, fails, extra)
        self.evaluated += 1
        held = made.rows[~fails]
        return Node(
            levels,
            suppressed=int(made.rows[fails].sum()),
            classes=len(held),
            squares=int((held * held).sum()),
            all_classes=len(fails),
            all_squares=int((made.rows * made.rows).sum()),
            extra=extra,
        )

    def grouping(self, levels: Levels) -> Grouping:
        """Label the rows by the classes of a node; those that fail are suppressed."""
        labels = self._labels(levels)
        fails = self._fails(levels, self._classes(levels))
        number = np.where(fails, -1, np.cumsum(~fails) - 1)
        return Grouping(number[labels].astype(np.int32))

    def _classes(self, levels: Levels) -> _Snapshot:
        if levels in self._kept:
            self._kept.move_to_end(levels)
            return self._kept[levels]
        below = self._finer(levels)
        at = np.array(levels, dtype=np.int64)
        label = self._label[: len(below.rep)]
        count = int(
            roll(self.ladder, at, below.rep, below.rows, self.room, self._rep, self._rows, label)
        )
        known, base = (np.zeros((count, old.shape[1])) for old in (below.known, below.base))
        for old, new in ((below.known, known), (below.base, base)):
            if old.shape[1]:
                gather(label, old, new, count)
        made = _Snapshot(self._rep[:count].copy(), self._rows[:count].copy(), known, base)
        self._keep(levels, made)
        return made

    def _keep(self, levels: Levels, made: _Snapshot) -> None:
        """Remember a snapshot in place of the one that was not used for longest."""
        if len(self._kept) == KEPT:
            gone, _ = self._kept.popitem(last=False)
            place = self._place.pop(gone)
        else:
            place = len(self._kept)
        self._kept[levels] = made
        self._place[levels] = place
        self._at[place], self._size[place] = levels, len(made.rep)
        self._whose[place] = levels

    def _finer(self, levels: Levels) -> _Snapshot:
        """Find the smallest remembered snapshot below a node."""
        used = len(self._kept)
        below = (self._at[:used] <= np.array(levels, dtype=np.int16)).all(axis=1)
        sizes = np.where(below, self._size[:used], len(self.bottom.rep))
        place = int(sizes.argmin()) if used else 0
        if not used or sizes[place] >= len(self.bottom.rep):
            return self.bottom
        best = self._whose[place]
        self._kept.move_to_end(best)
        return self._kept[best]

    def _fails(self, levels: Levels, made: _Snapshot) -> npt.NDArray[np.bool_]:
        """Say which classes fail a requirement."""
        if self._by_k:
            return np.asarray(made.rows < self._k)
        groups = Grouping(self._labels(levels)).statistics(self.table.people, self.table.sensitive)
        holds = np.ones(len(made.rows), dtype=np.bool_)
        for requirement in self.require:
            holds &= requirement.judge(groups).holds
        return ~holds

    def _labels(self, levels: Levels) -> Small:
        """Number the rows by class, in the order of the snapshot's classes."""
        made = self._classes(levels)
        at = np.array(levels, dtype=np.int64)
        # The snapshot's own classes come first, so they keep their numbers.
        rep = np.concatenate((made.rep, self.bottom.rep))
        n = len(rep)
        label = np.empty(n, dtype=np.int32)
        roll(
            self.ladder,
            at,
            rep,
            np.ones(n, dtype=np.int64),
            self.room,
            np.empty(n, dtype=np.int32),
            np.empty(n, dtype=np.int64),
            label,
        )
        return np.asarray(label[len(made.rep) :][self.points])


def _ladder(columns: Sequence[CategoricalColumn], codes: Small) -> Ladder:
    """Number the cells of every level of every attribute."""
    up: list[Small] = []
    start: list[int] = []
    sizes: list[Ints] = []
    most = max(column.hierarchy.height for column in columns) + 1
    for column in columns:
        tree = column.hierarchy
        start.append(sum(len(part) for part in up))
        size = np.ones(most, dtype=np.int64)
        for level in range(tree.height + 1):
            nodes = np.append(tree.ancestors[tree.leaf_nodes, tree.height - level], 0)
            if level < tree.height:
                nodes[-1] = -1  # a missing cell is a cell of its own below the root
            cells, numbers = np.unique(nodes, return_inverse=True)
            up.append(numbers.astype(np.int32))
            size[level] = len(cells)
        sizes.append(size)
    return Ladder(
        codes=codes,
        up=np.concatenate(up),
        start=np.array(start, dtype=np.int64),
        width=np.array([column.size + 1 for column in columns], dtype=np.int64),
        size=np.stack(sizes),
    )
