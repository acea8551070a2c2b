"""How far up a column a group may show: levels, what they unite, and what they cost.

A group shows one cell per column. In a tree that is a node, and its depth is the level: the rows
under one node of that depth may be in a group that shows it. Where cells are missing, ``*`` is one
more level, which unites all rows. A number is cut into windows later; its only levels are the
known ones and, where cells are missing, ``*``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.base.arrays import Ints
from shoal.kernels.cell_costs import CellCosts
from shoal.table import CategoricalColumn, NumericColumn, QuasiColumn

OUTSIDE = -1
"""No cell: rows that hold such a code show no cell of this level."""

NEEDED = -1
"""No finer cell: rows that hold such a code need this level."""


@dataclass(frozen=True, eq=False)
class Level:
    """What the codes of a column (the last one is missing) become at a level.

    - ``cell``: the cell that a code is under, or `OUTSIDE`.
    - ``finer``: the cell of the next finer level, or `NEEDED`. Rows that agree in it show a finer
      cell, so a group that consists of them is looked at there.
    - ``cost``: what the cell costs a row of that code.
    - ``typical``: what it costs a row in the middle; levels are visited by it.
    - ``window``: whether numbers are cut into windows.
    """

    cell: Ints
    finer: Ints
    cost: Ints
    typical: int
    window: bool = False

    @cached_property
    def least(self) -> int:
        """What the level costs any row at least."""
        return int(self.cost[self.cell >= 0].min())

    @cached_property
    def more(self) -> Ints | None:
        """What it costs a row of each code more than that; ``None`` if nothing."""
        more = np.where(self.cell >= 0, self.cost - self.least, 0)
        return more if more.any() else None


def levels_of(costs: CellCosts, j: int, column: QuasiColumn) -> list[Level]:
    """List the levels of a column, the finest first."""
    held = np.bincount(column.codes.astype(np.int64), minlength=column.size + 1)
    made = [] if column.size == 0 else list(_known(costs, j, column, held))
    if held[column.size]:
        made.append(_star(int(costs.full[j]), held))
    return sorted(made, key=lambda level: level.typical)


def _known(costs: CellCosts, j: int, column: QuasiColumn, held: Ints) -> Iterator[Level]:
    """List the levels of rows whose cell is known."""
    known = column.size
    nowhere = np.append(np.zeros(known, dtype=np.int64), OUTSIDE)
    needed = np.full(known + 1, NEEDED)
    if isinstance(column, NumericColumn):
        yield Level(nowhere, needed, nowhere * 0, 0, window=True)
        return
    assert isinstance(column, CategoricalColumn)
    tree = column.hierarchy
    leaf = tree.leaf_nodes.astype(np.int64)
    own = tree.depth[leaf]
    mass = costs.mass[costs.start[j] : costs.start[j] + known]
    for depth in range(int(own[held[:known] > 0].max(initial=0)), -1, -1):
        inside = own >= depth
        node = tree.ancestors[leaf, depth].astype(np.int64)
        finer = tree.ancestors[leaf, min(depth + 1, tree.height)].astype(np.int64)
        place = costs.first[j] + node + 1  # the first one is *
        cost = np.maximum(costs.base[place] + costs.slope[place] * mass, 0)
        yield Level(
            cell=np.append(np.where(inside, node, OUTSIDE), OUTSIDE),
            finer=np.append(np.where(own == depth, NEEDED, finer), NEEDED),
            cost=np.append(cost, 0),
            typical=_middle(cost, held[:known] * inside),
        )


def _star(full: int, held: Ints) -> Level:
    """Let all rows show ``*``: known cells lose all, missing ones nothing."""
    flat = np.zeros(len(held), dtype=np.int64)
    cost, finer = flat + full, flat.copy()
    cost[-1], finer[-1] = 0, NEEDED
    return Level(flat, finer, cost, full)


def _middle(cost: Ints, held: Ints) -> int:
    """Give the median cost of the rows."""
    if not held.any():
        return int(cost.max(initial=0))
    order = np.argsort(cost, kind="stable")
    below = np.cumsum(held[order])
    return int(cost[order[np.searchsorted(below, (below[-1] + 1) // 2)]])
