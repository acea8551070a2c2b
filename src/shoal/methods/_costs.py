"""What the clustering methods' distances cost, laid out for kernels; see `shoal.methods._scaling`.

Everything is scaled by the least common multiple of all ranges, depths and weights. Where values
are far above 1 the rounded denominator is halved until sums fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple, TypeAlias

import numpy as np

from shoal.base.arrays import Ints, Small
from shoal.kernels.clustering.shapes import MEETING, MOVES, Attributes
from shoal.methods._scaling import FALLBACK, positions, sums_fit, weight_of
from shoal.table import CategoricalColumn, NumericColumn, QuasiColumn
from shoal.table.hierarchies import Hierarchy


class Costs(NamedTuple):
    """What moving up a tree costs: few different values, and where each stands.

    Entries are laid end to end, node after node: one for its half step, or one for each depth
    from the root down to the node's own.
    """

    values: Sequence[Fraction]
    """The different values."""
    which: Ints
    """Per entry: the place of its value."""

    @classmethod
    def over(cls, numerators: Ints, denominator: int) -> Costs:
        """Make costs of whole numbers over one denominator."""
        different, which = np.unique(numerators, return_inverse=True)
        values = [Fraction(number, denominator) for number in different.tolist()]
        return cls(values, which.astype(np.int64))


Moves: TypeAlias = Callable[[CategoricalColumn], Costs]
"""Gives, per node of a column's tree and per depth from the root down to the node's own, what
it costs a record to be moved from the node to the one above it at that depth."""


def half_steps(tree: Hierarchy) -> Costs:
    """Half of one step up, as a share of the node's way to the root; 0 at the root."""
    values = [Fraction(1, 2 * depth) if depth else Fraction(0) for depth in range(tree.height + 1)]
    return Costs(values, tree.depth.astype(np.int64))


def paths_up(tree: Hierarchy) -> tuple[Ints, Ints]:
    """List every node with each node above it, from the root down to itself."""
    node = np.repeat(np.arange(tree.n_nodes), tree.depth + 1)
    begins = np.cumsum(tree.depth + 1) - tree.depth - 1
    depth = np.arange(len(node)) - begins[node]
    return node, tree.ancestors[node, depth].astype(np.int64)


def differences(tree: Hierarchy, values: Ints, denominator: int) -> Costs:
    """Let a move cost what the value of the node grows by."""
    node, above = paths_up(tree)
    return Costs.over(values[above] - values[node], denominator)


def heights(column: CategoricalColumn) -> Costs:
    """Growth of the height of what lies below, as a share of the tree's (k-member)."""
    tree = column.hierarchy
    below = np.zeros(tree.n_nodes, dtype=np.int64)
    for level in range(tree.height, 0, -1):
        nodes = np.flatnonzero(tree.depth == level)
        np.maximum.at(below, tree.parent[nodes], below[nodes] + 1)
    return differences(tree, below, max(tree.height, 1))


def attributes(
    columns: Sequence[QuasiColumn], *, rule: int, largest_class: int, moves: Moves | None = None
) -> Attributes:
    """Lay the columns' cost facts end to end for the kernels.

    - ``rule``: how costs add up: a constant of `shoal.kernels.clustering.shapes`.
    - ``largest_class``: the most rows a class can hold; it bounds the sums.
    - ``moves``: with the rule `MOVES`: what moving up a hierarchy costs.
    """
    values = [_values(column, moves) for column in columns]
    common = denominator(columns, largest_class, values)
    heaviest = max(weight_of(column) for column in columns)
    most, fallback = _largest_cost(columns, largest_class, values) / heaviest, FALLBACK
    while fallback > 1 and not sums_fit(fallback * most):  # the denominator of rounded costs
        fallback //= 2
    place, reach, nodes = [], [], []
    lengths: list[Small] = []
    move: list[Ints] = []
    apart = True
    for column, mine in zip(columns, values, strict=True):
        if isinstance(column, NumericColumn):
            weight = weight_of(column) * (FALLBACK / heaviest if common is None else common)
            scaled_values = positions(column, weight, exact=common is not None)
            place.append(np.append(scaled_values, 0))
            reach.append(int(scaled_values[-1]))
            nodes.append(np.empty((5, 0), dtype=np.int64))
            present = column.counts > 0
            held = scaled_values[present[:-1]]
            alone = len(held) == 1 and not present[-1]
            apart &= alone or (reach[-1] > 1 and bool((np.diff(held) > 0).all()))
        else:
            tree = column.hierarchy
            place.append(np.append(tree.leaf_nodes, 0).astype(np.int64))
            reach.append(0)
            scale = weight_of(column) * (fallback / heaviest if common is None else common)
            scaled = np.array([round(value * scale) for value in mine.values], dtype=np.int64)
            units = np.zeros(tree.n_nodes, dtype=np.int64)
            if moves is None:
                units[:] = scaled[mine.which]
                apart &= bool((units[tree.depth > 0] > 0).all())
            else:
                lengths.append(tree.depth + 1)
                move.append(scaled[mine.which])
                apart &= _are_apart(column, move[-1])
            nodes.append(
                np.array([tree.depth, tree.parent, tree.first_leaf, tree.last_leaf, units])
            )
    depth, parent, first, last, unit = np.concatenate(nodes, axis=1).astype(np.int64)
    made = Attributes(
        rule=rule,
        numeric=np.array([isinstance(column, NumericColumn) for column in columns]),
        start=_starts(len(each) for each in place),
        place=np.concatenate(place),
        reach=np.array(reach, dtype=np.int64),
        node_start=_starts(each.shape[1] for each in nodes),
        depth=depth,
        parent=parent,
        first=first,
        last=last,
        unit=unit,
        near=np.zeros(len(unit), dtype=np.int64),
        far=np.zeros(len(unit), dtype=np.int64),
        move_start=_starts(np.concatenate(lengths))
        if lengths
        else np.zeros(len(unit) + 1, dtype=np.int64),
        move=np.concatenate(move) if move else np.zeros(1, dtype=np.int64),
        apart=apart,
    )
    for j, column in enumerate(columns):
        if isinstance(column, CategoricalColumn):
            _bound_moves(made, j, column.hierarchy)
    return made


