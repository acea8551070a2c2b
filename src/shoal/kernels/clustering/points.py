"""A tree of boxes over points: which lies farthest from a reference, and which people nearest.

Equal records are one point, with its rows in rising order; they leave from the lowest on. Boxes
know what live points below them hold: of a number the least and the largest code, of categories
which bins occur. So sums of table look-ups bound the distance of all of them to a reference,
and branches that can hold no better point are left out. Ties go to the lowest row, as if every row
were looked at.
"""

from __future__ import annotations

from typing import NamedTuple

from shoal.base.arrays import Ints, Small
from shoal.kernels.clustering.lanes import lowest
from shoal.kernels.clustering.squares import Reference, Space
from shoal.kernels.compiled import compiled
from shoal.kernels.tree import BEGIN, BOUND, END, FAN, LEVEL, NODE, above, below, wait

NOWHERE = 2**62
"""The lowest live row where none is left."""

_FARTHEST = 2**62


class Points(NamedTuple):
    """The points and the boxes above them, as they lie in the tree."""

    level: Ints
    """Where each level begins and ends; the lowest is that of the points."""
    cells: Small
    """Per point and column: the code, as a place in tables over codes."""
    head: Ints
    """Per point: where in ``rows`` its lowest live row is."""
    tail: Ints
    """Per point: where its rows end."""
    rows: Ints
    """All rows by point, then by number."""
    first: Ints
    """Per node: the lowest live row below it, or `NOWHERE`."""
    ends: Small
    """Per box and column of numbers: the least and the largest code."""
    holds: Ints
    """Per box and column: a bit for each bin that occurs; of numbers 1 if one is missing."""
    stack: Ints
    """The nodes that wait to be looked at."""


class Nearest(NamedTuple):
    """The nearest people."""

    heap: Ints
    """At most k, the farthest on top: distance, row."""
    person: Ints
    """Per row: whose it is."""
    slot: Ints
    """Per person: the place in the heap, −1 if none."""


@compiled
def _cover(space: Space, points: Points, at: int, node: int) -> bool:
    """Compute a node's box from what lives below it; say whether it is another one now."""
    box, under = node - points.level[1, BEGIN], points.level[1, BEGIN]
    begin = below(points.level, at, node, FAN)
    end = min(begin + FAN, points.level[at - 1, END])
    changed = False
    for j in range(space.numeric.shape[0]):
        lo, hi, holds = _FARTHEST, -1, 0
        for child in range(begin, end):
            if points.first[child] == NOWHERE:
                continue
            if at > 1:
                lo = min(lo, int(points.ends[child - under, j, 0]))
                hi = max(hi, int(points.ends[child - under, j, 1]))
                holds |= points.holds[child - under, j]
                continue
            code = int(points.cells[child, j])
            if not space.numeric[j]:
                holds |= 1 << space.bin[code]
            elif code == space.start[j + 1] - 1:
                holds |= 1
            else:
                lo, hi = min(lo, code), max(hi, code)
        lo = min(lo, 2**31 - 1)
        if lo != points.ends[box, j, 0] or hi != points.ends[box, j, 1]:
            points.ends[box, j, 0], points.ends[box, j, 1] = lo, hi
            changed = True
        if holds != points.holds[box, j]:
            points.holds[box, j] = holds
            changed = True
    return changed


@compiled
def _find_first(points: Points, at: int, node: int) -> bool:
    """Find the lowest live row below a node; say whether it is another one now."""
    begin = below(points.level, at, node, FAN)
    first = NOWHERE
    for child in range(begin, min(begin + FAN, points.level[at - 1, END])):
        first = min(first, points.first[child])
    changed = bool(first != points.first[node])
    points.first[node] = first
    return changed


@compiled
def build(space: Space, points: Points) -> None:
    """Compute all boxes."""
    for point in range(points.level[0, END]):
        points.first[point] = points.rows[points.head[point]]
    for at in range(1, points.level.shape[0]):
        for node in range(points.level[at, BEGIN], points.level[at, END]):
            _find_first(points, at, node)
            _cover(space, points, at, node)


