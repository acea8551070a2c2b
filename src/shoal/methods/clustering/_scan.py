"""Greedy clustering of a small table by looking at every row, in NumPy.

It gives the labels that the index of `shoal.methods.clustering._greedy` gives. For a few
thousand rows it takes less time than loading the compiled index does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from shoal.grouping import SUPPRESSED
from shoal.kernels.clustering.greedy import FAR_FROM_LAST, IN_ORDER
from shoal.kernels.clustering.shapes import MEETING, MOVES, Attributes
from shoal.methods.base import Progress
from shoal.table import CategoricalColumn, QuasiColumn

__all__ = ["Scan"]

Ints = npt.NDArray[np.int64]

_TAKEN = np.iinfo(np.int64).max


class Scan:
    """The rows of a table, the class that is growing, and those that are closed.

    A class has a shape, as the kernels have it: four numbers per attribute, see
    `shoal.kernels.clustering.shapes`.

    Parameters
    ----------
    columns
        The quasi-identifiers.
    attrs
        What they cost.
    """

    def __init__(self, columns: Sequence[QuasiColumn], attrs: Attributes) -> None:
        self.sides = [
            _Tree(column, attrs, j)
            if isinstance(column, CategoricalColumn)
            else _Numbers(column, attrs, j)
            for j, column in enumerate(columns)
        ]
        self.by_size = attrs.rule != MEETING
        self.codes = np.stack([side.codes for side in self.sides])
        widths = np.array([len(side.present) for side in self.sides])
        self.begin = np.cumsum(widths) - widths
        n = self.codes.shape[1]
        self.labels = np.full(n, SUPPRESSED, dtype=np.int32)
        self.price = np.zeros(int(widths.sum()), dtype=np.int64)
        self.shape = np.zeros((len(columns), 4), dtype=np.int64)
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
        progress: Progress | None,
    ) -> None:
        """Close classes until no further one can be completed.

        Parameters
        ----------
        k
            How many people a class must hold.
        people
            Who each row belongs to.
        first, seeding, turns
            Where seeds come from, as `shoal.methods.clustering._greedy.cluster` says.
        complete
            Judges the rows of a class of k people or more.
        """
        n = len(self.labels)
        order = iter(turns.tolist())
        if seeding == FAR_FROM_LAST:
            self._join(first, alone=True)
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
                    self._join(last, alone=True)
                seed = self._farthest()
            if progress:
                progress(n - len(self.rows), n)

    def place(self, row: int, attempts: int, accepts: Callable[[Ints], bool]) -> None:
        """Let a left-over row into the nearest class that accepts it, if one of the nearest does.

        Parameters
        ----------
        attempts
            How many classes to try.
        accepts
            Says whether a class of these rows may take the row in.
        """
        shapes, sizes = np.stack(self.shapes), np.array(self.sizes)
        cost = sum(
            side.costs(shapes[:, j], sizes, side.present[side.codes[row]])
            for j, side in enumerate(self.sides)
        )
        for label in np.argsort(cost, kind="stable")[:attempts].tolist():
            if accepts(np.flatnonzero(self.labels == label)):
                for j, side in enumerate(self.sides):
                    side.join(self.shapes[label][j], self.codes[j, row])
                self.sizes[label] += 1
                self.labels[row] = label
                return

    def _keep(self, rows: Ints) -> None:
        """Go on with the rows that have no class."""
        self.rows = rows
        self.free = np.ones(len(rows), dtype=np.bool_)
        self.cells = self.codes[:, rows] + self.begin[:, None]

    def _let_in(self, row: int, *, alone: bool = False) -> None:
        """Let a row into the growing class, or begin a class with it."""
        if alone:
            self.members = []
        self._join(row, alone=alone)
        self.members.append(row)
        self.labels[row] = len(self.shapes)
        self.free[np.searchsorted(self.rows, row)] = False

    def _join(self, row: int, *, alone: bool = False) -> None:
        """Bring the shape and all prices up to date for a class that a row joins."""
        size = 1 if alone else len(self.members) + 1
        for j, (side, code) in enumerate(zip(self.sides, self.codes[:, row].tolist(), strict=True)):
            if alone:
                side.begin(self.shape[j], code)
            elif not side.join(self.shape[j], code) and not self.by_size:
                continue
            at = self.begin[j]
            self.price[at : at + len(side.present)] = side.prices(self.shape[j], size)

    def _costs(self) -> Ints:
        """Give what each remaining row costs; those of the growing class more than any other."""
        cost: Ints = self.price.take(self.cells).sum(axis=0)
        cost[~self.free] = _TAKEN
        return cost

    def _farthest(self) -> int:
        """Find the remaining row that costs most; no class is growing."""
        return int(self.rows[np.argmax(self.price.take(self.cells).sum(axis=0))])


class _Numbers:
    """A numeric attribute: what its values cost to a class."""

    def __init__(self, column: QuasiColumn, attrs: Attributes, j: int) -> None:
        present, self.codes = np.unique(column.codes, return_inverse=True)
        self.present = present.astype(np.int64)
        self.position = attrs.place[attrs.start[j] : attrs.start[j + 1]]
        self.missing, self.reach = column.size, int(attrs.reach[j])
        self.meeting = attrs.rule == MEETING

    def begin(self, shape: Ints, code: int) -> None:
        """Give a class the shape of one record."""
        value = self.present[code]
        shape[:] = value, value, value == self.missing, 0

    def join(self, shape: Ints, code: int) -> bool:
        """Let a record into a shape; say whether what is published changed."""
        lo, hi, starred, _ = shape.tolist()
        value = int(self.present[code])
        if starred or lo <= value <= hi:
            return False
        if value == self.missing:
            shape[2] = 1
        else:
            shape[:2] = min(lo, value), max(hi, value)
        return True

    def prices(self, shape: Ints, size: int) -> Ints:
        """Give what every present value costs to one class."""
        return self.costs(shape, size, self.present)

    def costs(self, shape: Ints, size: Ints | int, value: Ints) -> Ints:
        """Give what values cost to classes: several values to one class, or the other way."""
        lo, hi = self.position[shape[..., 0]], self.position[shape[..., 1]]
        x = self.position[value]
        wide = np.maximum(x, hi) - np.minimum(x, lo)
        if self.meeting:
            hole: Ints | int = self.reach // 2
            starred = hole
        else:
            hole, starred = size * (self.reach - hi + lo), self.reach
            wide = (size + 1) * wide - size * (hi - lo)
        missing, published = value == self.missing, shape[..., 2] == 1
        return np.where(missing, np.where(published, 0, hole), np.where(published, starred, wide))


class _Tree:
    """A categorical attribute: what its values cost to a class."""

    def __init__(self, column: CategoricalColumn, attrs: Attributes, j: int) -> None:
        nodes = slice(attrs.node_start[j], attrs.node_start[j + 1])
        codes, self.codes = np.unique(column.codes, return_inverse=True)
        self.present = attrs.place[attrs.start[j] + codes]  # leaves; a missing cell is at the root
        self.tree = column.hierarchy
        self.depth, self.unit = attrs.depth[nodes], attrs.unit[nodes]
        self.move_start, self.move = attrs.move_start[nodes], attrs.move
        self.rule = attrs.rule
        self.known: dict[int, tuple[Ints, Ints, Ints]] = {}

    def begin(self, shape: Ints, code: int) -> None:
        """Give a class the shape of one record."""
        leaf = self.present[code]
        shape[:] = leaf, 0, 0, 2 * self.unit[leaf]

    def join(self, shape: Ints, code: int) -> bool:
        """Let a record into a shape; say whether what is published changed."""
        node, leaf = int(shape[0]), self.present[code]
        level = self._parts_of(node)[0][code]
        shape[3] += 2 * self.unit[leaf]
        if level == self.depth[node]:
            return False
        shape[0] = self.tree.ancestors[node, level]
        return True

    def prices(self, shape: Ints, size: int) -> Ints:
        """Give what every present value costs to one class."""
        _, own, member = self._parts_of(int(shape[0]))
        return own + member * self._times(shape, size)

    def costs(self, shape: Ints, size: Ints, leaf: Ints) -> Ints:
        """Give what one value costs to each of some classes."""
        _, own, member = self._parts(shape[..., 0], leaf)
        return own + member * self._times(shape, size)

    def _times(self, shape: Ints, size: Ints | int) -> Ints | int:
        """What the members' part of the cost is multiplied by."""
        if self.rule == MEETING:
            return 1
        return size if self.rule == MOVES else shape[..., 3]

    def _parts_of(self, node: int) -> tuple[Ints, Ints, Ints]:
        """The parts of the costs of all present values to a class at a node, kept."""
        if node not in self.known:
            self.known[node] = self._parts(np.array(node), self.present)
        return self.known[node]

    def _parts(self, node: Ints, leaf: Ints) -> tuple[Ints, Ints, Ints]:
        """The depth at which record and class meet; the record's cost; the members' cost."""
        level = self.depth[self.tree.lca(node, leaf)]
        if self.rule == MOVES:
            moves = self.move
            return level, moves[self.move_start[leaf] + level], moves[self.move_start[node] + level]
        own = (self.depth[leaf] - level) * self.unit[leaf]
        steps = self.depth[node] - level
        if self.rule == MEETING:
            return level, own, steps * self.unit[node]
        return level, 2 * own, steps
