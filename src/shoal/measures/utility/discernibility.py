"""The discernibility metric of Bayardo and Agrawal (2005)."""

from __future__ import annotations

from shoal.measures._pairs import Pair
from shoal.measures.base import measure


@measure(better="lower", of_published=True)
def discernibility(pair: Pair) -> float:
    """Discernibility: each record pays the size of its class, a removed one the whole table.

    It looks at class sizes only, not at how far cells were generalized.

    References
    ----------
    R. Bayardo, R. Agrawal: Data privacy through optimal k-anonymization, ICDE 2005.
    """
    sizes = pair.class_sizes
    return float(int((sizes * sizes).sum()) + pair.n_removed * pair.n_rows)
