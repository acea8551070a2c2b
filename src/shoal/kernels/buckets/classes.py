"""Classes from buckets of records with the same sensitive value (GCA and its kin).

A class takes one record after the other from the bucket whose turn it is, until no share of
a value in it is too large. Records are numbers in the order in which they count as earlier or
later. `grow` takes a bucket's first record, `grow_near` the one nearest to the class. Nobody
joins a class twice: a further record of a person would make it no larger.

What bounds a class are terms: every value is one, and so is every level whose values are
bounded together. A term that c people of a class hold asks for a least number of people,
⌈c · below / above⌉. Counts only grow while a class grows, and so does the largest of these
numbers: the class is valid as soon as it holds that many people.
"""

from __future__ import annotations

from typing import NamedTuple

from shoal.base.arrays import Ints, Small
from shoal.kernels.buckets.tallies import Tallies, add
from shoal.kernels.clustering.boxes import (
    BLOCK,
    NOWHERE,
    POINTS,
    Boxes,
    is_sparse,
    pack,
    replace_row,
)
from shoal.kernels.clustering.lanes import NEAR
from shoal.kernels.clustering.prices import Open, prepare, refresh
from shoal.kernels.clustering.search import NEAR_BLOCKS, nearest
from shoal.kernels.clustering.shapes import Attributes, cost, join
from shoal.kernels.compiled import compiled
from shoal.kernels.heap import pop, push, sink

DONE, PAUSED = 0, 1

BY_LEVEL, BY_SIZE, DISTINCT, BY_LEVEL_AGAIN = 0, 1, 2, 3
"""Whose turn it is: the largest bucket of each other level whose value is not yet in the class, the
least sensitive level first, and values again only when all had their turn; every other bucket, the
largest first; the same, but only once; the largest bucket of each other level, pass after pass."""

HUGE = 2**61
"""What a record of a value that is not asked for costs; more than any distance."""

# Places in Buckets.counters.
CLASSES, LIVE, SIZE, NEED, OWN, TURN, ADDED, ASIDE = range(8)


class Buckets(NamedTuple):
    """The buckets, the class being grown, and the classes that are complete."""

    rows: Ints
    """All records, bucket after bucket."""
    end: Ints
    """Per value: where its bucket ends in ``rows``."""
    head: Ints
    """Per value: where its first remaining record is."""
    key: Ints
    """Per value: how many records remain, below zero, so that the largest comes first."""
    first: Ints
    """Values × 1: its first remaining record, by which equals are ordered."""
    heap: Ints
    """Values of which records remain, lane after lane, each lane a heap."""
    lane_start: Ints
    """Per lane (a level, most sensitive first; or one lane for all values): where it begins."""
    lane_size: Ints
    lane: Ints
    """Per value: its lane."""
    aside: Ints
    """Values that had their turn in this pass, or have nobody to add to this class."""
    value: Ints
    """Per record: its value."""
    level: Ints
    """Per value: its level as the plan names it."""
    person: Ints
    """Per record: who it belongs to."""
    seen: Ints
    """Per person: the last class that held them."""
    terms: Ints
    """Values × terms: what a record of the value counts for, first of all the value itself."""
    above: Ints
    below: Ints
    """Per term: the largest share, as a fraction."""
    tally: Ints
    """Per term: how many people of the open class hold it."""
    labels: Small
    members: Ints
    """The records of the open class."""
    people: Ints
    """Per complete class: how many people it holds."""
    lowest: Ints
    """Per complete class: its most sensitive level."""
    counts: Tallies
    """Per complete class and term, ``class * terms + term``: how many people hold it."""
    counters: Ints
    """Complete classes; remaining records; the size of the open class, and what size it needs;
    the lane of its first record; the next lane; whether a record was taken since values were last
    recalled; values set aside."""


@compiled
def required(above: int, below: int, count: int) -> int:
    """Say how many people a class needs if so many of them hold a term.

    All of a class may always hold a term whose share is 1. Who holds two values of a level
    counts twice for it, so it may well count for more than the people there are.
    """
    if above == below:
        return 0
    return NOWHERE if above == 0 else (count * below + above - 1) // above


@compiled
def _pop(b: Buckets, lane: int) -> int:
    """Take the first value out of a lane's heap."""
    return pop(b.heap[b.lane_start[lane] :], b.lane_size[lane:], b.key, b.first)


