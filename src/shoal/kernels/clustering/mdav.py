"""Groups around the records that lie farthest out (MDAV's loop).

The record farthest from the mean of what is left is grouped with its nearest, then the one farthest
from it. Both questions go to a tree of boxes (`shoal.kernels.clustering.points`), which answers as
if every row were looked at; ties go to the lowest row.
"""

from __future__ import annotations

from typing import NamedTuple

from shoal.base.arrays import Ints, Small
from shoal.kernels.clustering.points import (
    Nearest,
    Points,
    build,
    distance_of,
    farthest,
    gather,
    lose,
    nearest,
)
from shoal.kernels.clustering.squares import (
    Reference,
    Space,
    Sums,
    from_mean,
    from_record,
    take_out,
)
from shoal.kernels.compiled import compiled

DONE, PAUSED = 0, 1

ALIVE, PEOPLE, GROUPS, STAGE, WORK = range(5)
"""Places in `Search.counters`."""

BUILDING, FROM_MEAN, FROM_SEED, REST = range(4)
"""Stages: nothing is there yet; the next seed is farthest from the mean, or from the last seed; or
none is left."""


class Search(NamedTuple):
    """What `group` keeps between calls; `shoal.methods.clustering.mdav` makes it."""

    points: Points
    sums: Sums
    reference: Reference
    found: Nearest
    labels: Small
    rows_of: Ints
    """Per person: the rows that are left."""
    taken: Ints
    """Room for the points of a group."""
    counters: Ints


@compiled
def _leave(space: Space, search: Search, point: int, last: int) -> None:
    """Give rows of a point the label of the group that is made: all up to a row."""
    points, counters = search.points, search.counters
    while points.head[point] < points.tail[point]:
        row = points.rows[points.head[point]]
        if row > last:
            break
        points.head[point] += 1
        search.labels[row] = counters[GROUPS]
        counters[ALIVE] -= 1
        who = search.found.person[row]
        search.rows_of[who] -= 1
        if search.rows_of[who] == 0:
            counters[PEOPLE] -= 1
        take_out(space, search.sums, points.cells[point])


@compiled
def _group_near(space: Space, search: Search, k: int) -> int:
    """Group the rows up to the first of the k-th nearest person; gives how much was looked at."""
    points, reference, heap = search.points, search.reference, search.found.heap
    _, evaluations = nearest(space, points, reference, search.found, k)
    most, last = heap[0, 0], heap[0, 1]
    count = gather(space, points, reference, most, last, search.taken)
    for i in range(count):
        point = search.taken[i]
        at_end = distance_of(points, reference, point) == most
        until = last if at_end else points.rows[points.tail[point] - 1]
        _leave(space, search, point, until)
    for i in range(count):
        lose(space, points, search.taken[i])
    search.counters[GROUPS] += 1
    return evaluations


@compiled
def group(space: Space, search: Search, k: int, budget: int) -> int:
    """Make groups until the budget (boxes and points looked at) is spent or no row is left.

    Returns DONE or PAUSED. A group holds a seed and what is nearest to it, up to k people.
    """
    points, reference, counters = search.points, search.reference, search.counters
    counters[WORK] = 0
    if counters[STAGE] == BUILDING:
        build(space, points)
        counters[STAGE] = FROM_MEAN
    while counters[ALIVE] > 0:
        if counters[WORK] >= budget:
            return PAUSED
        if counters[STAGE] == REST or (counters[STAGE] == FROM_MEAN and counters[PEOPLE] < 2 * k):
            for point in range(points.head.shape[0]):
                _leave(space, search, point, points.rows[points.tail[point] - 1])
            counters[GROUPS] += 1
            break
        many = counters[PEOPLE] >= 3 * k
        again = counters[STAGE] == FROM_SEED
        if not again:  # otherwise the table is that of the last seed
            from_mean(space, search.sums, counters[ALIVE], reference)
        seed, evaluations = farthest(space, points, reference)
        from_record(space, points.cells[seed], reference)
        counters[WORK] += evaluations + _group_near(space, search, k)
        if again:
            counters[STAGE] = FROM_MEAN
        else:
            counters[STAGE] = FROM_SEED if many else REST
    return DONE
