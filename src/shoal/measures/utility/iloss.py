"""The information loss of Jiang et al. (2017)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from shoal.base.arrays import Floats
from shoal.measures._additive import Additive, NumberCost, TreeCost
from shoal.measures._pairs import CategoryPair, NumberPair, Pair, require_covering
from shoal.measures.base import measure
from shoal.table import CategoricalColumn


def _tree(column: CategoricalColumn) -> TreeCost:
    """Steps up over the way to the root: 1 − depth / own depth."""
    tree = column.hierarchy
    own = [int(tree.depth[node]) for node in tree.leaf_nodes]
    if not tree.height:
        return TreeCost.same_for_all([Fraction(0)], 1)
    mass = [Fraction(1, depth) for depth in own]
    if len(set(own)) == 1:
        share = [1 - depth * mass[0] for depth in tree.depth.tolist()]
        return TreeCost.same_for_all(share, len(own))
    slope = [Fraction(-depth) for depth in tree.depth.tolist()]
    return TreeCost([Fraction(1)] * tree.n_nodes, slope, mass)


@measure(
    better="lower",
    requires=require_covering,
    of_published=True,
    additive=Additive(NumberCost.of_width, _tree, lambda table: [Fraction(1)] * len(table.quasi)),
)
def iloss(pair: Pair) -> float:
    """Information loss of Jiang et al. (2017): interval widths and steps up, summed over cells.

    A number costs (hi − lo) / range, a category the share of the way to the root that it
    was moved up; a set of values costs what the lowest node above them does. A known cell
    published as ``*`` costs 1, a missing one 0, and a record that was not published 1 per
    quasi-identifier.

    References
    ----------
    Jiang, Zeng, Ma: Greedy clustering-anonymity method, 2017, section 2.2.
    """
    return float(pair.total(_cost).sum()) + pair.n_removed * len(pair.table.quasi)


def _cost(column: NumberPair | CategoryPair) -> Floats:
    if isinstance(column, NumberPair):
        return column.share
    depth = column.column.hierarchy.depth
    own = depth[column.leaf]
    return np.asarray((own - depth[column.node]) / np.maximum(own, 1))
