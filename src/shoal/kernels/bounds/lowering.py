"""Lower prices until no box takes more than it costs.

Points (different rows, with how often they occur) have a price per row. The points of a cell agree
in the nodes that a group of them would show; numbers are cut out of it in windows. A box (a cell
and a window per number) with k rows or more costs each row of a group in it at least so much. Its
costliest k rows are the group that comes nearest to being worth more than it costs. Where they are,
their prices are lowered, in proportion. Lowering keeps what holds for boxes seen before, so after
one round over all boxes it holds for all.

The last number is swept exactly: every window from one code to another. Of a window whose
rows are worth too much, the k costliest hold both ends, or those of a narrower one are worth too
much as well; so a sweep ends where no row at its left end is among them.

Numbers before the last are cut into bins, each a part of what may be spent. A window from one bin
to another holds all rows in them, and is charged only for what lies between the last value of its
first bin and the first value of its last one: no range that begins and ends in these bins costs
less. A group whose range does has a row in both, which bounds what its rows are worth.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.base.arrays import Floats, Ints, Small
from shoal.kernels.bounds.costliest import ENTRIES, ROWS, TOTAL, Costliest, empty, offer
from shoal.kernels.compiled import compiled

CAPPED = 1
"""Costliest rows to sum: one, for the least cost of any box that holds a row and k − 1 others."""

BINS, FIRST, LAST, CHARGED, LEFT, INSIDE, BEST, EVALUATIONS = range(8)
FIELDS = 8
"""What is known of the window of a number: its bins, the first and the last one in the window, what
was charged before and what is left to spend, the rows inside, what the costliest row of the first
bin is worth; and how many points have been looked at there, in all windows, since the start."""


class Points(NamedTuple):
    """Different rows, and the numbers among their columns; the last number is swept."""

    rows: Ints
    """Per point: how often it occurs."""
    code: Small
    """Per number and point: its code."""
    begin: Ints
    """Per number: where its codes begin in what follows."""
    down: Ints
    up: Ints
    full: Ints
    """Per number: the most that a range costs."""


class Workspace(NamedTuple):
    """Where a round keeps what it works on, per number."""

    worth: Ints
    point: Ints
    held: Ints
    sums: Ints
    """These four: the costliest rows of its window."""
    points: Ints
    """The points that are cut into bins, in the order of its codes."""
    edge: Ints
    """Where each bin begins among these points."""
    state: Ints
    """See `FIELDS`."""


class Cells(NamedTuple):
    """The cells of one combination of levels that hold k rows or more.

    A cell is left out if all its rows agree at a finer level of some column: the finer cell has
    the same rows, and costs them no more.
    """

    members: Small
    """The points of the cells, one after the other, in the order of the last number's codes."""
    starts: Ints
    """Where each cell begins, and the end."""
    quiet: Floats
    """Per cell: up to which growth of all prices it need not be looked at; changed."""


class Lowering(NamedTuple):
    """What prices are lowered by; they are changed."""

    points: Points
    space: Workspace
    prices: Ints
    """Per point: the price of one row."""
    own: Ints
    """Per point: what the nodes of a cell cost a row of it, besides what they cost any row."""
    k: int
    costliest: int
    """How many of the costliest rows are summed: k for prices, `CAPPED` for the least costs."""
    parts: int
    """Into how many bins numbers before the last divide what may be spent."""


@compiled
def _heap(space: Workspace, depth: int) -> Costliest:
    return Costliest(space.worth[depth], space.point[depth], space.held[depth], space.sums[depth])


@compiled
def lower(task: Lowering, cells: Cells, base: int, growth: float, ahead: float) -> Any:
    """Lower prices until every box in some cells holds; gives how many points were looked at.

    A point counts as often as it is looked at in another window: that is what takes time.

    - ``base``: what the nodes of a cell cost any row.
    - ``growth``: by how much prices were multiplied, at most, since quiet was 0.
    - ``ahead``: how much further prices may grow, as a share, for cells to be found quiet; 0 for
      `CAPPED`.
    """
    points, space, prices, own, _, costliest, _ = task
    members, starts, quiet = cells
    last = len(points.begin) - 1
    evaluations = np.int64(0)
    space.state[:, EVALUATIONS] = 0
    heap = _heap(space, 0)
    for cell in range(len(starts) - 1):
        if growth < quiet[cell]:
            continue
        start, end = starts[cell], starts[cell + 1]
        evaluations += end - start
        most, top = np.int64(-(2**62)), np.int64(0)
        for i in range(start, end):
            point = members[i]
            most = max(most, prices[point] - own[point])
            top = max(top, prices[point])
        margin = np.int64(ahead * top) * costliest
        slack = costliest * (base - most)
        if slack < margin or slack < 0:
            evaluations += end - start
            empty(heap)
            for i in range(start, end):
                point = members[i]
                space.points[0, i - start] = point
                offer(heap, costliest, prices[point] - own[point], point, points.rows[point])
            total = heap.sums[TOTAL]
            slack = costliest * base - total
            if slack < margin or slack < 0:
                if last == 0:
                    slack = _sweep(task, base, 0, end - start, total, margin)
                else:
                    slack = _divide(task, base, end - start, total, margin)
        if top > 0:
            quiet[cell] = growth * (1.0 + slack / (top * costliest) * 0.999999)
    for depth in range(len(space.state)):
        evaluations += space.state[depth, EVALUATIONS]
    return evaluations