def _bound_moves(attrs: Attributes, j: int, tree: Hierarchy) -> None:
    """Write what moving up to a node costs the values below it, at least and at most."""
    mine = slice(attrs.node_start[j], attrs.node_start[j + 1])
    near, far = attrs.near[mine], attrs.far[mine]
    near[:], far[:] = np.iinfo(np.int64).max, 0
    for level in range(tree.height + 1):
        leaves = tree.leaf_nodes[tree.depth[tree.leaf_nodes] >= level]
        if attrs.rule == MOVES:
            cost = attrs.move[attrs.move_start[mine.start + leaves] + level]
        else:
            times = 1 if attrs.rule == MEETING else 2
            cost = times * (tree.depth[leaves] - level) * attrs.unit[mine][leaves]
        # Leaves come depth first, so those of a node lie side by side.
        above, begins = np.unique(tree.ancestors[leaves, level], return_index=True)
        near[above] = np.minimum.reduceat(cost, begins)
        far[above] = np.maximum.reduceat(cost, begins)


def _values(column: QuasiColumn, moves: Moves | None) -> Costs:
    """List a column's costs: per node its half step, or its moves."""
    if isinstance(column, NumericColumn):
        return Costs([], np.zeros(0, dtype=np.int64))
    return half_steps(column.hierarchy) if moves is None else moves(column)


def denominator(
    columns: Sequence[QuasiColumn], largest_class: int, values: Sequence[Costs] | None = None
) -> int | None:
    """Find the least common denominator of all costs; ``None`` if it would overflow."""
    values = values or [_values(column, None) for column in columns]
    denominators = [1]
    for column, mine in zip(columns, values, strict=True):
        weight = weight_of(column)
        if isinstance(column, NumericColumn):
            denominators.append(2 * (weight / max(column.reach, 1)).denominator)
        else:
            denominators += {(weight * value).denominator for value in mine.values}
    common = lcm(*denominators)
    most = _largest_cost(columns, largest_class, values)
    return common if sums_fit(common * most) else None


def _largest_cost(
    columns: Sequence[QuasiColumn], largest_class: int, values: Sequence[Costs]
) -> Fraction:
    """Bound the cost of a record to a class: a value is 1 or, by ratios, more."""
    most = [max(mine.values, default=Fraction(1)) for mine in values]
    total = sum(weight_of(c) * max(m, Fraction(1)) for c, m in zip(columns, most, strict=True))
    return 2 * (largest_class + 1) * Fraction(total)


def _are_apart(column: CategoricalColumn, move: Ints) -> bool:
    """Say whether a known value cannot meet another one, or a missing cell, at no cost."""
    tree = column.hierarchy
    present = column.counts > 0
    several = tree.leaf_counts > 1
    several[0] |= present[-1]
    known = np.zeros(tree.n_nodes, dtype=np.bool_)
    known[tree.leaf_nodes] = present[:-1]
    node, above = paths_up(tree)
    meets = known[node] & several[above] & ((above != node) | (node == 0))
    return bool((move[meets] > 0).all())


def _starts(lengths: Iterable[int]) -> Ints:
    return np.concatenate(([0], np.cumsum(np.fromiter(lengths, dtype=np.int64))))
