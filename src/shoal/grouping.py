"""The result of a method: which rows belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.models import GroupStatistics, Histogram, Requirement
from shoal.table import Table
from shoal.table.sensitive import SensitiveColumn

__all__ = ["SUPPRESSED", "Grouping", "Padding", "one_group"]

SUPPRESSED = -1
"""The label of a row that is not published."""


@dataclass(frozen=True, eq=False)
class Padding:
    """Values that no row of a group holds, published with it all the same.

    Parameters
    ----------
    group, value
        For each added value, its group and its code in the sensitive column.
    """

    group: npt.NDArray[np.int64]
    value: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.group)


@dataclass(frozen=True, eq=False)
class Grouping:
    """A group label per row; −1 means the row is suppressed.

    Labels run from 0 without gaps. They follow the input order and are private: no file
    that leaves the house may hold them. ``padding`` names, per sensitive column, values that
    a method added to groups.

    Examples
    --------
    >>> grouping = Grouping(np.array([0, 1, 0, -1], dtype=np.int32))
    >>> grouping.n_groups, grouping.sizes.tolist(), grouping.n_suppressed
    (2, [2, 1], 1)
    """

    labels: npt.NDArray[np.int32]
    padding: Mapping[str, Padding] = field(default_factory=dict)
    levels: Mapping[str, int] | None = None
    """A level of its hierarchy per quasi-identifier, where a method chose one for all rows."""
    search: Mapping[str, Any] | None = None
    """What a search of levels found: how good the node is, and how far that is proven."""

    @cached_property
    def rows(self) -> npt.NDArray[np.intp]:
        """The published rows, in input order."""
        return np.flatnonzero(self.labels >= 0)

    @cached_property
    def n_groups(self) -> int:
        """How many groups there are."""
        return int(self.labels.max(initial=SUPPRESSED)) + 1

    @property
    def n_suppressed(self) -> int:
        """How many rows are suppressed."""
        return len(self.labels) - len(self.rows)

    @cached_property
    def sizes(self) -> npt.NDArray[np.int64]:
        """Rows per group."""
        return np.bincount(self.labels[self.rows], minlength=self.n_groups).astype(np.int64)

    @cached_property
    def _members(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Published rows sorted by group, and where each group starts."""
        by_group = self.rows[np.argsort(self.labels[self.rows], kind="stable")]
        return by_group, (np.cumsum(self.sizes) - self.sizes).astype(np.intp)

    def least(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Find the least value of each group."""
        by_group, starts = self._members
        return np.minimum.reduceat(values[by_group], starts) if len(starts) else values[:0]

    def largest(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Find the largest value of each group."""
        by_group, starts = self._members
        return np.maximum.reduceat(values[by_group], starts) if len(starts) else values[:0]

    def distinct(self, values: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Count the distinct values of each group."""
        labels = self.labels[self.rows].astype(np.int64)
        known, numbers = np.unique(values[self.rows], return_inverse=True)
        owners = np.unique(labels * len(known) + numbers) // max(len(known), 1)
        return np.bincount(owners, minlength=self.n_groups).astype(np.int64)

    def only(self, wanted: npt.NDArray[np.bool_]) -> Grouping:
        """Suppress the groups that are not wanted; the others are numbered anew.

        Examples
        --------
        >>> grouping = Grouping(np.array([0, 1, 0, 2], dtype=np.int32))
        >>> grouping.only(np.array([True, False, True])).labels.tolist()
        [0, -1, 0, 1]
        """
        number = np.append(np.where(wanted, np.cumsum(wanted) - 1, SUPPRESSED), SUPPRESSED)
        padding = {}
        for name, added in self.padding.items():
            kept = wanted[added.group]
            padding[name] = Padding(number[added.group[kept]], added.value[kept])
        return replace(self, labels=number[self.labels].astype(np.int32), padding=padding)

    def statistics(
        self,
        people: npt.NDArray[np.int64] | None = None,
        sensitive: Mapping[str, SensitiveColumn] | None = None,
    ) -> GroupStatistics:
        """Count what requirements judge.

        Parameters
        ----------
        people
            Tells persons apart, row by row.
        sensitive
            The sensitive columns to count the values of.
        """
        rows = self.rows
        labels = self.labels[rows].astype(np.int64)
        mine = None if people is None else people[rows]
        return GroupStatistics(
            self.sizes,
            None if people is None else self.distinct(people),
            {
                name: self._histogram(name, column, labels, mine)
                for name, column in (sensitive or {}).items()
            },
        )

    def _histogram(
        self,
        name: str,
        column: SensitiveColumn,
        labels: npt.NDArray[np.int64],
        people: npt.NDArray[np.int64] | None,
    ) -> Histogram:
        """Count a sensitive column's values per group, added ones included."""
        codes = column.codes[self.rows]
        added = self.padding.get(name)
        if added is not None:
            labels, codes = np.append(labels, added.group), np.append(codes, added.value)
            if people is not None:  # nobody real holds an added value
                beyond = int(people.max(initial=-1)) + 1 + np.arange(len(added))
                people = np.append(people, beyond)
        return Histogram.count(labels, codes, column.labels, people)


def one_group(
    table: Table, require: Sequence[Requirement], rows: npt.NDArray[Any] | None = None
) -> GroupStatistics:
    """Count some rows of a table, or all, as one group: what the requirements need of it."""
    chosen = np.arange(table.n_rows) if rows is None else rows
    people = None if table.people is None else table.people[chosen]
    wanted = any("histograms" in requirement.needs for requirement in require)
    return GroupStatistics(
        np.array([len(chosen)]),
        None if people is None else np.array([len(np.unique(people))]),
        {
            name: Histogram.of_one(column.codes[chosen], column.labels, people)
            for name, column in (table.sensitive.items() if wanted else ())
        },
    )
