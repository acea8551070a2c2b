"""The classes of nodes of a lattice, remembered as long as there is room."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar

import numpy as np

from shoal.base.arrays import Bools, Floats, Ints, Small
from shoal.kernels.lattice.above import smallest
from shoal.kernels.lattice.roll_up import PricedClasses
from shoal.methods.lattice._occurrences import Held

Levels: TypeAlias = tuple[int, ...]

MOST_SNAPSHOTS = 1024
"""The most snapshots that are remembered: beyond, looking for one takes longer than it saves."""

REMEMBERED_BYTES = 2**27
"""How much memory is spent on what is remembered."""


class Sized(Protocol):
    """Something that says how much memory it takes."""

    @property
    def nbytes(self) -> int: ...


Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value", bound=Sized)


class LRUCache(Generic[Key, Value]):
    """Remembers things; when there are too many, what was not used for longest is forgotten."""

    def __init__(self, most: int | None = None) -> None:
        self.kept: OrderedDict[Key, Value] = OrderedDict()
        self.most = most
        self.free = REMEMBERED_BYTES

    def get(self, key: Key) -> Value | None:
        """Recall something."""
        if key in self.kept:
            self.kept.move_to_end(key)
        return self.kept.get(key)

    def keep(self, key: Key, value: Value) -> list[Key]:
        """Remember something, and say what was forgotten for it; the newest always stays."""
        self.kept[key] = value
        self.free -= value.nbytes
        gone = []
        while len(self.kept) > 1 and (self.free < 0 or len(self.kept) > (self.most or np.inf)):
            old, lost = self.kept.popitem(last=False)
            self.free += lost.nbytes
            gone.append(old)
        return gone


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The classes of a node: a tuple that stands for each, its rows, what costs and rules need.

    ``population`` counts the people of the population who fit each; it has no columns where there
    is none.
    """

    rep: Small
    rows: Ints
    known: Floats
    base: Floats
    held: Held
    population: Floats

    @property
    def nbytes(self) -> int:
        """How much memory it takes."""
        plain = self.rep.nbytes + self.rows.nbytes + self.known.nbytes + self.base.nbytes
        return plain + self.population.nbytes + sum([each.nbytes for each in self.held])

    @property
    def classes(self) -> PricedClasses:
        """The classes as kernels price them."""
        return PricedClasses(self.rep, self.rows, self.known, self.base)

    def only(self, wanted: Bools) -> Snapshot:
        """Keep some classes, numbered anew."""
        rows = (self.rep[wanted], self.rows[wanted], self.known[wanted], self.base[wanted])
        held = tuple(each.only(wanted) for each in self.held)
        return Snapshot(*rows, held, self.population[wanted])


class Snapshots:
    """The snapshots of nodes that were counted, and which of them lies below another node."""

    def __init__(self, bottom: Snapshot, d: int) -> None:
        self.bottom = bottom
        self.memory: LRUCache[Levels, Snapshot] = LRUCache(MOST_SNAPSHOTS)
        self.place: dict[Levels, int] = {}
        self.open = list(range(MOST_SNAPSHOTS + 1))
        self.whose: list[Levels] = [()] * (MOST_SNAPSHOTS + 1)
        self.levels = np.zeros((MOST_SNAPSHOTS + 1, d), dtype=np.int16)
        self.size = np.full(MOST_SNAPSHOTS + 1, len(bottom.rep))

    def get(self, levels: Levels) -> Snapshot | None:
        """Recall the classes of a node."""
        return self.memory.get(levels)

    def keep(self, levels: Levels, made: Snapshot) -> None:
        """Remember the classes of a node."""
        place = self.place[levels] = self.open.pop()
        self.whose[place] = levels
        self.levels[place], self.size[place] = levels, len(made.rep)
        for gone in self.memory.keep(levels, made):
            place = self.place.pop(gone)
            self.size[place] = len(self.bottom.rep)
            self.open.append(place)

    def finer(self, levels: Levels) -> tuple[Levels, Snapshot]:
        """Find the node below of the fewest remembered classes; the tuples, if there is none."""
        at, most = np.array(levels, dtype=np.int16), len(self.bottom.rep)
        place = int(smallest(self.levels, self.size, at, most))
        if place >= 0:
            found = self.memory.get(self.whose[place])
            if found is not None:
                return self.whose[place], found
        return (0,) * len(levels), self.bottom
