"""Greedy growth of classes, one nearest record at a time.

The loop of GAA-CP, k-member and KAIM: open a class with a seed, let the nearest record in
until the class is complete, find the next seed. It returns to Python
every so often, for progress and Ctrl-C, and, where asked to, before a class is closed, so
that requirements besides k can be judged.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Ints, Small
from shoal.kernels.clustering.boxes import (
    BLOCK,
    NOWHERE,
    POINTS,
    Boxes,
    code_at,
    is_sparse,
    pack,
    replace_row,
)
from shoal.kernels.clustering.lanes import NEAR
from shoal.kernels.clustering.prices import Open, prepare, price, refresh
from shoal.kernels.clustering.search import FAR_BLOCKS, NEAR_BLOCKS, farthest, nearest
from shoal.kernels.clustering.shapes import MEETING, Attributes, join
from shoal.kernels.compiled import compiled

DONE, PAUSED, ASKING = 0, 1, 2
"""Why `grow` returned: nothing left to grow, the budget is spent, a class may be complete."""

FAR_FROM_CLASS, FAR_FROM_LAST, IN_ORDER = 0, 1, 2
"""The next seed: farthest from the class just closed, farthest from its last record, or the
next row of a given order."""

NONE = -1

# Places in Growth.counters.
CLASSES, LIVE, SIZE, PEOPLE, ACCEPTED, LAST, POINT, TURN, ASK_AT = range(9)

BEGIN, COUNT, FOR_SIZE = range(3)
"""Places in each row of `Growth.far`."""

MOST_TIES = 64
"""How many equally far points are remembered for a point."""


class Growth(NamedTuple):
    """What `grow` keeps between calls."""

    head: Ints
    """Per point: where in ``rows`` its lowest live row is."""
    tail: Ints
    """Per point: where its rows end."""
    rows: npt.NDArray[Any]
    """All rows, sorted by point, then by number; in 32 bits while they fit."""
    points: npt.NDArray[Any]
    """Per row: its point."""
    order: npt.NDArray[Any]
    """The rows in the order in which they become seeds, with `IN_ORDER`; with
    `FAR_FROM_CLASS` the first seed."""
    person: npt.NDArray[Any]
    """Per row: who it belongs to; empty if every row is a person."""
    seen: npt.NDArray[Any]
    """Per person: the last class that held them; empty as well."""
    labels: Small
    members: npt.NDArray[Any]
    """The rows of the open class, in the order in which they joined."""
    shapes: Ints
    """Per closed class: its shape."""
    sizes: Ints
    """Per closed class: its rows."""
    last: Ints
    """Codes of the last record that joined; before that, with `FAR_FROM_LAST`, of the record
    from which the first seed is farthest."""
    far: Ints
    """Per point × 3: where in ``ties`` its room begins (−1: none, it fills few classes), how
    many points there are farthest from it (0: not known), and for a class of how many rows."""
    ties: Small
    counters: Ints
    """Classes closed; live rows; rows and people of the open class; whether it was accepted as
    complete; place of its last record (−1: used up); the point of all its records (−1:
    several), or of its last one; the next turn in ``order``; at how many rows to ask again."""


@compiled
def _widen(attrs: Attributes, made: Open, record: Ints, size: int) -> None:
    """Bring the open class's shape and costs up to date for one more record."""
    for j in range(record.shape[0]):
        code = record[j]
        # A code the class covers already changes nothing that is published.
        if attrs.rule == MEETING and size > 0 and made.lo[j] <= code <= made.hi[j]:
            continue
        changed = join(attrs, j, made.shape[j], code, size == 0)
        if changed or attrs.rule != MEETING:
            refresh(attrs, j, size + 1, made)


@compiled
def _let_in(
    attrs: Attributes, boxes: Boxes, made: Open, growth: Growth, place: int, seeding: int
) -> None:
    """Move the lowest row of the point at a place into the open class."""
    counters = growth.counters
    block = place // BLOCK
    i = place - block * BLOCK
    point = boxes.point[block, i]
    row = np.int64(growth.rows[growth.head[point]])
    growth.head[point] += 1
    size = counters[SIZE]
    if size == 0 or seeding == FAR_FROM_LAST:
        counters[POINT] = point
    elif counters[POINT] != point:
        counters[POINT] = -1
    growth.labels[row] = counters[CLASSES]
    growth.members[size] = row
    if len(growth.person) == 0:
        counters[PEOPLE] += 1
    elif growth.seen[growth.person[row]] != counters[CLASSES]:
        growth.seen[growth.person[row]] = counters[CLASSES]
        counters[PEOPLE] += 1
    for j in range(growth.last.shape[0]):
        growth.last[j] = code_at(boxes, block, j, i)
    _widen(attrs, made, growth.last, size)
    counters[SIZE] = size + 1
    counters[LIVE] -= 1
    following = NOWHERE
    counters[LAST] = NONE
    if growth.head[point] < growth.tail[point]:
        following = int(growth.rows[growth.head[point]])
        counters[LAST] = place
    replace_row(boxes, place, following)


@compiled
def _next(attrs: Attributes, boxes: Boxes, made: Open, last: int, alike: bool) -> int:
    """Find the live record that is nearest to the open class; say if all its records are alike."""
    if last != NONE and alike and attrs.apart and attrs.rule == MEETING:
        return last  # the same point once more costs nothing, and any other something
    units = prepare(attrs, boxes, made, NEAR)
    best, row = NOWHERE, NOWHERE
    if last != NONE:  # the same point again is hard to beat
        block = last // BLOCK
        i = last - block * BLOCK
        best, row = price(attrs, boxes, made, block, i), boxes.row[block, i]
        if best == 0 and attrs.apart:
            return last
    return nearest(attrs, boxes, made, units, best, row, last)


