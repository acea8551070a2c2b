"""Slow, obvious twins of requirements on risks: every choice of groups to leave out is tried."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations
from math import factorial


def average(sizes: Sequence[int]) -> Fraction:
    """Take 1/size once for every record, and the mean of that."""
    risks = [Fraction(1, size) for size in sizes for _ in range(size)]
    return sum(risks, Fraction(0)) / len(risks)


def unique(sizes: Sequence[int]) -> Fraction:
    """Say how many of the records are alone."""
    return Fraction(sum(size == 1 for size in sizes), sum(sizes))


def fewest_gone(
    sizes: Sequence[int], number: Callable[[Sequence[int]], Fraction], most: Fraction
) -> int:
    """Find the least number of groups without which the rest holds."""
    for gone in range(len(sizes)):
        for left in combinations(sizes, len(sizes) - gone):
            if number(left) <= most:
                return gone
    return len(sizes)


def least_sample(k: int, share: Fraction, error: Fraction, *, truncated: bool) -> int:
    """Add up the probabilities of 0 (or 1), 2, … people with 60 digits until they are enough."""
    with localcontext(prec=60):
        mean = Decimal(k * share.numerator) / Decimal(share.denominator)
        sure = 1 - Decimal(error.numerator) / Decimal(error.denominator)
        none = (-mean).exp()
        total = Decimal(0)
        for size in range(k):
            each = none * mean**size / factorial(size)
            if not truncated:
                total += each
            elif size:
                total += each / (1 - none)
            if total >= sure:
                return size + 1
    return k