@compiled
def _width(points: Points, number: int, low: Any, high: Any) -> Any:
    """Price the range from one code to another."""
    if low == high:
        return np.int64(0)
    begin = points.begin[number]
    wide = points.up[begin + high] - points.down[begin + low]
    return max(min(wide, points.full[number]), np.int64(0))


@compiled
def _sweep(task: Lowering, base: int, depth: int, size: int, total: int, margin: Any) -> Any:
    """Look at all windows of the last number, whose costliest rows are worth at most a total.

    Gives by how much less the costliest rows of any window are worth than it costs; the margin at
    most.
    """
    if task.costliest == CAPPED:
        _cap(task, base, depth, size)
        return np.int64(0)
    reach = (total + margin - 1) // task.k - base
    return _lower_windows(task, base, depth, size, reach, margin)


@compiled
def _lower_windows(task: Lowering, base: int, depth: int, size: int, reach: int, slack: Any) -> Any:
    """Lower the k costliest rows of each window until they are worth no more than it costs.

    Windows that cost more than ``reach`` need not be looked at: they have the slack that is given.
    Gives the least slack of all. A window whose k costliest rows lie in a narrower one has no less.
    """
    points, space, prices, own, k, _, _ = task
    last = len(points.begin) - 1
    code, listed, heap = points.code[last], space.points[depth], _heap(space, depth)
    i = 0
    while i < size:
        left = code[listed[i]]
        empty(heap)
        best = prices[listed[i]] - own[listed[i]]  # of a row at the left end
        j, lowered = i, False
        while j < size and not lowered:
            right = code[listed[j]]
            wide = _width(points, last, left, right)
            if wide > reach:
                break
            fresh = False
            while j < size and code[listed[j]] == right:
                point = listed[j]
                worth = prices[point] - own[point]
                if right == left:
                    best = max(best, worth)
                if offer(heap, k, worth, point, points.rows[point]):
                    fresh = True
                j += 1
            if heap.sums[ROWS] < k or not fresh:
                continue
            if heap.sums[TOTAL] > k * (base + wide):
                _cut(heap, prices, heap.sums[TOTAL] - k * (base + wide))
                lowered = True
                continue
            slack = min(slack, k * (base + wide) - heap.sums[TOTAL])
            if best < heap.worth[0]:
                break
        space.state[depth, EVALUATIONS] += j - i
        if not lowered:  # else once more from here
            while i < size and code[listed[i]] == left:
                i += 1
    return slack


@compiled
def _cut(heap: Costliest, prices: Ints, over: int) -> None:
    """Take what is over off the prices of the rows that are held, in proportion."""
    worth = np.int64(0)
    for entry in range(heap.sums[ENTRIES]):
        worth += heap.held[entry] * prices[heap.point[entry]]
    share = over / worth
    for entry in range(heap.sums[ENTRIES]):
        point = heap.point[entry]
        prices[point] -= min(np.int64(prices[point] * share) + 1, prices[point])


@compiled
def _cap(task: Lowering, base: int, depth: int, size: int) -> None:
    """Lower each row to the cost of the narrowest window of k rows that holds it.

    Such a window has k rows no more without its right end, or without its left one.
    """
    points, space, prices, own, k, _, _ = task
    last = len(points.begin) - 1
    code, listed = points.code[last], space.points[depth]
    space.state[depth, EVALUATIONS] += 2 * size
    for direction in range(2):  # windows that grow to the right; then to the left
        step = 1 - 2 * direction
        i = 0 if direction == 0 else size - 1
        j, rows = i, np.int64(0)
        while 0 <= i < size:
            near = code[listed[i]]
            while 0 <= j < size and (rows < k or code[listed[j]] == code[listed[j - step]]):
                rows += points.rows[listed[j]]
                j += step
            if rows < k:
                break
            far = code[listed[j - step]]
            cost = base + _width(points, last, min(near, far), max(near, far))
            z = i
            while z != j:
                point = listed[z]
                prices[point] = min(prices[point], cost + own[point])
                z += step
            while 0 <= i < size and code[listed[i]] == near:
                rows -= points.rows[listed[i]]
                i += step


