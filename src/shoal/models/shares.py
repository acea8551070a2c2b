"""Shares as exact fractions: what bounds a value, or a level of values, in a group."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from shoal.errors import ParameterError
from shoal.models.base import Ints

__all__ = ["fraction", "largest_holding", "within"]


def fraction(name: str, share: Any) -> Fraction:
    """Read a share: 0.3 means 3/10 exactly, and "1/3" a third.

    Examples
    --------
    >>> fraction("alpha", 0.3), fraction("alpha", "1/3")
    (Fraction(3, 10), Fraction(1, 3))
    """
    read = None
    if isinstance(share, int | float | str | Fraction) and not isinstance(share, bool):
        try:
            read = Fraction(str(share).strip())
        except (ValueError, ZeroDivisionError):
            read = None
    if read is None or not 0 < read <= 1:
        raise ParameterError(
            f"{name} must be above 0 and at most 1, not {share!r}.",
            'Write 0.5, or a fraction as text: "1/3".',
        )
    return read


def within(count: Ints, total: Ints, bounds: Sequence[Fraction], which: Ints) -> Any:
    """Say where count / total is at most the bound named by ``which``, in whole numbers."""
    above = [bound.numerator for bound in bounds]
    below = [bound.denominator for bound in bounds]
    largest = max([1, *above, *below]) * int(max(total.max(initial=1), count.max(initial=1)))
    kind = np.int64 if largest < 2**62 else object  # whole numbers of any length
    numerator, denominator = np.array(above, dtype=kind), np.array(below, dtype=kind)
    left, right = count.astype(kind) * denominator[which], total.astype(kind) * numerator[which]
    return np.asarray(left <= right, dtype=np.bool_)


def largest_holding(counts: list[int], bounds: list[Fraction]) -> int:
    """Find how many rows can stay so that no count exceeds its share of them.

    Counts only shrink from one round to the next, so the first that stays is the largest.

    Examples
    --------
    >>> largest_holding([6, 2, 2], [Fraction(1, 2)] * 3)
    8
    """
    kept = sum(counts)
    while True:
        most = sum(
            min(count, kept * bound.numerator // bound.denominator)
            for count, bound in zip(counts, bounds, strict=True)
        )
        if most == kept:
            return kept
        kept = most
