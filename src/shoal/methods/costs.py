"""Distances as exact integers: one common denominator for all attributes of a table.

Ties are common, and float sums break them at random. So a number's position and a
hierarchy's step are scaled by the least common multiple of all ranges, depths and weights.
Where that does not fit in 64 bits, positions go to a grid of 2²⁰ steps over the range and
steps are rounded to a fixed denominator of 2²⁰ · 720: still integers, still the same for
every implementation, but no longer the exact fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm

import numpy as np
import numpy.typing as npt

from shoal.kernels.greedy import Attributes
from shoal.table import CategoricalColumn, NumericColumn, QuasiColumn

__all__ = ["attributes", "denominator"]

GRID = 2**20
FALLBACK = GRID * 720
_LARGEST = 2**62


def denominator(columns: Sequence[QuasiColumn], largest_class: int) -> int | None:
    """Find the least common denominator of all costs; ``None`` if it would overflow."""
    parts = [1]
    for column in columns:
        weight = _weight(column)
        if isinstance(column, NumericColumn):
            reach = int(column.units[-1]) - int(column.units[0])
            parts.append(2 * (weight / max(reach, 1)).denominator)
        else:
            depths = set(column.hierarchy.depth.tolist()) - {0}
            parts += [(weight / (2 * depth)).denominator for depth in depths]
    common = lcm(*parts)
    total = sum(_weight(column) for column in columns)
    return common if common * total * 2 * (largest_class + 1) < _LARGEST else None


def attributes(
    columns: Sequence[QuasiColumn], *, exact_loss: bool, largest_class: int
) -> Attributes:
    """Lay the columns' cost facts end to end for the kernels."""
    common = denominator(columns, largest_class)
    heaviest = max(_weight(column) for column in columns)
    place, reach, nodes = [], [], []
    for column in columns:
        if isinstance(column, NumericColumn):
            positions = _positions(column, common, heaviest)
            place.append(np.append(positions, 0))
            reach.append(int(positions[-1]))
            nodes.append(np.empty((5, 0), dtype=np.int64))
        else:
            tree = column.hierarchy
            place.append(np.append(tree.leaf_nodes, 0).astype(np.int64))
            reach.append(0)
            units = [_step(column, depth, common, heaviest) for depth in tree.depth.tolist()]
            nodes.append(
                np.array([tree.depth, tree.parent, tree.first_leaf, tree.last_leaf, units])
            )
    depth, parent, first, last, unit = np.concatenate(nodes, axis=1).astype(np.int64)
    return Attributes(
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
        exact_loss=exact_loss,
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


def _step(column: CategoricalColumn, depth: int, common: int | None, heaviest: Fraction) -> int:
    """Scale half the cost of one step up from a node of this depth."""
    if depth == 0:
        return 0
    whole = FALLBACK / heaviest if common is None else common
    return round(_weight(column) * whole / (2 * depth))


def _starts(lengths: Iterable[int]) -> npt.NDArray[np.int64]:
    return np.cumsum([0, *lengths], dtype=np.int64)
