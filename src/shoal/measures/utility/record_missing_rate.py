"""How many records had a missing cell before (RMR of Gong et al., 2013)."""

from __future__ import annotations

from shoal.measures._pairs import Pair
from shoal.measures.base import measure
from shoal.measures.utility.value_missing_rate import missing_shares


@measure(better="lower", columns=missing_shares)
def record_missing_rate(pair: Pair) -> float:
    """Record missing rate (RMR) of Gong et al. (2013): the share of records with a missing cell.

    Only quasi-identifiers count. It is the share of records that ``missing = "drop"``
    removes; of one column, the share that misses it. Of a release, published rows count.

    References
    ----------
    Gong, Yang, Luo: Data anonymization approach for incomplete microdata, 2013.
    """
    return pair.table.missingness.record_rate
