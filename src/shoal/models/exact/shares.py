"""Shares as exact fractions: what limits a value, or a level of values, in a group."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from shoal.base.arrays import Bools, Ints
from shoal.errors import ParameterError

if TYPE_CHECKING:
    from shoal.models._statistics import Histogram


_FEW_COMPARISONS = 32
"""Up to this many comparisons, single ones are faster than arrays."""

SHARE_HINT = 'Write 0.5, or a fraction as text: "1/3".'

_BIT = Fraction(1, 10**9)

_SHARE = re.compile(r"\d{1,30}/\d{1,30}|(\d{1,30}\.?\d{0,40}|\.\d{1,40})([eE][+-]?\d{1,3})?")


@dataclass(frozen=True, eq=False)
class ShareBounds:
    """The largest shares that the values of a sensitive column, or sets of them, may have.

    A share is that of all people (or rows) of a group; a person counts once per value, so one
    who holds two values of a set counts twice.

    Parameters
    ----------
    column
        The sensitive column.
    sets
        The set that each value belongs to, by code. A value that is limited by itself is a set
        of its own; so is one that is not limited, with a largest share of 1.
    largest
        The largest share of each set.
    levels
        How sensitive each value is, from 1 (most) on, where the requirement tells.

    Examples
    --------
    At most half may hold the first value; the others are not limited:

    >>> from shoal.models import Histogram
    >>> half = ShareBounds("s", np.arange(2), (Fraction(1, 2), Fraction(1)))
    >>> found = Histogram.count(np.array([0, 0, 1, 1, 1]), np.array([0, 1, 0, 0, 1]), ("a", "b"))
    >>> half.exceeded(found, np.array([2, 3])).tolist()
    [False, True]
    """

    column: str
    sets: Ints
    largest: tuple[Fraction, ...]
    levels: Ints | None = None

    def exceeded(self, found: Histogram, totals: Ints) -> Bools:
        """Say in which groups, of so many people or rows, a set has more than its share."""
        width = len(self.largest)
        keys, at = np.unique(found.group * width + self.sets[found.value], return_inverse=True)
        group, which = np.divmod(keys, width)
        counts = np.bincount(at, found.counts).astype(np.int64)
        counts = np.minimum(counts, totals[group])  # nobody counts for more than the whole
        above = np.zeros(len(totals), dtype=np.bool_)
        above[group[~within(counts, totals[group], self.largest, which)]] = True
        return above


def fraction(name: str, share: Any) -> Fraction:
    """Read a share: 0.3 means 3/10 exactly, and "1/3" a third."""
    read = exact(share)
    if read is None or not 0 < read <= 1:
        raise ParameterError(f"{name} must be above 0 and at most 1, not {share!r}.", SHARE_HINT)
    return read


def exact(number: Any) -> Fraction | None:
    """Read a number of 0 or more as it is written; ``None`` if it is none.

    Examples
    --------
    >>> exact(2.5), exact("7/3"), exact("many")
    (Fraction(5, 2), Fraction(7, 3), None)
    """
    known = isinstance(number, Real | str) and not isinstance(number, bool)
    return _read(str(number).strip()) if known else None


@lru_cache(maxsize=256)
def _read(text: str) -> Fraction | None:
    """Read a number; one as long as it likes would take as long as it likes."""
    try:
        return Fraction(text) if _SHARE.fullmatch(text) else None
    except (ValueError, ZeroDivisionError):
        return None


def nudged(number: Fraction, most: int | None = None) -> tuple[Fraction, Fraction]:
    """Make a number the slightest bit larger, but not above ``most``, and smaller."""
    larger = number * (1 + _BIT)
    return larger if most is None else min(larger, Fraction(most)), number * (1 - _BIT)


def spelled(value: Any) -> Any:
    """Write an option so that plans and JSON can hold it: fractions as text, also in lists."""
    if isinstance(value, Mapping):
        return {key: spelled(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [spelled(each) for each in value]
    return str(value) if isinstance(value, Fraction) else value


def rounded_up(count: int, total: int) -> str:
    """Write a share with four decimals, never below the share itself."""
    steps = -(-count * 10_000 // total)
    return f"{Decimal(steps).scaleb(-4).normalize():f}"


def allowed(limit: float, rows: int) -> int:
    """Count the rows that a share of them allows, without rounding errors."""
    return int(Fraction(str(limit)) * rows)


def within(count: Ints, total: Ints, limits: Sequence[Fraction], which: Ints) -> Any:
    """Say where count / total is at most the limit named by ``which``, in whole numbers."""
    above = [limit.numerator for limit in limits]
    below = [limit.denominator for limit in limits]
    if len(count) <= _FEW_COMPARISONS:
        rows = zip(count.tolist(), total.tolist(), which.tolist(), strict=True)
        return np.array([c * below[w] <= t * above[w] for c, t, w in rows], dtype=np.bool_)
    largest = max([1, *above, *below]) * int(max(total.max(initial=1), count.max(initial=1)))
    kind = np.int64 if largest < 2**62 else object  # whole numbers of any length
    numerator, denominator = np.array(above, dtype=kind), np.array(below, dtype=kind)
    left, right = count.astype(kind) * denominator[which], total.astype(kind) * numerator[which]
    return np.asarray(left <= right, dtype=np.bool_)


def below(share: Fraction, largest: int) -> Fraction:
    """Find the largest fraction up to a share whose denominator is not above ``largest``.

    A count over a total of at most ``largest`` is within the one exactly if it is within the
    other, and the shorter one cannot overflow.
    """
    if share.denominator <= largest:
        return share
    # Continued fractions: the last two that fit enclose the share.
    p0, q0, p1, q1 = 0, 1, 1, 0
    rest, unit = share.numerator, share.denominator
    while (q2 := q0 + rest // unit * q1) <= largest:
        whole = rest // unit
        p0, q0, p1, q1 = p1, q1, p0 + whole * p1, q2
        rest, unit = unit, rest - whole * unit
    times = (largest - q0) // q1
    ends = (Fraction(p1, q1), Fraction(p0 + times * p1, q0 + times * q1))
    return max(end for end in ends if end <= share)


def least_removed(rows: int, counts: Ints, limits: Sequence[Fraction], which: Ints) -> int:
    """Find the least number of rows without which no count exceeds its share of the rest.

    With r rows left, a count of c must lose at least c − ⌊limit · r⌋, its limit being named by
    ``which``. The fewer are left, the more must go; so start with all and repeat until nothing more
    must go. Where counts are of people, who may have several rows, this is a lower bound.
    """
    limited = [(limit, counts[which == number]) for number, limit in enumerate(limits)]
    gone = 0
    while True:
        left = rows - gone
        must = sum(
            int(np.maximum(of - left * limit.numerator // limit.denominator, 0).sum())
            for limit, of in limited
        )
        if must == gone:
            return gone
        gone = must
