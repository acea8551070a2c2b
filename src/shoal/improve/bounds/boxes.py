"""All boxes that a group of k rows may show, by the levels of their columns."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from shoal.base.arrays import Bools, Ints
from shoal.improve.bounds.levels import Level, levels_of
from shoal.kernels.bounds.lowering import Cells, Points
from shoal.kernels.cell_costs import CellCosts
from shoal.kernels.collapse import collapse
from shoal.table import QuasiColumn

VISITED_COMBINATIONS = 20_000
"""How many combinations of levels are visited; the rest is bounded by what the next one costs."""

KEPT_POINTS = 48_000_000
"""How many points of cells are kept from one round to the next."""

_KEYS_BELOW = 2**62


@dataclass(eq=False)
class Boxes:
    """The combinations of levels of a table, from the cheapest on, and their cells.

    ``columns``, ``costs``: the quasi-identifiers as they are published, and what their cells cost.
    ``k``: how many rows a group has at least.
    """

    columns: Sequence[QuasiColumn]
    costs: CellCosts
    k: int
    _kept: dict[int, Cells] = field(default_factory=dict)
    _capacity: int = KEPT_POINTS

    def __post_init__(self) -> None:
        codes = [column.codes for column in self.columns]
        self.point_of_row = collapse(codes, [column.size + 1 for column in self.columns])
        first = np.unique(self.point_of_row, return_index=True)[1]
        self.rows = np.bincount(self.point_of_row).astype(np.int64)
        self.codes = [each[first].astype(np.int64) for each in codes]
        self.levels = [levels_of(self.costs, j, c) for j, c in enumerate(self.columns)]
        self.combinations, self.typical = _cheapest([[x.typical for x in c] for c in self.levels])
        self.nothing = np.zeros(len(self.rows), dtype=np.int64)

    def __len__(self) -> int:
        return min(len(self.combinations), VISITED_COMBINATIONS)

    @property
    def full(self) -> int:
        """What a row pays that shows nothing, or is not published."""
        return int(self.costs.full.sum())

    @cached_property
    def _under(self) -> Ints:
        """By how much, per point, a combination may cost less than is typical of it."""
        total = np.zeros(len(self.rows), dtype=np.int64)
        for codes, levels in zip(self.codes, self.levels, strict=True):
            under = [
                np.where(level.cell >= 0, np.maximum(level.typical - level.cost, 0), 0)
                for level in levels
            ]
            total += np.max(under, axis=0)[codes]
        return total

    def cap(self, combination: int) -> Ints:
        """Give, per point, what a box of this or a later combination costs at least."""
        if combination >= len(self.combinations):
            return np.full(len(self.rows), self.full)
        return np.minimum(np.maximum(self.typical[combination] - self._under, 0), self.full)

    @cached_property
    def least(self) -> Ints:
        """Give, per combination, what it costs any row at least."""
        costs = [np.array([level.least for level in levels]) for levels in self.levels]
        chosen = np.array(self.combinations[: len(self)]).reshape(len(self), len(costs))
        return np.asarray(sum(cost[chosen[:, j]] for j, cost in enumerate(costs)), dtype=np.int64)

    def points(self, combination: int) -> Points:
        """Lay out the numbers that a combination cuts into windows, the longest last."""
        found = self._windows(combination)
        if found not in self._laid:
            self._laid[found] = self._lay_out(found)
        return self._laid[found]

    @cached_property
    def _laid(self) -> dict[tuple[int, ...], Points]:
        return {}

    def _windows(self, combination: int) -> tuple[int, ...]:
        chosen = zip(self.levels, self.combinations[combination], strict=True)
        windows = [j for j, (levels, at) in enumerate(chosen) if levels[at].window]
        return tuple(sorted(windows, key=lambda j: (self.columns[j].size, j)))

    def _lay_out(self, numbers: tuple[int, ...]) -> Points:
        costs, none = self.costs, np.zeros(1, dtype=np.int64)
        if not numbers:  # one of a single code stands in
            flat = np.zeros((1, len(self.rows)), dtype=np.int32)
            return Points(self.rows, flat, none, none, none, none)
        return Points(
            rows=self.rows,
            code=np.stack([self.codes[j].astype(np.int32) for j in numbers]),
            begin=np.array([costs.start[j] for j in numbers]),
            down=costs.down,
            up=costs.up,
            full=np.array([costs.full[j] for j in numbers]),
        )

    def keeps(self, combination: int) -> bool:
        """Say whether the cells of a combination need not be made anew."""
        return combination in self._kept

    def cells(self, combination: int) -> Cells:
        """Make the cells of a combination, or find them."""
        if self.keeps(combination):
            return self._kept[combination]
        made = self._make(combination)
        if self._capacity >= len(made.members):
            self._capacity -= len(made.members)
            self._kept[combination] = made
        return made

    def _make(self, combination: int) -> Cells:
        chosen = self._chosen(combination)
        inside = np.flatnonzero(np.all([level.cell[codes] >= 0 for codes, level in chosen], axis=0))
        key, span = np.zeros(len(inside), dtype=np.int64), 1
        for codes, level in chosen:
            key, span = _joined(key, span, level.cell[codes[inside]], int(level.cell.max()) + 1)
        swept = self.points(combination).code[-1]
        by, _ = _joined(key, span, swept[inside].astype(np.int64), int(swept.max()) + 1)
        order = np.argsort(by, kind="stable")
        inside, key = inside[order], key[order]
        begins = np.flatnonzero(np.append(True, key[1:] != key[:-1])) if len(key) else order
        inside, begins = _only(inside, begins, np.add.reduceat(self.rows[inside], begins) >= self.k)
        for codes, level in chosen:
            if not len(begins):
                break
            finer = level.finer[codes[inside]]
            lowest = np.minimum.reduceat(finer, begins)
            same = (lowest >= 0) & (lowest == np.maximum.reduceat(finer, begins))
            if same.any():
                inside, begins = _only(inside, begins, ~same)
        return Cells(
            members=inside.astype(np.int32),
            starts=np.append(begins, len(inside)).astype(np.int64),
            quiet=np.zeros(len(begins)),
        )

    def own(self, combination: int) -> Ints:
        """Give, per point, what a combination costs it more than the `least`."""
        total = self.nothing
        for codes, level in self._chosen(combination):
            if level.more is not None:
                total = total + level.more[codes]
        return total

    def _chosen(self, combination: int) -> list[tuple[Ints, Level]]:
        return [
            (codes, levels[at])
            for codes, levels, at in zip(
                self.codes, self.levels, self.combinations[combination], strict=True
            )
        ]


def _joined(key: Ints, span: int, more: Ints, wide: int) -> tuple[Ints, int]:
    """Join numbers to keys; keys are numbered anew before they overflow."""
    if span * wide >= _KEYS_BELOW:
        distinct, key = np.unique(key, return_inverse=True)
        key, span = key.astype(np.int64), len(distinct)
    return key * wide + more, span * wide


def _only(inside: Ints, begins: Ints, kept: Bools) -> tuple[Ints, Ints]:
    """Leave out some of the cells."""
    sizes = np.diff(np.append(begins, len(inside)))
    left = sizes[kept]
    return inside[np.repeat(kept, sizes)], np.cumsum(left) - left


def _cheapest(typical: Sequence[Sequence[int]]) -> tuple[list[tuple[int, ...]], list[int]]:
    """List combinations of levels by what is typical of them: all, or the first, and one more."""
    if math.prod(map(len, typical)) <= 8 * VISITED_COMBINATIONS:
        every = itertools.product(*(range(len(each)) for each in typical))
        found = sorted((_sum(typical, each), each) for each in every)[: VISITED_COMBINATIONS + 1]
        return [each for _, each in found], [cost for cost, _ in found]
    start = (0,) * len(typical)
    waiting, found = [(_sum(typical, start), start, 0)], []
    while len(found) <= VISITED_COMBINATIONS and waiting:
        cost, each, last = heapq.heappop(waiting)
        found.append((cost, each))
        for j in range(last, len(each)):  # each combination is come upon once
            if each[j] + 1 < len(typical[j]):
                more = typical[j][each[j] + 1] - typical[j][each[j]]
                heapq.heappush(waiting, (cost + more, (*each[:j], each[j] + 1, *each[j + 1 :]), j))
    return [each for _, each in found], [cost for cost, _ in found]


def _sum(typical: Sequence[Sequence[int]], each: tuple[int, ...]) -> int:
    return sum(costs[at] for costs, at in zip(typical, each, strict=True))
