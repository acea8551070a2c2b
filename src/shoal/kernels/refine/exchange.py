"""Single moves and swaps: one row goes to another group, or two rows of two groups change places.

Groups wait in a queue. One is taken out and compared with every other that does not wait, or with
those of points near its rows; where a move or a swap gains, the best of that pair is made, and both
groups wait again. When the queue is empty, each pair was looked at after the last change of either.

Most pairs are told by bounds alone: neither group can cost less than it does without its costliest
row, and both pay at least for the gap between their boxes once they hold a row of the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Ints, Small
from shoal.kernels.compiled import compiled
from shoal.kernels.refine.pools import Groups, Space
from shoal.kernels.refine.units import Needs, Prices, Work, absorb, box_point, copy, price

DONE, PAUSED, ASKING, DISSOLVING = range(4)
"""Why `exchange` comes back: nothing gains any more; the looks are spent; there are changes that
somebody else must judge; a group might be dissolved."""

FIRST, WAITING, AT, EVALUATIONS, GAINED, FOUND, STAMP, BUILT = range(8)
"""Places of `Exchange.counters`: the first of the queue and how many wait; where the scan of the
first goes on; looks that are left; what was gained; changes that wait for a judge; the stamp of the
last scan; the group whose boxes are at hand."""

PAIR = 8
"""A pair whose rows are priced counts for so many looks per row, and two per swap."""


class Exchange(NamedTuple):
    """The groups, what is known of them between moves, and room to work in."""

    prices: Prices
    needs: Needs
    space: Space
    groups: Groups
    work: Work
    lo: npt.NDArray[np.uint32]
    hi: npt.NDArray[np.uint32]
    """Per group and column: its box."""
    rest: Ints
    """Per group: what it costs without its costliest row."""
    shrunk: Ints
    """Per group: what it costs at least with any row in the place of one of its own."""
    queue: Small
    waits: Small
    """Per group: whether it waits in the queue."""
    seen: Ints
    """Per group: the last scan that met it; with lists of near points only."""
    mine: Small
    theirs: Small
    """The rows of the two groups at hand."""
    changed: Ints
    """Per two rows, the first of each −1: what the first group costs once they changed places."""
    least: Ints
    """Per row of the first group: what it adds where it adds least, and to which group."""
    target: Ints
    found: Ints
    """Changes to be judged: group, row, group, row (−1: none comes back), gain."""
    counters: Ints
    """See `FIRST` and the others."""


@compiled
def wait(state: Exchange, group: int) -> None:
    """Put a group at the end of the queue, unless it waits there."""
    if not state.waits[group]:
        counters, capacity = state.counters, len(state.queue)
        state.queue[(counters[FIRST] + counters[WAITING]) % capacity] = group
        state.waits[group] = 1
        counters[WAITING] += 1


@compiled
def _list(groups: Groups, rows: Small, group: int) -> int:
    """Write down the rows of a group; gives how many."""
    n, row = 0, groups.head[group]
    while row >= 0:
        rows[n] = row
        n += 1
        row = groups.following[row]
    return n


@compiled
def _box(state: Exchange, rows: Small, n: int, first: int) -> int:
    """Make boxes of n rows from a place on: one of each row, of all but it, and of all of them.

    Gives the place of the last one.
    """
    prices, needs, space, work = state.prices, state.needs, state.space, state.work
    capacity = len(rows)
    rest, after, whole = first + capacity, 4 * capacity + 4, first + 2 * capacity
    for i in range(n):
        box_point(prices, space, work, first + i, space.point[rows[i]], 1)
    work.size[after + n] = 0
    for i in range(n - 1, -1, -1):
        copy(prices, work, first + i, after + i)
        if i + 1 < n:
            absorb(prices, needs, work, after + i, after + i + 1)
    work.size[whole] = work.cost[whole] = 0
    for i in range(n):
        work.size[rest + i] = work.cost[rest + i] = 0
        if i > 0:
            copy(prices, work, whole, rest + i)
        if i + 1 < n:
            absorb(prices, needs, work, rest + i, after + i + 1)
        absorb(prices, needs, work, whole, first + i)
    return whole


@compiled
def measure(state: Exchange, first: int, last: int) -> None:
    """Learn what groups are, from one number up to another; those with no room stay unknown."""
    prices, groups, work, capacity = state.prices, state.groups, state.work, len(state.mine)
    for group in range(first, last):
        if groups.head[group] < 0 or groups.size[group] >= capacity:
            continue
        n = _list(groups, state.theirs, group)
        whole = _box(state, state.theirs, n, 2 * capacity + 2)
        for i in range(len(prices.column)):
            state.lo[group, i], state.hi[group, i] = work.lo[whole, i], work.hi[whole, i]
        groups.cost[group] = work.cost[whole]
        rest = shrunk = work.cost[whole]
        for i in range(n):
            box = 3 * capacity + 2 + i
            cost = work.cost[box]
            rest = min(rest, cost)
            if n > 1:
                for j in range(prices.tabled):
                    node = work.lo[box, j]
                    cost += prices.paid[prices.place[j] + node * prices.wide[j] + node]
                for j in range(prices.tabled, prices.even):
                    cost += _width(prices, j, work.lo[box, j], work.hi[box, j])
            shrunk = min(shrunk, cost)
        state.rest[group], state.shrunk[group] = rest, shrunk
    state.counters[BUILT] = -1


@compiled
def _width(prices: Prices, i: int, lo: int, hi: int) -> int:
    """Price a range of a column of numbers none of which is missing."""
    if lo == hi:
        return 0
    costs, j = prices.cells, prices.column[i]
    start = costs.start[j]
    return min(costs.up[start + hi] - costs.down[start + lo], costs.full[j])


@compiled
def _gap(state: Exchange, a: int, b: int, enough: int) -> int:
    """Say what a row of any group pays at least that holds rows of both; ``enough`` will do."""
    prices, total = state.prices, 0
    for i in range(prices.tabled):
        one, other = state.lo[a, i], state.lo[b, i]
        at = prices.place[i] + one * prices.wide[i] + other
        node = prices.cells.meeting[at]
        if node not in (one, other):
            total += prices.paid[at]
    for i in range(prices.tabled, prices.even):
        if total >= enough:
            break
        if state.hi[a, i] < state.lo[b, i]:
            total += _width(prices, i, state.hi[a, i], state.lo[b, i])
        elif state.hi[b, i] < state.lo[a, i]:
            total += _width(prices, i, state.hi[b, i], state.lo[a, i])
    return total


@compiled
def holds(state: Exchange, group: int, out: int, put: int) -> bool:
    """Say whether a group holds without a row, and with another (−1: none)."""
    needs, groups, work = state.needs, state.groups, state.work
    size = groups.size[group] - int(out >= 0) + int(put >= 0)
    if size < needs.k or (size > groups.size[group] and size > needs.most):
        return False
    for which in range(len(needs.least)):
        work.numbers[1] += 1
        stamp, different = work.numbers[1], 0
        row = put if put >= 0 else groups.head[group]
        while row >= 0 and different < needs.least[which]:
            value = needs.kind[which, row]
            if row != out and work.mark[value] != stamp:
                work.mark[value] = stamp
                different += 1
            row = groups.head[group] if row == put else groups.following[row]
        if different < needs.least[which]:
            return False
    for which in range(len(needs.sets)):
        for turn in range(2):
            row = put if put >= 0 else groups.head[group]
            while row >= 0:
                one = needs.sets[which, row]
                if turn == 0:
                    work.tally[one] = 0
                elif row != out:
                    work.tally[one] += 1
                    if work.tally[one] * needs.below[one] > size * needs.above[one]:
                        return False
                row = groups.head[group] if row == put else groups.following[row]
    return True


@compiled
def move_row(groups: Groups, row: int, to: int) -> None:
    """Put a row into another group; what both cost must be learnt anew."""
    old = groups.group[row]
    before = groups.head[old]
    if before == row:
        groups.head[old] = groups.following[row]
    else:
        while groups.following[before] != row:
            before = groups.following[before]
        groups.following[before] = groups.following[row]
    groups.size[old] -= 1
    groups.group[row] = to
    groups.following[row] = groups.head[to]
    groups.head[to] = row
    groups.size[to] += 1


@compiled
def _pair(state: Exchange, a: int, b: int, na: int, ask: bool) -> tuple[int, int, int]:
    """Find the best move or swap between two groups, the first of which is at hand.

    Gives the gain, 0 if there is none, and the rows that leave them (−1: none). With ``ask``, all
    that gain are written down instead.
    """
    prices, groups, work, capacity = state.prices, state.groups, state.work, len(state.mine)
    wide, here, there = capacity + 1, 0, 2 * capacity + 2
    nb = groups.size[b]
    both = groups.cost[a] + groups.cost[b]
    best, mine, theirs = 0, -1, -1
    for i in range(-1, na):  # what the first costs without a row, and with one of the second
        box = here + 2 * capacity if i < 0 else here + capacity + i
        size = na + int(i < 0)
        state.changed[(i + 1) * wide] = work.cost[box]
        price(prices, work, box, there, there + nb, False)
        for j in range(nb):
            state.changed[(i + 1) * wide + j + 1] = size * work.even[j] + work.uneven[j]
    for j in range(-1, nb):
        box = there + 2 * capacity if j < 0 else there + capacity + j
        size, other = nb + int(j < 0), -1 if j < 0 else state.theirs[j]
        price(prices, work, box, here, here + na, False)
        for i in range(-1, na):
            if i < 0 and j < 0:
                continue
            if (i >= 0 and j >= 0) and (na == 1 or nb == 1):
                continue
            cost = work.cost[box] if i < 0 else size * work.even[i] + work.uneven[i]
            gain = both - state.changed[(i + 1) * wide + j + 1] - cost
            if gain <= best:
                continue
            row = -1 if i < 0 else state.mine[i]
            if not holds(state, a, row, other):
                continue
            if not holds(state, b, other, row):
                continue
            if not ask:
                best, mine, theirs = gain, row, other
            elif state.counters[FOUND] < len(state.found):
                found = state.found[state.counters[FOUND]]
                found[0], found[1], found[2], found[3], found[4] = a, row, b, other, gain
                state.counters[FOUND] += 1
    return best, mine, theirs


@compiled
def _try_joining(state: Exchange, b: int, na: int) -> int:
    """Note which rows of the first group add least to the second; gives the most that one adds."""
    groups, work, capacity, widest = state.groups, state.work, len(state.mine), 0
    price(state.prices, work, 4 * capacity + 2, 0, na, False)
    for i in range(na):
        added = (groups.size[b] + 1) * work.even[i] + work.uneven[i] - groups.cost[b]
        if added < state.least[i] and holds(state, b, -1, state.mine[i]):
            state.least[i], state.target[i] = added, b
        widest = max(widest, state.least[i])
    return widest


@compiled
def exchange(state: Exchange, count: int, near: bool, ask: bool, evaluations: int) -> int:
    """Make moves and swaps that gain, until none does or the evaluations are spent.

    - ``count``: groups have numbers below it.
    - ``near``: whether a group is compared with groups of near points only.
    - ``ask``: whether somebody else must judge a change.
    - ``evaluations``: come back after this many.
    """
    groups, space, counters, capacity = state.groups, state.space, state.counters, len(state.mine)
    stop = counters[EVALUATIONS] - evaluations
    while counters[WAITING] > 0:
        a = state.queue[counters[FIRST]]
        if groups.head[a] < 0 or groups.size[a] >= capacity:
            _next(state, a)
            continue
        if counters[BUILT] != a:
            na = _list(groups, state.mine, a)
            _box(state, state.mine, na, 0)
            counters[BUILT] = a
            if counters[AT] == 0:
                counters[STAMP] += 1
                for i in range(na):
                    state.least[i], state.target[i] = groups.cost[a], -1
        na = groups.size[a]
        widest, n_near = 0, space.near.shape[1]
        for i in range(na):
            widest = max(widest, state.least[i])
        end = na * n_near if near else count
        while counters[AT] < end:
            if counters[EVALUATIONS] <= max(stop, 0):
                return PAUSED
            b = counters[AT]
            counters[AT] += 1
            counters[EVALUATIONS] -= 1
            if near:
                point = space.near[space.point[state.mine[b // n_near]], b % n_near]
                if point < 0:
                    continue
                alike = space.begin[point + 1] - space.begin[point]
                b = groups.group[space.begin[point] + counters[STAMP] % alike]
                if b < 0 or state.seen[b] == counters[STAMP]:
                    continue
                state.seen[b] = counters[STAMP]
            if b == a or groups.head[b] < 0 or groups.size[b] >= capacity:
                continue
            nb, both = groups.size[b], groups.cost[a] + groups.cost[b]
            gap = _gap(state, a, b, both)
            into_b = max(groups.cost[b], (nb + 1) * gap)
            into_a = max(groups.cost[a], (na + 1) * gap)
            gains = not state.waits[b] and (
                state.rest[a] + into_b < both
                or state.rest[b] + into_a < both
                or max(state.shrunk[a], na * gap) + max(state.shrunk[b], nb * gap) < both
            )
            if not gains and into_b - groups.cost[b] >= widest:
                continue
            counters[EVALUATIONS] -= PAIR * (na + nb) + (2 * na * nb if gains else 0)
            _list(groups, state.theirs, b)
            _box(state, state.theirs, nb, 2 * capacity + 2)
            widest = _try_joining(state, b, na)
            if not gains:
                continue
            gain, mine, theirs = _pair(state, a, b, na, ask)
            if 2 * counters[FOUND] > len(state.found):
                return ASKING
            if gain > 0:
                if mine >= 0:
                    move_row(groups, mine, b)
                if theirs >= 0:
                    move_row(groups, theirs, a)
                counters[GAINED] += gain
                counters[AT] = 0
                _next(state, a)
                wait(state, b)
                wait(state, a)
                for turn in range(2):
                    group = a if turn == 0 else b
                    measure(state, group, group + 1)
                break
        if counters[BUILT] != a:
            continue
        if ask and counters[FOUND] > 0:
            return ASKING
        counters[AT], counters[BUILT] = 0, -1
        _next(state, a)
        total = 0
        for i in range(na):
            total += state.least[i] if state.target[i] >= 0 else groups.cost[a]
        if total < groups.cost[a]:
            return DISSOLVING
    return DONE


@compiled
def _next(state: Exchange, group: int) -> None:
    """Take the first group out of the queue."""
    state.waits[group] = 0
    state.counters[FIRST] = (state.counters[FIRST] + 1) % len(state.queue)
    state.counters[WAITING] -= 1
