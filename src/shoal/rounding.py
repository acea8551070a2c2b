"""Numbers with two significant digits, as they may be told in public."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import Any

__all__ = ["towards", "two_digits"]


def two_digits(number: float) -> float:
    """Round to two significant digits.

    Examples
    --------
    >>> two_digits(3620), two_digits(0.07451), two_digits(0), two_digits(7)
    (3600, 0.075, 0, 7)
    """
    return _rounded(number, round)


def towards(number: float, required: float) -> float:
    """Round to two significant digits in the direction of what was required, and not past it.

    So that what was reached is never said to be better than it is.

    Examples
    --------
    >>> towards(1287, 10), towards(0.3333, 0.5), towards(127, 125)
    (1200, 0.34, 125)
    """
    if number > required:
        return max(_rounded(number, floor), required)
    return min(_rounded(number, ceil), required)


def _rounded(number: float, way: Any) -> float:
    if not number:
        return number
    places = 1 - floor(log10(abs(number)))
    # The text first: 0.29 * 100 is a little below 29, and would be rounded down to 28.
    scaled = float(f"{number * 10.0**places:.9g}")
    made = way(scaled) / 10.0**places if places > 0 else way(scaled) * 10**-places
    return int(made) if isinstance(number, int) else float(f"{made:.6g}")
