"""Classes of a full-domain generalization, rolled up from those of a finer one.

A class is known by one of its distinct tuples and by its rows. At every node of the lattice a
tuple's codes map to numbers, and equal numbers are one class; so the classes of a node follow
from those of any node below it, which are fewer than the tuples.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.kernels.compiled import compiled

__all__ = ["DENSE", "Ladder", "Room", "gather", "make_room", "price", "roll"]

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

DENSE = 2**21
"""Up to so many keys, a class is found by its address; beyond, by hashing."""


_WRAPS = 2**40
"""From so many keys on, another attribute's cells might make them wrap around."""


class Ladder(NamedTuple):
    """The distinct tuples, and what their codes become at each level."""

    codes: Small
    """Tuples × attributes."""
    up: Small
    """Per attribute, level and code: the number of the cell it becomes."""
    start: Ints
    """Where each attribute's numbers begin in ``up``."""
    width: Ints
    """How many codes each attribute has, the missing one included."""
    size: Ints
    """Attributes × levels: how many different cells there are."""


class Room(NamedTuple):
    """Places to look up classes in; entries of an older turn count as empty."""

    slot: Small
    turn: Small
    key: Ints
    facts: Ints
    """The turn."""


def make_room(tuples: int) -> Room:
    """Make room for a table of so many distinct tuples."""
    size = max(DENSE, 1 << int(4 * max(tuples, 1) - 1).bit_length())
    return Room(
        slot=np.zeros(size, dtype=np.int32),
        turn=np.zeros(size, dtype=np.int32),
        key=np.zeros(size, dtype=np.int64),
        facts=np.zeros(1, dtype=np.int64),
    )


@compiled
def _same(ladder: Ladder, level: Ints, one: int, other: int) -> bool:
    """Say whether two tuples show the same cells."""
    for j in range(level.shape[0]):
        at = ladder.start[j] + level[j] * ladder.width[j]
        if ladder.up[at + ladder.codes[one, j]] != ladder.up[at + ladder.codes[other, j]]:
            return False
    return True


@compiled
def roll(
    ladder: Ladder,
    level: Ints,
    rep: Small,
    rows: Ints,
    room: Room,
    new_rep: Small,
    new_rows: Ints,
    label: Small,
) -> int:
    """Find the classes of a node from those of a finer one; gives how many there are.

    ``label`` gets, for each old class, its new one.
    """
    d = level.shape[0]
    keys = 1
    for j in range(d):
        keys = keys * ladder.size[j, level[j]] if keys < _WRAPS else keys
    dense = keys <= DENSE
    unique = keys < _WRAPS  # different cells have different keys
    mask = room.slot.shape[0] - 1
    room.facts[0] += 1
    turn = room.facts[0]
    count = 0
    for i in range(rep.shape[0]):
        key = 0
        for j in range(d):
            at = ladder.start[j] + level[j] * ladder.width[j] + ladder.codes[rep[i], j]
            key = key * ladder.size[j, level[j]] + ladder.up[at]
        place = key
        if not dense:
            place = ((key * -7046029254386353131) >> 20) & mask
            while room.turn[place] == turn and (
                room.key[place] != key
                or not (unique or _same(ladder, level, rep[i], new_rep[room.slot[place]]))
            ):
                place = (place + 1) & mask
        if room.turn[place] != turn:
            room.turn[place], room.slot[place], room.key[place] = turn, count, key
            new_rep[count], new_rows[count] = rep[i], 0
            count += 1
        made = room.slot[place]
        new_rows[made] += rows[i]
        label[i] = made
    return count


@compiled
def gather(label: Small, old: Floats, new: Floats, count: int) -> None:
    """Add up what belongs to old classes by their new ones: classes × anything."""
    for c in range(count):
        for j in range(old.shape[1]):
            new[c, j] = 0.0
    for i in range(label.shape[0]):
        for j in range(old.shape[1]):
            new[label[i], j] += old[i, j]


@compiled
def price(
    ladder: Ladder,
    level: Ints,
    cost: Floats,
    rep: Small,
    rows: Ints,
    known: Floats,
    base: Floats,
    fails: npt.NDArray[np.bool_],
    extra: Floats,
) -> None:
    """Sum, per attribute, by how much suppressed rows cost more than their cells would.

    A row's cell costs what its number costs, if it is known, plus a base of its own. ``known``
    and ``base`` have no columns where every cell is known and there is no base.
    """
    for j in range(level.shape[0]):
        extra[j] = 0.0
        for i in range(rep.shape[0]):
            if fails[i]:
                at = ladder.start[j] + level[j] * ladder.width[j] + ladder.codes[rep[i], j]
                told = known[i, j] if known.shape[1] else float(rows[i])
                extra[j] += rows[i] - told * cost[at]
                if base.shape[1]:
                    extra[j] -= base[i, j]
