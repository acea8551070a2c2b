"""The loss metric of Iyengar (2002)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from shoal.base.arrays import Floats
from shoal.measures._additive import Additive, NumberCost, TreeCost, decimal
from shoal.measures._pairs import CategoryPair, NumberPair, Pair, require_covering
from shoal.measures.base import measure
from shoal.table import CategoricalColumn, Table


def _tree(column: CategoricalColumn) -> TreeCost:
    tree, whole = column.hierarchy, max(column.hierarchy.n_leaves - 1, 1)
    shares = [Fraction(leaves - 1, whole) for leaves in tree.leaf_counts.tolist()]
    return TreeCost.same_for_all(shares, tree.n_leaves)


def _weights(table: Table) -> list[Fraction]:
    made = [decimal(column.weight) for column in table.quasi]
    return [weight / sum(made) / table.n_rows for weight in made]


@measure(
    better="lower",
    requires=require_covering,
    of_published=True,
    additive=Additive(NumberCost.of_width, _tree, _weights),
)
def loss(pair: Pair) -> float:
    """Loss of Iyengar: how much of its domain a cell covers, weighted over the columns.

    A number costs (hi − lo) / range, a category (leaves under its node − 1) / (leaves − 1), or
    (values in its set − 1) / (leaves − 1).
    A record that was not published costs 1 in every column. The columns' means are added by
    the schema's weights, which are scaled to sum to 1, so the loss lies between 0 and 1.

    References
    ----------
    V. Iyengar: Transforming data to satisfy privacy constraints, KDD 2002.
    """
    weights = np.array([column.weight for column in pair.table.quasi])
    return float(weights @ column_losses(pair) / weights.sum())


def column_losses(pair: Pair) -> Floats:
    """Give the mean loss of each quasi-identifier, in the table's order."""
    return (pair.total(_cost) + pair.n_removed) / pair.n_rows


def _cost(column: NumberPair | CategoryPair) -> Floats:
    if isinstance(column, NumberPair):
        return column.share
    return np.asarray((column.leaf_counts - 1) / max(column.column.hierarchy.n_leaves - 1, 1))
