"""How a pool of groups is grouped anew: its rows are taken apart, joined again, and split.

A group is taken apart into atoms: equal rows, at most k, or a few rows near each other. They are
the first units. While a unit is short of what is required, the short one that is cheapest to join
joins its partner. What then holds twice as much as it must is split again. What joining costs is
blurred a little, so that no two attempts are alike.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.base.arrays import Ints, Small
from shoal.kernels.compiled import compiled
from shoal.kernels.ordering import sort
from shoal.kernels.refine.pools import Pools, Space, mix
from shoal.kernels.refine.units import (
    Needs,
    Prices,
    Work,
    absorb,
    box_point,
    copy,
    hold,
    lacks,
    note,
    price,
    within,
)

ALL = 1 << 60

ATOMS = 600
"""Atoms of a pool at most, but for a smaller one of each group."""

GRAINS = 5
"""Atoms hold up to a fifth of k rows: for k = 25, up to 5."""

SEEDS = 16
"""Of so many atoms, evenly spread, the order is tried when a unit is split."""

BLURS = 4096
"""Random factors that costs are blurred by begin at one of so many places."""


class Repair(NamedTuple):
    """What pools are grouped anew with."""

    prices: Prices
    space: Space
    needs: Needs
    rows: Small
    """The rows, pool by pool."""
    work: Work


@compiled
def repair_pools(
    task: Repair, pools: Pools, old: Ints, seed: int, first: int, last: int, step: int
) -> None:
    """Group pools anew: every ``step``-th from ``first`` to ``last``; ``old`` is what groups cost.

    What is random depends on the seed and the number of the pool alone.
    """
    needs, work = task.needs, task.work
    number, n_boxes = first, len(work.head)
    while number < last:
        work.numbers[0] = 1 + (seed + number * 7919) % 2_147_483_647
        for _ in range(6):  # so that seeds next to each other are not alike
            work.numbers[0] = mix(work.numbers[0])
        begin, end = pools.begin[number], pools.begin[number + 1]
        least = 1 + (end - begin - 1) // ATOMS  # so that there is room for all atoms
        grain = max(least, 1 + work.numbers[0] % max(1, needs.k // GRAINS))
        atom, before, most = n_boxes, 0, needs.most
        for slot in range(pools.first[number], pools.first[number + 1]):
            most = max(most, pools.start[slot + 1] - pools.start[slot])
        for slot in range(pools.first[number], pools.first[number + 1]):
            before += old[pools.groups[slot]]
            atom = _take_apart(task, pools.start[slot], pools.start[slot + 1], atom, grain)
        work.begin[atom] = end
        units = _join(task, atom - n_boxes, most)
        after = 0
        for unit in range(units):  # what cannot be split may cost too much already
            if work.size[unit] < 2 * needs.k:
                after += work.cost[unit]
        if units == 0 or after > before:
            pools.made[number], pools.gain[number] = 0, -1
            number += step
            continue
        for unit in range(units):
            units = _split(task, unit, units)
        after = 0
        for unit in range(units):
            pools.cost[begin + unit] = work.cost[unit]
            after += work.cost[unit]
            atom = work.head[unit]
            while atom >= 0:
                pools.label[work.begin[atom] : work.begin[atom + 1]] = unit
                atom = work.chain[atom]
        pools.made[number], pools.gain[number] = units, before - after
        number += step


@compiled
def _take_apart(task: Repair, first: int, last: int, atom: int, grain: int) -> int:
    """Make atoms of a group's rows: runs of equal ones, and near ones up to ``grain`` rows.

    A run has at most k rows, but those in plenty stay together. Gives the place after the atoms.
    """
    prices, space, needs, rows, work = task
    sort(rows, first, last)  # so that rows of a point come one after another
    runs = atom if grain == 1 else 2 * len(work.head)  # else they are boxes in passing use
    run, at = runs, first
    while at < last:
        point, stop = space.point[rows[at]], at + 1
        while stop < last and space.point[rows[stop]] == point:
            stop += 1
        while at < stop:
            alike = stop - at
            size = alike - 2 * needs.k if alike > 3 * needs.k else min(needs.k, alike)
            box_point(prices, space, work, run, point, size)
            note(needs, work, run, rows, at, at + size)
            work.begin[run] = at
            at += size
            run += 1
    if grain == 1:
        return run
    for at in range(first, last):
        work.rows[at - first] = rows[at]
    at, left = first, run - runs
    while left > 0:
        work.numbers[0] = mix(work.numbers[0])
        pick = runs + work.numbers[0] % left
        work.begin[atom] = at
        work.size[atom] = 0
        while True:
            absorb(prices, needs, work, atom, pick)
            begin = work.begin[pick] - first
            for row in range(begin, begin + work.size[pick]):
                rows[at] = work.rows[row]
                at += 1
            left -= 1
            copy(prices, work, runs + left, pick)
            work.begin[pick] = work.begin[runs + left]
            if left == 0 or work.size[atom] >= grain:
                break
            price(prices, work, atom, runs, runs + left, True)
            pick, least = runs, ALL
            for place in range(left):
                cost = work.even[place] + work.uneven[place]
                if cost < least:
                    pick, least = runs + place, cost
        atom += 1
    return atom


@compiled
def _fill(task: Repair, unit: int, first: int, last: int, wide: int) -> None:
    """Note what joining a unit with each from ``first`` to ``last`` adds.

    Where shares are bounded, a unit is priced as if it had all the rows that its values want beside
    them: two rows of one value then cost more to join than two of different ones.
    """
    prices, _, needs, rows, work = task
    price(prices, work, unit, first, last, False)
    work.numbers[0] = mix(work.numbers[0])
    start = work.numbers[0] % BLURS
    size, cost = work.size[unit], work.cost[unit]
    even, uneven, blur = work.even, work.uneven, work.blur[start : start + last - first]
    sizes, paid = work.size[first:last], work.cost[first:last]
    row = work.added[unit * wide + first : unit * wide + last]
    if len(needs.sets) == 0:
        for i in range(last - first):
            union = (size + sizes[i]) * even[i] + uneven[i]
            row[i] = (union - cost - paid[i]) * blur[i]
    else:
        hold(needs, work, rows, unit, 1)
        own = max(1.0, work.wanted[unit] / size) * cost
        for i in range(last - first):
            both, other = size + sizes[i], first + i
            least = max(work.wanted[unit], hold(needs, work, rows, other, 1))
            hold(needs, work, rows, other, -1)
            union = (both * even[i] + uneven[i]) * max(1.0, least / both)
            theirs = max(1.0, work.wanted[other] / sizes[i]) * paid[i]
            row[i] = (union - own - theirs) * blur[i]
        hold(needs, work, rows, unit, -1)
    at = first * wide + unit
    for i in range(last - first):
        work.added[at] = row[i]
        at += wide


@compiled
def _evaluate(work: Work, unit: int, units: int, wide: int) -> None:
    """Find the partner of a unit."""
    added, best, partner = work.added[unit * wide : unit * wide + units], np.inf, -1
    for other in range(units):
        if added[other] < best:
            best, partner = added[other], other
    work.best[unit], work.partner[unit] = best, partner


@compiled
def _is_short(task: Repair, unit: int) -> bool:
    _, _, needs, rows, work = task
    return lacks(needs, work, unit) or not within(needs, work, rows, work.head[unit], work.chain)


@compiled
def _want(task: Repair, unit: int) -> None:
    """Note how many rows a unit wants for the shares of its values."""
    _, _, needs, rows, work = task
    if len(needs.sets) > 0:
        work.wanted[unit] = hold(needs, work, rows, unit, 1)
        hold(needs, work, rows, unit, -1)


@compiled
def _join(task: Repair, units: int, most: int) -> int:
    """Join units until none is short; gives how many are left.

    Gives 0 if all together are short, or one is larger than ``most`` on the way.
    """
    prices, _, needs, _, work = task
    n_short, wide, atoms = 0, units, len(work.head)
    for unit in range(units):
        copy(prices, work, atoms + unit, unit)
        work.head[unit] = work.tail[unit] = atoms + unit
        work.chain[atoms + unit] = -1
        work.short[unit] = _is_short(task, unit)
        n_short += work.short[unit]
        _want(task, unit)
    for unit in range(units):
        work.added[unit * wide + unit] = np.inf
        _fill(task, unit, unit + 1, units, wide)
    one, least = -1, np.inf
    for unit in range(units):
        if work.short[unit]:
            _evaluate(work, unit, units, wide)
            if work.best[unit] < least:
                one, least = unit, work.best[unit]
    while n_short > 0:
        if units == 1:
            return 0
        keep, gone = min(one, work.partner[one]), max(one, work.partner[one])
        n_short -= work.short[keep] + work.short[gone]
        absorb(prices, needs, work, keep, gone)
        if work.size[keep] > most:
            return 0
        work.chain[work.tail[keep]] = work.head[gone]
        work.tail[keep] = work.tail[gone]
        work.short[keep] = _is_short(task, keep)
        n_short += work.short[keep]
        _want(task, keep)
        units -= 1
        if gone < units:
            _move(prices, work, units, gone, wide)
        _fill(task, keep, 0, units, wide)
        work.added[keep * wide + keep] = np.inf
        work.partner[keep] = keep
        one, least = -1, np.inf
        for unit in range(units):
            if not work.short[unit]:
                continue
            partner, added = work.partner[unit], work.added[unit * wide + keep]
            if partner in (keep, gone):
                _evaluate(work, unit, units, wide)
            elif added < work.best[unit]:
                work.best[unit], work.partner[unit] = added, keep
            elif partner == units:
                work.partner[unit] = gone
            if work.best[unit] < least:
                one, least = unit, work.best[unit]
    return units


@compiled
def _move(prices: Prices, work: Work, last: int, to: int, wide: int) -> None:
    """Put the last unit in the place of one that is gone."""
    copy(prices, work, last, to)
    work.short[to], work.best[to] = work.short[last], work.best[last]
    work.wanted[to] = work.wanted[last]
    work.partner[to] = work.partner[last]
    work.head[to], work.tail[to] = work.head[last], work.tail[last]
    for other in range(last):
        added = work.added[last * wide + other]
        work.added[to * wide + other] = work.added[other * wide + to] = added
    work.added[to * wide + to] = np.inf


@compiled
def _split(task: Repair, unit: int, units: int) -> int:
    """Split a unit as long as that adds nothing; gives how many units there are then.

    Of some atoms the others are put in the order of what joining costs; the best cut of all these
    orders is taken.
    """
    prices, _, needs, _, work = task
    pieces = 2 * len(work.head)  # copies of its atoms, in passing use
    while work.size[unit] >= 2 * needs.k:
        n, atom = 0, work.head[unit]
        while atom >= 0:
            to = n
            while to > 0 and work.order[to - 1] > atom:
                work.order[to] = work.order[to - 1]
                to -= 1
            work.order[to] = atom
            n += 1
            atom = work.chain[atom]
        for place in range(n):
            work.piece[place] = work.order[place]
            copy(prices, work, work.piece[place], pieces + place)
        best, best_cut, seeds = work.cost[unit] + 1, 0, min(n, SEEDS)
        for one in range(seeds):
            cut, paid = _cut(task, pieces, n, one * n // seeds, best)
            if cut > 0:
                best, best_cut = paid, cut
                for place in range(n):
                    work.kept[place] = work.piece[work.order[place]]
        if best_cut == 0:
            break
        for place in range(n):
            to, atom = units if place < best_cut else unit, work.kept[place]
            if place in (0, best_cut):
                work.size[to], work.head[to] = 0, atom
            else:
                work.chain[work.tail[to]] = atom
            absorb(prices, needs, work, to, atom)
            work.tail[to], work.chain[atom] = atom, -1
        units += 1
    return units


@compiled
def _arrange(prices: Prices, work: Work, pieces: int, n: int, seed: int) -> None:
    """Put n pieces in the order of what joining them with one of them costs."""
    price(prices, work, pieces + seed, pieces, pieces + n, True)
    order, away = work.order, work.even
    for place in range(n):
        away[place] += work.uneven[place]
        order[place] = place
    away[seed] = -1
    gap = 1
    while gap < n // 9:
        gap = 3 * gap + 1
    while gap > 0:
        for place in range(gap, n):
            one, to = order[place], place
            far = away[one]
            while to >= gap:
                other = order[to - gap]
                if away[other] < far or (away[other] == far and other < one):
                    break
                order[to] = other
                to -= gap
            order[to] = one
        gap //= 3


@compiled
def _cut(task: Repair, pieces: int, n: int, seed: int, best: int) -> tuple[int, int]:
    """Find where to cut the order of n pieces from one on: the place, 0 if none, and the cost.

    What costs ``best`` or more is not looked for.
    """
    prices, _, needs, rows, work = task
    _arrange(prices, work, pieces, n, seed)
    order, ahead, part = work.order, work.ahead, len(work.head) - 1
    reach, cut = 0, 0
    for back in range(2):  # from the front to the end, then back
        work.size[part] = 0
        for at in range(n - 1):
            place = n - 1 - at if back else at
            absorb(prices, needs, work, part, pieces + order[place])
            paid = work.cost[part]
            if paid >= best:
                break
            short = lacks(needs, work, part)
            if not back:
                ahead[place], reach = -1 if short else paid, place + 1
            elif place <= reach and ahead[place - 1] >= 0 and not short:
                paid += ahead[place - 1]
                if paid < best and _parts_hold(needs, rows, work, n, place):
                    best, cut = paid, place
    return cut, best


@compiled
def _parts_hold(needs: Needs, rows: Small, work: Work, n: int, cut: int) -> bool:
    """Say whether neither part of an order holds a set of values too often."""
    if len(needs.sets) == 0:
        return True
    order, piece, link = work.order, work.piece, work.link
    for place in range(n - 1):
        link[piece[order[place]]] = piece[order[place + 1]]
    link[piece[order[cut - 1]]] = link[piece[order[n - 1]]] = -1
    held = True
    for part in range(2):
        held = held and within(needs, work, rows, piece[order[cut * part]], link)
    return held
