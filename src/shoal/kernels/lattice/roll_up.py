"""Classes of a full-domain generalization, rolled up from those of a finer one.

A class is known by one of its distinct tuples and by its rows. The attributes lie in a few sets.
At the levels of a node, tuples are numbered by what they show of a set, their sub-tuples; so a
class is a number per set, and the classes of a node follow from those of any node below it, which
are fewer than the tuples.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.base.arrays import Bools, Floats, Ints, Small
from shoal.kernels.compiled import compiled

ATTRIBUTE_SETS = 3
"""Into how many sets the attributes are split."""


class LevelCells(NamedTuple):
    """The distinct tuples, and what their codes become at each level."""

    codes: Small
    """Attributes × tuples."""
    up: Small
    """Per attribute, level and code: the number of the cell it becomes."""
    start: Ints
    """Where each attribute's numbers begin in ``up``."""
    width: Ints
    """How many codes each attribute has, the missing one included."""
    size: Ints
    """Attributes × levels: how many different cells there are."""


class SubTuples(NamedTuple):
    """What the tuples show of some attributes at some levels: equal numbers, equal cells."""

    number: Small
    size: int
    """How many numbers there are."""


class Workspace(NamedTuple):
    """Places to look up classes in.

    Nothing is cleared: a place is taken if it names a class of this turn, and that class the place.
    """

    slot: Small
    """Per place, a class."""
    place: Small
    """Per class, its place."""
    key: Ints
    """Per class, its key."""
    wanted: Ints
    """Per old class, the key to look up."""
    rep: Small
    """Per new class: a tuple that stands for it."""
    rows: Ints
    """Per new class: its rows."""
    which: Small
    """Room for a number per class."""


class Finer(NamedTuple):
    """Classes that are rolled up."""

    rep: Small
    rows: Ints
    label: Small
    """Gets, for each, its new class."""
    most: int
    """The most new classes there can be."""


class PricedClasses(NamedTuple):
    """Classes: a tuple that stands for each, its rows, and per attribute what their cells cost.

    A row's cell costs what its number costs, if it is known, plus a base of its own. ``known``
    and ``base`` have no columns where every cell is known and there is no base.
    """

    rep: Small
    rows: Ints
    known: Floats
    base: Floats


def make_workspace(tuples: int) -> Workspace:
    """Make room for a table of so many distinct tuples."""
    return Workspace(
        slot=np.zeros(int(_places(tuples)), dtype=np.int32),
        place=np.zeros(tuples, dtype=np.int32),
        key=np.zeros(tuples, dtype=np.int64),
        wanted=np.zeros(tuples, dtype=np.int64),
        rep=np.empty(tuples, dtype=np.int32),
        rows=np.empty(tuples, dtype=np.int64),
        which=np.empty(tuples, dtype=np.int32),
    )


@compiled
def _places(keys: int) -> int:
    """How many places so many keys need: a power of two, at most two of three taken."""
    places = 16
    while 2 * places < 3 * keys:
        places *= 2
    return places


@compiled
def _slot(work: Workspace, key: int, places: int, dense: bool, count: int) -> int:
    """Find the class of a key among ``count`` ones, or make it the next one."""
    at = key
    if not dense:
        # 31 bits times 32 bits stay within 64, so that nothing overflows.
        mixed = ((key ^ (key >> 31)) & 0x7FFFFFFF) * 0x9E3779B1
        at = (mixed >> 20) & (places - 1)
    made = work.slot[at]
    while made < count and work.place[made] == at:
        if dense or work.key[made] == key:
            return made
        at = (at + 1) & (places - 1)
        made = work.slot[at]
    work.slot[at], work.place[count], work.key[count] = count, at, key
    return count


@compiled
def number(
    level_cells: LevelCells, below: SubTuples, j: int, level: int, work: Workspace, made: Small
) -> int:
    """Number the tuples by sub-tuples and one more attribute; gives how many numbers there are."""
    at = level_cells.start[j] + level * level_cells.width[j]
    size = level_cells.size[j, level]
    places = _places(made.shape[0])
    dense = below.size * size <= places
    count = 0
    for i in range(made.shape[0]):
        key = below.number[i] * size + level_cells.up[at + level_cells.codes[j, i]]
        made[i] = _slot(work, key, places, dense, count)
        count = max(count, made[i] + 1)
    return count


@compiled
def roll(
    first: SubTuples, second: SubTuples, third: SubTuples, finer: Finer, work: Workspace, count: int
) -> int:
    """Find the classes of a node from those of a finer one; gives how many there are.

    The sub-tuples are those at the node's levels. ``count`` classes were found by former calls; 0
    begins anew.
    """
    for i in range(finer.rep.shape[0]):
        t = finer.rep[i]
        work.wanted[i] = (
            np.int64(first.number[t]) * second.size + second.number[t]
        ) * third.size + third.number[t]
    return _join(finer, work, first.size * second.size * third.size, count)


