"""A measure: how many classes there are."""

from __future__ import annotations

from shoal.measures import Pair
from shoal.measures.base import measure


@measure(better="higher", public="recomputable")
def class_count(pair: Pair) -> float:
    """Count the classes of equal cells."""
    return float(len(pair.class_sizes))
