"""What the clustering methods' distances cost, laid out for kernels; see `shoal.methods.scaling`.

Everything is scaled by the least common multiple of all ranges, depths and weights. Where values
are far above 1 the rounded denominator is halved until sums fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from shoal.hierarchies import Hierarchy
from shoal.kernels.clustering.shapes import MEETING, MOVES, Attributes
from shoal.methods.scaling import FALLBACK, positions, sums_fit, weight_of
from shoal.table import CategoricalColumn, NumericColumn, QuasiColumn

__all__ = ["Moves", "attributes", "denominator", "differences", "half_steps", "heights"]

Moves: TypeAlias = Callable[[CategoricalColumn], list[list[Fraction]]]
"""Gives, per node of a column's tree and per depth from the root down to the node's own, what
it costs a record to be moved from the node to the one above it at that depth."""


def half_steps(tree: Hierarchy) -> list[Fraction]:
    """Half of one step up, as a share of the node's way to the root; 0 at the root."""
    return [Fraction(1, 2 * depth) if depth else Fraction(0) for depth in tree.depth.tolist()]


def differences(tree: Hierarchy, values: Sequence[Fraction]) -> list[list[Fraction]]:
    """Let a move cost what the value of the node grows by."""
    return [
        [values[above] - values[node] for above in tree.ancestors[node, : depth + 1].tolist()]
        for node, depth in enumerate(tree.depth.tolist())
    ]


def heights(column: CategoricalColumn) -> list[list[Fraction]]:
    """Growth of the height of what lies below, as a share of the tree's (k-member)."""
    tree = column.hierarchy
    below = np.zeros(tree.n_nodes, dtype=np.int64)
    for node in range(tree.n_nodes - 1, 0, -1):  # children come after their parent
        parent = tree.parent[node]
        below[parent] = max(below[parent], below[node] + 1)
    return differences(tree, [Fraction(h, max(tree.height, 1)) for h in below.tolist()])


def denominator(
    columns: Sequence[QuasiColumn], largest_class: int, moves: Moves | None = None
) -> int | None:
    """Find the least common denominator of all costs; ``None`` if it would overflow."""
    return _denominator(columns, largest_class, [_values(column, moves) for column in columns])


