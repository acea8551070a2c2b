"""Groups as lists of rows, pools of groups that lie near each other, and what becomes of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Ints, Small
from shoal.kernels.compiled import compiled

BITS = 0xFFFFFFFF
"""Random numbers have 32 bits."""

RANDOM, FREE = range(2)
"""Places of `Groups.counters`: the state of the generator, and how many numbers are free."""


LEAST_GROUPS, MOST_GROUPS = 6, 10
"""Groups of a pool, from and to."""

RIVALS = 15
"""Of so many groups, the one that costs most for its vain attempts begins a pool."""


class Space(NamedTuple):
    """The rows, as points: rows of one point have the same cells, and come one after another."""

    point: Small
    """Per row: its point."""
    begin: Ints
    """Per point: its first row."""
    cell: npt.NDArray[np.uint32]
    """Per point and column: the code of a number, the node of a category."""
    mass: Ints
    """Per point and column: what slopes are multiplied by."""
    near: Small
    """Per point: others near it, nearest first, −1 where there are fewer."""


class Groups(NamedTuple):
    """The groups as they are: their rows are chained."""

    group: Small
    """Per row: its group."""
    following: Small
    """Per row: the next row of its group, −1 at the end."""
    head: Small
    """Per group: its first row, −1 if there is no such group."""
    size: Ints
    """Per group: how many rows."""
    cost: Ints
    """Per group: what its rows pay."""
    idle: Ints
    """Per group: how often it was the first of a pool in vain since it last changed."""
    free: Small
    """Numbers that no group has."""
    counters: Ints


class Pools(NamedTuple):
    """Pools of one round, none of which shares a group with another."""

    begin: Ints
    """Per pool: where its rows begin; one more tells where the last ends."""
    rows: Small
    """The rows, pool by pool."""
    label: Small
    """Per row: its new group, counted from 0 in each pool."""
    first: Ints
    """Per pool: where its groups begin; one more tells where the last ends."""
    groups: Small
    """The groups, pool by pool."""
    start: Ints
    """Per group of `groups`: where its rows begin; one more tells where the last ends."""
    gain: Ints
    """Per pool: what it costs less in its new groups; below 0: it stays as it is."""
    made: Ints
    """Per pool: how many new groups it has."""
    cost: Ints
    """What each new group costs, beginning where the pool's rows begin."""
    claimed: Ints
    """Per group: the round in which it is in a pool."""


@compiled
def mix(state: int) -> int:
    """Go from a random number above 0 to the next; Marsaglia (2003)."""
    state ^= (state << 13) & BITS
    state ^= state >> 17
    return state ^ ((state << 5) & BITS)


@compiled
def draw(state: Ints, place: int, below: int) -> int:
    """Draw a number from 0 up to, and without, another."""
    state[place] = mix(state[place])
    return state[place] % below


@compiled
def choose_pools(
    space: Space, groups: Groups, pools: Pools, turn: int, wanted: int, capacity: int
) -> int:
    """Choose up to so many pools of groups near each other.

    A pool begins with the one of some random rivals that was in vain least often, and takes in
    groups of points near that group's rows. A group that is in a pool of this ``turn`` is in no
    other. Pools hold at most ``capacity`` rows. Gives how many pools there are.
    """
    state = groups.counters
    n_rows, n_near = len(space.point), space.near.shape[1]
    made, at, tries, listed = 0, 0, 0, 0
    pools.begin[0] = pools.first[0] = 0
    while made < wanted and tries < 20 * wanted and at + capacity <= len(pools.rows):
        tries += 1
        group = -1
        for _ in range(RIVALS):
            other = int(groups.group[draw(state, RANDOM, n_rows)])
            if other < 0 or pools.claimed[other] == turn or groups.cost[other] == 0:
                continue
            if groups.size[other] <= capacity and (
                group < 0
                or groups.cost[other] * (1 + groups.idle[group])
                > groups.cost[group] * (1 + groups.idle[other])
            ):
                group = other
        if group < 0:
            continue
        target = LEAST_GROUPS + draw(state, RANDOM, MOST_GROUPS - LEAST_GROUPS + 1)
        start = at
        at = _enter(groups, pools, turn, group, at, listed)
        taken, own = 1, at - start
        evaluations = 0
        while taken < target and evaluations < 4 * n_near:
            evaluations += 1
            row = pools.rows[start + draw(state, RANDOM, own)]
            rank = min(draw(state, RANDOM, n_near), draw(state, RANDOM, n_near))
            other = space.near[space.point[row], rank]
            if other < 0:
                continue
            alike = space.begin[other + 1] - space.begin[other]
            beside = groups.group[space.begin[other] + draw(state, RANDOM, alike)]
            if beside < 0 or pools.claimed[beside] == turn:
                continue
            if at - start + groups.size[beside] > capacity:
                continue
            at = _enter(groups, pools, turn, beside, at, listed + taken)
            taken += 1
        if taken == 1:
            groups.idle[group] += 1
            at = start
            continue
        made += 1
        listed += taken
        pools.begin[made], pools.first[made] = at, listed
    return made


@compiled
def _enter(groups: Groups, pools: Pools, turn: int, group: int, at: int, slot: int) -> int:
    """Write a group and its rows into the pool; gives the place after them."""
    pools.claimed[group] = turn
    pools.groups[slot], pools.start[slot] = group, at
    row = groups.head[group]
    while row >= 0:
        pools.rows[at] = row
        at += 1
        row = groups.following[row]
    pools.start[slot + 1] = at
    return at


@compiled
def commit(groups: Groups, pools: Pools, count: int, ids: Ints) -> int:
    """Put the new groups of pools that gain, or lose nothing, in the place of the old.

    Gives what is gained in all. A pool whose gain is below 0 stays as it is.
    """
    counters, total = groups.counters, 0
    for number in range(count):
        begin, end = pools.begin[number], pools.begin[number + 1]
        gain = pools.gain[number]
        if gain <= 0:
            groups.idle[pools.groups[pools.first[number]]] += 1
        if gain < 0:
            continue
        total += gain
        idle = 0
        for slot in range(pools.first[number], pools.first[number + 1]):
            old = pools.groups[slot]
            if gain == 0:
                idle = max(idle, groups.idle[old])
            groups.head[old] = -1
            groups.free[counters[FREE]] = old
            counters[FREE] += 1
        for local in range(pools.made[number]):
            counters[FREE] -= 1
            new = groups.free[counters[FREE]]
            ids[local] = new
            groups.size[new] = 0
            groups.head[new] = -1
            groups.idle[new] = idle
            groups.cost[new] = pools.cost[begin + local]
        for at in range(begin, end):
            row, new = pools.rows[at], ids[pools.label[at]]
            groups.group[row] = new
            groups.following[row] = groups.head[new]
            groups.head[new] = row
            groups.size[new] += 1
    return total
