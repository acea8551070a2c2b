"""Distances as exact integers: one common denominator for all attributes of a table.

Ties are common, and float sums break them at random. So a number's position and a node's
value are scaled by the least common multiple of all ranges, depths and weights. Where that
does not fit in 64 bits, positions go to a grid of 2²⁰ steps over the range and node values
are rounded to a fixed denominator of 2²⁰ · 720, the heaviest attribute weighing 1: still
integers, still the same for every implementation, but no longer the exact fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from shoal.hierarchies import Hierarchy
from shoal.kernels.shapes import POTENTIAL, Attributes
from shoal.table import NumericColumn, QuasiColumn

__all__ = ["NodeValues", "attributes", "denominator", "half_steps", "heights"]

GRID = 2**20
FALLBACK = GRID * 720
_LARGEST = 2**62

NodeValues: TypeAlias = Callable[[Hierarchy], list[Fraction]]
"""Gives each node of a tree its value, in units of the whole way from a leaf to the root."""


def half_steps(tree: Hierarchy) -> list[Fraction]:
    """Half of one step up, as a share of the node's way to the root; 0 at the root."""
    return [Fraction(1, 2 * depth) if depth else Fraction(0) for depth in tree.depth.tolist()]


def heights(tree: Hierarchy) -> list[Fraction]:
    """The height of what lies below a node, as a share of the tree's (k-member)."""
    below = np.zeros(tree.n_nodes, dtype=np.int64)
    for node in range(tree.n_nodes - 1, 0, -1):  # children come after their parent
        parent = tree.parent[node]
        below[parent] = max(below[parent], below[node] + 1)
    return [Fraction(height, max(tree.height, 1)) for height in below.tolist()]


def denominator(
    columns: Sequence[QuasiColumn], largest_class: int, values: NodeValues = half_steps
) -> int | None:
    """Find the least common denominator of all costs; ``None`` if it would overflow."""
    parts = [1]
    for column in columns:
        weight = _weight(column)
        if isinstance(column, NumericColumn):
            reach = int(column.units[-1]) - int(column.units[0])
            parts.append(2 * (weight / max(reach, 1)).denominator)
        else:
            parts += {(weight * value).denominator for value in set(values(column.hierarchy))}
    common = lcm(*parts)
    total = sum(_weight(column) for column in columns)
    return common if common * total * 2 * (largest_class + 1) < _LARGEST else None


def attributes(
    columns: Sequence[QuasiColumn],
    *,
    rule: int,
    largest_class: int,
    values: NodeValues = half_steps,
) -> Attributes:
    """Lay the columns' cost facts end to end for the kernels.

    Parameters
    ----------
    rule
        How costs add up: a constant of `shoal.kernels.shapes`.
    largest_class
        The most rows a class can hold; it bounds the sums.
    values
        What a node of a hierarchy is worth.
    """
    common = denominator(columns, largest_class, values)
    heaviest = max(_weight(column) for column in columns)
    place, reach, nodes = [], [], []
    apart = True
    for column in columns:
        if isinstance(column, NumericColumn):
            positions = _positions(column, common, heaviest)
            place.append(np.append(positions, 0))
            reach.append(int(positions[-1]))
            nodes.append(np.empty((5, 0), dtype=np.int64))
            alone = len(positions) == 1 and not bool((column.codes == column.size).any())
            apart &= alone or (reach[-1] > 1 and bool((np.diff(positions) > 0).all()))
        else:
            tree = column.hierarchy
            place.append(np.append(tree.leaf_nodes, 0).astype(np.int64))
            reach.append(0)
            scale = _weight(column) * (FALLBACK / heaviest if common is None else common)
            units = [round(value * scale) for value in values(tree)]
            nodes.append(
                np.array([tree.depth, tree.parent, tree.first_leaf, tree.last_leaf, units])
            )
            counted = tree.leaf_counts > 1 if rule == POTENTIAL else tree.depth > 0
            apart &= bool((nodes[-1][4][counted] > 0).all())
    depth, parent, first, last, unit = np.concatenate(nodes, axis=1).astype(np.int64)
    return Attributes(
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
        apart=apart,
    )


def _weight(column: QuasiColumn) -> Fraction:
    return Fraction(str(column.weight))


def _positions(
    column: NumericColumn, common: int | None, heaviest: Fraction
) -> npt.NDArray[np.int64]:
    """Scale a numeric column's values: the cost of an interval is hi less lo."""
    # As unsigned numbers: the ends of int64 lie farther apart than int64 holds.
    offsets = column.units.astype(np.uint64) - column.units[:1].astype(np.uint64)
    reach = int(offsets[-1])
    if reach == 0:
        return np.zeros(len(offsets), dtype=np.int64)
    if common is not None:
        return np.asarray(offsets.astype(np.int64) * int(_weight(column) * common / reach))
    steps = np.rint(offsets / reach * GRID).astype(np.int64)
    return np.asarray(steps * (2 * round(_weight(column) / heaviest * FALLBACK / GRID / 2)))


def _starts(lengths: Iterable[int]) -> npt.NDArray[np.int64]:
    return np.cumsum([0, *lengths], dtype=np.int64)
