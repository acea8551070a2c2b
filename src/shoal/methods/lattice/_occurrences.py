"""What requirements read of the classes of a lattice: people, and values of sensitive columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from shoal.counting import count_pairs, judged_columns, one_group
from shoal.kernels.lattice.histograms import regroup
from shoal.models import GroupStatistics, Histogram, Requirement
from shoal.models.exact.asked import Closeness
from shoal.table import Table

__all__ = ["Entries", "Occurrences"]

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]


FEW = 4
"""Where there are at most so many pairs of a class and a thing per entry, each gets a place."""


@dataclass(frozen=True, eq=False)
class Entries:
    """How many rows of each class hold a thing: an entry per class and thing that occurs in it."""

    group: Small
    thing: Small
    counts: Ints

    @property
    def nbytes(self) -> int:
        """How much memory it takes."""
        return self.group.nbytes + self.thing.nbytes + self.counts.nbytes

    def only(self, wanted: npt.NDArray[np.bool_]) -> Entries:
        """Keep the entries of some classes, numbered anew."""
        kept = wanted[self.group]
        number = (np.cumsum(wanted) - 1).astype(np.int32)
        return Entries(number[self.group[kept]], self.thing[kept], self.counts[kept])


Held: TypeAlias = tuple[Entries, ...]


class Occurrences:
    """What occurs in the classes of a table, if the requirements ask.

    Where people are counted, the things are people and pairs of a value and a person, since a
    person with rows in several classes is one person in their union.

    Parameters
    ----------
    points
        The distinct tuple of each row: the finest classes.
    """

    def __init__(self, table: Table, require: Sequence[Requirement], points: Ints) -> None:
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
        self.bottom: Held = tuple(_count(points, each) for each in things)
        most = max((len(each.group) for each in self.bottom), default=0)
        self.order = np.empty((3, most), dtype=np.int32)
        self.dense = np.zeros(FEW * most, dtype=np.int64)

    def roll(self, held: Held, label: Small, count: int) -> Held:
        """Add up what belongs to old classes by their ``count`` new ones."""
        return tuple(
            self._roll(each, len(values), label, count)
            for each, values in zip(held, self.value_of, strict=True)
        )

    def _roll(self, old: Entries, things: int, label: Small, count: int) -> Entries:
        n = len(old.group)
        group, thing = (np.empty(n, dtype=np.int32) for _ in range(2))
        counts = np.empty(n, dtype=np.int64)
        begins = np.empty(max(things, count), dtype=np.int64)
        order = self.order[:, :n]
        room = (begins, order, self.dense[: FEW * n], things, count)
        made = int(regroup(old.group, old.thing, old.counts, label, *room, group, thing, counts))
        return Entries(group[:made].copy(), thing[:made].copy(), counts[:made].copy())

    def statistics(self, sizes: Ints, held: Held) -> GroupStatistics:
        """Say what requirements read of classes."""
        people = None
        if self.people is not None:
            people = np.bincount(held[0].group, minlength=len(sizes)).astype(np.int64)
        after = 0 if people is None else 1
        return GroupStatistics(
            sizes,
            people,
            {
                name: self._histogram(held[at], self.value_of[at], column.labels)
                for at, (name, column) in enumerate(self.columns.items(), after)
            },
        )

    def _histogram(
        self, found: Entries, value_of: Ints, labels: tuple[str | None, ...]
    ) -> Histogram:
        group, value = found.group.astype(np.int64), value_of[found.thing]
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
        for ask in [ask for each in require for ask in each.asks(whole) or ()]:
            if isinstance(ask, Closeness) and ask.places is not None:
                made[ask.column] = np.argsort(ask.places, kind="stable")
    return made


def _count(points: Ints, things: Ints) -> Entries:
    """Count the rows of each class that hold a thing, sorted by thing: it is sooner regrouped."""
    thing, group, counts = count_pairs(things, points)
    return Entries(group.astype(np.int32), thing.astype(np.int32), counts)
