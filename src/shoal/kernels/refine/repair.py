"""How a pool of groups is grouped anew: its rows are taken apart, joined again, and split.

A group is taken apart into atoms: equal rows, at most k, or a few rows near each other. They are
the first units. While a unit is short of what is required, the short one that is cheapest to join
joins its partner. What then holds twice as much as it must is split again. What joining costs is
blurred a little, so that no two attempts are alike.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from shoal.kernels.cell_costs import CellCosts
from shoal.kernels.compiled import compiled
from shoal.kernels.refine.pools import Pools, Space, mix
from shoal.kernels.refine.units import (
    Needs,
    Work,
    absorb,
    enter,
    hold,
    lacks,
    move,
    price,
    price_both,
    reach,
    reset,
)

__all__ = ["ATOMS", "repair_pools"]

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]

ALL = 1 << 60

ATOMS = 600
"""Atoms of a pool at most, but for a smaller one of each group."""

GRAINS = 5
"""Atoms hold up to a fifth of k rows: for k = 25, up to 5."""


@compiled
def _sort(rows: Small, first: int, last: int) -> None:
    """Sort a part of the rows (Shell's way), so that rows of a point come one after another."""
    gap = (last - first) // 2
    while gap > 0:
        for at in range(first + gap, last):
            row, to = rows[at], at
            while to >= first + gap and rows[to - gap] > row:
                rows[to] = rows[to - gap]
                to -= gap
            rows[to] = row
        gap //= 2


@compiled
def repair_pools(
    costs: CellCosts,
    space: Space,
    needs: Needs,
    pools: Pools,
    old: Ints,
    work: Work,
    blur: float,
    seed: int,
    first: int,
    last: int,
    step: int,
) -> None:
    """Group pools anew: every ``step``-th from ``first`` to ``last``; ``old`` is what groups cost.

    What is random depends on the seed and the number of the pool alone.
    """
    number = first
    while number < last:
        work.numbers[0] = 1 + (seed + number * 7919) % 2_147_483_647
        for _ in range(5):  # so that seeds next to each other are not alike
            work.numbers[0] = mix(work.numbers[0])
        work.numbers[0] = mix(work.numbers[0])
        rows = pools.begin[number + 1] - pools.begin[number]
        least = 1 + (rows - 1) // ATOMS  # so that there is room for all atoms
        grain = max(least, 1 + work.numbers[0] % max(1, needs.k // GRAINS))
        atoms, before = 0, 0
        for slot in range(pools.first[number], pools.first[number + 1]):
            before += old[pools.groups[slot]]
            begin, end = pools.start[slot], pools.start[slot + 1]
            atoms = _take_apart(costs, space, needs, pools, work, begin, end, atoms, grain)
        begin = pools.begin[number]
        work.begin[atoms] = pools.begin[number + 1]
        for atom in range(atoms):
            reset(costs, work, atom, atom)
            work.head[atom] = work.tail[atom] = atom
            work.chain[atom] = -1
        units = _join(costs, needs, pools, work, atoms, blur)
        for unit in range(units):
            units = _split(costs, needs, pools, work, unit, units)
        after = 0
        for unit in range(units):
            pools.cost[begin + unit] = work.cost[unit]
            after += work.cost[unit]
            atom = work.head[unit]
            while atom >= 0:
                for at in range(work.begin[atom], work.begin[atom + 1]):
                    pools.label[at] = unit
                atom = work.chain[atom]
        pools.made[number] = units
        pools.gain[number] = before - after if units > 0 else -1
        number += step


@compiled
def _take_apart(
    costs: CellCosts,
    space: Space,
    needs: Needs,
    pools: Pools,
    work: Work,
    first: int,
    last: int,
    atoms: int,
    grain: int,
) -> int:
    """Make atoms of a group's rows: runs of equal ones, and near ones up to ``grain`` rows.

    A run has at most k rows, but those in plenty stay together. Gives how many atoms there are.
    """
    _sort(pools.rows, first, last)
    runs, begin, order = 0, work.away, work.order
    at = first
    while at < last:
        point, stop = space.point[pools.rows[at]], at + 1
        while stop < last and space.point[pools.rows[stop]] == point:
            stop += 1
        while at < stop:
            alike = stop - at
            begin[runs] = at
            at += alike - 2 * needs.k if alike > 3 * needs.k else min(needs.k, alike)
            runs += 1
    begin[runs] = last
    for run in range(runs):
        order[run] = runs - 1 - run  # they are taken from the end
    for at in range(first, last):
        work.rows[at - first] = pools.rows[at]
    at, left = first, runs
    while left > 0:
        work.numbers[0] = mix(work.numbers[0])
        pick = work.numbers[0] % left if grain > 1 else left - 1
        work.begin[atoms] = at
        work.atom_size[atoms] = 0
        while True:
            run = order[pick]
            order[pick] = order[left - 1]
            left -= 1
            size = begin[run + 1] - begin[run]
            enter(costs, space, work, atoms, work.rows[begin[run] - first], size)
            for row in range(begin[run] - first, begin[run + 1] - first):
                pools.rows[at] = work.rows[row]
                at += 1
            if left == 0 or work.atom_size[atoms] >= grain:
                break
            pick, least = 0, ALL
            for place in range(left):
                point = space.point[work.rows[begin[order[place]] - first]]
                cost = reach(costs, space, work, atoms, point)
                if cost < least:
                    pick, least = place, cost
        atoms += 1
    return atoms


@compiled
def _fill(costs: CellCosts, work: Work, unit: int, first: int, last: int, blur: float) -> None:
    """Note what joining a unit with each from ``first`` to ``last`` adds."""
    price(costs, work, unit, first, last)
    random, added = work.numbers[0], work.added
    size, cost = work.size[unit], work.cost[unit]
    for other in range(first, last):
        if other != unit:
            random = mix(random)
            union = (size + work.size[other]) * work.even[other] + work.uneven[other]
            joined = (union - cost - work.cost[other]) * (1.0 + blur * (random & 1023))
            added[unit, other] = added[other, unit] = joined
    work.numbers[0] = random


@compiled
def _look(work: Work, unit: int, units: int) -> None:
    """Find the partner of a unit."""
    added, best, partner = work.added[unit], np.inf, -1
    for other in range(units):
        if other != unit and added[other] < best:
            best, partner = added[other], other
    work.best[unit], work.partner[unit] = best, partner


@compiled
def _join(costs: CellCosts, needs: Needs, pools: Pools, work: Work, units: int, blur: float) -> int:
    """Join units until none is short; gives how many are left, 0 if all together are short."""
    n_short = 0
    for unit in range(units):
        work.short[unit] = lacks(needs, pools, work, unit)
        n_short += work.short[unit]
    for unit in range(units):
        _fill(costs, work, unit, unit + 1, units, blur)
    for unit in range(units):
        if work.short[unit]:
            _look(work, unit, units)
    while n_short > 0:
        if units == 1:
            return 0
        one, least = -1, np.inf
        for unit in range(units):
            if work.short[unit] and (work.best[unit] < least or one < 0):
                one, least = unit, work.best[unit]
        keep, gone = min(one, work.partner[one]), max(one, work.partner[one])
        n_short -= work.short[keep] + work.short[gone]
        absorb(costs, work, keep, gone)
        work.chain[work.tail[keep]] = work.head[gone]
        work.tail[keep] = work.tail[gone]
        work.short[keep] = lacks(needs, pools, work, keep)
        n_short += work.short[keep]
        units -= 1
        for unit in range(units + 1):
            if work.short[unit]:
                if work.partner[unit] == keep or work.partner[unit] == gone:
                    work.partner[unit] = -1
                elif work.partner[unit] == units:
                    work.partner[unit] = gone
        move(costs, work, units, gone)
        _fill(costs, work, keep, 0, units, blur)
        for unit in range(units):
            if not work.short[unit]:
                continue
            if unit == keep or work.partner[unit] < 0:
                _look(work, unit, units)
            elif work.added[unit, keep] < work.best[unit]:
                work.best[unit], work.partner[unit] = work.added[unit, keep], keep
    return units


@compiled
def _split(
    costs: CellCosts,
    needs: Needs,
    pools: Pools,
    work: Work,
    unit: int,
    units: int,
) -> int:
    """Split a unit as long as that adds nothing; gives how many units there are then.

    Of each atom the others are put in the order of what joining costs; the best cut of all these
    orders is taken.
    """
    order = work.order
    while work.size[unit] >= 2 * needs.k:
        n, atom = 0, work.head[unit]
        while atom >= 0:
            order[n] = work.seeds[n] = atom
            n += 1
            atom = work.chain[atom]
        best, best_seed, best_cut = work.cost[unit] + 1, -1, 0
        for place in range(n):
            seed = work.seeds[place]
            cut, paid = _cut(costs, needs, pools, work, n, seed)
            if cut > 0 and paid < best:
                best, best_seed, best_cut = paid, seed, cut
        if best_seed < 0:
            break
        _arrange(costs, work, n, best_seed)
        _gather(costs, work, 0, best_cut, units)
        _gather(costs, work, best_cut, n, unit)
        units += 1
    return units


@compiled
def _gather(costs: CellCosts, work: Work, first: int, last: int, unit: int) -> None:
    """Let a unit be a part of an order."""
    order, other = work.order, len(work.size) - 1
    reset(costs, work, order[first], unit)
    work.head[unit], work.tail[unit] = order[first], order[last - 1]
    work.chain[order[last - 1]] = -1
    for place in range(first + 1, last):
        reset(costs, work, order[place], other)
        absorb(costs, work, unit, other)
        work.chain[order[place - 1]] = order[place]


@compiled
def _arrange(costs: CellCosts, work: Work, n: int, seed: int) -> None:
    """Put n atoms in the order of what joining them with one of them costs."""
    order, away = work.order, work.away
    for place in range(n):
        atom = order[place]
        far = -1 if atom == seed else price_both(costs, work, seed, atom)
        to = place
        while to > 0 and (away[to - 1] > far or (away[to - 1] == far and order[to - 1] > atom)):
            away[to], order[to] = away[to - 1], order[to - 1]
            to -= 1
        away[to], order[to] = far, atom


@compiled
def _cut(
    costs: CellCosts, needs: Needs, pools: Pools, work: Work, n: int, seed: int
) -> tuple[int, int]:
    """Find where to cut the order of n atoms from one on: the place, 0 if none, and the cost."""
    _arrange(costs, work, n, seed)
    order, ahead, k = work.order, work.ahead, needs.k
    part, other = len(work.size) - 2, len(work.size) - 1
    reset(costs, work, order[0], part)
    ahead[0] = work.cost[part]
    for place in range(1, n):
        reset(costs, work, order[place], other)
        absorb(costs, work, part, other)
        ahead[place] = work.cost[part]
    whole = work.size[part]
    best, cut = ALL, 0
    reset(costs, work, order[n - 1], part)
    place = n - 1
    while place > 0 and whole - work.size[part] >= k:
        paid = ahead[place - 1] + work.cost[part]
        if (
            work.size[part] >= k
            and paid < best
            and hold(needs, pools, work, 0, place)
            and hold(needs, pools, work, place, n)
        ):
            best, cut = paid, place
        place -= 1
        reset(costs, work, order[place], other)
        absorb(costs, work, part, other)
    return cut, best
