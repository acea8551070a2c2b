"""How many records had a missing cell before (RMR of Gong et al., 2013)."""

from __future__ import annotations

import numpy as np

from shoal.measures._pairs import Floats, Pair
from shoal.measures.base import measure

__all__ = ["record_missing_rate"]


def _columns(pair: Pair) -> Floats:
    return np.asarray(pair.table.missing.mean(axis=0))


@measure(better="lower", columns=_columns)
def record_missing_rate(pair: Pair) -> float:
    """Record missing rate (RMR) of Gong et al. (2013): the share of records with a missing cell.

    Only quasi-identifiers count. It is the share of records that ``missing = "drop"``
    removes; of one column, the share that misses it. Of a release, published rows count.

    References
    ----------
    Gong, Yang, Luo: Data anonymization approach for incomplete microdata, 2013.
    """
    return pair.table.missingness.record_rate