@compiled
def _divide(task: Lowering, base: int, size: int, total: int, margin: Any) -> Any:
    """Cut all numbers but the last into bins, and sweep the last one in each box of them.

    Gives the least slack of all boxes, the margin at most.
    """
    points, space, _, _, k, costliest, parts = task
    depth, deepest, slack = 0, len(points.begin) - 2, np.int64(margin)
    _open(points, space, base, 0, size, (total + margin) // costliest - base + 1, parts)
    while depth >= 0:
        state = space.state[depth]
        if state[LAST] + 1 >= state[BINS]:
            state[FIRST] += 1
            state[LAST] = state[FIRST]
        else:
            state[LAST] += 1
        if state[FIRST] >= state[BINS]:
            depth -= 1
            continue
        charge = _charge(points, space, depth)
        if charge >= state[LEFT]:
            state[LAST] = state[BINS]  # go on with the next first one
            continue
        worth = _extend(task, depth)
        charged = state[CHARGED] + charge
        if state[INSIDE] < k or worth + margin <= costliest * charged:
            continue
        start, end = space.edge[depth, state[FIRST]], space.edge[depth, state[LAST] + 1]
        for i in range(start, end):
            space.points[depth + 1, i - start] = space.points[depth, i]
        if depth < deepest:
            depth += 1
            left = (worth + margin) // costliest - charged + 1
            _open(points, space, charged, depth, end - start, left, parts)
        else:
            _sort(space.points[depth + 1], end - start, points.code[depth + 1])
            found = _sweep(task, charged, depth + 1, end - start, worth, margin)
            slack = min(slack, found)
    return slack


@compiled
def _open(
    points: Points, space: Workspace, charged: int, depth: int, size: int, left: int, parts: int
) -> None:
    """Cut a number into bins."""
    listed, code, state = space.points[depth], points.code[depth], space.state[depth]
    _sort(listed, size, code)
    bins, first = 0, np.int64(-1)
    for i in range(size):
        if first < 0 or _width(points, depth, first, code[listed[i]]) > left // parts:
            first = np.int64(code[listed[i]])
            space.edge[depth, bins] = i
            bins += 1
    space.edge[depth, bins] = size
    state[BINS], state[FIRST], state[LAST] = bins, 0, -1
    state[CHARGED], state[LEFT] = charged, left


@compiled
def _charge(points: Points, space: Workspace, depth: int) -> Any:
    """Price what a window from one bin to another costs at least."""
    state, code = space.state[depth], points.code[depth]
    if state[FIRST] == state[LAST]:
        return np.int64(0)
    low = code[space.points[depth, space.edge[depth, state[FIRST] + 1] - 1]]
    high = code[space.points[depth, space.edge[depth, state[LAST]]]]
    return _width(points, depth, low, high)


@compiled
def _extend(task: Lowering, depth: int) -> Any:
    """Take the last bin into the window; give what a group with a row in both ends may be worth."""
    points, space, prices, own, _, costliest, _ = task
    state, heap = space.state[depth], _heap(space, depth)
    if state[FIRST] == state[LAST]:
        empty(heap)
        state[INSIDE] = 0
    state[EVALUATIONS] += space.edge[depth, state[LAST] + 1] - space.edge[depth, state[LAST]]
    best = np.int64(-(2**62))
    for i in range(space.edge[depth, state[LAST]], space.edge[depth, state[LAST] + 1]):
        point = space.points[depth, i]
        worth = prices[point] - own[point]
        best = max(best, worth)
        state[INSIDE] += points.rows[point]
        offer(heap, costliest, worth, point, points.rows[point])
    if state[FIRST] == state[LAST]:
        state[BEST] = best
    total = heap.sums[TOTAL]
    if costliest != CAPPED and state[FIRST] != state[LAST]:
        # Rows at the ends that are not among the costliest take the place of some that are.
        total -= max(heap.worth[0] - state[BEST], np.int64(0))
        total -= max(heap.worth[0] - best, np.int64(0))
    return total


@compiled
def _sort(listed: Ints, size: int, code: Small) -> None:
    """Sort points by their codes (Shell's way: nothing else is needed)."""
    gap = 1
    while gap < size // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, size):
            point = listed[i]
            j = i
            while j >= gap and code[listed[j - gap]] > code[point]:
                listed[j] = listed[j - gap]
                j -= gap
            listed[j] = point
        gap //= 3
