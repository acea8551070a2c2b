"""Groups around the records that lie farthest out (MDAV's loop).

A record is a point of a Euclidean space. A number is a coordinate; a category has one coordinate
for each node of its tree but the root, 1 on its way to the root and 0 elsewhere, so that two
categories are as far apart (squared) as the path between them is long. So there is a mean of
categories, too, and nobody has to write it down: of the mean, a record x asks only for
N·|x|² − 2·x·S, with S the sum of all N records, which orders records as their distance to the mean
S/N does.

A missing cell stands at the root, or in the middle of the range, and has a coordinate of its own.

To search, the distances of one reference to every code of every column are written into a table;
then a record costs one look-up per column. Everything is an integer, so that equal distances are
equal and ties go to the lowest row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.kernels.compiled import compiled

__all__ = ["ALIVE", "DONE", "GROUPS", "PEOPLE", "Search", "Space", "group"]

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]

DONE, PAUSED = 0, 1

ALIVE, PEOPLE, GROUPS, STAGE, SEED, WORK = range(6)
"""Places in `Search.counters`."""

FROM_MEAN, FROM_SEED, REST = range(3)
"""Stages: the next seed is farthest from the mean, or from the last seed; or none is left."""


class Space(NamedTuple):
    """The columns as squared distances; their codes are laid end to end, the missing one last."""

    numeric: npt.NDArray[np.bool_]
    """Per column."""
    start: Ints
    """Per column: its first entry in tables over codes."""
    factor: Ints
    """Per column: what its squared distances are multiplied by."""
    hole: Ints
    """Per column: the squared coordinate of a missing cell."""
    place: Ints
    """Per code: its coordinate, or the depth of its leaf; 0 where it is missing."""
    node: Ints
    """Per code: its leaf; of a missing one and of numbers the root of the column's tree."""
    root: Ints
    """Per column: the root of its tree; the trees' nodes are laid end to end, parents first."""
    parent: Ints
    depth: Ints
    first: Ints
    last: Ints
    """Per node: the parent (itself at a root), the depth, the least and the largest code below."""


class Search(NamedTuple):
    """What `group` keeps between calls; `shoal.methods.clustering.mdav` makes it."""

    codes: Small
    """Per row and column: the code, as a place in tables over codes."""
    person: Ints
    """Per row: whose it is."""
    labels: Small
    alive: Ints
    """The rows that are left, rising; how many is counted."""
    distance: Ints
    """Per row that is left: its distance to the reference."""
    near: Ints
    """The table of the reference, over all codes."""
    total: Ints
    """Per column: the sum of the coordinates that are left."""
    held: Ints
    """Per node: the rows that are left below it."""
    weigh: Ints
    """Per node: room to add up the way to the root."""
    absent: Ints
    """Per column: the missing cells that are left."""
    rows_of: Ints
    """Per person: the rows that are left."""
    slot: Ints
    """Per person: the place among the nearest people, −1 if none."""
    heap: Ints
    """The nearest k people, the farthest on top: distance, row."""
    counters: Ints


@compiled
def _from_mean(space: Space, search: Search) -> None:
    """Write the table of the mean: N·|x|² − 2·x·S, column by column."""
    alive = search.counters[ALIVE]
    near = search.near
    for node in range(space.parent.shape[0]):
        above = space.parent[node]
        search.weigh[node] = (
            0 if above == node else search.weigh[above] + alive - 2 * search.held[node]
        )
    for j in range(space.numeric.shape[0]):
        factor, end = space.factor[j], space.start[j + 1] - 1
        for code in range(space.start[j], end):
            if space.numeric[j]:
                x = space.place[code]
                near[code] = factor * (alive * x * x - 2 * x * search.total[j])
            else:
                near[code] = factor * search.weigh[space.node[code]]
        near[end] = factor * space.hole[j] * (alive - 2 * search.absent[j])


@compiled
def _from_record(space: Space, search: Search, row: int) -> None:
    """Write the table of a record: squared distances."""
    near = search.near
    for j in range(space.numeric.shape[0]):
        factor, begin, end = space.factor[j], space.start[j], space.start[j + 1] - 1
        own = search.codes[row, j]
        mine, extra = space.place[own], factor * space.hole[j]
        if space.numeric[j]:
            apart = extra if own == end else 0
            for code in range(begin, end):
                step = space.place[code] - mine
                near[code] = factor * step * step + apart
            near[end] = 0 if own == end else factor * mine * mine + extra
            continue
        if own == end:
            for code in range(begin, end):
                near[code] = factor * space.place[code] + extra
            near[end] = 0
            continue
        node = space.node[own]
        lo, hi = begin + space.first[node], begin + space.last[node] + 1
        near[own] = 0
        while space.parent[node] != node:  # climb: what a parent adds lies beside its child
            node = space.parent[node]
            left, right = begin + space.first[node], begin + space.last[node] + 1
            climbed = mine - 2 * space.depth[node]
            for code in range(left, lo):
                near[code] = factor * (climbed + space.place[code])
            for code in range(hi, right):
                near[code] = factor * (climbed + space.place[code])
            lo, hi = left, right
        near[end] = factor * mine + extra


