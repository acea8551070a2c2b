"""The lattice of full-domain generalizations: a level per attribute for the whole table.

Level 0 shows original values, each level above one step of the hierarchy, the last one its
root. A hierarchy of uneven depth is filled upward: a leaf that lies less deep keeps its value
until the level of its own parent is reached. Nodes are not materialised: one is looked at by
its levels, and its classes are rolled up from the smallest known finer node.

Where requirements count people of a population, its tuples are among the finest classes, too, with
their people and no rows. A class without a row is no class of the release: it is never judged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from functools import partial
from math import prod
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Bools, Floats, Ints, Small
from shoal.kernels.collapse import collapse
from shoal.kernels.lattice.roll_up import (
    Finer,
    Workspace,
    gather,
    make_workspace,
    price,
    roll,
    roll_cells,
    tell,
)
from shoal.methods.lattice._judging import Judge, Totals, Verdict
from shoal.methods.lattice._occurrences import Occurrences
from shoal.methods.lattice._snapshots import Levels, Snapshot, Snapshots
from shoal.methods.lattice._subtuples import KEYS_BELOW, SubTupleNumbers, level_cells_of
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.table import CategoricalColumn, Population, Table

HALVED = 2**17
"""From so many classes on, two threads roll up half of them each."""

CLASSES_AT_ONCE = 1000
"""From so many classes on, a node is not rolled up at once."""

TUPLES_PER_CLASS = 8
"""Few classes are one for so many tuples. By cells, as many are rolled up as tuples so often."""

RollKernel: TypeAlias = Callable[..., int]
"""A kernel that rolls up, with what it needs to know of the levels."""


@dataclass(frozen=True, eq=False)
class Node(Totals):
    """What is known of a node of the lattice.

    - ``levels``: a level per attribute.
    - ``extra``: per attribute, by how much suppressed rows cost more than their cells would;
      infinite if that was not asked for.
    - ``adds``: attributes × levels: by how much the lasting ones cost more, at least, than their
      cells would at a level below; ``None`` if that was not asked for, or if there are too many.
    """

    levels: Levels
    extra: Floats
    adds: Floats | None


class Lattice:
    """The lattice of a table, with the requirements that classes must hold.

    - ``costs``: per attribute and level, what a known cell of each code costs, from 0 to 1. Codes
      that become the same cell cost the same.
    - ``bases``: per attribute, what is added for each code at every level above 0; or nothing.
    - ``pinned``: whether requirements that compare a class with others keep what they are given to
      compare with; otherwise with all classes of a node that hold.
    - ``box``: the lowest and the highest node that are looked for; all of them by default.
    """

    def __init__(
        self,
        table: Table,
        require: Sequence[Requirement],
        costs: Sequence[Sequence[Floats]],
        bases: Sequence[Floats] | None = None,
        *,
        pinned: bool = False,
        box: tuple[Levels, Levels] | None = None,
    ) -> None:
        self.table, self.costs = table, costs
        self.require = [each if pinned else each.against(None) for each in require]
        self.evaluated = 0
        self.columns = table.trees
        self.full: Levels = tuple(c.hierarchy.height for c in self.columns)
        self.lowest, self.heights = ((0,) * len(self.full), self.full) if box is None else box
        counted = any("population" in each.needs for each in self.require)
        self.population = table.population if counted else None
        every, codes = _tuples(self.columns, self.population)
        firsts = _firsts(every)
        if any(each.of_table for each in self.require):
            # Of classes as good as each other, such a requirement leaves out the first ones:
            # let these be the ones whose first row comes first.
            firsts, every = _by_first_row(firsts, every)
        self.points, others = every[: table.n_rows], every[table.n_rows :]
        self.level_cells = level_cells_of(
            self.columns, np.stack([c[firsts] for c in codes]).astype(np.int32)
        )
        self.sizes: list[list[int]] = self.level_cells.size.tolist()
        self.flat = np.concatenate([np.concatenate(list(levels)) for levels in costs])
        self.peak = _peak(costs, max(self.full) + 1)
        self.every = np.arange(len(self.heights))
        self.unknown = np.full(len(self.heights), np.inf)
        self.held = np.empty(int(self.level_cells.width.max()))
        self.occurrences = Occurrences(table, self.require, self.points, len(firsts))
        self.many = max(len(firsts) // TUPLES_PER_CLASS, CLASSES_AT_ONCE)
        self.by_cells = TUPLES_PER_CLASS * len(firsts)
        """How many classes are still rolled up by cells."""
        self.bottom = self._finest(bases, None if self.population is None else others)
        self.snapshots = Snapshots(self.bottom, len(self.heights))
        self.subtuples = SubTupleNumbers(self.level_cells, self.full)
        self.buffers = [
            make_workspace(len(firsts)) for _ in range(2 if len(firsts) >= HALVED else 1)
        ]
        self.thread = ThreadPoolExecutor(1)
        self.judge = Judge(table, self.require, self.occurrences)

    def _finest(self, bases: Sequence[Floats] | None, others: Ints | None) -> Snapshot:
        """Make each tuple a class, those of the population (``others``) included."""
        codes = self.level_cells.codes.T
        each = self.table.multiplicity
        rows = np.bincount(self.points, each, minlength=len(codes)).astype(np.int64)
        missing = codes == np.array([column.size for column in self.columns])
        known = rows[:, None] * ~missing if missing.any() else np.zeros((len(rows), 0))
        base = np.zeros((len(rows), 0))
        if bases is not None:
            base = np.stack([each[codes[:, j]] * rows for j, each in enumerate(bases)], axis=1)
        rep = np.arange(len(rows), dtype=np.int32)
        people = np.zeros((len(rows), 0))
        if others is not None:
            people = np.bincount(others, minlength=len(rows)).astype(np.float64)[:, None]
        known = known.astype(np.float64)
        return Snapshot(rep, rows, known, base, self.occurrences.bottom, people)

    @property
    def size(self) -> int:
        """How many nodes there are."""
        ends = zip(self.lowest, self.heights, strict=True)
        return int(np.prod([high - low + 1 for low, high in ends], dtype=object))

    def cells(self, j: int, level: int) -> int:
        """Count the different cells that an attribute shows at a level."""
        at = int(self.level_cells.start[j] + level * self.level_cells.width[j])
        return len(
            np.unique(self.level_cells.up[at + self.level_cells.codes[j, self.bottom.rows > 0]])
        )

    def node_at(
        self,
        levels: Levels,
        most: int | None = None,
        own: int | None = None,
        *,
        tell: bool = False,
        lasting: bool = True,
    ) -> Node:
        """Count the classes of a node.

        - ``most``: where more rows must go, nothing else is worked out; ``None``: whatever must go.
        - ``own``: what suppression costs is worked out for at most so many rows; ``None``: for
          ``most``.
        - ``tell``: whether to work out what the node says of those below.
        - ``lasting``: whether to work out how many rows are suppressed at every node below.
        """
        own = most if own is None else own
        made, rolled = self._classes(levels)
        found = self._judged(made, most, own, lasting=lasting)
        self.evaluated += 1
        extra, adds = self.unknown, None
        if tell and found.lasting and (most is None or found.lasting <= most):
            adds = self._adds_below(levels, made, rolled, found.must)
        if adds is not None and self.judge.by_k:  # just the rows that must go are suppressed
            extra = adds[self.every, levels]
        elif own is None or found.suppressed <= own:
            extra = self._price(levels, made, found.fails)
        totals = {each.name: getattr(found, each.name) for each in fields(Totals)}
        return Node(**totals, levels=levels, extra=extra, adds=adds)

    def grouping(self, levels: Levels) -> Grouping:
        """Label the rows by the classes of a node; those that fail are suppressed."""
        labels = self._labels(levels)
        made, _ = self._classes(levels)
        fails = self._judged(made).fails
        number = np.where(fails, -1, np.cumsum(~fails) - 1)
        grouping = Grouping(number[labels].astype(np.int32))
        if self.population is None:
            return grouping
        people = made.population[~fails, 0].astype(np.int64)
        elsewhere = self.population.n_rows - int(people.sum())
        return replace(grouping, population=people, elsewhere=elsewhere)

    def rows_at(self, levels: Levels) -> tuple[int, int]:
        """Count the rows of a node's classes that hold, and those of which a part could hold."""
        made, _ = self._classes(levels)
        found = self._judged(made)
        self.evaluated += 1
        n = int(made.rows.sum())
        return n - found.suppressed, n - found.lasting

    def take_out(self, levels: Levels) -> tuple[Small, Small]:
        """Take a node's classes that hold out of the table; gives their tuples and classes.

        Nodes are counted over the rows that are left from then on.
        """
        below = self.bottom
        label, rep, rows = self._roll(levels, below)
        held = self.occurrences.roll(below.held, label, len(rep))
        out = ~self.judge(rows, held).fails[label]
        self.bottom = below.only(~out)
        self.snapshots = Snapshots(self.bottom, len(self.heights))
        return below.rep[out], label[out]

    def _judged(
        self,
        made: Snapshot,
        most: int | None = None,
        own: int | None = None,
        *,
        lasting: bool = True,
    ) -> Verdict:
        """Judge the classes of a node that have rows; the others fail, and lose nothing."""
        if self.population is None:
            return self.judge(made.rows, made.held, most, own, lasting=lasting)
        shown = made.rows > 0
        people = made.population[shown, 0].astype(np.int64)
        found = self.judge(
            made.rows[shown],
            tuple(each.only(shown) for each in made.held),
            most,
            own,
            lasting=lasting,
            population=people,
            elsewhere=self.population.n_rows - int(people.sum()),
        )
        fails, must = np.ones(len(shown), dtype=np.bool_), np.zeros(len(shown), dtype=np.int64)
        fails[shown], must[shown] = found.fails, found.must
        return replace(found, fails=fails, must=must)

    def _price(self, levels: Levels, made: Snapshot, which: Bools) -> Floats:
        """Sum, per attribute, by how much suppressed rows cost more than their cells would."""
        extra = np.zeros(len(levels))
        price(
            self.level_cells,
            np.array(levels, dtype=np.int64),
            self.flat,
            made.classes,
            np.flatnonzero(which),
            extra,
        )
        return extra

    def _adds_below(
        self, levels: Levels, made: Snapshot, rolled: _Rolled | None, must: Ints
    ) -> Floats:
        """Sum by how much rows that must go cost more at the levels below."""
        if rolled is None:  # each class from itself
            rolled = _Rolled(levels, made, np.arange(len(made.rep), dtype=np.int32))
        adds = np.zeros_like(self.peak)
        tell(
            self.level_cells,
            np.array(levels, dtype=np.int64),
            np.array(rolled.levels, dtype=np.int64),
            self.flat,
            self.peak,
            rolled.below.classes,
            rolled.label,
            made.classes,
            must,
            self.buffers[0].which,
            self.held,
            adds,
        )
        return adds

    def _classes(self, levels: Levels) -> tuple[Snapshot, _Rolled | None]:
        """Find the classes of a node, and what they were rolled up from if it is new."""
        made = self.snapshots.get(levels)
        if made is not None:
            return made, None
        lower, below = self.snapshots.finer(levels)
        if len(below.rep) > self.many:
            # Nodes near this one are asked for next: they follow from the same one a step below.
            stop = tuple([max(low, at - 1) for low, at in zip(lower, levels, strict=True)])
            if stop not in (lower, levels) and self.snapshots.get(stop) is None:
                self._make(stop, lower, below)
                lower, below = self.snapshots.finer(levels)
        return self._make(levels, lower, below)

    def _make(self, levels: Levels, lower: Levels, below: Snapshot) -> tuple[Snapshot, _Rolled]:
        """Roll a node up from a finer one, and remember it."""
        label, rep, rows = self._roll(levels, below)
        made = Snapshot(
            rep,
            rows,
            _gathered(label, below.known, len(rep)),
            _gathered(label, below.base, len(rep)),
            self.occurrences.roll(below.held, label, len(rep)),
            _gathered(label, below.population, len(rep)),
        )
        self.snapshots.keep(levels, made)
        return made, _Rolled(lower, below, label)

    def _roll(self, levels: Levels, below: Snapshot) -> tuple[Small, Small, Ints]:
        """Find the new class of each old one, and of each new one a tuple and the rows."""
        n, buffer = len(below.rep), self.buffers[0]
        kernel = self._kernel(levels, n)
        label = np.empty(n, dtype=np.int32)
        if len(self.buffers) == 1 or n < HALVED:
            count = _rolled(kernel, buffer, below.rep, below.rows, n, label, 0)
            return label, buffer.rep[:count].copy(), buffer.rows[:count].copy()
        half, other = n // 2, self.buffers[1]
        later = self.thread.submit(
            _rolled, kernel, other, below.rep[half:], below.rows[half:], n, label[half:], 0
        )
        count = _rolled(kernel, buffer, below.rep[:half], below.rows[:half], n, label[:half], 0)
        more = later.result()
        # What the second half found joins the classes of the first one, in the same order.
        union = np.empty(more, dtype=np.int32)
        count = _rolled(kernel, buffer, other.rep[:more], other.rows[:more], n, union, count)
        label[half:] = union[label[half:]]
        return label, buffer.rep[:count].copy(), buffer.rows[:count].copy()

    def _kernel(self, levels: Levels, n: int) -> RollKernel:
        """Choose how so many classes are rolled up.

        To number all tuples by parts pays if classes are rolled up many times.
        """
        if self.by_cells > 0:
            self.by_cells -= n
            sizes = [size[level] for size, level in zip(self.sizes, levels, strict=True)]
            if prod(sizes) < KEYS_BELOW:
                return partial(roll_cells, self.level_cells, np.array(levels, dtype=np.int64))
        return partial(roll, *self.subtuples.at(levels))

    def _labels(self, levels: Levels) -> Small:
        """Number the rows by class, in the order of the snapshot's classes."""
        made, buffer, n = self._classes(levels)[0], self.buffers[0], len(self.bottom.rep)
        kernel = self._kernel(levels, n)
        # The snapshot's own classes come first, so they keep their numbers.
        label, own = np.empty(n, dtype=np.int32), np.empty(len(made.rep), dtype=np.int32)
        count = _rolled(kernel, buffer, made.rep, made.rows, n, own, 0)
        _rolled(kernel, buffer, self.bottom.rep, self.bottom.rows, n, label, count)
        return np.asarray(label[self.points])


