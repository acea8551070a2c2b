"""Places for the records that no class was made of: each joins the best class that stays valid.

Best means the least rank: a class without the record's level (or value) before one with it,
then the one whose most sensitive level is farthest from the first level (or from the record's),
then the smallest, then the earliest. One record more changes one class. So the classes lie in
queues, heaps by rank: one queue for each of the most frequent values, and one for all values of a
kind, that is, with the same level and the same bounds. A queue of a kind ranks classes as if they
did not hold the value, which most of them do not; the others are seen through on the way.
"""

from __future__ import annotations

from typing import NamedTuple

from shoal.base.arrays import Bools, Ints, Small
from shoal.kernels.buckets.classes import Buckets, required
from shoal.kernels.buckets.tallies import add, get
from shoal.kernels.clustering.boxes import NOWHERE
from shoal.kernels.compiled import compiled
from shoal.kernels.heap import WAITING, pop, push, rise, sink


class Queues(NamedTuple):
    """The queues, and room to look through them."""

    heap: Small
    """Queues × classes: the classes, the best first."""
    at: Small
    """Queues × classes: where each class is in ``heap``."""
    rank: Ints
    """Queues × classes: how good each class is, `NOWHERE` if it would not stay valid."""
    value: Ints
    """Per queue: its value, or one of its kind."""
    shared: Bools
    """Per queue: whether it is for all values of a kind."""
    queue: Ints
    """Per value: its queue, −1 if it has none and all classes must be looked at."""
    left: Ints
    """Per queue: how many records it is still needed for."""
    number: Ints
    """Classes × 1: the earliest of equals comes first."""
    frontier: Ints
    """A heap of the classes of a queue that are to be looked at: the best, then those below."""
    size: Ints
    """How many they are."""
    mine: Ints
    """Per class: the last record whose person was found in it."""
    paired: Ints
    """Per class: the same for person and value."""
    own_start: Ints
    """Per person: where their records begin in ``own``; empty if every record is a person."""
    own: Ints
    far: int
    """The largest distance between two levels; −1 if levels do not count, only values."""
    origin: int
    """The level that a class's most sensitive one should be far from; −1: the record's."""


@compiled
def _rank(b: Buckets, q: Queues, c: int, v: int, bare: bool, fits: int) -> int:
    """Rank a class for a record of a value.

    ``bare``: rank it as if it did not hold the value. ``fits``: 2: the record's person is in the
    class with this value; 1: the person is in it, the value counts once more; 0: one person more.
    """
    key = c * b.above.shape[0]
    held = 0
    people = b.people[c]
    for j in range(b.terms.shape[1]):
        term = b.terms[v, j]
        count = 0 if bare and j == 0 else get(b.counts, key + term)
        if j == int(q.far >= 0):  # the second term is the level
            held = min(count, 1)
        if fits == 0 and required(b.above[term], b.below[term], count + 1) > people + 1:
            return NOWHERE
        if fits == 1 and required(b.above[term], b.below[term], count + 1) > people:
            return NOWHERE
    most = b.rows.shape[0] + 1
    if q.far < 0:
        return held * most + people
    origin = b.level[v] if q.origin < 0 else q.origin
    near = q.far - abs(origin - b.lowest[c])
    return (held * (q.far + 1) + near) * most + people


