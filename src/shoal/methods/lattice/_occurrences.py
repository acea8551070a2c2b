"""What requirements read of the classes of a lattice: people, and the values that are judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from shoal.base.arrays import Bools, Ints, Small
from shoal.kernels.lattice.histograms import regroup
from shoal.models import GroupStatistics, Histogram, Requirement
from shoal.models.exact.conditions import Closeness
from shoal.publications.groups.counting import count_pairs, judged_columns, one_group, statistics
from shoal.table import Table

PLACES_PER_ENTRY = 6
"""Where there are at most so many pairs of a class and a thing per entry, each gets a place."""


@dataclass(frozen=True, eq=False)
class Entries:
    """How many rows of each class hold a thing: an entry per class and thing that occurs in it.

    ``begin``: where the entries of each class begin; one place more than there are classes.
    ``thing``, ``counts``: per entry, sorted by class, then by thing.
    """

    begin: Ints
    thing: Small
    counts: Ints

    @property
    def nbytes(self) -> int:
        """How much memory it takes."""
        return self.begin.nbytes + self.thing.nbytes + self.counts.nbytes

    @property
    def group(self) -> Ints:
        """The class of each entry."""
        sizes = np.diff(self.begin)
        return np.repeat(np.arange(len(sizes)), sizes)

    def only(self, wanted: Bools) -> Entries:
        """Keep the entries of some classes, numbered anew."""
        sizes = np.diff(self.begin)
        kept = np.repeat(wanted, sizes)
        return Entries(_begin(sizes[wanted]), self.thing[kept], self.counts[kept])


Held: TypeAlias = tuple[Entries, ...]


class Occurrences:
    """What occurs in the classes of a table, if the requirements ask.

    Where people are counted, the things are people and pairs of a value and a person, since a
    person with rows in several classes is one person in their union.

    ``points``: the distinct tuple of each row: the finest classes. ``tuples``: how many tuples
    there are; some may have no row.
    """

    def __init__(
        self, table: Table, require: Sequence[Requirement], points: Ints, tuples: int
    ) -> None:
        self.people = table.people
        self.columns = dict(judged_columns(table, require))
        self.order_of = {} if table.people is not None else _orders(table, require)
        """The codes of columns whose values come in the order of their places."""
        self.value_of: list[Ints] = []
        """For each kind of thing, the value that it stands for."""
        things: list[Ints] = []
        if table.people is not None:
            persons, who = np.unique(table.people, return_inverse=True)
            things.append(who)
            self.value_of.append(np.arange(len(persons)))
        for name, column in self.columns.items():
            if table.people is None:
                order = self.order_of.get(name, np.arange(column.size))
                place = np.empty(column.size, dtype=np.int64)
                place[order] = np.arange(column.size)
                things.append(place[column.codes])
                self.value_of.append(order)
            else:
                pairs, which = np.unique(column.codes * len(persons) + who, return_inverse=True)
                things.append(which)
                self.value_of.append(pairs // len(persons))
        found = [count_pairs(points, each, table.multiplicity) for each in things]
        self.bottom: Held = tuple(
            Entries(_begin(np.bincount(group, minlength=tuples)), thing.astype(np.int32), counts)
            for group, thing, counts in found
        )
        classes = max((len(each.begin) for each in self.bottom), default=0)
        self.first, self.after = (np.empty(classes, dtype=np.int32) for _ in range(2))
        self.sums = [np.zeros(len(values), dtype=np.int64) for values in self.value_of]
        entries = max((len(each.thing) for each in self.bottom), default=0)
        self.dense = np.zeros(PLACES_PER_ENTRY * entries, dtype=np.int32)
        self.thing = np.empty(entries + 1, dtype=np.int32)
        self.counts = np.empty(entries + 1, dtype=np.int64)

    def roll(self, held: Held, label: Small, count: int) -> Held:
        """Add up what belongs to old classes by their ``count`` new ones."""
        return tuple(
            self._roll(each, sums, label, count) for each, sums in zip(held, self.sums, strict=True)
        )

    def _roll(self, old: Entries, sums: Ints, label: Small, count: int) -> Entries:
        begin = np.empty(count + 1, dtype=np.int64)
        buffers = (self.first, self.after, sums, self.dense[: PLACES_PER_ENTRY * len(old.thing)])
        found = (begin, self.thing, self.counts)
        made = int(regroup(old.begin, old.thing, old.counts, label, *buffers, *found))
        return Entries(begin, self.thing[:made].copy(), self.counts[:made].copy())

    def statistics(
        self, sizes: Ints, held: Held, population: Ints | None = None, elsewhere: int = 0
    ) -> GroupStatistics:
        """Say what requirements read of classes."""
        people = None
        if self.people is not None:
            people = np.diff(held[0].begin)
        after = 0 if people is None else 1
        found = {
            name: self._histogram(held[at], self.value_of[at], column.labels)
            for at, (name, column) in enumerate(self.columns.items(), after)
        }
        return statistics(sizes, people, found, self.columns, population, elsewhere)

    def _histogram(
        self, found: Entries, value_of: Ints, labels: tuple[str | None, ...]
    ) -> Histogram:
        group, value = found.group, value_of[found.thing]
        if self.people is None:
            if len(value_of) > 1 and (value_of[1:] < value_of[:-1]).any():
                order = np.lexsort((value, group))
                return Histogram(group[order], value[order], found.counts[order], labels)
            return Histogram(group, value, found.counts, labels)
        # One entry per person, sorted by value: those of a value become one.
        first = np.ones(len(group), dtype=np.bool_)
        first[1:] = (group[1:] != group[:-1]) | (value[1:] != value[:-1])
        begins = np.flatnonzero(first)
        counts = np.diff(np.append(begins, len(group)))
        return Histogram(group[begins], value[begins], counts.astype(np.int64), labels)


def _orders(table: Table, require: Sequence[Requirement]) -> dict[str, Ints]:
    """Sort the values of columns by their places, where a requirement gives them places."""
    made = {}
    if any(each.relative for each in require):
        whole = one_group(table, require)
        for condition in [
            condition for each in require for condition in each.conditions(whole) or ()
        ]:
            if isinstance(condition, Closeness) and condition.places is not None:
                made[condition.column] = np.argsort(condition.places, kind="stable")
    return made


def _begin(sizes: Ints) -> Ints:
    """Say where each class begins if they have so many entries, and where the last one ends."""
    return np.concatenate(([0], np.cumsum(sizes)), dtype=np.int64)
