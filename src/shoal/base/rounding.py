"""Numbers with two significant digits, as they may be told in public."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal


def two_digits(number: float) -> float:
    """Round to two significant digits."""
    return _rounded(number, ROUND_HALF_EVEN)


def percent(share: float) -> str:
    """Write a share with two significant digits; what is not all is never 100%."""
    made = two_digits(float(share))
    return ">99%" if made == 1 and share < 1 else f"{100 * made:g}%"


def towards(number: float, required: float) -> float:
    """Round to two significant digits in the direction of what was required, and not past it.

    So that what was reached is never said to be better than it is.

    Examples
    --------
    >>> towards(1287, 10), towards(0.3333, 0.5), towards(127, 125)
    (1200, 0.34, 125)
    """
    if number > required:
        return max(_rounded(number, ROUND_FLOOR), required)
    return min(_rounded(number, ROUND_CEILING), required)


def _rounded(number: float, mode: str) -> float:
    # In decimals, and of the number as it is written: 0.29 * 100 is a little below 29 and would
    # be rounded down to 28, and what the least numbers are multiplied by is more than floats hold.
    exact = Decimal(number) if isinstance(number, int) else Decimal(str(float(number)))
    if not exact:
        return number
    made = exact.quantize(Decimal(1).scaleb(exact.adjusted() - 1), mode)
    return int(made) if isinstance(number, int) else float(made)
