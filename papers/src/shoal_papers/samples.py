"""Repetitions of a measurement, compared in pairs: a difference of means with its interval.

Two measurements with the same seed share what chance decides, such as the sample of rows, so
their differences are taken seed by seed. The interval is Student's, of the mean of these
differences: with five repetitions neither a sign test nor a bootstrap can reach 95 %.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import atan, cos, inf, pi, sin, sqrt
from operator import mul, sub, truediv
from statistics import fmean, stdev

__all__ = [
    "CONFIDENCE",
    "Comparison",
    "Sample",
    "above",
    "below",
    "exceeds",
    "student",
    "within",
    "worst",
]

CONFIDENCE = 0.95
"""The probability with which an interval holds the difference of means."""


@dataclass(frozen=True)
class Sample:
    """A number per seed; arithmetic goes seed by seed, over those that both sides have.

    Examples
    --------
    >>> before, after = Sample({1: 2.0, 2: 3.0}), Sample({1: 3.0, 2: 6.0, 3: 9.0})
    >>> (after - before).values, (after / before).mean, (1.5 * before).mean
    ({1: 1.0, 2: 3.0}, 1.75, 3.75)
    """

    values: Mapping[int, float]

    @property
    def mean(self) -> float:
        """The mean over all seeds."""
        return fmean(self.values.values())

    def __sub__(self, other: Sample | float) -> Sample:
        """Subtract."""
        return self._with(other, sub)

    def __mul__(self, other: Sample | float) -> Sample:
        """Multiply."""
        return self._with(other, mul)

    __rmul__ = __mul__

    def __truediv__(self, other: Sample | float) -> Sample:
        """Divide; nothing may be 0 below."""
        return self._with(other, truediv)

    def _with(self, other: Sample | float, how: Callable[[float, float], float]) -> Sample:
        if isinstance(other, Sample):
            both = [seed for seed in self.values if seed in other.values]
            return Sample({seed: how(self.values[seed], other.values[seed]) for seed in both})
        return Sample({seed: how(value, other) for seed, value in self.values.items()})


@dataclass(frozen=True)
class Comparison:
    """By how much a comparison of means holds, and whether that is more than noise.

    Parameters
    ----------
    margin
        The mean of the paired differences, above 0 where the comparison holds.
    low, high
        The ends of its interval.
    holds
        ``None`` if the interval includes 0: a difference within noise.
    """

    margin: float
    low: float
    high: float
    holds: bool | None


def above(more: Sample, less: Sample | float, *, or_equal: bool = False) -> Comparison:
    """Compare two means, or a mean with a number: is the first above the second?

    What is the same in all repetitions has an interval of no width, and so is never within
    noise; equal is not above, unless ``or_equal``. One repetition has no interval.

    Examples
    --------
    >>> slow, fast = Sample({1: 3.0, 2: 3.2, 3: 3.1}), Sample({1: 2.0, 2: 2.1, 3: 2.3})
    >>> above(slow, fast).holds, above(fast, slow).holds, above(slow, 1.5 * fast).holds
    (True, False, None)
    """
    differences = list((more - less).values.values())
    margin = fmean(differences)
    if len(differences) == 1:
        return Comparison(margin, -inf, inf, None)
    if min(differences) == max(differences):
        same = differences[0]
        return Comparison(same, same, same, same > 0 or (or_equal and same == 0))
    half = student(len(differences) - 1) * _deviation(*differences) / sqrt(len(differences))
    low, high = margin - half, margin + half
    holds = True if low > 0 else False if high < 0 else None
    return Comparison(margin, low, high, holds)


@lru_cache(maxsize=100_000)
def _deviation(*differences: float) -> float:
    """Exact, so slow; and the readings of a paper share most comparisons."""
    return stdev(differences)


def below(less: Sample, more: Sample | float, *, or_equal: bool = False) -> Comparison:
    """Compare the other way round: is the first mean below the second, or below a number?"""
    return above(-1 * less, -1 * more, or_equal=or_equal)


def exceeds(more: Sample, less: Sample, factor: float) -> Comparison:
    """Ask whether one mean is so many times another or more; of nothing, nothing is more.

    Examples
    --------
    >>> none, two = Sample({1: 0.0, 2: 0.0}), Sample({1: 2.0, 2: 2.0})
    >>> exceeds(two, none, 2).holds, exceeds(two, 0.5 * two, 2).holds, exceeds(none, none, 2).holds
    (True, True, False)
    """
    return worst(above(more, factor * less, or_equal=True), above(more, less))


def within(value: Sample, low: Sample | float, high: Sample | float) -> Comparison:
    """Ask whether a mean lies between two others, ends included.

    Examples
    --------
    >>> within(Sample({1: 2.0, 2: 2.0}), 1.5, 2.0).holds
    True
    """
    return worst(above(value, low, or_equal=True), below(value, high, or_equal=True))


def worst(*found: Comparison) -> Comparison:
    """Choose the comparison that decides where all must hold."""
    rank = {False: 0, None: 1, True: 2}
    return min(found, key=lambda each: (rank[each.holds], each.low))


@lru_cache
def student(freedom: int) -> float:
    """Find the t within which Student's distribution has the confidence, by halving.

    Examples
    --------
    >>> [round(student(freedom), 3) for freedom in (1, 4, 9)]
    [12.706, 2.776, 2.262]
    """
    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        if _probability(middle, freedom) < CONFIDENCE:
            low = middle
        else:
            high = middle
    return high


def _probability(t: float, freedom: int) -> float:
    """Give the probability of −t to t: a finite sum, since the degrees of freedom are whole."""
    angle = atan(t / sqrt(freedom))
    odd = freedom % 2 == 1
    term = cos(angle) if odd else 1.0
    total = 0.0
    for step in range(2 if odd else 1, freedom, 2):
        total += term
        term *= step / (step + 1) * cos(angle) ** 2
    return (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total
