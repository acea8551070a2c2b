"""The information loss of Jiang et al. (2017)."""

from __future__ import annotations

import numpy as np

from shoal.measures.base import CategoryPair, Floats, NumberPair, Pair, measure

__all__ = ["iloss"]


@measure(better="lower", of_published=True)
def iloss(pair: Pair) -> float:
    """Information loss of Jiang et al. (2017): interval widths and steps up, summed over cells.

    A number costs (hi − lo) / range, a category the share of the way to the root that it
    was moved up. A known cell published as ``*`` costs 1, a missing one 0, and a record
    that was not published 1 per quasi-identifier.

    References
    ----------
    Jiang, Zeng, Ma: Greedy clustering-anonymity method, 2017, section 2.2.
    """
    return float(pair.total(_cost).sum()) + pair.n_removed * len(pair.table.quasi)


def _cost(column: NumberPair | CategoryPair) -> Floats:
    if isinstance(column, NumberPair):
        return np.minimum(column.width / (column.column.range or np.inf), 1.0)
    depth = column.column.hierarchy.depth
    own = depth[column.leaf]
    return np.asarray((own - depth[column.node]) / np.maximum(own, 1))