@compiled
def build(b: Buckets, q: Queues, queue: int) -> None:
    """Rank all classes for a queue, and order it."""
    size = q.heap.shape[1]
    for c in range(size):
        q.rank[queue, c] = _rank(b, q, c, q.value[queue], q.shared[queue], 0)
        q.heap[queue, c] = c
        q.at[queue, c] = c
    for at in range(size // 2 - 1, -1, -1):
        sink(q.heap[queue], size, at, q.rank[queue], q.number, q.at[queue])


@compiled
def _sift_down(q: Queues, queue: int, at: int) -> None:
    """Put the class at a place of a queue on the frontier, if it may take the record in."""
    if at < q.heap.shape[1]:
        c = q.heap[queue, at]
        if q.rank[queue, c] != NOWHERE:
            push(q.frontier, q.size, c, q.rank[queue], q.number)


@compiled
def _own_classes(b: Buckets, q: Queues, row: int) -> tuple[int, int]:
    """Mark the classes that hold a record's person; find the best of them."""
    best, chosen = NOWHERE, -1
    if q.own_start.shape[0] == 0:
        return best, chosen
    person = b.person[row]
    begin, end = q.own_start[person], q.own_start[person + 1]
    for i in range(begin, end):
        c = b.labels[q.own[i]]
        if c >= 0:
            q.mine[c] = row
            if b.value[q.own[i]] == b.value[row]:
                q.paired[c] = row
    for i in range(begin, end):
        c = b.labels[q.own[i]]
        if c >= 0:
            rank = _rank(b, q, c, b.value[row], False, 2 if q.paired[c] == row else 1)
            if rank < best or (rank == best and rank != NOWHERE and c < chosen):
                best, chosen = rank, c
    return best, chosen


@compiled
def _choose(b: Buckets, q: Queues, row: int) -> tuple[int, int]:
    """Find the best class for a record, −1 if none stays valid; also say how many were seen."""
    v = b.value[row]
    best, chosen = _own_classes(b, q, row)
    queue = q.queue[v]
    seen = 0
    if queue < 0:
        for c in range(q.mine.shape[0]):
            if q.mine[c] != row:
                rank = _rank(b, q, c, v, False, 0)
                if rank < best or (rank == best and rank != NOWHERE and c < chosen):
                    best, chosen = rank, c
        return chosen, q.mine.shape[0]
    q.size[WAITING] = 0
    _sift_down(q, queue, 0)
    while q.size[WAITING] > 0:
        c = pop(q.frontier, q.size, q.rank[queue], q.number)
        seen += 1
        if q.rank[queue, c] > best or (q.rank[queue, c] == best and c > chosen):
            break
        if q.mine[c] != row:
            rank = q.rank[queue, c]
            if q.shared[queue]:  # what the class holds of this very value counts, too
                rank = _rank(b, q, c, v, False, 0)
            if rank < best or (rank == best and rank != NOWHERE and c < chosen):
                best, chosen = rank, c
        at = q.at[queue, c]
        _sift_down(q, queue, 2 * at + 1)
        _sift_down(q, queue, 2 * at + 2)
    return chosen, seen


@compiled
def _put(b: Buckets, q: Queues, row: int, c: int) -> None:
    """Let a record into a class, and bring the queues up to date."""
    v = b.value[row]
    b.labels[row] = c
    b.lowest[c] = min(b.lowest[c], b.level[v])
    if q.mine[c] != row:
        b.people[c] += 1
    if q.paired[c] != row:
        for j in range(b.terms.shape[1]):
            add(b.counts, c * b.above.shape[0] + b.terms[v, j], 1)
    for queue in range(q.left.shape[0]):
        if q.left[queue] > 0:
            q.rank[queue, c] = _rank(b, q, c, q.value[queue], q.shared[queue], 0)
            heap, rank, where = q.heap[queue], q.rank[queue], q.at[queue]
            at = rise(heap, where[c], rank, q.number, where)
            sink(heap, heap.shape[0], at, rank, q.number, where)


@compiled
def place(b: Buckets, q: Queues, rows: Ints, begin: int, budget: int) -> int:
    """Place left-over records from ``begin`` on, until the budget (classes seen) is spent.

    Gives the next record to be placed.
    """
    spent = 0
    at = begin
    while at < rows.shape[0] and spent < budget:
        row = rows[at]
        chosen, seen = _choose(b, q, row)
        queue = q.queue[b.value[row]]
        if queue >= 0:
            q.left[queue] -= 1
        if chosen >= 0:
            _put(b, q, row, chosen)
            spent += q.left.shape[0]
        spent += seen + 1
        at += 1
    return at
