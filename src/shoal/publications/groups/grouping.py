"""The result of a method: which rows belong together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Bools, Ints
from shoal.kernels.ordering import order_by
from shoal.models import GroupStatistics
from shoal.publications.groups.counting import Padding as Padding, count_distinct, count_groups
from shoal.table.sensitive import SensitiveColumn

SUPPRESSED = -1
"""The label of a row that is not published."""


@dataclass(frozen=True, eq=False, repr=False)
class Grouping:
    """A group label per row; −1 means the row is suppressed.

    Labels run from 0 without gaps. They follow the input order and are private: no file
    that is published may hold them. ``padding`` names, per sensitive column, values that
    a method added to groups.

    Examples
    --------
    >>> grouping = Grouping(np.array([0, 1, 0, -1], dtype=np.int32))
    >>> grouping
    Grouping(rows=4, groups=2, suppressed=1)
    >>> grouping.sizes.tolist()
    [2, 1]
    """

    labels: npt.NDArray[np.int32]
    padding: Mapping[str, Padding] = field(default_factory=dict)
    levels: Mapping[str, int] | None = None
    """A level of its hierarchy per quasi-identifier, where a method chose one for all rows."""
    search: Mapping[str, Any] | None = None
    """What a search of levels found: how good the node is, and how far that is proven."""
    blocks: int = 1
    """In how many blocks the rows were grouped."""
    counterfeits: bool = False
    """Whether added values are counterfeits: how many a group has is published, which are not."""
    population: Ints | None = None
    """How many people of the population fit each group, where a method counts them."""
    elsewhere: int = 0
    """How many people of the population fit no group."""

    def __repr__(self) -> str:
        return (
            f"Grouping(rows={len(self.labels)}, groups={self.n_groups}, "
            f"suppressed={self.n_suppressed})"
        )

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
    def sizes(self) -> Ints:
        """Rows per group."""
        return np.bincount(self.labels[self.rows], minlength=self.n_groups).astype(np.int64)

    @cached_property
    def _members(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Published rows sorted by group, and where each group starts."""
        by_group = self.rows[order_by(self.labels[self.rows], self.n_groups)]
        return by_group, (np.cumsum(self.sizes) - self.sizes).astype(np.intp)

    def least(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Find the least value of each group."""
        by_group, starts = self._members
        return np.minimum.reduceat(values[by_group], starts) if len(starts) else values[:0]

    def largest(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Find the largest value of each group."""
        by_group, starts = self._members
        return np.maximum.reduceat(values[by_group], starts) if len(starts) else values[:0]

    def distinct(self, values: Ints) -> Ints:
        """Count the distinct values of each group."""
        return count_distinct(self.labels[self.rows], values[self.rows], self.n_groups)

    def only(self, wanted: Bools) -> Grouping:
        """Suppress the groups that are not wanted; the others are numbered anew.

        Examples
        --------
        >>> grouping = Grouping(np.array([0, 1, 0, 2], dtype=np.int32))
        >>> grouping.only(np.array([True, False, True])).labels.tolist()
        [0, -1, 0, 1]
        """
        number = np.append(np.where(wanted, np.cumsum(wanted) - 1, SUPPRESSED), SUPPRESSED)
        padding = {
            name: Padding(number[added.group[kept := wanted[added.group]]], added.value[kept])
            for name, added in self.padding.items()
        }
        made = replace(self, labels=number[self.labels].astype(np.int32), padding=padding)
        if self.population is None:
            return made
        gone = int(self.population[~wanted].sum())
        return replace(made, population=self.population[wanted], elsewhere=self.elsewhere + gone)

    def statistics(
        self, people: Ints | None = None, sensitive: Mapping[str, SensitiveColumn] | None = None
    ) -> GroupStatistics:
        """Count what requirements judge.

        Parameters
        ----------
        people
            Tells persons apart, row by row.
        sensitive
            The sensitive columns to count the values of.
        """
        found = count_groups(self.labels, self.n_groups, people, sensitive, self.padding)
        return replace(found, population=self.population, elsewhere=self.elsewhere)


def number_by_first(things: npt.NDArray[Any]) -> Ints:
    """Number things in the order in which rows first hold them; gives each row its number.

    >>> number_by_first(np.array([7, 3, 7, 5])).tolist()
    [0, 1, 0, 2]
    """
    _, first, which = np.unique(things, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[which].astype(np.int64)


def follow_merges(into: Ints) -> Ints:
    """Find the group in which each one ended up, given which one took it in, or itself.

    >>> follow_merges(np.array([0, 0, 1, 3])).tolist()
    [0, 0, 0, 3]
    """
    while not np.array_equal(into, into[into]):
        into = into[into]
    return into


def number_merged(into: Ints) -> Ints:
    """Number the groups that are left, in order; gives each one the number it ended up in.

    >>> number_merged(np.array([0, 0, 1, 3])).tolist()
    [0, 0, 0, 1]
    """
    return np.unique(follow_merges(into), return_inverse=True)[1].astype(np.int64)
