"""The entropy distances of Gong et al. (2013): what moving a cell up its tree costs.

An inner node is worth Info(v) = −Σ p log p over the leaves under it, a leaf 0; p is the share
of a value among the known cells. Both distances are rounded to a grid of 2⁻²⁰, so that equal
costs are equal everywhere.
"""

from __future__ import annotations

from math import fsum, log

import numpy as np

from shoal.base.arrays import Floats, Ints
from shoal.methods._costs import Costs, differences, paths_up
from shoal.methods._scaling import GRID
from shoal.table import CategoricalColumn


def entropy_change(column: CategoricalColumn) -> Costs:
    """Growth of entropy, as a share of the root's: what the paper's abstract says."""
    info = _info(column, _surprise(column))
    return differences(column.hierarchy, _rounded(info, info[:1]), GRID)


def equation_9(column: CategoricalColumn) -> Costs:
    """Entropy after over entropy before, as printed; a leaf's own is −p log p.

    A node that does not move has a rate of 1 (a leaf 0), so a class pays for being general.
    """
    tree = column.hierarchy
    surprise = _surprise(column)
    info = _info(column, surprise)
    before = info.copy()
    before[tree.leaf_nodes] = surprise
    node, above = paths_up(tree)
    return Costs.over(_rounded(info[above], before[node]), GRID)


def _surprise(column: CategoricalColumn) -> list[float]:
    """−p log p of every leaf; missing cells are not counted."""
    counts = column.counts[:-1].tolist()
    known = sum(counts)
    return [-(count / known) * log(count / known) if count else 0.0 for count in counts]


def _info(column: CategoricalColumn, surprise: list[float]) -> Floats:
    """Sum the leaves under each node; a leaf itself is certain."""
    tree = column.hierarchy
    ends = zip(tree.first_leaf.tolist(), tree.last_leaf.tolist(), strict=True)
    info = np.array([fsum(surprise[first : last + 1]) for first, last in ends])
    info[tree.leaf_nodes] = 0.0
    return info


def _rounded(value: Floats, whole: Floats) -> Ints:
    """Divide and round to steps of the grid; 0/0 is 0."""
    share = np.divide(value, whole, out=np.zeros_like(value), where=whole != 0)
    return np.asarray(np.rint(share * GRID), dtype=np.int64)
