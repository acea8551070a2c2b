"""Slow, obvious twins of δ-disclosure, β-likeness and p-sensitivity: one value at a time."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

DIGITS = 80


def ln(ratio: Fraction) -> Decimal:
    """Take a logarithm with far more digits than any case needs."""
    with localcontext(prec=DIGITS):
        return (Decimal(ratio.numerator) / Decimal(ratio.denominator)).ln()


def discloses(
    group: Sequence[object], whole: Sequence[object], delta: Fraction, *, absent: bool
) -> bool:
    """Say whether some share is δ or more from that of the whole; ``absent``: 0 is, too."""
    for value in set(whole):
        mine, all_ = share(group, value), share(whole, value)
        if mine == 0:
            if absent:
                return True
            continue
        with localcontext(prec=DIGITS):
            if abs(ln(mine / all_)) >= Decimal(delta.numerator) / Decimal(delta.denominator):
                return True
    return False


def gains(
    group: Sequence[object], whole: Sequence[object], beta: Fraction, *, enhanced: bool
) -> bool:
    """Say whether some share grows by more than it may."""
    for value in set(group):
        before = share(whole, value)
        gain = (share(group, value) - before) / before
        if gain > beta:
            return True
        if enhanced and gain > 0:
            with localcontext(prec=DIGITS):
                if Decimal(gain.numerator) / Decimal(gain.denominator) > -ln(before):
                    return True
    return False


def sensitive(columns: Sequence[Sequence[object]], p: int, k: int) -> bool:
    """Say whether one group, given column by column, has k rows and p values of each column."""
    return all(len(column) >= k and len(set(column)) >= p for column in columns)


def share(values: Sequence[object], value: object) -> Fraction:
    """Count how many of the values are this one."""
    return Fraction(sum(each == value for each in values), len(values))
