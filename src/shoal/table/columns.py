"""Quasi-identifiers, encoded: small integers for their values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arrays import Floats, Ints
from shoal.base.cells import dates_text, interval_text, number_text, parse_dates
from shoal.io.frames import smallest
from shoal.table.hierarchies import Dates, Hierarchy, Intervals

IntArray: TypeAlias = npt.NDArray[np.integer[Any]]

NUMBERS = Intervals(bins=16)
"""The tree of a column of numbers that has none: equal intervals, joined in pairs."""


@dataclass(frozen=True)
class NumericColumn:
    """A quasi-identifier of numbers: code i stands for the i-th smallest value.

    ``units`` are the values as exact integers (all multiplied by ``10**decimals``), for
    comparisons without rounding; where the values are not short decimals, they are
    positions on a grid of 2³² steps and ``exact`` is false. The code ``size`` means missing;
    a column that is missing everywhere has no values, and size 0.

    In rows selected from a table there may be values that no row holds: they keep their
    codes, so that these rows and the table they come from mean the same by a code, by a node
    of the tree and by a step of the grid that intervals are rounded to. Distances know only
    the values that are held: `range`, `reach` and `offsets`.
    """

    name: str
    codes: IntArray
    values: Ints | Floats
    units: Ints
    decimals: int
    exact: bool
    weight: float
    hierarchy: Hierarchy | None = None
    """A tree of intervals, for methods that generalize numbers by steps."""
    ends: tuple[int, int] | None = None
    """The codes of the least and the largest value of the whole table, in a piece of it."""
    dates: bool = False
    """Whether the numbers are days of the calendar: 1 is the first day of the year 1."""

    def select(
        self, rows: npt.NDArray[np.intp], *, ranges: Literal["own", "whole"]
    ) -> NumericColumn:
        """Select some of the rows: see `Table.select`."""
        ends = self.ends if ranges == "own" else self._ends
        return replace(self, codes=self.codes[rows], ends=ends)

    @property
    def size(self) -> int:
        """How many distinct values there are; also the code of a missing cell."""
        return len(self.values)

    @cached_property
    def counts(self) -> Ints:
        """How many rows hold each code, that of a missing cell included."""
        return np.bincount(self.codes, minlength=self.size + 1)

    @cached_property
    def _ends(self) -> tuple[int, int] | None:
        """The codes of the least and the largest value that a row holds, if one does."""
        if self.ends is not None:
            return self.ends
        held = self.codes[self.codes < self.size]
        return (int(held.min()), int(held.max())) if len(held) else None

    @property
    def range(self) -> float:
        """The largest value that is held less the smallest; 0 if there is none."""
        if self._ends is None:
            return 0.0
        least, largest = self._ends
        return float(self.values[largest].item() - self.values[least].item())

    @property
    def exact_range(self) -> Fraction:
        """The `range` as a fraction."""
        if self.exact:
            return Fraction(self.reach, 10**self.decimals)
        return Fraction(str(self.range))

    @property
    def domain(self) -> float:
        """The largest value of all, held or not, less the smallest; 0 if there is none."""
        return float(self.values[-1].item() - self.values[0].item()) if self.size else 0.0

    @cached_property
    def offsets(self) -> npt.NDArray[np.uint64]:
        """How far, in units, each value lies above the least that is held.

        Values outside those that are held lie at the nearer end, so that the last is `reach`.
        """
        least, largest = self._ends or (0, 0)
        held = np.clip(np.arange(self.size), least, largest)
        # As unsigned numbers: the ends of int64 lie farther apart than int64 holds.
        units = self.units.astype(np.uint64)[held]
        return np.asarray(units - units[:1])

    @property
    def reach(self) -> int:
        """The `range` in units."""
        return int(self.offsets[-1]) if self.size else 0

    def label(self, code: int) -> str:
        """Write the value of a code."""
        value = self.values[code].item()
        return dates_text(value, value) if self.dates else number_text(value)

    @property
    def labels(self) -> pl.Series:
        """The values of all codes, written."""
        return pl.Series([self.label(code) for code in range(self.size)], dtype=pl.String)

    def range_text(self, lo: float | int, hi: float | int) -> str:
        """Write the range from one number to another, as cells of the column show it."""
        return dates_text(int(lo), int(hi)) if self.dates else interval_text(lo, hi)

    @cached_property
    def tree(self) -> CategoricalColumn:
        """The same cells as leaves of the hierarchy.

        Without one: of 16 equal intervals joined in pairs, or of the calendar.
        """
        labels = self.labels
        hierarchy = self.hierarchy
        if hierarchy is None:
            hierarchy = dated(Dates().build(labels)) if self.dates else NUMBERS.build(labels)
        leaves = np.append(hierarchy.codes(labels), hierarchy.n_leaves)
        codes = leaves[self.codes.astype(np.intp)].astype(smallest(hierarchy.n_leaves))
        return CategoricalColumn(self.name, codes, hierarchy, self.weight)


@dataclass(frozen=True)
class CategoricalColumn:
    """A quasi-identifier of categories: code i is the i-th leaf of its hierarchy.

    The code ``size`` (the number of leaves) means missing; it stands at the root.
    """

    name: str
    codes: IntArray
    hierarchy: Hierarchy
    weight: float

    def select(
        self, rows: npt.NDArray[np.intp], *, ranges: Literal["own", "whole"]
    ) -> CategoricalColumn:
        """Select some of the rows: see `Table.select`."""
        return replace(self, codes=self.codes[rows])

    @property
    def size(self) -> int:
        """How many leaves the hierarchy has; also the code of a missing cell."""
        return self.hierarchy.n_leaves

    @cached_property
    def counts(self) -> Ints:
        """How many rows hold each code, that of a missing cell included."""
        return np.bincount(self.codes, minlength=self.size + 1)

    def label(self, code: int) -> str:
        """Write the value of a code."""
        return self.hierarchy.leaves[code]


QuasiColumn: TypeAlias = NumericColumn | CategoricalColumn


def dated(tree: Hierarchy) -> Hierarchy:
    """Read the nodes of a tree as ranges of days, not of numbers; words stay unread.

    >>> tree = Hierarchy.from_dict({"1955": ["1955-02-01", "1955-12-31"]})
    >>> tree.intervals[1].lo, dated(tree).intervals[1].lo
    (1955, 713684)
    """
    known = {label: days for label in tree.labels if (days := parse_dates(label)) is not None}
    return Hierarchy(tree.labels, tree.parent.tolist(), known)