@compiled
def _join(finer: Finer, work: Workspace, span: int, count: int) -> int:
    """Join the old classes of equal keys."""
    places = _places(finer.most)
    dense = span <= places
    for i in range(finer.rep.shape[0]):
        made = _slot(work, work.wanted[i], places, dense, count)
        if made == count:
            work.rep[made], work.rows[made] = finer.rep[i], 0
            count += 1
        work.rows[made] += finer.rows[i]
        finer.label[i] = made
    return count


@compiled
def roll_cells(
    level_cells: LevelCells, level: Ints, finer: Finer, work: Workspace, count: int
) -> int:
    """Do the same by the cells of the attributes themselves: sooner, where nothing is numbered."""
    rep, span = finer.rep, 1
    work.wanted[: rep.shape[0]] = 0
    for j in range(level.shape[0]):
        size = level_cells.size[j, level[j]]
        if size == 1:
            continue
        span *= size
        at = level_cells.start[j] + level[j] * level_cells.width[j]
        for i in range(rep.shape[0]):
            cell = level_cells.up[at + level_cells.codes[j, rep[i]]]
            work.wanted[i] = work.wanted[i] * size + cell
    return _join(finer, work, span, count)


@compiled
def gather(label: Small, old: Floats, new: Floats, count: int) -> None:
    """Add up what belongs to old classes by their new ones: classes × anything."""
    new[:count] = 0.0
    for i in range(label.shape[0]):
        for j in range(old.shape[1]):
            new[label[i], j] += old[i, j]


@compiled
def price(
    level_cells: LevelCells,
    level: Ints,
    cost: Floats,
    classes: PricedClasses,
    failing: Ints,
    extra: Floats,
) -> None:
    """Sum, per attribute, by how much rows of failing classes cost more than their cells would."""
    rep, rows, known, base = classes
    for j in range(level.shape[0]):
        at = level_cells.start[j] + level[j] * level_cells.width[j]
        total = 0.0
        for i in failing:
            n_known = known[i, j] if known.shape[1] else float(rows[i])
            total += rows[i] - n_known * cost[at + level_cells.codes[j, rep[i]]]
            if base.shape[1]:
                total -= base[i, j]
        extra[j] = total


@compiled
def weigh(rows: Ints, k: int, fails: Bools, must: Ints, sums: Ints) -> None:
    """Let classes of fewer than k rows fail, too, and add up what classes are like.

    - ``fails``, ``must``: which classes fail, and how many of their rows no part that holds can
      have; get more.
    - ``sums``: gets the rows of failing classes, those that no part can have, the classes that hold
      and their squares, the squares of all.
    """
    sums[:] = 0
    for c in range(rows.shape[0]):
        n = rows[c]
        if n < k:
            fails[c], must[c] = True, n
        sums[1] += must[c]
        sums[4] += n * n
        if fails[c]:
            sums[0] += n
        else:
            sums[2] += 1
            sums[3] += n * n


@compiled
def tell(
    level_cells: LevelCells,
    level: Ints,
    below: Ints,
    cost: Floats,
    peak: Floats,
    finer: PricedClasses,
    label: Small,
    made: PricedClasses,
    must: Ints,
    which: Small,
    held: Floats,
    adds: Floats,
) -> None:
    """Sum what the rows that must go cost more than their cells, by attribute and level below.

    Of classes all of whose rows must go, it is known which rows these are: those of finer
    classes. Of others, a row costs at most what the costliest cell of the level does, and the
    class's own.

    - ``level``, ``below``: the levels of the node, and of the finer one that its classes were
      rolled up from.
    - ``peak``: attributes × levels: what the costliest cell costs.
    - ``finer``, ``label``: the finer classes, and the class of each.
    - ``which``, ``held``: scratch: a place per finer class; a place per code of any attribute.
    - ``adds``: gets the sums, attributes × levels.
    """
    rep, rows, known, base = finer
    gone, n = 0, 0
    for i in range(label.shape[0]):
        c = label[i]
        which[gone] = i
        if must[c] > 0 and must[c] == made.rows[c]:
            gone += 1
            n += rows[i]
    for j in range(level.shape[0]):
        width = level_cells.width[j]
        held[:width] = 0.0
        own = float(n)
        for at in range(gone):
            i = which[at]
            held[level_cells.codes[j, rep[i]]] += known[i, j] if known.shape[1] else float(rows[i])
            if base.shape[1]:
                own -= base[i, j]
        for at in range(level[j] + 1):
            first = level_cells.start[j] + max(at, below[j]) * width
            adds[j, at] = own
            for code in range(width):
                adds[j, at] -= held[code] * cost[first + code]
    gone = 0
    for c in range(must.shape[0]):
        which[gone] = c
        if 0 < must[c] < made.rows[c]:
            gone += 1
    if gone == 0:
        return
    for j in range(level.shape[0]):
        width = level_cells.width[j]
        held[:width] = 0.0
        for at in range(gone):
            c = which[at]
            held[level_cells.codes[j, made.rep[c]]] += float(must[c])
        first = level_cells.start[j] + level[j] * width
        for at in range(level[j] + 1):
            for code in range(width):
                adds[j, at] += held[code] * (1.0 - min(cost[first + code], peak[j, at]))
