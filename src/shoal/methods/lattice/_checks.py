"""What requirements ask of the values of classes, set up for kernels.

A check lets classes fail, and says how many rows no part that holds can have. It is given up for
the requirement's own judgement where a product might not fit into 64 bits, or a table into memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil, log
from typing import TypeAlias

import numpy as np

from shoal.base.arrays import Bools, Ints
from shoal.kernels.lattice.closeness import close, close_in_order, far
from shoal.kernels.lattice.verdicts import Classes, even, few, rare, shared
from shoal.models import Histogram, ShareBounds
from shoal.models.exact.conditions import Closeness, Condition, Spread
from shoal.models.exact.shares import below
from shoal.models.exact.spread import as_even_as

NUMBERS_BELOW = 2**62
"""Whole numbers stay below."""

MOST_LOGARITHMS = 2**26
"""So many logarithms are held, one for each number of rows."""


Check: TypeAlias = Callable[[Classes, int, Bools, Ints], int]
"""Judges each class by itself: lets classes fail, and gives how many rows must go in all, or
something above the most that may go."""


def check_of(condition: Condition, n: int) -> Check | None:
    """Set up what is asked of classes of a table of n rows; ``None`` if numbers are too large.

    Examples
    --------
    >>> from fractions import Fraction
    >>> check_of(Spread("illness", "recursive", Fraction(2), Fraction(1, 2**62)), 100) is None
    True
    """
    if isinstance(condition, ShareBounds):
        return _shares(condition, n) if n * n < NUMBERS_BELOW else None
    if not isinstance(condition, Spread):
        return None
    if condition.kind == "distinct":
        least = int(condition.least)
        return lambda classes, most, fails, must: int(few(classes, least, fails, must))
    if condition.kind == "entropy":
        return _entropy(condition, n) if n <= MOST_LOGARITHMS else None
    above, below_ = condition.factor.numerator, condition.factor.denominator
    if n * max(above, below_) >= NUMBERS_BELOW:
        return None
    least = int(condition.least)
    numbers = (least, above, below_, np.zeros(least - 1, dtype=np.int64))
    return lambda classes, most, fails, must: int(rare(classes, *numbers, most, fails, must))


def _shares(condition: ShareBounds, n: int) -> Check:
    shares = [below(share, n) for share in condition.largest]
    numbers = (
        condition.sets.astype(np.int64),
        np.array([share.numerator for share in shares], dtype=np.int64),
        np.array([share.denominator for share in shares], dtype=np.int64),
        np.zeros(len(shares), dtype=np.int64),
    )
    return lambda classes, most, fails, must: int(shared(classes, *numbers, most, fails, must))


def _entropy(condition: Spread, n: int) -> Check:
    numbers = np.arange(n + 1, dtype=np.float64)
    logs = numbers * np.log(np.maximum(numbers, 1.0))
    high, low = log(condition.least.numerator), log(condition.least.denominator)
    wanted = (logs, high - low, high + low, ceil(condition.least))

    def check(classes: Classes, most: int, fails: Bools, must: Ints) -> int:
        unsure = np.empty(len(fails), dtype=np.bool_)
        lost = int(even(classes, *wanted, most, fails, must, unsure))
        which = np.flatnonzero(unsure)
        if len(which):  # whole numbers decide
            held = as_even_as(_only(classes, which), len(which), condition.least)
            fails[which[~held]] = True
        return lost

    return check


def _only(classes: Classes, which: Ints) -> Histogram:
    """Give some classes as a histogram."""
    sizes = classes.begin[which + 1] - classes.begin[which]
    group = np.repeat(np.arange(len(which)), sizes)
    ends = np.cumsum(sizes)
    entries = np.arange(len(group)) + np.repeat(classes.begin[which] - (ends - sizes), sizes)
    value = classes.value[entries].astype(np.int64)
    return Histogram(group, value, classes.counts[entries], ())


class Close:
    """Judges classes beside each other, by their distance from what is published.

    ``table``: how often each value occurs in all rows.
    """

    def __init__(self, condition: Closeness, table: Ints, order: Ints | None) -> None:
        self.most, self.fixed = condition.most, condition.whole is not None
        self.whole = (table if condition.whole is None else condition.whole).astype(np.int64)
        self.place = None
        if condition.places is not None and order is not None:
            self.place = condition.places[order].astype(np.int64)
        self.narrows = not self.fixed and self.place is None
        """Whether more rows must go where fewer may be suppressed."""
        width = len(self.whole) + 1
        self.buffers = [np.zeros(width, dtype=np.int64) for _ in range(5)]

    def must(self, classes: Classes, n: int, most: int, must: Ints) -> int:
        """Find rows that must go if at most so many of n rows are suppressed."""
        left = 1.0 if self.fixed else 1.0 - most / n
        if self.place is not None or left <= 0.0:
            return int(must.sum())
        return int(far(classes, self.whole, float(self.most), left, most, must))

    def __call__(self, classes: Classes, most: int, fails: Bools) -> None:
        """Let classes fail until all that are left are close, or more than so many rows fail."""
        above, below_ = self.most.numerator, self.most.denominator
        apart, since = np.empty(len(fails)), np.empty(len(fails))
        whole, after, at, running, area = self.buffers
        if self.place is not None:
            buffers = (whole, after, at, running, area)
            close_in_order(classes, self.place, *buffers, above, below_, most, apart, since, fails)
            return
        values = len(self.whole)
        if self.fixed:
            whole[:values] = self.whole
        numbers = (above, below_, self.fixed)
        close(classes, whole[:values], after[:values], *numbers, most, apart, since, fails)


def close_of(
    condition: Condition, n: int, table: Mapping[str, Ints], order: Mapping[str, Ints]
) -> Close | None:
    """Set up a distance from what is published; ``None`` if numbers are too large for it.

    ``table``: how often each value of each column occurs in all rows, by code. ``order``: the codes
    of columns whose values come in an order of their own.
    """
    if not isinstance(condition, Closeness) or (
        condition.places is not None and condition.whole is not None
    ):
        return None
    scale = 2 if condition.places is None else 4 * max(len(condition.places), 2)
    rows = n if condition.whole is None else max(n, int(condition.whole.sum()))
    if n * rows * scale * condition.most.denominator >= NUMBERS_BELOW:
        return None
    return Close(condition, table[condition.column], order.get(condition.column))