@compiled
def _new_person(b: Buckets, v: int) -> int:
    """Find a bucket's first record of a person who is not yet in the class; −1 if none is."""
    for at in range(b.head[v], b.end[v]):
        row = b.rows[at]
        if b.labels[row] < 0 and b.seen[b.person[row]] != b.counters[CLASSES]:
            return row
    return -1


@compiled
def _set_aside(b: Buckets, lane: int) -> int:
    """Take the first value of a lane out of its heap, until it is recalled."""
    v = _pop(b, lane)
    b.aside[b.counters[ASIDE]] = v
    b.counters[ASIDE] += 1
    return v


@compiled
def _recall(b: Buckets, begin: int) -> None:
    """Put values that were set aside back into their heaps, if records remain of them."""
    for at in range(begin, b.counters[ASIDE]):
        v = b.aside[at]
        if b.key[v] < 0:
            lane = b.lane[v]
            push(b.heap[b.lane_start[lane] :], b.lane_size[lane:], v, b.key, b.first)
    b.counters[ASIDE] = begin


@compiled
def _first_of_lane(b: Buckets, lane: int) -> int:
    """Find the record of a lane that may join: of its largest bucket, if that has one."""
    while b.lane_size[lane] > 0:
        row = _new_person(b, b.heap[b.lane_start[lane]])
        if row >= 0:
            return row
        _set_aside(b, lane)  # the class only grows, so there will be none later
    return -1


@compiled
def _next_by_level(b: Buckets) -> int:
    """Find the record whose turn it is, level by level; −1 if there is none."""
    counters = b.counters
    lanes = b.lane_size.shape[0]
    if counters[SIZE] == 0:
        for lane in range(lanes):
            if b.lane_size[lane] > 0:
                counters[OWN], counters[TURN], counters[ADDED] = lane, lanes - 1, 0
                return b.first[b.heap[b.lane_start[lane]], 0]
        return -1
    while True:
        whole_pass = counters[TURN] == lanes - 1
        for lane in range(counters[TURN], -1, -1):
            row = -1 if lane == counters[OWN] else _first_of_lane(b, lane)
            if row >= 0:
                counters[TURN], counters[ADDED] = lane - 1, 1
                return row
        counters[TURN] = lanes - 1
        if whole_pass:  # all values had their turn, or have nobody to add
            if counters[ADDED] == 0:
                return -1
            _recall(b, 0)
            counters[ADDED] = 0


@compiled
def _next_by_size(b: Buckets, once: bool) -> int:
    """Find the record whose turn it is, the largest bucket first; −1 if there is none."""
    counters = b.counters
    while True:
        while b.lane_size[0] > 0:
            row = _new_person(b, _set_aside(b, 0))
            if row >= 0:
                counters[ADDED] = int(counters[SIZE] > 0)
                return row
        if once or counters[SIZE] == 0 or counters[ADDED] == 0:
            return -1
        _recall(b, 1)  # the first record's bucket stays aside until the class is complete
        counters[ADDED] = 0


@compiled
def _next(b: Buckets, rule: int) -> int:
    if rule in (BY_LEVEL, BY_LEVEL_AGAIN):
        return _next_by_level(b)
    return _next_by_size(b, rule == DISTINCT)


@compiled
def _let_in(b: Buckets, row: int, rule: int) -> None:
    """Move a record into the open class."""
    counters = b.counters
    v = b.value[row]
    b.labels[row] = counters[CLASSES]
    b.seen[b.person[row]] = counters[CLASSES]
    b.members[counters[SIZE]] = row
    counters[SIZE] += 1
    counters[LIVE] -= 1
    b.key[v] += 1
    if b.key[v] < 0:
        at = b.head[v]
        while b.labels[b.rows[at]] >= 0:
            at += 1
        b.head[v], b.first[v, 0] = at, b.rows[at]
    if rule == BY_LEVEL:
        _set_aside(b, b.lane[v])  # v is the first value of its lane
    elif rule == BY_LEVEL_AGAIN:
        lane = b.lane[v]
        if b.key[v] < 0:
            sink(b.heap[b.lane_start[lane] :], b.lane_size[lane], 0, b.key, b.first, None)
        else:
            _pop(b, lane)
    for j in range(b.terms.shape[1]):
        term = b.terms[v, j]
        b.tally[term] += 1
        need = required(b.above[term], b.below[term], b.tally[term])
        counters[NEED] = max(counters[NEED], need)


