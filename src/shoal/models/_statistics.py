"""What is counted of groups, and what requirements judge: plain arrays, whoever counted them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Self

import numpy as np

from shoal.base.arrays import Bools, Ints
from shoal.base.plural import counted
from shoal.errors import ParameterError, did_you_mean
from shoal.io.frames import count_pairs


@dataclass(frozen=True, eq=False)
class Histogram:
    """How often each value of a sensitive column occurs in each group.

    One entry per group and value that occurs in it, sorted by group, then by value.

    Parameters
    ----------
    group, value, counts
        The group, the value's code, and how many rows (or people, where people are counted)
        of the group hold it.
    labels
        The text of each code; ``None`` is the missing value, which counts as one of its own.
    """

    group: Ints
    value: Ints
    counts: Ints
    labels: tuple[str | None, ...]

    @classmethod
    def count(
        cls, group: Ints, value: Ints, labels: tuple[str | None, ...], people: Ints | None = None
    ) -> Self:
        """Count rows given by group and value, or the people whom ``people`` tells apart.

        Examples
        --------
        >>> found = Histogram.count(np.array([0, 0, 1]), np.array([1, 1, 0]), ("a", "b"))
        >>> found.group.tolist(), found.value.tolist(), found.counts.tolist()
        ([0, 1], [1, 0], [2, 1])
        """
        width = max(len(labels), 1)
        if people is not None and len(group):
            persons = int(people.max()) + 1
            _, dense = np.unique(group.astype(np.int64) * width + value, return_inverse=True)
            _, first = np.unique(dense * persons + people, return_index=True)
            group, value = group[first], value[first]
        return cls(*count_pairs(group, value, width), labels)

    @classmethod
    def of_one(
        cls,
        value: Ints,
        labels: tuple[str | None, ...],
        people: Ints | None = None,
        multiplicity: Ints | None = None,
    ) -> Self:
        """Count rows of one group, each ``multiplicity`` times, as `count` does, but sooner.

        Examples
        --------
        >>> found = Histogram.of_one(np.array([1, 1, 0]), ("a", "b"))
        >>> found.value.tolist(), found.counts.tolist()
        ([0, 1], [1, 2])
        """
        if people is not None and len(value):
            width = max(len(labels), 1)
            pairs = np.sort(people * width + value)  # sooner than `np.unique`
            value = pairs[np.append(True, pairs[1:] > pairs[:-1])] % width
            multiplicity = None
        counts = np.bincount(value, multiplicity, minlength=len(labels)).astype(np.int64)
        held = np.flatnonzero(counts)
        return cls(np.zeros(len(held), dtype=np.int64), held, counts[held], labels)

    @property
    def totals(self) -> Ints:
        """How often each value occurs in all groups together."""
        weights = self.counts.astype(np.float64)
        return np.bincount(self.value, weights, minlength=len(self.labels)).astype(np.int64)

    def different(self, groups: int) -> Ints:
        """Count the different values of each of so many groups."""
        return np.bincount(self.group, minlength=groups).astype(np.int64)

    def held(self, groups: int) -> Ints:
        """Sum the counts of each of so many groups."""
        weights = self.counts.astype(np.float64)
        return np.bincount(self.group, weights, minlength=groups).astype(np.int64)

    def only(self, wanted: Bools) -> Histogram:
        """Keep the entries of some groups, numbered anew; the values keep their codes."""
        kept = wanted[self.group]
        number = np.cumsum(wanted) - 1
        return Histogram(number[self.group[kept]], self.value[kept], self.counts[kept], self.labels)

    def too_few(self, column: str, least: Fraction | float, option: str, none: str) -> str:
        """Say in words that a column has fewer different values than asked for; empty if not.

        ``option`` would have to be as large as the column has values; ``none`` is what to say of
        one value.
        """
        values = len(np.unique(self.value))
        if values < 2:
            return f"Column '{column}' has the same value in all rows: {none}."
        if values >= least:
            return ""
        number = counted(values, "different value")
        return f"Column '{column}' has {number}: {option} = {values} is the largest possible."

    def code(self, label: str) -> int | None:
        """Find the code of a value, ``""`` being the missing one; ``None`` if no row holds it."""
        wanted = label or None
        return self.labels.index(wanted) if wanted in self.labels else None


@dataclass(frozen=True)
class GroupStatistics:
    """What is known about each group; one entry per group in every array.

    Parameters
    ----------
    sizes, people
        Rows per group; and distinct people, where the table names an entity column.
    histograms, private
        The values of each sensitive column, where a requirement needs them, and of each column that
        is read to judge groups and that no release holds.
    population, elsewhere
        How many people of the population fit each group, where a table of it is given, and how many
        fit no group.
    """

    sizes: Ints
    people: Ints | None = None
    histograms: Mapping[str, Histogram] = field(default_factory=dict)
    private: Mapping[str, Histogram] = field(default_factory=dict)
    population: Ints | None = None
    elsewhere: int = 0

    @property
    def counts(self) -> Ints:
        """People per group where people are counted, rows otherwise."""
        return self.sizes if self.people is None else self.people

    @property
    def noun(self) -> str:
        """What is counted, in words."""
        return "rows" if self.people is None else "people"

    def only(self, wanted: Bools) -> GroupStatistics:
        """Keep some groups, numbered anew.

        Examples
        --------
        >>> found = Histogram.count(np.array([0, 1, 1]), np.array([0, 0, 1]), ("a", "b"))
        >>> groups = GroupStatistics(np.array([1, 2]), None, {"s": found})
        >>> kept = groups.only(np.array([False, True]))
        >>> kept.sizes.tolist(), kept.histograms["s"].group.tolist()
        ([2], [0, 0])
        """
        population, elsewhere = self.population, self.elsewhere
        if population is not None:
            elsewhere += int(population[~wanted].sum())
            population = population[wanted]
        return GroupStatistics(
            self.sizes[wanted],
            None if self.people is None else self.people[wanted],
            {name: found.only(wanted) for name, found in self.histograms.items()},
            {name: found.only(wanted) for name, found in self.private.items()},
            population,
            elsewhere,
        )

    def private_histogram(self, column: str) -> Histogram:
        """Find a column that no release holds."""
        if column not in self.private:
            raise ParameterError(
                f"Column '{column}' is not published, so its wishes cannot be checked.",
                "Give the original table, with the release's private folder.",
            )
        return self.private[column]

    def fitting(self, name: str) -> Ints:
        """Give the people of the population who fit each group, or say that a requirement asks."""
        if self.population is None:
            raise ParameterError(
                f"'{name}' counts people in a table of the population, but none is given.",
                'Name it as [population] path = "…" in a plan, --population on the command '
                "line, or population=… in Python.",
            )
        return self.population

    def histogram(self, column: str | None) -> tuple[str, Histogram]:
        """Find a sensitive column by name, or the only one there is."""
        if column is None and len(self.histograms) == 1:
            return next(iter(self.histograms.items()))
        if column is None:
            known = ", ".join(f"'{name}'" for name in self.histograms) or "none"
            raise ParameterError(
                f"The requirement names no column, and the sensitive columns are: {known}.",
                "Name one of them with column.",
            )
        if column not in self.histograms:
            raise ParameterError(
                f"Column '{column}' is not sensitive.",
                did_you_mean(column, self.histograms)
                if self.histograms
                else "Give it the role sensitive.",
            )
        return column, self.histograms[column]