@compiled
def lose(space: Space, points: Points, point: int) -> None:
    """Bring the boxes up to date after a point lost its lowest rows."""
    gone = points.head[point] == points.tail[point]
    points.first[point] = NOWHERE if gone else points.rows[points.head[point]]
    node, rows, boxes = point, True, gone
    for at in range(1, points.level.shape[0]):
        node = above(points.level, at, node, FAN)
        rows = rows and _find_first(points, at, node)
        boxes = boxes and points.first[node] != NOWHERE and _cover(space, points, at, node)
        if not rows and not boxes:
            break


@compiled
def distance_of(points: Points, reference: Reference, point: int) -> int:
    """Look a point's distance up."""
    total = 0
    for j in range(points.cells.shape[1]):
        total += reference.near[points.cells[point, j]]
    return total


@compiled
def _at_most(space: Space, points: Points, reference: Reference, box: int) -> int:
    """Bound the distances of a box from above.

    Those of numbers are largest at the ends, as squares are.
    """
    total = 0
    for j in range(space.numeric.shape[0]):
        part, holds = -_FARTHEST, points.holds[box, j]
        if space.numeric[j]:
            lo, hi = points.ends[box, j, 0], points.ends[box, j, 1]
            if lo <= hi:
                part = max(reference.near[lo], reference.near[hi])
            if holds:
                part = max(part, reference.near[space.start[j + 1] - 1])
        else:
            while holds:
                part = max(part, reference.most[j, lowest(holds)])
                holds &= holds - 1
        total += part
    return total


@compiled
def _at_least(space: Space, points: Points, reference: Reference, box: int, enough: int) -> int:
    """Bound the distances of a box to a record from below; past ``enough`` no more is added."""
    total = 0
    for j in range(space.numeric.shape[0]):
        part, holds = _FARTHEST, points.holds[box, j]
        if space.numeric[j]:
            lo, hi = points.ends[box, j, 0], points.ends[box, j, 1]
            own, missing = reference.own[j], space.start[j + 1] - 1
            if lo <= hi:
                if own == missing:  # the nearest lies somewhere in the middle
                    part = space.factor[j] * space.missing_cost[j]
                else:
                    part = reference.near[min(max(own, lo), hi)]
            if holds:
                part = min(part, reference.near[missing])
        else:
            while holds:
                part = min(part, reference.least[j, lowest(holds)])
                holds &= holds - 1
        total += part
        if total > enough:
            break
    return total


@compiled
def farthest(space: Space, points: Points, reference: Reference) -> tuple[int, int]:
    """Find the point that is farthest by the table, of equals that of the lowest row.

    Gives the point, −1 if none is left, and how many boxes and points were looked at.
    """
    level, stack, first = points.level, points.stack, points.first
    top, under = level.shape[0] - 1, level[1, BEGIN]
    best, row, found, evaluations = -_FARTHEST, NOWHERE, -1, 0
    height = 0
    if first[level[top, BEGIN]] != NOWHERE:
        height = 1
        stack[0, NODE], stack[0, LEVEL], stack[0, BOUND] = level[top, BEGIN], top, _FARTHEST
    while height > 0:
        height -= 1
        node, at, bound = stack[height, NODE], stack[height, LEVEL], stack[height, BOUND]
        if bound < best or (bound == best and first[node] > row):
            continue
        begin = below(level, at, node, FAN)
        bottom = height
        for child in range(begin, min(begin + FAN, level[at - 1, END])):
            if first[child] == NOWHERE:
                continue
            evaluations += 1
            if at == 1:
                far = distance_of(points, reference, child)
                if far > best or (far == best and first[child] < row):
                    best, row, found = far, first[child], child
                continue
            far = _at_most(space, points, reference, child - under)
            if far > best or (far == best and first[child] < row):
                wait(stack, bottom, height, child, at - 1, far, None)
                height += 1
    return found, evaluations


@compiled
def _after(heap: Ints, one: int, other: int) -> bool:
    """Say whether an entry of the heap comes after another one: farther, or of a later row."""
    return heap[one, 0] > heap[other, 0] or (
        heap[one, 0] == heap[other, 0] and heap[one, 1] > heap[other, 1]
    )


