"""How far the distribution of a column is from the one that readers rebuild."""

from __future__ import annotations

import numpy as np

from shoal.base.arrays import Floats
from shoal.measures._distances import total_variation
from shoal.measures._margins import margin_of
from shoal.measures._pairs import Pair
from shoal.measures.base import measure


def _columns(pair: Pair) -> Floats:
    margins = (margin_of(pair, column.name) for column in pair.table.quasi)
    return np.array([total_variation(each.before, each.after) for each in margins])


@measure(better="lower", columns=_columns, public="never")
def marginal_distance(pair: Pair) -> float:
    """Marginal distance: which share of a column's rows readers put at the wrong value.

    The total variation between a quasi-identifier's distribution in the original and the one
    that a reader rebuilds, who spreads each cell evenly over what it covers; the mean over the
    columns. Numbers are compared in 10 bins of about as many original rows. A missing cell is
    left out of the original, and a cell that covers every value, such as ``*``, of what is
    rebuilt, unless all cells of the column are such. Rows that are not published are not there.
    Pairs of columns and sensitive ones: `pair_distances`, `column_distances`.
    """
    return float(_columns(pair).mean())
