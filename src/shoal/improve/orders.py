"""Orders of points in which near ones come one after another.

All columns' levels, from coarse to fine, are interleaved at random: sorted by the first of them,
then by the second, and so on. Two points that are near in the sense of a loss share many coarse
levels, so in some of several such orders they are neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.base.arrays import Ints
from shoal.table import CategoricalColumn, QuasiColumn

HALVINGS = 10
"""Numbers are halved so many times at most."""


def levels_of(column: QuasiColumn, rows: Ints) -> list[Ints]:
    """Give, from coarse to fine, where in a column some rows are; missing apart."""
    codes = column.codes[rows].astype(np.int64)
    if isinstance(column, CategoricalColumn):
        tree = column.hierarchy
        nodes = np.append(tree.leaf_nodes, 0)[codes]
        levels = [tree.ancestors[nodes, depth].astype(np.int64) for depth in range(tree.height + 1)]
        return [np.where(codes == column.size, -1, level) for level in levels[1:]]
    share = np.append(column.offsets.astype(np.float64) / max(column.reach, 1), 0.0)[codes]
    finest = int(np.ceil(np.log2(max(column.size, 2))))
    made = []
    for halvings in range(1, min(finest, HALVINGS) + 1):
        level = np.minimum((share * 2**halvings).astype(np.int64), 2**halvings - 1)
        made.append(np.where(codes == column.size, -1, level))
    return made


def random_order(levels: Sequence[Sequence[Ints]], rng: np.random.Generator) -> Ints:
    """Sort points by the levels of all columns, interleaved at random.

    Examples
    --------
    >>> sex, zip_code = [np.array([1, 0, 1])], [np.array([0, 0, 0]), np.array([2, 3, 1])]
    >>> random_order([sex, zip_code], np.random.default_rng(1)).tolist()
    [1, 2, 0]
    """
    turns = np.concatenate([np.full(len(each), j) for j, each in enumerate(levels)])
    used = [0] * len(levels)
    keys: list[Ints] = []
    for j in rng.permutation(turns).tolist():
        keys.append(levels[j][used[j]])
        used[j] += 1
    packed = np.zeros(len(keys[0]), dtype=np.int64)
    wide, waiting = 1, []
    for key in keys:
        low, high = int(key.min()), int(key.max())
        if wide * (high - low + 1) >= 2**62:
            waiting.append(packed)
            packed, wide = np.zeros(len(key), dtype=np.int64), 1
        packed = packed * (high - low + 1) + (key - low)
        wide *= high - low + 1
    waiting.append(packed)
    return np.lexsort(waiting[::-1]).astype(np.int64)