@dataclass(frozen=True, eq=False)
class _Rolled:
    """What the classes of a node were rolled up from: a finer node's, and the class of each."""

    levels: Levels
    below: Snapshot
    label: Small


def _rolled(
    kernel: RollKernel, work: Workspace, rep: Small, rows: Ints, most: int, label: Small, count: int
) -> int:
    """Roll classes up, after ``count`` ones that are there already."""
    return int(kernel(Finer(rep, rows, label, most), work, count))


def _tuples(
    columns: Sequence[CategoricalColumn], population: Population | None
) -> tuple[Ints, list[npt.NDArray[np.integer[Any]]]]:
    """Number the tuples of all rows, then of all people; also give their codes by column."""
    codes = [column.codes for column in columns]
    if population is not None:
        codes = [np.concatenate((c.codes, population.codes[c.name])) for c in columns]
    return collapse(codes, [column.size + 1 for column in columns]), codes


def _firsts(points: Ints) -> Ints:
    """Find the first row of each distinct tuple."""
    firsts = np.empty(int(points.max(initial=-1)) + 1, dtype=np.int64)
    firsts[points[::-1]] = np.arange(len(points) - 1, -1, -1)
    return firsts


def _by_first_row(firsts: Ints, points: Ints) -> tuple[Ints, Ints]:
    """Number distinct tuples in the order of their first rows."""
    order = np.argsort(firsts)
    number = np.empty(len(firsts), dtype=np.int64)
    number[order] = np.arange(len(firsts))
    return firsts[order], number[points]


def _peak(costs: Sequence[Sequence[Floats]], levels: int) -> Floats:
    """Find what the costliest cell of each level of each attribute costs."""
    peak = np.zeros((len(costs), levels))
    for j, each in enumerate(costs):
        for level, cost in enumerate(each):
            peak[j, level] = cost[:-1].max(initial=0.0)  # a missing cell costs nothing
    return peak


def _gathered(label: Small, old: Floats, count: int) -> Floats:
    if old.shape[1] == 0:
        return old[:count]
    made = np.zeros((count, old.shape[1]))
    gather(label, old, made, count)
    return made
