"""The mean size of a published class."""

from __future__ import annotations

from shoal.measures._pairs import Pair
from shoal.measures.base import measure


@measure(better="lower", public="recomputable")
def average_class_size(pair: Pair) -> float:
    """Average class size: published records over classes; at best k.

    References
    ----------
    K. LeFevre, D. DeWitt, R. Ramakrishnan: Mondrian multidimensional k-anonymity, ICDE 2006
    (there divided by k).
    """
    return len(pair.recoded.rows) / len(pair.class_sizes)
