"""How large groups are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.measures._pairs import Pair, require_pair
from shoal.measures.base import measure


class GroupSizes(NamedTuple):
    """How many rows groups have."""

    groups: int
    smallest: int
    lower_quartile: float
    median: float
    upper_quartile: float
    largest: int
    mean: float


def group_sizes(pair: Pair) -> GroupSizes:
    """Sum up how large the groups are, or the classes of equal cells where there are none.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"age": [30, 30, 50, 50, 50]})
    >>> group_sizes(shoal.measures.pair(frame, frame, shoal.Schema({"age": shoal.quasi()})))
    GroupSizes(groups=2, smallest=2, lower_quartile=2.25, median=2.5, upper_quartile=2.75,
               largest=3, mean=2.5)
    """
    require_pair(pair)
    sizes = np.bincount(pair.sensitive_classes)
    lower, median, upper = np.quantile(sizes, [0.25, 0.5, 0.75]).tolist()
    least, largest = int(sizes.min()), int(sizes.max())
    return GroupSizes(len(sizes), least, lower, median, upper, largest, float(sizes.mean()))


@measure(better="lower", public="recomputable")
def largest_group(pair: Pair) -> float:
    """Largest group: how many rows the largest group has, or class of equal cells.

    Some methods let one group take what is left, up to thousands of rows; its values then say
    next to nothing about any of them. `group_sizes` tells more of the sizes.
    """
    return float(group_sizes(pair).largest)
