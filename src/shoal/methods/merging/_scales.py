"""EBKC's distances as whole numbers: between codes, and the threshold on the same scale."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

import numpy as np

from shoal.base.arrays import Ints
from shoal.kernels.merging.clusters import Scales
from shoal.methods._scaling import FALLBACK, positions, sums_fit, weight_of
from shoal.table import NumericColumn, QuasiColumn

PAIRED_VALUES = 128
"""Attributes of at most so many values have their distances in a table."""

DIGITS = 10**9
"""The threshold is read to nine decimals, so that it is an exact fraction."""

CODES_PER_CELL = 24
"""An attribute has sums where there are at most so many codes per cell that a record would take.

A cell takes as much memory as 8 codes, since half of the hash table is empty.
"""


def cells_of(column: QuasiColumn) -> int:
    """Count the cells that a record takes at most in an attribute."""
    if isinstance(column, NumericColumn):
        return column.size.bit_length()
    return column.hierarchy.height


def width_of(scales: Scales, begins: Ints) -> int:
    """Count the codes of some attributes: those that begin somewhere."""
    return int(np.diff(scales.start)[begins >= 0].sum())


def make_scales(
    columns: Sequence[QuasiColumn], n: int, delta: float, *, per: str
) -> tuple[Scales, Ints]:
    """Scale distances to integers, and the threshold to a mixed number on that scale.

    Exact over the least common denominator of ranges, depths and weights, where the sum of n
    whole distances fits in 64 bits; else numbers go to a grid of 2²⁰ steps over their range
    and steps are rounded to a denominator of 2²⁰ · 720 for the column of the largest weight.
    """
    weights = [weight_of(column) for column in columns]
    common = _denominator(columns, weights)
    exact = sums_fit(common * sum(weights) * 4 * (n + 1))
    if not exact:
        common, weights = FALLBACK, [weight / max(weights) for weight in weights]
    value, cell, reach, parent, depth = [], [], [], [], []
    start, cells = [0], [0]
    for column, weight in zip(columns, weights, strict=True):
        here = cells[-1]
        if isinstance(column, NumericColumn):
            scaled = positions(column, weight * common, exact=exact)
            value.append(np.append(scaled, 0))
            cell.append(np.zeros(column.size + 1, dtype=np.int64))
            reach.append(int(scaled[-1]))
            parent.append(np.full(column.size, -1))
            depth.append(np.zeros(column.size, dtype=np.int64))
        else:
            tree = column.hierarchy
            nodes = np.append(tree.leaf_nodes, 0).astype(np.int64)
            halves = [round(weight * common / (2 * max(t, 1))) for t in range(tree.height + 1)]
            value.append(np.where(nodes == 0, 0, np.array(halves)[tree.depth[nodes]]))
            cell.append(nodes + here)
            reach.append(0)
            parent.append(np.where(tree.parent < 0, -1, tree.parent.astype(np.int64) + here))
            depth.append(tree.depth.astype(np.int64))
        start.append(start[-1] + column.size + 1)
        cells.append(here + len(parent[-1]))
    scales = Scales(
        numeric=np.array([isinstance(column, NumericColumn) for column in columns]),
        start=np.array(start, dtype=np.int64),
        value=np.concatenate(value).astype(np.int64),
        cell=np.concatenate(cell).astype(np.int64),
        reach=np.array(reach, dtype=np.int64),
        cell_start=np.array(cells, dtype=np.int64),
        parent=np.concatenate(parent).astype(np.int64),
        depth=np.concatenate(depth).astype(np.int64),
        column=np.full(len(columns), -1, dtype=np.int64),
        pair=np.zeros(0, dtype=np.int64),
        pair_start=np.zeros(len(columns), dtype=np.int64),
        summed=np.full(len(columns), -1, dtype=np.int64),
    )
    scales = _with_pairs(scales, [CODES_PER_CELL * cells_of(column) for column in columns])
    threshold = Fraction(round(Fraction(str(delta)) * DIGITS), DIGITS)
    if per == "sum":
        threshold /= len(columns)
    whole, part = divmod(threshold * round(sum(weights) * common), 1)
    return scales, np.array([whole, part.numerator, part.denominator], dtype=np.int64)


def _with_pairs(scales: Scales, most: Sequence[int]) -> Scales:
    """Add the distances between any two codes of attributes of few values.

    Those with at most so many codes have sums, too.
    """
    column, pairs = np.full(len(scales.numeric), -1, dtype=np.int64), [np.zeros(0, dtype=np.int64)]
    pair_start, summed = np.zeros_like(column), np.full_like(column, -1)
    width, summed_width = 0, 0
    for j, codes in enumerate(np.diff(scales.start).tolist()):
        pair_start[j] = sum(map(len, pairs))
        if codes <= PAIRED_VALUES + 1:  # one more for missing
            column[j], width = width, width + codes
            pairs.append(_distances(scales, j).ravel())
            if codes <= most[j]:
                summed[j], summed_width = summed_width, summed_width + codes
    pair = np.concatenate(pairs)
    return scales._replace(column=column, pair=pair, pair_start=pair_start, summed=summed)


def _distances(scales: Scales, j: int) -> Ints:
    """Give the distances between any two codes of an attribute; the last code is missing."""
    codes = slice(scales.start[j], scales.start[j + 1])
    cell, value = scales.cell[codes], scales.value[codes]
    if scales.numeric[j]:
        apart = np.abs(value[:, None] - value)
        apart[-1, :] = apart[:, -1] = scales.reach[j] // 2
        apart[-1, -1] = 0
        return np.asarray(apart)
    a, b = np.maximum.outer(cell, cell), np.minimum.outer(cell, cell)
    while (apart := a != b).any():  # the larger number is never above the other
        a[apart] = scales.parent[a[apart]]
        a, b = np.maximum(a, b), np.minimum(a, b)
    own = (scales.depth[cell][:, None] - scales.depth[a]) * value[:, None]
    return np.asarray(own + own.T)


def _denominator(columns: Sequence[QuasiColumn], weights: Sequence[Fraction]) -> int:
    """Find the least common denominator of all distances between two cells, and of halves."""
    denominators = [1]
    for column, weight in zip(columns, weights, strict=True):
        denominators.append(weight.denominator)
        if isinstance(column, NumericColumn):
            denominators.append(2 * (weight / max(column.reach, 1)).denominator)
        else:
            depths = set(column.hierarchy.depth[column.hierarchy.leaf_nodes].tolist()) - {0}
            denominators += [(weight / (2 * depth)).denominator for depth in depths]
    return lcm(*denominators)
