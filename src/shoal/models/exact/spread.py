"""How values are spread in groups: different ones, their entropy, the weight of rare ones."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import log

import numpy as np

from shoal.base.arrays import Bools, Floats, Ints
from shoal.models._statistics import Histogram
from shoal.models.exact.logarithms import at_least_one
from shoal.models.exact.shares import within


def evenness(found: Histogram, groups: int) -> Floats:
    """Say how many equally frequent values have the entropy of each group; 0 without values."""
    total, logs = _totals(found, groups)
    held = np.maximum(total, 1)
    return np.where(total > 0, np.exp(np.log(held) - logs / held), 0.0)


def as_even_as(found: Histogram, groups: int, least: Fraction) -> Bools:
    """Say whether the entropy of each group is at least ln ``least``, exactly.

    With n rows and counts nᵢ that is nⁿ ≥ leastⁿ · Π nᵢ^nᵢ. Logarithms decide it, but where
    they are too close to each other: there whole numbers do.
    """
    total, logs = _totals(found, groups)
    kinds = found.different(groups)
    above, below = log(least.numerator), log(least.denominator)
    own = total * np.log(np.maximum(total, 1))
    gap = own - logs - total * (above - below)
    holds = gap > 0
    unsure = np.abs(gap) <= (own + total * (above + below) + 1) * (kinds + 16) * 2.0**-50
    if not unsure.any():
        return holds
    most = np.zeros(groups, dtype=np.int64)
    np.maximum.at(most, found.group, found.counts)
    alike = total == kinds * most  # then the entropy is that of so many values
    holds[alike] = kinds[alike] >= -(-least.numerator // least.denominator)
    starts = np.searchsorted(found.group, np.arange(groups + 1))
    for group in np.flatnonzero(unsure & ~alike).tolist():
        counts = found.counts[starts[group] : starts[group + 1]]
        holds[group] = _as_even_as(tuple(sorted(counts.tolist())), least)
    return holds


@lru_cache(maxsize=4096)
def _as_even_as(counts: tuple[int, ...], least: Fraction) -> bool:
    rows = sum(counts)
    powers = [(count, -count * times) for count, times in Counter(counts).items()]
    return at_least_one(
        [(rows, rows), (least.denominator, rows), (least.numerator, -rows), *powers]
    )


def recursion(found: Histogram, groups: int, c: Fraction) -> Ints:
    """Find the largest l with r₁ < c · (r_l + … + r_m) in each group, r being its counts.

    r₁ is the largest count. It is 1 where no l of 2 or more will do, and 0 without values.
    """
    order = np.lexsort((-found.counts, found.group))
    group, counts = found.group[order], found.counts[order]
    starts = np.searchsorted(group, np.arange(groups + 1))
    sums = np.concatenate(([0], np.cumsum(counts)))
    tail = sums[starts[1:]][group] - sums[:-1]
    top = counts[starts[:-1][group]]
    rare = within(tail, top, [1 / c], np.zeros(len(tail), dtype=np.int64))
    reached = np.bincount(group[~rare], minlength=groups)
    return np.where(starts[1:] > starts[:-1], np.maximum(reached, 1), 0).astype(np.int64)


def _totals(found: Histogram, groups: int) -> tuple[Ints, Floats]:
    """Sum the counts n of each group, and n · ln n over them."""
    counts = found.counts.astype(np.float64)
    logs = np.bincount(found.group, counts * np.log(counts), minlength=groups)
    return found.held(groups), logs.astype(np.float64)
