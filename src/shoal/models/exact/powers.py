"""Products of powers of whole numbers, compared exactly without writing them out."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, localcontext
from math import gcd

__all__ = ["at_least_one"]

_DIGITS = 40


def at_least_one(powers: Iterable[tuple[int, int]]) -> bool:
    """Say whether a product of powers (base, exponent) is 1 or more; exponents may be negative.

    Bases are split until no two share a factor. Then the product is 1 just if no exponent is
    left, and otherwise enough digits of its logarithm tell on which side of 1 it is.

    Examples
    --------
    >>> at_least_one([(6, 10**9), (2, -(10**9)), (3, -(10**9))])
    True
    >>> at_least_one([(10**9, 10**9), (10**9 - 1, -(10**9)), (10**9 + 1, -1)])
    False
    """
    left = _coprime(powers)
    if all(exponent > 0 for exponent in left.values()):
        return True
    digits = _DIGITS
    while True:
        with localcontext(prec=digits):
            terms = [exponent * Decimal(base).ln() for base, exponent in left.items()]
            total, size = sum(terms, Decimal(0)), sum(map(abs, terms), Decimal(0))
            # Each term and each sum is off by less than one unit in its last place.
            if abs(total) > size * (len(terms) + 2) * Decimal(10) ** (1 - digits):
                return total > 0
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
