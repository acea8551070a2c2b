"""What is measured of a publication."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from shoal.judging.risk import similarity
from shoal.measures import Pair, count_query_error, reconstruction_distance
from shoal.measures.protection.sensitivity_distance import HIGH, graded, high_class_distances

__all__ = ["NUMBERS", "SECONDS", "measured", "nothing_published"]

SECONDS = ("cpu_seconds", "grouping_seconds")
"""The time until the published tables are there, and that of the grouping alone."""

NUMBERS = (
    "reconstruction_distance",
    "count_query_error",
    "sensitivity_distance",
    "sensitivity_distance_and",
    "sensitivity_distance_raw",
    "least_sensitivity_distance",
    "same_high_level",
    "one_level",
    "suppressed",
    "classes",
    "largest_class",
    *SECONDS,
)


def measured(pair: Pair) -> dict[str, float]:
    """Measure all but times and suppressed rows.

    ``sensitivity_distance_and`` counts classes that hold levels 1 and 2, 0 if none does.
    """
    sizes = np.bincount(pair.sensitive_classes)
    distances = high_class_distances(pair)
    both = high_class_distances(pair, holding="all")
    return {
        "reconstruction_distance": reconstruction_distance.of(pair),
        "count_query_error": count_query_error.of(pair),
        "sensitivity_distance": float(distances.mean()),
        "sensitivity_distance_and": float(both.mean()) if len(both) else 0.0,
        "sensitivity_distance_raw": float(high_class_distances(pair, normalised=False).mean()),
        "least_sensitivity_distance": float(distances.min()),
        "same_high_level": _same_high_level(pair, sizes),
        "one_level": similarity(pair).share,
        "classes": len(sizes),
        "largest_class": int(sizes.max()),
    }


def nothing_published() -> dict[str, float]:
    """Say what it costs to suppress all rows: everything is lost, nobody is told of."""
    lost = {"reconstruction_distance", "count_query_error", "suppressed"}
    return {name: float(name in lost) for name in NUMBERS if name not in SECONDS}


def _same_high_level(pair: Pair, sizes: npt.NDArray[np.int64]) -> float:
    """Give the share of people in classes with two or more records of level 1, or of level 2."""
    levels = graded(pair).levels
    twice = np.zeros(len(sizes), dtype=np.bool_)
    for level in range(1, HIGH + 1):
        twice |= np.bincount(pair.sensitive_classes[levels == level], minlength=len(sizes)) > 1
    return float(sizes[twice].sum() / sizes.sum())