def attributes(
    columns: Sequence[QuasiColumn], *, rule: int, largest_class: int, moves: Moves | None = None
) -> Attributes:
    """Lay the columns' cost facts end to end for the kernels.

    Parameters
    ----------
    rule
        How costs add up: a constant of `shoal.kernels.clustering.shapes`.
    largest_class
        The most rows a class can hold; it bounds the sums.
    moves
        With the rule `MOVES`: what moving up a hierarchy costs.
    """
    values = [_values(column, moves) for column in columns]
    common = _denominator(columns, largest_class, values)
    heaviest = max(weight_of(column) for column in columns)
    fallback = _fallback(columns, largest_class, values, heaviest)
    place, reach, nodes, lengths, move = [], [], [], [], []
    apart = True
    for column, mine in zip(columns, values, strict=True):
        if isinstance(column, NumericColumn):
            weight = weight_of(column) * (FALLBACK / heaviest if common is None else common)
            scaled_values = positions(column, weight, exact=common is not None)
            place.append(np.append(scaled_values, 0))
            reach.append(int(scaled_values[-1]))
            nodes.append(np.empty((5, 0), dtype=np.int64))
            present = np.bincount(column.codes, minlength=column.size + 1) > 0
            held = scaled_values[present[:-1]]
            alone = len(held) == 1 and not present[-1]
            apart &= alone or (reach[-1] > 1 and bool((np.diff(held) > 0).all()))
        else:
            tree = column.hierarchy
            place.append(np.append(tree.leaf_nodes, 0).astype(np.int64))
            reach.append(0)
            scale = weight_of(column) * (fallback / heaviest if common is None else common)
            scaled = {value: round(value * scale) for value in {v for row in mine for v in row}}
            units = np.zeros(tree.n_nodes, dtype=np.int64)
            if moves is None:
                units[:] = [scaled[value] for (value,) in mine]
                apart &= bool((units[tree.depth > 0] > 0).all())
            else:
                lengths += [len(row) for row in mine]
                move += [scaled[value] for row in mine for value in row]
                apart &= _are_apart(column, mine, scaled)
            nodes.append(
                np.array([tree.depth, tree.parent, tree.first_leaf, tree.last_leaf, units])
            )
    depth, parent, first, last, unit = np.concatenate(nodes, axis=1).astype(np.int64)
    made = Attributes(
        rule=rule,
        numeric=np.array([isinstance(column, NumericColumn) for column in columns]),
        start=_starts(len(part) for part in place),
        place=np.concatenate(place),
        reach=np.array(reach, dtype=np.int64),
        node_start=_starts(part.shape[1] for part in nodes),
        depth=depth,
        parent=parent,
        first=first,
        last=last,
        unit=unit,
        near=np.zeros(len(unit), dtype=np.int64),
        far=np.zeros(len(unit), dtype=np.int64),
        move_start=np.zeros(len(unit) + 1, dtype=np.int64) if moves is None else _starts(lengths),
        move=np.array(move or [0], dtype=np.int64),
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


def _values(column: QuasiColumn, moves: Moves | None) -> list[list[Fraction]]:
    """List a column's costs: per node its half step, or its moves."""
    if isinstance(column, NumericColumn):
        return []
    if moves is None:
        return [[value] for value in half_steps(column.hierarchy)]
    return moves(column)


def _denominator(
    columns: Sequence[QuasiColumn], largest_class: int, values: Sequence[list[list[Fraction]]]
) -> int | None:
    parts = [1]
    for column, mine in zip(columns, values, strict=True):
        weight = weight_of(column)
        if isinstance(column, NumericColumn):
            parts.append(2 * (weight / max(column.reach, 1)).denominator)
        else:
            parts += {(weight * v).denominator for v in {v for row in mine for v in row}}
    common = lcm(*parts)
    most = _largest_cost(columns, largest_class, values)
    return common if sums_fit(common * most) else None


def _fallback(
    columns: Sequence[QuasiColumn],
    largest_class: int,
    values: Sequence[list[list[Fraction]]],
    heaviest: Fraction,
) -> int:
    """Choose the denominator of rounded costs; halved until the largest sum fits."""
    most = _largest_cost(columns, largest_class, values) / heaviest
    scale = FALLBACK
    while scale > 1 and not sums_fit(scale * most):
        scale //= 2
    return scale


def _largest_cost(
    columns: Sequence[QuasiColumn], largest_class: int, values: Sequence[list[list[Fraction]]]
) -> Fraction:
    """Bound the cost of a record to a class: a value is 1 or, by ratios, more."""
    most = [max((max(row) for row in mine), default=Fraction(1)) for mine in values]
    total = sum(weight_of(c) * max(m, Fraction(1)) for c, m in zip(columns, most, strict=True))
    return 2 * (largest_class + 1) * Fraction(total)


def _are_apart(
    column: CategoricalColumn, moves: list[list[Fraction]], scaled: dict[Fraction, int]
) -> bool:
    """Say whether a known value cannot meet another one, or a missing cell, at no cost."""
    tree = column.hierarchy
    present = np.bincount(column.codes, minlength=column.size + 1)
    several = tree.leaf_counts > 1
    several[0] |= present[column.size] > 0
    return all(
        scaled[value] > 0
        for node in tree.leaf_nodes[present[:-1] > 0].tolist()
        for value, above in zip(moves[node], tree.ancestors[node].tolist(), strict=False)
        if several[above] and (above != node or node == 0)
    )


def _starts(lengths: Iterable[int]) -> npt.NDArray[np.int64]:
    return np.cumsum([0, *lengths], dtype=np.int64)