@compiled
def _farthest(search: Search) -> int:
    """Find the row that is farthest by the table; of equals the lowest."""
    d = search.codes.shape[1]
    best, found = 0, -1
    for i in range(search.counters[ALIVE]):
        row = search.alive[i]
        distance = 0
        for j in range(d):
            distance += search.near[search.codes[row, j]]
        if found < 0 or distance > best:
            best, found = distance, row
    return found


@compiled
def _after(search: Search, one: int, other: int) -> bool:
    """Say whether an entry of the heap comes after another one: farther, or of a later row."""
    heap = search.heap
    return heap[one, 0] > heap[other, 0] or (
        heap[one, 0] == heap[other, 0] and heap[one, 1] > heap[other, 1]
    )


@compiled
def _swap(search: Search, one: int, other: int) -> None:
    heap, slot, person = search.heap, search.slot, search.person
    for part in range(2):
        kept = heap[one, part]
        heap[one, part] = heap[other, part]
        heap[other, part] = kept
    slot[person[heap[one, 1]]] = one
    slot[person[heap[other, 1]]] = other


@compiled
def _sink(search: Search, at: int, size: int) -> None:
    """Let an entry that came nearer sink to its place."""
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and _after(search, child + 1, child):
            child += 1
        if not _after(search, child, at):
            break
        _swap(search, at, child)
        at = child


@compiled
def _nearest(search: Search, k: int) -> None:
    """Measure every row by the table, and keep the k people who come nearest in the heap.

    Rows come in rising order, so of equal distances the first one stays.
    """
    d, size = search.codes.shape[1], 0
    heap, slot = search.heap, search.slot
    for i in range(search.counters[ALIVE]):
        row = search.alive[i]
        distance = 0
        for j in range(d):
            distance += search.near[search.codes[row, j]]
        search.distance[i] = distance
        if size == k and distance >= heap[0, 0]:
            continue
        who = search.person[row]
        at = slot[who]
        if at >= 0:
            if distance < heap[at, 0]:
                heap[at, 0], heap[at, 1] = distance, row
                _sink(search, at, size)
        elif size < k:
            at = size
            size += 1
            heap[at, 0], heap[at, 1] = distance, row
            slot[who] = at
            while at > 0 and _after(search, at, (at - 1) // 2):
                _swap(search, at, (at - 1) // 2)
                at = (at - 1) // 2
        else:
            slot[search.person[heap[0, 1]]] = -1
            heap[0, 0], heap[0, 1] = distance, row
            slot[who] = 0
            _sink(search, 0, size)
    for i in range(size):
        slot[search.person[heap[i, 1]]] = -1


@compiled
def _leave(space: Space, search: Search, row: int) -> None:
    """Take a row out of the sums, and give it the label of the group that is made."""
    search.labels[row] = search.counters[GROUPS]
    who = search.person[row]
    search.rows_of[who] -= 1
    if search.rows_of[who] == 0:
        search.counters[PEOPLE] -= 1
    for j in range(space.numeric.shape[0]):
        code = search.codes[row, j]
        if code == space.start[j + 1] - 1:
            search.absent[j] -= 1
        elif space.numeric[j]:
            search.total[j] -= space.place[code]
        else:
            node = space.node[code]
            while space.parent[node] != node:
                search.held[node] -= 1
                node = space.parent[node]


@compiled
def _take(space: Space, search: Search) -> int:
    """Make a group of the rows up to the farthest of the heap; gives the farthest row that stays.

    That is the farthest from the same reference, the lowest of equals; −1 if none stays.
    """
    most, last = search.heap[0, 0], search.heap[0, 1]
    best, found, kept = 0, -1, 0
    for i in range(search.counters[ALIVE]):
        row, distance = search.alive[i], search.distance[i]
        if distance < most or (distance == most and row <= last):
            _leave(space, search, row)
            continue
        search.alive[kept] = row
        kept += 1
        if found < 0 or distance > best:
            best, found = distance, row
    search.counters[ALIVE] = kept
    search.counters[GROUPS] += 1
    return found


@compiled
def group(space: Space, search: Search, k: int, budget: int) -> int:
    """Make groups until the budget (look-ups) is spent or no row is left.

    Returns DONE or PAUSED. A group holds a seed and what is nearest to it, up to k people.
    """
    counters = search.counters
    counters[WORK] = 0
    while counters[ALIVE] > 0:
        if counters[WORK] >= budget:
            return PAUSED
        if counters[STAGE] == REST or (counters[STAGE] == FROM_MEAN and counters[PEOPLE] < 2 * k):
            for i in range(counters[ALIVE]):
                _leave(space, search, search.alive[i])
            counters[ALIVE] = 0
            counters[GROUPS] += 1
            break
        looks = space.numeric.shape[0] * counters[ALIVE] + search.near.shape[0]
        many = counters[PEOPLE] >= 3 * k
        seed = counters[SEED]
        if counters[STAGE] == FROM_MEAN:
            _from_mean(space, search)
            seed = _farthest(search)
            counters[WORK] += looks
        _from_record(space, search, seed)
        _nearest(search, k)
        counters[WORK] += looks
        counters[SEED] = _take(space, search)
        if counters[STAGE] == FROM_SEED:
            counters[STAGE] = FROM_MEAN
        else:
            counters[STAGE] = FROM_SEED if many else REST
    return DONE
