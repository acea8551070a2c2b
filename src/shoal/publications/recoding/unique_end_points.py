"""Ranges that end at a value which one record of their class alone holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Ints
from shoal.publications.recoding.cells import Mask, NumberCells, Recoded
from shoal.table import NumericColumn, Table


@dataclass(frozen=True)
class UniqueEndPoints:
    """How many published ranges give away the exact value of one record (private: exact).

    ``intervals``, ``unique_ends``: ranges of numbers, one per class and column, and those with such
        an end.
    ``classes``, ``classes_with_unique``: published classes, and those with such a range.
    """

    intervals: int
    unique_ends: int
    classes: int
    classes_with_unique: int

    def shares(self, least: int) -> dict[str, float | str]:
        """Say in public which share it is: with two digits, and never a count below ``least``.

        >>> UniqueEndPoints(4000, 2851, 4100, 2851).shares(least=5)
        {'intervals': 0.71, 'classes': 0.7}
        >>> UniqueEndPoints(40, 2, 40, 2).shares(least=5)
        {'intervals': 'above 0 and below 0.12', 'classes': 'above 0 and below 0.12'}
        """
        return {
            "intervals": _share(self.unique_ends, self.intervals, least),
            "classes": _share(self.classes_with_unique, self.classes, least),
        }

    def remark(self, least: int) -> str:
        """Say it to people; empty if no range ends so.

        >>> UniqueEndPoints(4000, 2851, 4100, 2851).remark(least=5)[:71]
        '71% of the published ranges end at a value that only one record of thei'
        """
        if not self.unique_ends:
            return ""
        share = self.shares(least)["intervals"]
        part = "A few" if isinstance(share, str) else f"{share:.0%}"
        return (
            f"{part} of the published ranges end at a value that only one record of their "
            "class holds: an attacker who knows which one learns it exactly. Set bounds = "
            '"rounded".'
        )


def unique_end_points(table: Table, recoded: Recoded) -> UniqueEndPoints:
    """Count the ranges of numbers that end at a value of one record alone.

    Where the schema tells people apart, a value that several rows of one person hold is held
    by one, too. Ranges of hierarchies end where those say, and are not counted.

    >>> import polars as pl, shoal
    >>> from shoal.publications.recoding import generalize
    >>> frame = pl.DataFrame({"age": [20, 20, 29, 40, 40]})
    >>> table = Table.encode(frame, shoal.Schema({"age": shoal.quasi()}))
    >>> grouping = shoal.Grouping(np.array([0, 0, 0, 1, 1], dtype=np.int32))
    >>> unique_end_points(table, generalize(table, grouping, bounds="observed"))
    UniqueEndPoints(intervals=1, unique_ends=1, classes=2, classes_with_unique=1)
    """
    classes = recoded.classes if recoded.groups is None else recoded.groups
    size = int(classes.max()) + 1 if len(classes) else 0
    people = None if table.people is None else table.people[recoded.rows]
    intervals, unique_ends = 0, 0
    touched = np.zeros(size, dtype=np.bool_)
    for column, cells in zip(table.quasi, recoded.columns, strict=True):
        if not isinstance(column, NumericColumn) or not isinstance(cells, NumberCells):
            continue
        wide = (~cells.star & (cells.lo != cells.hi))[cells.index]
        if not wide.any():
            continue
        values = np.append(column.values, 0)[column.codes[recoded.rows]]
        held = [
            _holders(classes, wide & (values == ends[cells.index]), people, size)
            for ends in (cells.lo, cells.hi)
        ]
        alone = (held[0] == 1) | (held[1] == 1)
        intervals += len(np.unique(classes[wide]))
        unique_ends += int(alone.sum())
        touched |= alone
    return UniqueEndPoints(intervals, unique_ends, len(np.unique(classes)), int(touched.sum()))


def _holders(classes: Ints, at_end: Mask, people: npt.NDArray[Any] | None, size: int) -> Ints:
    """Count, per class, the records (or people) that hold the end of its range."""
    found = classes[at_end]
    if people is not None:
        found = np.unique(np.stack([found, people[at_end]]), axis=1)[0]
    return np.bincount(found, minlength=size)


def _share(part: int, whole: int, least: int) -> float | str:
    """Round a share; what stands for fewer than ``least`` is only said to be there."""
    if 0 < part < least:
        return f"above 0 and below {least / max(whole, 1):.2g}"
    return float(f"{part / max(whole, 1):.2g}")
