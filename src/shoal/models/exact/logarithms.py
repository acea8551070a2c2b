"""Logarithms of fractions and of products of powers, compared exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from math import gcd
from typing import Any

import numpy as np

from shoal.base.arrays import Ints

_DIGITS = 40
_UNSURE = 2.0**-40


def compare_logs(above: Any, below: Any, limits: Any) -> Ints:
    """Compare ln(above / below) with a limit each: −1 where it is less, 1 where it is more.

    Floats decide it, but where they are too close to each other: there enough digits do. They
    always end: the logarithm of a fraction other than 1 is no fraction. All are whole numbers;
    ``limits`` has those above and below the line of fractions.
    """
    upper, lower = (np.log(np.asarray(each).astype(np.float64)) for each in (above, below))
    line = np.asarray(limits[0]).astype(np.float64) / np.asarray(limits[1]).astype(np.float64)
    gap = upper - lower - line
    signs = np.sign(gap).astype(np.int64)
    unsure = np.abs(gap) <= _UNSURE * (upper + lower + np.abs(line) + 1)
    for at in np.flatnonzero(unsure).tolist():
        ratio = Fraction(int(above[at]), int(below[at]))
        signs[at] = compare_log(ratio, Fraction(int(limits[0][at]), int(limits[1][at])))
    return signs


@lru_cache(maxsize=4096)
def compare_log(ratio: Fraction, limit: Fraction) -> int:
    """Compare the logarithm of a fraction with a fraction: −1 if it is less, 1 if it is more."""
    if ratio == 1:
        return (limit < 0) - (limit > 0)
    if limit == 0:
        return 1 if ratio > 1 else -1
    return _sign([(ratio.numerator, 1), (ratio.denominator, -1)], limit)


def at_least_one(powers: Iterable[tuple[int, int]]) -> bool:
    """Say whether a product of powers (base, exponent) is 1 or more; exponents may be negative.

    Bases are split until no two share a factor. Then the product is 1 just if no exponent is
    left, and otherwise enough digits of its logarithm tell on which side of 1 it is.
    """
    left = _coprime(powers)
    return all(exponent > 0 for exponent in left.values()) or _sign([*left.items()]) > 0


def _sign(powers: Sequence[tuple[int, int]], limit: Fraction = Fraction(0)) -> int:
    """Give the sign of the logarithm of a product of powers less a limit; they are not equal."""
    digits = _DIGITS
    while True:
        with localcontext(prec=digits):
            terms = [exponent * Decimal(base).ln() for base, exponent in powers]
            terms.append(-Decimal(limit.numerator) / Decimal(limit.denominator))
            total, size = sum(terms, Decimal(0)), sum(map(abs, terms), Decimal(0))
            # Each term and each sum is off by less than one unit in its last place.
            if abs(total) > size * (len(terms) + 5) * Decimal(10) ** (1 - digits):
                return 1 if total > 0 else -1
        digits *= 2


def _coprime(powers: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Write a product with bases above 1 of which no two share a factor."""
    found: dict[int, int] = {}
    waiting = list(powers)
    while waiting:
        base, exponent = waiting.pop()
        if base == 1 or exponent == 0:
            continue
        for other in found:
            shared = gcd(base, other)
            if shared > 1:
                before = found.pop(other)
                waiting += [
                    (base // shared, exponent),
                    (other // shared, before),
                    (shared, exponent + before),
                ]
                break
        else:
            found[base] = exponent
    return found


def whole_numbers(*arrays: Any) -> list[Any]:
    """Choose 64 bits where all products of two of them fit, else whole numbers of any length.

    Examples
    --------
    >>> [each.dtype for each in whole_numbers(np.array([1]), np.array([2**40]))]
    [dtype('O'), dtype('O')]
    """
    most = max((int(np.abs(each).max(initial=1)) for each in arrays), default=1)
    kind: Any = np.int64 if most < 2**31 else object
    return [np.asarray(each).astype(kind) for each in arrays]