@compiled
def _swap(found: Nearest, one: int, other: int) -> None:
    heap, slot, person = found.heap, found.slot, found.person
    for part in range(2):
        kept = heap[one, part]
        heap[one, part] = heap[other, part]
        heap[other, part] = kept
    slot[person[heap[one, 1]]] = one
    slot[person[heap[other, 1]]] = other


@compiled
def _sink(found: Nearest, at: int, size: int) -> None:
    """Let an entry that came nearer sink to its place."""
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and _after(found.heap, child + 1, child):
            child += 1
        if not _after(found.heap, child, at):
            break
        _swap(found, at, child)
        at = child


@compiled
def _offer(found: Nearest, size: int, k: int, distance: int, row: int) -> int:
    """Let a row into the heap if it is among the nearest k people; gives the heap's size."""
    heap, slot = found.heap, found.slot
    who = found.person[row]
    at = slot[who]
    if at >= 0:
        if distance < heap[at, 0] or (distance == heap[at, 0] and row < heap[at, 1]):
            heap[at, 0], heap[at, 1] = distance, row
            _sink(found, at, size)
    elif size < k:
        at = size
        size += 1
        heap[at, 0], heap[at, 1] = distance, row
        slot[who] = at
        while at > 0 and _after(heap, at, (at - 1) // 2):
            _swap(found, at, (at - 1) // 2)
            at = (at - 1) // 2
    else:
        slot[found.person[heap[0, 1]]] = -1
        heap[0, 0], heap[0, 1] = distance, row
        slot[who] = 0
        _sink(found, 0, size)
    return size


@compiled
def nearest(
    space: Space, points: Points, reference: Reference, found: Nearest, k: int
) -> tuple[int, int]:
    """Put the k people who come nearest to a record into the heap, with their first rows.

    Gives how many there are, and how many boxes and points were looked at.
    """
    level, stack, first, heap = points.level, points.stack, points.first, found.heap
    top, under = level.shape[0] - 1, level[1, BEGIN]
    size, evaluations, height = 0, 0, 1
    most, last = _FARTHEST, NOWHERE  # what comes after is none of the nearest
    stack[0, NODE], stack[0, LEVEL], stack[0, BOUND] = level[top, BEGIN], top, 0
    while height > 0:
        height -= 1
        node, at, bound = stack[height, NODE], stack[height, LEVEL], -stack[height, BOUND]
        if bound > most or (bound == most and first[node] > last):
            continue
        begin = below(level, at, node, FAN)
        bottom = height
        for child in range(begin, min(begin + FAN, level[at - 1, END])):
            if first[child] == NOWHERE:
                continue
            evaluations += 1
            if at > 1:
                near = _at_least(space, points, reference, child - under, most)
                if near < most or (near == most and first[child] < last):
                    wait(stack, bottom, height, child, at - 1, -near, None)
                    height += 1
                continue
            near = distance_of(points, reference, child)
            for i in range(points.head[child], points.tail[child]):
                row = points.rows[i]
                if near > most or (near == most and row > last):
                    break
                size = _offer(found, size, k, near, row)
                if size == k:
                    most, last = heap[0, 0], heap[0, 1]
    for i in range(size):
        found.slot[found.person[heap[i, 1]]] = -1
    return size, evaluations


@compiled
def gather(
    space: Space, points: Points, reference: Reference, most: int, last: int, into: Ints
) -> int:
    """List the points that have rows up to a distance, and at that distance up to a row."""
    level, stack, first = points.level, points.stack, points.first
    top, under = level.shape[0] - 1, level[1, BEGIN]
    count, height = 0, 1
    stack[0, NODE], stack[0, LEVEL] = level[top, BEGIN], top
    while height > 0:
        height -= 1
        node, at = stack[height, NODE], stack[height, LEVEL]
        begin = below(level, at, node, FAN)
        for child in range(begin, min(begin + FAN, level[at - 1, END])):
            if first[child] == NOWHERE:
                continue
            if at == 1:
                near = distance_of(points, reference, child)
            else:
                near = _at_least(space, points, reference, child - under, most)
            if near > most or (near == most and first[child] > last):
                continue
            if at == 1:
                into[count] = child
                count += 1
            else:
                stack[height, NODE], stack[height, LEVEL] = child, at - 1
                height += 1
    return count