@compiled
def _close(b: Buckets, k: int) -> bool:
    """Close the open class if it is valid."""
    counters = b.counters
    if counters[SIZE] < k or counters[SIZE] < counters[NEED]:
        return False
    made = counters[CLASSES]
    lowest = NOWHERE
    for i in range(counters[SIZE]):
        v = b.value[b.members[i]]
        lowest = min(lowest, b.level[v])
        for j in range(b.terms.shape[1]):
            term = b.terms[v, j]
            if b.tally[term] > 0:
                add(b.counts, made * b.above.shape[0] + term, b.tally[term])
                b.tally[term] = 0
    b.people[made] = counters[SIZE]
    b.lowest[made] = lowest
    counters[CLASSES] = made + 1
    counters[SIZE], counters[NEED] = 0, 0
    _recall(b, 0)
    return True


@compiled
def grow(b: Buckets, rule: int, k: int, budget: int) -> int:
    """Take records until the budget is spent or no further class can be completed.

    Returns `DONE` or `PAUSED`. After `DONE`, a class that could not be completed is still open: its
    records are labelled ``counters[CLASSES]``.
    """
    for _ in range(budget):
        row = _next(b, rule)
        if row < 0:
            return DONE
        _let_in(b, row, rule)
        _close(b, k)
    return PAUSED


class Points(NamedTuple):
    """Records that agree in all attributes and the sensitive value, as one point."""

    point: Ints
    """Per record: its point."""
    rows: Ints
    """All records, point after point, each in order."""
    head: Ints
    """Per point: where its first remaining record is."""
    tail: Ints
    codes: Ints
    """Attributes × records: the value's code first."""
    people: bool
    """Whether somebody has several records."""


def ask_for_one(made: Open) -> None:
    """Let attribute 0, the sensitive value, cost nothing in one ring, and too much around it."""
    made.above[0], made.plain[0] = 1, True
    made.ring_least[1], made.ring_most[1], made.even[1] = HUGE, HUGE, HUGE
    made.missing_cost[0] = HUGE


@compiled
def _near(attrs: Attributes, boxes: Boxes, made: Open, points: Points, b: Buckets, row: int) -> int:
    """Find the record nearest to the class, of the same value as a record that may join."""
    v = b.value[row]
    if not points.people:
        made.lo[0] = made.hi[0] = made.ring[0, 0] = made.ring[0, 1] = v
        units = prepare(attrs, boxes, made, NEAR)
        place = nearest(attrs, boxes, made, units, HUGE - 1, NOWHERE, -1)
        return boxes.row[place // BLOCK, place % BLOCK]
    # The index does not know who is in the class already.
    best, found = NOWHERE, row
    for at in range(b.head[v], b.end[v]):
        other = b.rows[at]
        if b.labels[other] < 0 and b.seen[b.person[other]] != b.counters[CLASSES]:
            price = 0
            for j in range(1, made.shape.shape[0]):
                price += cost(attrs, j, b.counters[SIZE], made.shape[j], points.codes[j, other])
            if price < best:
                best, found = price, other
    made.visited[NEAR_BLOCKS] += (b.end[v] - b.head[v]) // BLOCK
    return found


@compiled
def _join(attrs: Attributes, boxes: Boxes, made: Open, points: Points, row: int, size: int) -> None:
    """Let a record into the shape of a class of some size, and take it out of the index."""
    for j in range(1, made.shape.shape[0]):
        if join(attrs, j, made.shape[j], points.codes[j, row], size == 0) and not points.people:
            refresh(attrs, j, size + 1, made)
    if points.people:
        return
    point = points.point[row]
    points.head[point] += 1
    following = NOWHERE
    if points.head[point] < points.tail[point]:
        following = points.rows[points.head[point]]
    replace_row(boxes, boxes.where[point], following)


@compiled
def grow_near(
    attrs: Attributes,
    boxes: Boxes,
    made: Open,
    points: Points,
    b: Buckets,
    rule: int,
    k: int,
    budget: int,
) -> int:
    """Do as `grow`, but take the record of the bucket that is nearest to the class.

    The first record of a class is still the first of its bucket. ``budget`` counts blocks of
    the index, too.
    """
    end = made.visited[NEAR_BLOCKS] + budget
    spent = 0
    while made.visited[NEAR_BLOCKS] + spent < end:
        spent += 1
        row = _next(b, rule)
        if row < 0:
            return DONE
        if b.counters[SIZE] > 0:
            row = _near(attrs, boxes, made, points, b, row)
        _join(attrs, boxes, made, points, row, b.counters[SIZE])
        _let_in(b, row, rule)
        if _close(b, k) and is_sparse(boxes.facts) and boxes.facts[POINTS] > 0:
            pack(boxes)
    return PAUSED
