"""Builder: numbers in intervals that grow from level to level."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.base.arguments import is_number, require_kind, require_whole
from shoal.base.cells import Interval, interval_text, number_text
from shoal.errors import HierarchyError, ParameterError
from shoal.table.hierarchies.arrange import links_of_paths
from shoal.table.hierarchies.base import Builder, require_root
from shoal.table.hierarchies.tree import Hierarchy
from shoal.table.hierarchies.values import Number, as_number, distinct_texts


@dataclass(frozen=True)
class Intervals(Builder):
    """Put numbers into intervals, and join ``fan_out`` neighbours per level above.

    Give exactly one of ``width``, ``cuts`` and ``bins``. Intervals hold their lower end and
    not their upper end, ``[20, 30)``; with ``cuts`` and ``bins`` the very last end is held as
    well, ``[65, 100]``. Levels are added until one interval holds every value, or ``levels``
    are there. Leaves are numbers in the one form Shoal writes (``70``, not ``70.0``).

    Parameters
    ----------
    width
        Width of the lowest intervals. They start at multiples of it, counted from ``start``,
        and the wider ones at multiples of their own width, so that two columns agree. Values
        on both sides of ``start`` never share an interval.
    cuts
        Ends of the lowest intervals, rising. Values outside are refused.
    bins
        Number of lowest intervals, of equal width. Their ends are round numbers just outside
        the values, so that the smallest and the largest value are not given away.
    fan_out
        Number of neighbours joined per level, 2 or more.
    levels
        Number of interval levels, at most.
    start
        Where the intervals of ``width`` (0 if not given) or ``bins`` start.
    root
        Label of the root.

    Examples
    --------
    >>> print(Intervals(width=10).build(pl.Series(["23", "37", "31"])).show())
    * (3)
    └── [20, 40) (3)
        ├── [20, 30) (1)
        │   └── 23
        └── [30, 40) (2)
            ├── 31
            └── 37
    """

    width: float | None = None
    cuts: Sequence[float] | None = None
    bins: int | None = None
    fan_out: int = 2
    levels: int | None = None
    start: float | None = None
    root: str = "*"

    name: ClassVar[str] = "intervals"

    @property
    def names_values(self) -> bool:
        """Ends are given, or multiples of a width; of ``bins`` they may be the outmost values."""
        return self.bins is not None

    def build(self, values: pl.Series) -> Hierarchy:
        """Cut the numbers into intervals; leaves are in order of size."""
        self._check()
        texts = distinct_texts(values)
        read = [number for text in texts if (number := as_number(text)) is not None]
        if unread := len(texts) - len(read):
            raise HierarchyError(
                f"{unread} of {len(texts)} values are not numbers.",
                "Clean the column, or choose another builder.",
            )
        if not read:
            return Hierarchy.flat((), self.root)
        leaves = {number_text(number): _exact(number) for number in sorted(read)}
        rule = self._rule(list(leaves.values()))
        bins = [rule.bin_of(value) for value in leaves.values()]
        if outside := bins.count(None):
            raise HierarchyError(
                f"{outside} of {len(leaves)} values are outside the intervals.",
                "Move the first or the last end outward.",
            )
        inside = [number for number in bins if number is not None]
        spans = self._spans(*(rule.reach or (inside[0], inside[-1])))
        known = {leaf: Interval(_number(at), _number(at)) for leaf, at in leaves.items()}

        @cache
        def label(first: int, span: int) -> str:
            joined = rule.joined(first, span)
            text = interval_text(*joined)
            known[text] = joined
            return text

        paths = [
            [leaf, *(label(number // span * span, span) for span in spans), self.root]
            for leaf, number in zip(leaves, inside, strict=True)
        ]
        return Hierarchy(*links_of_paths(paths), known)

    def by_width(self, values: pl.Series) -> Intervals:
        """Take the width that ``bins`` have for some values, so that ends do not depend on others.

        Examples
        --------
        >>> Intervals(bins=4).by_width(pl.Series(["18", "63"])).width
        15
        """
        self._check()
        numbers = [as_number(text) for text in distinct_texts(values)]
        known = sorted(_exact(number) for number in numbers if number is not None)
        first, second, *_ = _round_edges(known or [Fraction(0)], self.bins or 1, None)
        return replace(self, bins=None, width=_number(second - first))

    def _check(self) -> None:
        require_root(self.root)
        require_whole("fan_out", self.fan_out, 2)
        given = [name for name in ("width", "cuts", "bins") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ParameterError(
                f"One of width, cuts and bins must be given, not {' and '.join(given) or 'none'}.",
                "Give exactly one of them.",
            )
        if self.width is not None and not (_is_number(self.width) and self.width > 0):
            raise ParameterError(
                f"width must be a number above 0, not {self.width!r}.", "Such as 10."
            )
        if self.bins is not None:
            require_whole("bins", self.bins, 1)
        if self.levels is not None:
            require_whole("levels", self.levels, 1)
        if self.start is not None and (self.cuts is not None or not _is_number(self.start)):
            raise ParameterError(
                f"start must be a number, given with width or bins, not {self.start!r}"
                f"{' with cuts' if self.cuts is not None else ''}.",
                "Give a number, or leave start out.",
            )
        if self.cuts is not None:
            hint = "Such as [0, 18, 65, 120]."
            require_kind("cuts", self.cuts, Sequence | np.ndarray, "a list of numbers", hint)
            cuts = list(self.cuts)
            rising = all(map(_is_number, cuts)) and all(low < high for low, high in pairwise(cuts))
            if len(cuts) < 2 or not rising:
                raise ParameterError(
                    f"cuts must be two or more rising numbers, not {cuts!r}.",
                    "Such as 0, 18, 65 and 100.",
                )

    def _rule(self, values: Sequence[Fraction]) -> _Grid | _Cuts:
        if self.cuts is not None:
            return _Cuts([_exact(cut) for cut in self.cuts])
        start = None if self.start is None else _exact(self.start)
        if self.bins is not None:
            return _Cuts(_round_edges(values, self.bins, start))
        return _Grid(_exact(self.width or 1), start or Fraction(0))

    def _spans(self, low: int, high: int) -> list[int]:
        """Choose how many lowest intervals are joined at each level, from bins low to high."""
        spans = [1]
        # Around the start of the grid, -1 and 0 are never joined.
        while high > low and (low, high) != (-1, 0) and len(spans) != self.levels:
            low, high = low // self.fan_out, high // self.fan_out
            spans.append(spans[-1] * self.fan_out)
        return spans


@dataclass
class _Grid:
    """Endless intervals of one width."""

    width: Fraction
    start: Fraction
    reach = None

    def bin_of(self, value: Fraction) -> int | None:
        return (value - self.start) // self.width

    def joined(self, first: int, span: int) -> Interval:
        """Join ``span`` bins from the ``first`` on."""
        low = self.start + first * self.width
        return Interval(_number(low), _number(low + span * self.width), open_end=True)


class _Cuts:
    """Intervals between given ends; the last end is inside."""

    def __init__(self, edges: Sequence[Fraction]) -> None:
        self.edges = edges
        self.reach = (0, len(edges) - 2)

    def bin_of(self, value: Fraction) -> int | None:
        if not self.edges[0] <= value <= self.edges[-1]:
            return None
        return min(bisect_right(self.edges, value) - 1, self.reach[1])

    def joined(self, first: int, span: int) -> Interval:
        """Join ``span`` bins, or those left, from the ``first`` on."""
        last = min(first + span, len(self.edges) - 1)
        low, high = _number(self.edges[first]), _number(self.edges[last])
        return Interval(low, high, open_end=last < len(self.edges) - 1)


def _round_edges(values: Sequence[Fraction], bins: int, start: Fraction | None) -> list[Fraction]:
    low, high = values[0], values[-1]
    unit = _round_below((high - low) / bins / 2)
    if all(value.denominator == 1 for value in values):
        unit = max(unit, Fraction(1))
    if start is None:
        start = math.floor(low / unit) * unit
    width = max(math.ceil((high - start) / bins / unit), 1) * unit
    return [start + i * width for i in range(bins + 1)]


def _round_below(value: Fraction) -> Fraction:
    """Give the greatest of 1, 2, 5, 10, 20, … (or their tenths, …) that is not above."""
    if value <= 0:
        return Fraction(1)
    power = Fraction(10) ** math.floor(math.log10(value.numerator) - math.log10(value.denominator))
    steps = (Fraction(step) * power for step in (10, 5, 2, 1))
    return next((step for step in steps if step <= value), power)


def _is_number(value: object) -> bool:
    return is_number(value) and math.isfinite(value)


def _exact(value: Number) -> Fraction:
    """Take a number as it is written, so that 0.3 is three times 0.1."""
    return Fraction(number_text(value))


def _number(value: Fraction) -> Number:
    return value.numerator if value.denominator == 1 else float(value)
