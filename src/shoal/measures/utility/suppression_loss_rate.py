"""The part of the information loss rate that removed records lost."""

from __future__ import annotations

import numpy as np

from shoal.base.arrays import Floats
from shoal.measures._pairs import Pair
from shoal.measures.base import measure


def _columns(pair: Pair) -> Floats:
    return np.full(len(pair.table.quasi), pair.n_removed / pair.n_rows)


@measure(better="lower", columns=_columns)
def suppression_loss_rate(pair: Pair) -> float:
    """Suppression loss rate: the share of records that were not published.

    A record that is dropped for a missing cell, or that a method cannot place, loses all
    its cells, the missing ones included. With `generalization_loss_rate` it adds up to
    `iloss_rate`.

    References
    ----------
    Gong, Yang, Luo: Data anonymization approach for incomplete microdata, 2013,
    equations 6 and 7.
    """
    return pair.n_removed / pair.n_rows
