"""Records as points of a Euclidean space, for MDAV: coordinates, and what columns count."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

import numpy as np

from shoal.base.arrays import Ints
from shoal.kernels.clustering.squares import BINS, Space, Sums
from shoal.methods._scaling import weight_of
from shoal.table import CategoricalColumn, NumericColumn, QuasiColumn

STEPS = 2**14
"""Numbers that take more steps from the least to the largest go to a grid of so many."""

_DISTANCES_BELOW = 2**61  # factors that are rounded up to 1 have room, too


class _Axes(NamedTuple):
    """The coordinates of one column, and the sums of its records."""

    cell: Ints
    """Per code of the table: that of the space, which tells only places apart."""
    missing_cost: int
    place: Ints
    node: Ints
    bin: Ints
    parent: Ints
    depth: Ints
    first: Ints
    last: Ints
    total: int
    held: Ints
    absent: int
    longest: int
    """The largest squared length of a record."""
    spread: int
    """The variance times n²."""


def space_of(columns: Sequence[QuasiColumn]) -> tuple[Space, Sums, list[Ints]]:
    """Lay out the columns' coordinates for the kernel, and add up all records.

    Gives for each column, too, what becomes of its codes.
    """
    axes = [_numbers(c) if isinstance(c, NumericColumn) else _categories(c) for c in columns]
    starts = np.cumsum([0, *(len(each.place) for each in axes)])
    roots = np.cumsum([0, *(len(each.parent) for each in axes)])
    n = len(columns[0].codes)
    weights = [weight_of(column) for column in columns]
    space = Space(
        numeric=np.array([isinstance(column, NumericColumn) for column in columns]),
        start=starts.astype(np.int64),
        factor=factors(weights, [a.spread for a in axes], [a.longest for a in axes], n),
        missing_cost=np.array([each.missing_cost for each in axes], dtype=np.int64),
        place=np.concatenate([each.place for each in axes]),
        node=np.concatenate([a.node + root for a, root in zip(axes, roots, strict=False)]),
        bin=np.concatenate([each.bin for each in axes]),
        root=roots[:-1].astype(np.int64),
        parent=np.concatenate([a.parent + root for a, root in zip(axes, roots, strict=False)]),
        depth=np.concatenate([each.depth for each in axes]),
        first=np.concatenate([each.first for each in axes]),
        last=np.concatenate([each.last for each in axes]),
    )
    sums = Sums(
        total=np.array([each.total for each in axes], dtype=np.int64),
        held=np.concatenate([each.held for each in axes]),
        weigh=np.zeros(int(roots[-1]), dtype=np.int64),
        absent=np.array([each.absent for each in axes], dtype=np.int64),
    )
    return space, sums, [each.cell for each in axes]


def factors(
    weights: Sequence[Fraction], spreads: Sequence[int], longest: Sequence[int], n: int
) -> Ints:
    """Choose whole factors in the ratio weight / variance: exactly, if sums in 64 bits allow it.

    Otherwise they are the largest that do, rounded down, but never to 0. A column that is the
    same everywhere tells nothing apart and gets 0.

    ``spreads``: the variance of each column, times n². ``longest``: the largest squared length of a
    record in each column.

    Examples
    --------
    The first column spreads four times as much:

    >>> factors([Fraction(1), Fraction(1), Fraction(1)], [8, 2, 0], [4, 1, 1], 2).tolist()
    [1, 4, 0]
    """
    ratios = [
        weight / spread if spread else Fraction(0)
        for weight, spread in zip(weights, spreads, strict=True)
    ]
    # Of N records, N·|x|² − 2·x·S is at most 3N·longest; two records are at most 4·longest apart.
    most = sum((4 * n * r * long for r, long in zip(ratios, longest, strict=True)), Fraction(0))
    if not most:
        return np.zeros(len(ratios), dtype=np.int64)
    known_ratios = [ratio for ratio in ratios if ratio]
    exact = Fraction(
        lcm(*(r.denominator for r in known_ratios)), gcd(*(r.numerator for r in known_ratios))
    )
    scale = exact if exact * most < _DISTANCES_BELOW else _DISTANCES_BELOW / most
    return np.array([max(int(ratio * scale), int(ratio > 0)) for ratio in ratios], dtype=np.int64)


def _numbers(column: NumericColumn) -> _Axes:
    """Let a number run from −reach to reach; a missing one stands at 0, and off the line."""
    reach = max(column.reach, 1)
    offsets = column.offsets
    if reach > STEPS:
        offsets = np.rint(offsets / reach * STEPS).astype(np.uint64)
        reach = STEPS
    every = np.append(2 * offsets.astype(np.int64) - reach, 0)
    place, cell = np.unique(every[:-1], return_inverse=True)  # some fall together on the grid
    place = np.append(place, 0)
    known = column.counts
    missing_cost, absent = 3 * reach * reach, int(known[-1])
    total = int(known @ every)
    squares = int(known @ (every * every)) + absent * missing_cost
    none = np.zeros(1, dtype=np.int64)
    return _Axes(
        cell=np.append(cell.reshape(-1), len(place) - 1).astype(np.int64),
        missing_cost=missing_cost,
        place=place,
        node=np.zeros(len(place), dtype=np.int64),
        bin=np.zeros(len(place), dtype=np.int64),
        parent=none,
        depth=none,
        first=none,
        last=none,
        total=total,
        held=none,
        absent=absent,
        longest=missing_cost,
        spread=len(column.codes) * squares - total * total - missing_cost * absent * absent,
    )


def _categories(column: CategoricalColumn) -> _Axes:
    """Let a category be 1 at each node on its way to the root, without the root."""
    tree = column.hierarchy
    node = np.append(tree.leaf_nodes, 0).astype(np.int64)
    depth, parent = tree.depth.astype(np.int64), np.maximum(tree.parent, 0).astype(np.int64)
    known = column.counts
    missing_cost, absent = max(tree.height, 1), int(known[-1])
    held = np.zeros(tree.n_nodes, dtype=np.int64)
    held[tree.leaf_nodes] = known[:-1]
    for at in range(tree.n_nodes - 1, 0, -1):  # children come after their parent
        held[parent[at]] += held[at]
    held[0] = 0
    squares = int(known[:-1] @ depth[tree.leaf_nodes]) + absent * missing_cost
    lengths = sum(count * count for count in held.tolist()) + missing_cost * absent * absent
    leaves = np.arange(tree.n_leaves)
    few = leaves if tree.n_leaves < BINS else leaves * (BINS - 1) // tree.n_leaves
    return _Axes(
        cell=np.arange(len(node)),
        missing_cost=missing_cost,
        place=depth[node],
        node=node,
        bin=np.append(few, BINS - 1),
        parent=parent,
        depth=depth,
        first=tree.first_leaf.astype(np.int64),
        last=tree.last_leaf.astype(np.int64),
        total=0,
        held=held,
        absent=absent,
        longest=missing_cost,
        spread=len(column.codes) * squares - lengths,
    )
