"""How different the degrees of the values in a group are."""

from __future__ import annotations

import numpy as np

from shoal.measures._pairs import Pair, require_sensitive
from shoal.measures.base import measure


@measure(better="higher", requires=require_sensitive, protection=True)
def degree_spread(pair: Pair) -> float:
    """Degree spread: how far apart the degrees of a group's different values are, on average.

    It is the standard deviation of the degrees of the different values that a group shows, in a
    sensitive column; averaged over groups and columns. A value's degree is ln(rows / rows that hold
    it), or what the schema says. MICD makes it large, so that no group holds only highly sensitive
    values.

    References
    ----------
    After Zhang, Yang, Zhang, Xie: MICD, 2014, definitions 5 to 7.
    """
    spreads = []
    for name, found in pair.shown.items():
        column = pair.table.sensitive[name]
        degree = np.array(column.degrees(pair.table.schema[name].degrees))[found.value]
        count = np.bincount(found.group)
        mean = np.bincount(found.group, degree) / count
        away = degree - mean[found.group]  # first the mean: no digits are lost
        spreads.append(np.sqrt(np.bincount(found.group, away * away) / count).mean())
    return float(np.mean(spreads))