@compiled
def _known_seed(
    far: Ints, ties: Small, head: Ints, tail: Ints, rows: npt.NDArray[Any], size: int
) -> int:
    """Look up the point farthest from one; −1 if it is not known (any more).

    Points only leave: while one of those that were farthest is live, no other is farther.
    """
    if far[FOR_SIZE] != size:
        return NONE
    row, point = NOWHERE, NONE
    for at in range(far[BEGIN], far[BEGIN] + far[COUNT]):
        other = int(ties[at])
        if head[other] < tail[other]:
            live = int(rows[head[other]])
            if live < row:
                row, point = live, other
    return point


@compiled
def _bring_forward(rows: npt.NDArray[Any], head: int, end: int, row: int) -> None:
    """Make a live row the first of its point's rows; the others keep their order."""
    at = head
    while at < end:  # they are in ascending order
        middle = (at + end) // 2
        if rows[middle] < row:
            at = middle + 1
        else:
            end = middle
    found = rows[at]
    for other in range(at, head, -1):
        rows[other] = rows[other - 1]
    rows[head] = found


@compiled
def _seed(attrs: Attributes, boxes: Boxes, made: Open, growth: Growth, k: int, seeding: int) -> int:
    """Find the place of the next seed."""
    counters = growth.counters
    if boxes.facts[POINTS] == 0:
        return NONE
    if is_sparse(boxes.facts):
        pack(boxes)
    closed = counters[CLASSES]
    if seeding == IN_ORDER or (seeding == FAR_FROM_CLASS and closed == 0):
        while growth.labels[growth.order[counters[TURN]]] >= 0:
            counters[TURN] += 1
        row = int(growth.order[counters[TURN]])
        point = int(growth.points[row])
        _bring_forward(growth.rows, growth.head[point], growth.tail[point], row)
        return boxes.where[point]
    from_last = seeding == FAR_FROM_LAST
    point = counters[POINT]
    size = 1 if from_last else growth.sizes[closed - 1]
    kept = point >= 0 and growth.far[point, BEGIN] >= 0
    if kept:
        known = _known_seed(
            growth.far[point], growth.ties, growth.head, growth.tail, growth.rows, size
        )
        if known != NONE:
            return boxes.where[known]
    if from_last:
        _widen(attrs, made, growth.last, counters[SIZE])
    # Only a point that can fill another class is worth remembering for.
    kept = kept and growth.tail[point] - growth.head[point] >= k
    begin, most = 0, 0
    if kept:
        begin, most = growth.far[point, BEGIN], MOST_TIES
    place, count = farthest(attrs, boxes, made, growth.ties, begin, most)
    if kept:
        growth.far[point, COUNT] = count if count <= MOST_TIES else 0
        growth.far[point, FOR_SIZE] = size
    return place


@compiled
def grow(
    attrs: Attributes,
    boxes: Boxes,
    made: Open,
    growth: Growth,
    k: int,
    seeding: int,
    ask: bool,
    budget: int,
) -> int:
    """Close classes until the budget is spent or no class can be closed.

    - ``k``: how many people a class must hold.
    - ``seeding``: where the next seed comes from: `FAR_FROM_CLASS`, `FAR_FROM_LAST` or `IN_ORDER`.
    - ``ask``: return `ASKING` before a class is closed, until ``counters[ACCEPTED]`` is 1; not
      again before it has ``counters[ASK_AT]`` rows.
    - ``budget``: about how many cells to look at before `PAUSED`.

    Returns `DONE`, `PAUSED` or `ASKING`. After `DONE`, a class that could not be completed is still
    open: its rows are labelled ``counters[CLASSES]``.
    """
    counters = growth.counters
    visited = made.visited
    end = visited[NEAR_BLOCKS] + visited[FAR_BLOCKS] + budget
    while True:  # each function has one call site: the compiler copies it to every one
        if counters[SIZE] == 0:
            chosen = _seed(attrs, boxes, made, growth, k, seeding)
            if chosen == NONE or counters[LIVE] < k:
                return DONE
        else:
            if counters[PEOPLE] >= k:
                if counters[ACCEPTED] == 1 or not ask:
                    closed = counters[CLASSES]
                    for j in range(made.lo.shape[0]):
                        for part in range(4):
                            growth.shapes[closed, j, part] = made.shape[j, part]
                    growth.sizes[closed] = counters[SIZE]
                    counters[CLASSES] = closed + 1
                    counters[SIZE], counters[PEOPLE], counters[ACCEPTED] = 0, 0, 0
                    counters[ASK_AT] = 0
                    continue
                if counters[ACCEPTED] == 0 and counters[SIZE] >= counters[ASK_AT]:
                    counters[ACCEPTED] = -1  # asked; without a yes one more record joins
                    return ASKING
            if counters[LIVE] == 0:
                return DONE
            if visited[NEAR_BLOCKS] + visited[FAR_BLOCKS] >= end:
                return PAUSED
            chosen = _next(attrs, boxes, made, counters[LAST], counters[POINT] >= 0)
        _let_in(attrs, boxes, made, growth, chosen, seeding)
        if counters[ACCEPTED] == -1:
            counters[ACCEPTED] = 0
