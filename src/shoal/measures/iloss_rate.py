"""The information loss rate of paper 2, in which removed records are paid for."""

from __future__ import annotations

import numpy as np

from shoal.measures.base import CategoryPair, Floats, NumberPair, Pair, measure

__all__ = ["iloss_rate"]


@measure(better="lower")
def iloss_rate(pair: Pair) -> float:
    """Information loss rate of paper 2: the mean share of its domain that a cell covers.

    A number costs (hi − lo + 1) / (range + 1), counted in the column's smallest decimal
    unit, a category the leaves under its node over all leaves; an unchanged cell costs 0,
    never more than 1. A known cell published as ``*`` costs 1, a missing one 0 (it lost
    nothing), and a record that was not published 1 in every quasi-identifier.

    References
    ----------
    Gong, Yang, Luo: Data anonymization approach for incomplete microdata, 2013,
    equations 1–7.
    """
    quasi = len(pair.table.quasi)
    lost = float(pair.total(_cost).sum()) + pair.n_removed * quasi
    return lost / (pair.n_rows * quasi)


def _cost(column: NumberPair | CategoryPair) -> Floats:
    if isinstance(column, NumberPair):
        unit = 10.0**-column.column.decimals if column.column.exact else 0.0
        share = (column.width + unit) / ((column.column.range + unit) or 1.0)
        return np.where(column.unchanged, 0.0, np.minimum(share, 1.0))
    tree = column.column.hierarchy
    share = tree.leaf_counts[column.node] / tree.n_leaves
    return np.where(column.node == column.leaf, 0.0, share)
