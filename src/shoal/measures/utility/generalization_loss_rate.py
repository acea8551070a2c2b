"""The part of the information loss rate that published cells lost."""

from __future__ import annotations

import numpy as np

from shoal.measures.base import CategoryPair, Floats, NumberPair, Pair, measure

__all__ = ["generalization_loss_rate"]


def _columns(pair: Pair) -> Floats:
    return pair.total(_cost) / pair.n_rows


def _cost(column: NumberPair | CategoryPair) -> Floats:
    if isinstance(column, NumberPair):
        unit = 10.0**-column.column.decimals if column.column.exact else 0.0
        share = (column.width + unit) / ((column.column.range + unit) or 1.0)
        return np.where(column.unchanged, 0.0, np.minimum(share, 1.0))
    tree = column.column.hierarchy
    share = tree.leaf_counts[column.node] / tree.n_leaves
    return np.where(column.node == column.leaf, 0.0, share)


@measure(better="lower", columns=_columns, of_published=True)
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
