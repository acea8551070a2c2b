"""Greedy clustering of a small table by looking at every row, in NumPy.

It gives the labels that the index of `shoal.methods.clustering._greedy` gives. For a few
thousand rows it takes less time than loading the compiled index does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from shoal.base.arrays import Ints
from shoal.kernels.clustering.greedy import FAR_FROM_LAST, IN_ORDER
from shoal.kernels.clustering.shapes import MEETING, MOVES, Attributes
from shoal.methods.base import Progress
from shoal.publications.groups.grouping import SUPPRESSED
from shoal.table import CategoricalColumn, QuasiColumn

_TAKEN = np.iinfo(np.int64).max


class GrowingClass:
    """A class that grows record by record, and what every record of a table costs it.

    It has a shape, as the kernels have it: four numbers per attribute, see
    `shoal.kernels.clustering.shapes`.
    """

    def __init__(self, columns: Sequence[QuasiColumn], attrs: Attributes) -> None:
        self.sides = sides_of(columns, attrs)
        self.by_size = attrs.rule != MEETING
        self.codes = np.stack([column.codes for column in columns]).astype(np.int64)
        begin, places = 0, []
        for side, codes in zip(self.sides, self.codes, strict=True):
            present, place = np.unique(codes, return_inverse=True)
            side.present = present
            places.append(begin + place.reshape(-1))
            begin += len(present)
        self.places = np.stack(places)
        """Per attribute and row: where its price is."""
        self.price = np.zeros(begin, dtype=np.int64)
        self.shape = np.zeros((len(columns), 4), dtype=np.int64)
        self.size = 0

    def add(self, row: int, *, alone: bool = False) -> None:
        """Bring the shape and all prices up to date for a class that a row joins, or begins."""
        self.size = 1 if alone else self.size + 1
        end = 0
        for j, (side, code) in enumerate(zip(self.sides, self.codes[:, row].tolist(), strict=True)):
            begin, end = end, end + len(side.present)
            if alone:
                side.begin(self.shape[j], code)
            elif not side.join(self.shape[j], code) and not self.by_size:
                continue
            self.price[begin:end] = side.prices(self.shape[j], self.size)


class Scan(GrowingClass):
    """The rows of a table, the class that is growing, and those that are closed."""

    def __init__(self, columns: Sequence[QuasiColumn], attrs: Attributes) -> None:
        super().__init__(columns, attrs)
        n = self.codes.shape[1]
        self.labels = np.full(n, SUPPRESSED, dtype=np.int32)
        self.members: list[int] = []
        self.shapes: list[Ints] = []
        self.sizes: list[int] = []
        self._keep(np.arange(n))

    def grow(
        self,
        k: int,
        people: Ints,
        *,
        first: int,
        seeding: int,
        turns: Ints,
        complete: Callable[[Ints], bool],
        progress: Progress,
    ) -> None:
        """Close classes until no further one can be completed.

        - ``k``: how many people a class must hold.
        - ``people``: who each row belongs to.
        - ``first``, ``seeding``, ``turns``: where seeds come from, as
          `shoal.methods.clustering._greedy.cluster` says.
        - ``complete``: judges the rows of a class of k people or more.
        """
        n = len(self.labels)
        order = iter(turns.tolist())
        if seeding == FAR_FROM_LAST:
            self.add(first, alone=True)
            seed = self._farthest()
        else:
            seed = next(order) if seeding == IN_ORDER else first
        while len(self.rows) >= k:
            self._let_in(seed, alone=True)
            held = {int(people[seed])}
            while len(held) < k or not complete(np.array(self.members)):
                if len(self.members) == len(self.rows):
                    self.labels[self.members] = SUPPRESSED
                    return
                row = int(self.rows[np.argmin(self._costs())])
                self._let_in(row)
                held.add(int(people[row]))
            self.shapes.append(self.shape.copy())
            self.sizes.append(len(self.members))
            last = self.members[-1]
            self._keep(self.rows[self.free])
            if not len(self.rows):
                return
            if seeding == IN_ORDER:
                seed = next(row for row in order if self.labels[row] == SUPPRESSED)
            else:
                if seeding == FAR_FROM_LAST:
                    self.add(last, alone=True)
                seed = self._farthest()
            progress(n - len(self.rows), n)

    def _keep(self, rows: Ints) -> None:
        """Go on with the rows that have no class."""
        self.rows = rows
        self.free = np.ones(len(rows), dtype=np.bool_)
        self.cells = self.places[:, rows]

    def _let_in(self, row: int, *, alone: bool = False) -> None:
        """Let a row into the growing class, or begin a class with it."""
        if alone:
            self.members = []
        self.add(row, alone=alone)
        self.members.append(row)
        self.labels[row] = len(self.shapes)
        self.free[np.searchsorted(self.rows, row)] = False

    def _costs(self) -> Ints:
        """Give what each remaining row costs; those of the growing class more than any other."""
        cost: Ints = self.price.take(self.cells).sum(axis=0)
        cost[~self.free] = _TAKEN
        return cost

    def _farthest(self) -> int:
        """Find the remaining row that costs most; no class is growing."""
        return int(self.rows[np.argmax(self.price.take(self.cells).sum(axis=0))])


def sides_of(columns: Sequence[QuasiColumn], attrs: Attributes) -> list[Side]:
    """Make ready to ask what codes of each attribute cost to classes."""
    return [
        _Tree(column, attrs, j)
        if isinstance(column, CategoricalColumn)
        else _Numbers(column, attrs, j)
        for j, column in enumerate(columns)
    ]


def place(
    sides: Sequence[Side],
    shapes: Ints,
    sizes: Ints,
    record: Ints,
    attempts: int,
    accepts: Callable[[int], bool],
) -> int:
    """Let a left-over record into the nearest class that accepts it; give its label.

    The label is `SUPPRESSED` if none of the nearest classes, as many as ``attempts``, does.
    """
    cost = np.zeros(len(sizes), dtype=np.int64)
    for j, side in enumerate(sides):
        cost += side.costs(shapes[:, j], sizes, record[j])
    for label in np.argsort(cost, kind="stable")[:attempts].tolist():
        if accepts(label):
            for j, side in enumerate(sides):
                side.join(shapes[label, j], int(record[j]))
            sizes[label] += 1
            return int(label)
    return SUPPRESSED


class _Numbers:
    """A numeric attribute: how classes cover it, and what codes cost to them."""

    present: Ints
    """The codes that `prices` is about."""

    def __init__(self, column: QuasiColumn, attrs: Attributes, j: int) -> None:
        self.position = attrs.place[attrs.start[j] : attrs.start[j + 1]]
        self.missing, self.reach = column.size, int(attrs.reach[j])
        self.meeting = attrs.rule == MEETING

    def begin(self, shape: Ints, code: int) -> None:
        """Give a class the shape of one record."""
        shape[:] = code, code, code == self.missing, 0

    def join(self, shape: Ints, code: int) -> bool:
        """Let a record into a shape; say whether what is published changed."""
        lo, hi, starred, _ = shape.tolist()
        if starred or lo <= code <= hi:
            return False
        if code == self.missing:
            shape[2] = 1
        else:
            shape[:2] = min(lo, code), max(hi, code)
        return True

    def prices(self, shape: Ints, size: int) -> Ints:
        """Give what every present code costs to one class."""
        return self.costs(shape, size, self.present)

    def costs(self, shape: Ints, size: Ints | int, code: Ints) -> Ints:
        """Give what codes cost to classes: several codes to one class, or the other way."""
        lo, hi = self.position[shape[..., 0]], self.position[shape[..., 1]]
        x = self.position[code]
        wide = np.maximum(x, hi) - np.minimum(x, lo)
        if self.meeting:
            missing_cost: Ints | int = self.reach // 2
            starred = missing_cost
        else:
            missing_cost, starred = size * (self.reach - hi + lo), self.reach
            wide = (size + 1) * wide - size * (hi - lo)
        missing, published = code == self.missing, shape[..., 2] == 1
        return np.where(
            missing, np.where(published, 0, missing_cost), np.where(published, starred, wide)
        )


class _Tree:
    """A categorical attribute: the same."""

    present: Ints

    def __init__(self, column: CategoricalColumn, attrs: Attributes, j: int) -> None:
        nodes = slice(attrs.node_start[j], attrs.node_start[j + 1])
        self.leaf = attrs.place[attrs.start[j] : attrs.start[j + 1]]  # a missing cell: the root
        self.tree = column.hierarchy
        self.depth, self.unit = attrs.depth[nodes], attrs.unit[nodes]
        self.move_start, self.move = attrs.move_start[nodes], attrs.move
        self.rule = attrs.rule
        self.known: dict[int, tuple[Ints, Ints]] = {}

    def begin(self, shape: Ints, code: int) -> None:
        leaf = self.leaf[code]
        shape[:] = leaf, 0, 0, 2 * self.unit[leaf]

    def join(self, shape: Ints, code: int) -> bool:
        node = before = int(shape[0])
        shape[3] += 2 * self.unit[self.leaf[code]]
        if code == self.tree.n_leaves:  # missing
            node = 0
        while node and not self.tree.first_leaf[node] <= code <= self.tree.last_leaf[node]:
            node = int(self.tree.parent[node])
        shape[0] = node
        return node != before

    def prices(self, shape: Ints, size: int) -> Ints:
        node = int(shape[0])
        if node not in self.known:
            self.known[node] = self._parts(np.array(node), self.leaf[self.present])
        own, member = self.known[node]
        return own + member * self._times(shape, size)

    def costs(self, shape: Ints, size: Ints | int, code: Ints) -> Ints:
        own, member = self._parts(shape[..., 0], self.leaf[code])
        return own + member * self._times(shape, size)

    def _times(self, shape: Ints, size: Ints | int) -> Ints | int:
        """What the members' part of the cost is multiplied by."""
        if self.rule == MEETING:
            return 1
        return size if self.rule == MOVES else shape[..., 3]

    def _parts(self, node: Ints, leaf: Ints) -> tuple[Ints, Ints]:
        """What it costs the record to meet the class, and what it costs the members."""
        level = self.depth[self.tree.lca(node, leaf)]
        if self.rule == MOVES:
            start, moves = self.move_start, self.move
            return moves[start[leaf] + level], moves[start[node] + level]
        own = (self.depth[leaf] - level) * self.unit[leaf]
        steps = self.depth[node] - level
        if self.rule == MEETING:
            return own, steps * self.unit[node]
        return 2 * own, steps


Side: TypeAlias = _Numbers | _Tree
