"""How many cells were missing before (VMR of Gong et al., 2013)."""

from __future__ import annotations

import numpy as np

from shoal.base.arrays import Floats
from shoal.measures._pairs import Pair
from shoal.measures.base import measure


def missing_shares(pair: Pair) -> Floats:
    """Give the share of missing cells of each quasi-identifier."""
    return np.asarray(pair.table.missing.mean(axis=0))


@measure(better="lower", columns=missing_shares)
def value_missing_rate(pair: Pair) -> float:
    """Value missing rate (VMR): the share of the quasi-identifiers' cells that are missing.

    Other columns do not count. It says nothing about the publication: it is what was
    missing before, to be read beside what anonymization cost. Of a release, published rows count.

    References
    ----------
    Gong, Yang, Luo: Data anonymization approach for incomplete microdata, 2013.
    """
    return pair.table.missingness.value_rate
