"""The part of the information loss rate that published cells lost."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from shoal.base.arrays import Floats
from shoal.measures._additive import Additive, NumberCost, TreeCost
from shoal.measures._pairs import CategoryPair, NumberPair, Pair, require_covering
from shoal.measures.base import measure
from shoal.table import CategoricalColumn, NumericColumn, Table


def _number(column: NumericColumn) -> NumberCost:
    unit = Fraction(1, 10**column.decimals) if column.exact else Fraction(0)
    return NumberCost(unit, column.exact_range + unit)


def _tree(column: CategoricalColumn) -> TreeCost:
    tree = column.hierarchy
    shares = [Fraction(leaves, tree.n_leaves) for leaves in tree.leaf_counts.tolist()]
    for leaf in tree.leaf_nodes.tolist():
        shares[leaf] = Fraction(0)
    return TreeCost.same_for_all(shares, tree.n_leaves)


def _weights(table: Table) -> list[Fraction]:
    return [Fraction(1, table.n_rows * len(table.quasi))] * len(table.quasi)


ADDITIVE = Additive(_number, _tree, _weights)


def generalized(pair: Pair) -> Floats:
    """Give the loss of each quasi-identifier."""
    return pair.total(_cost) / pair.n_rows


def _cost(column: NumberPair | CategoryPair) -> Floats:
    if isinstance(column, NumberPair):
        unit = 10.0**-column.column.decimals if column.column.exact else 0.0
        share = (column.width + unit) / ((column.column.range + unit) or 1.0)
        return np.where(column.unchanged, 0.0, np.minimum(share, 1.0))
    share = column.leaf_counts / column.column.hierarchy.n_leaves
    return np.where(column.unchanged, 0.0, share)


@measure(better="lower", columns=generalized, requires=require_covering, of_published=True)
def generalization_loss_rate(pair: Pair) -> float:
    """Generalization loss rate: the part of iloss_rate that published cells lost.

    Cells cost what they cost in `iloss_rate`; records that were not published cost nothing
    here (see `suppression_loss_rate`). The two add up to `iloss_rate`.

    References
    ----------
    Gong, Yang, Luo: Data anonymization approach for incomplete microdata, 2013,
    equations 6 and 7.
    """
    return float(pair.total(_cost).sum()) / (pair.n_rows * len(pair.table.quasi))
