"""How a pool of groups is grouped anew: its rows are taken apart, joined again, and split.

A group is taken apart into atoms: equal rows, at most k, or a few rows near each other. They are
the first units. While a unit is short of what is required, the short
one that is cheapest to join joins its partner. What then holds twice as much as it must is split
again. What joining costs is blurred a little, so that no two attempts are alike.

Units are kept side by side, columns outermost; a unit that is gone is replaced by the last one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.kernels.cell_costs import CellCosts, meet, number_cost
from shoal.kernels.compiled import compiled
from shoal.kernels.refine.pools import Pools, Space, mix

__all__ = ["Needs", "Work", "repair_pools"]

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

ALL = 1 << 60

GRAINS = 5
"""Atoms hold up to a k-th part of this many rows: for k = 25, up to 5."""


class Needs(NamedTuple):
    """What a group must hold, as far as kernels can tell; whoever requires more judges again."""

    k: int
    """Rows."""
    kind: Ints
    """Per list of values (or people) and row: a number for its value."""
    least: Ints
    """Per list: how many different ones a group must hold."""
    sets: Ints
    """Per list of shares and row: a number for its set of values."""
    above: Ints
    """Per set: the numerator of its largest share."""
    below: Ints
    """Per set: the denominator."""


class Work(NamedTuple):
    """Room to work in, for one thread."""

    lo: Ints
    """Per column and unit: the least code of a number, or the node."""
    hi: Ints
    """Per column and unit: the largest code of a number."""
    known: Ints
    """Per column and unit: rows whose cell is known."""
    mass: Ints
    """Per column and unit: what slopes are multiplied by."""
    size: Ints
    cost: Ints
    short: Ints
    added: Floats
    """Per two units: what joining them adds, blurred."""
    best: Floats
    """Per unit that is short: what joining its partner adds."""
    partner: Ints
    head: Ints
    """Per unit: its first atom; atoms are units as they were at the start."""
    tail: Ints
    chain: Ints
    """Per atom: the next of the same unit, −1 at the end."""
    begin: Ints
    """Per atom: where its rows begin in the pool; one more tells where the last ends."""
    atom_lo: Ints
    """Per column and atom: as `lo`, and so on."""
    atom_hi: Ints
    atom_known: Ints
    atom_mass: Ints
    atom_size: Ints
    atom_cost: Ints
    rows: Small
    """Rows of a group, while they are put in order."""
    even: Ints
    """Per unit: what each row of a union pays in plain columns."""
    uneven: Ints
    """Per unit: what all rows of a union pay in other columns."""
    mark: Ints
    """Per value: the stamp of whoever saw it last."""
    tally: Ints
    """Per set: how often it was seen since."""
    numbers: Ints
    """The state of the generator, and the stamp."""
    order: Ints
    """Atoms that are to be split, in the order of the one at hand; or runs of equal rows."""
    seeds: Ints
    """The same atoms, as they come."""
    away: Ints
    """Per place of the order: what joining the first one costs."""
    ahead: Ints
    """Per place of an order: what all up to it cost as one group."""
    link: Ints
    """Per atom: the next of a part, −1 at the end."""


@compiled
def repair_pools(
    costs: CellCosts,
    space: Space,
    needs: Needs,
    pools: Pools,
    old: Ints,
    work: Work,
    blur: float,
    rounds: int,
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
        before = 0
        for slot in range(pools.first[number], pools.first[number + 1]):
            before += old[pools.groups[slot]]
        made, after = _repair(costs, space, needs, pools, work, blur, rounds, number)
        pools.made[number] = made
        pools.gain[number] = before - after if made > 0 else -1
        number += step


@compiled
def _repair(
    costs: CellCosts,
    space: Space,
    needs: Needs,
    pools: Pools,
    work: Work,
    blur: float,
    rounds: int,
    number: int,
) -> tuple[int, int]:
    """Group a pool anew; gives how many groups it has, 0 if none would do, and what they cost."""
    work.numbers[0] = mix(work.numbers[0])
    grain = 1 + work.numbers[0] % max(1, needs.k // GRAINS)
    atoms = 0
    for slot in range(pools.first[number], pools.first[number + 1]):
        first, last = pools.start[slot], pools.start[slot + 1]
        atoms = _take_apart(costs, space, needs, pools, work, first, last, atoms, grain)
    begin = pools.begin[number]
    work.begin[atoms] = pools.begin[number + 1]
    for atom in range(atoms):
        _reset(costs, work, atom, atom)
        work.head[atom] = work.tail[atom] = atom
        work.chain[atom] = -1
    units = _join(costs, needs, pools, work, atoms, blur)
    for unit in range(units):
        units = _split(costs, needs, pools, work, unit, units)
    for _ in range(rounds):
        if not _exchange(costs, needs, pools, work, units):
            break
    total = 0
    for unit in range(units):
        pools.cost[begin + unit] = work.cost[unit]
        total += work.cost[unit]
        atom = work.head[unit]
        while atom >= 0:
            for at in range(work.begin[atom], work.begin[atom + 1]):
                pools.label[at] = unit
            atom = work.chain[atom]
    return units, total


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
            begin[runs], order[runs] = at, runs
            at += alike - 2 * needs.k if alike > 3 * needs.k else min(needs.k, alike)
            runs += 1
    begin[runs] = last
    for at in range(first, last):
        work.rows[at - first] = pools.rows[at]
    at, left = first, runs
    while left > 0:
        work.numbers[0] = mix(work.numbers[0])
        pick = work.numbers[0] % left if grain > 1 else 0
        work.begin[atoms] = at
        work.atom_size[atoms] = 0
        while True:
            run = order[pick]
            order[pick] = order[left - 1]
            left -= 1
            size = begin[run + 1] - begin[run]
            _enter(costs, space, work, atoms, work.rows[begin[run] - first], size)
            for row in range(begin[run] - first, begin[run + 1] - first):
                pools.rows[at] = work.rows[row]
                at += 1
            if left == 0 or work.atom_size[atoms] >= grain:
                break
            pick, least = 0, ALL
            for place in range(left):
                point = space.point[work.rows[begin[order[place]] - first]]
                cost = _reach(costs, space, work, atoms, point)
                if cost < least:
                    pick, least = place, cost
        atoms += 1
    return atoms


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
def _enter(costs: CellCosts, space: Space, work: Work, atom: int, row: int, size: int) -> None:
    """Let an atom hold some rows of one point, too."""
    point, begun = space.point[row], work.atom_size[atom] > 0
    total = 0
    for j in range(len(costs.numeric)):
        cell = np.int64(space.cell[point, j])
        lo = hi = cell
        known, mass = size, 0
        if costs.numeric[j]:
            if cell == costs.start[j + 1] - costs.start[j] - 1:
                known = 0
        else:
            mass = space.mass[point, j] * size
            if cell == 0:
                known = 0
        if begun:
            known += work.atom_known[j, atom]
            mass += work.atom_mass[j, atom]
            if costs.numeric[j]:
                lo, hi = min(lo, work.atom_lo[j, atom]), max(hi, work.atom_hi[j, atom])
            else:
                lo = hi = meet(costs, j, lo, work.atom_lo[j, atom])
        if costs.numeric[j]:
            total += number_cost(costs, j, lo, hi) * known
        else:
            at = costs.first[j] + lo
            total += costs.base[at] * known + costs.slope[at] * mass
        work.atom_lo[j, atom], work.atom_hi[j, atom] = lo, hi
        work.atom_known[j, atom], work.atom_mass[j, atom] = known, mass
    work.atom_size[atom] += size
    work.atom_cost[atom] = total


@compiled
def _reach(costs: CellCosts, space: Space, work: Work, atom: int, point: int) -> int:
    """Price, per row, the cells that cover an atom and a point."""
    total = 0
    for j in range(len(costs.numeric)):
        cell = np.int64(space.cell[point, j])
        if costs.numeric[j]:
            lo, hi = min(cell, work.atom_lo[j, atom]), max(cell, work.atom_hi[j, atom])
            total += number_cost(costs, j, lo, hi)
        else:
            node = meet(costs, j, cell, work.atom_lo[j, atom])
            total += costs.base[costs.first[j] + node]
    return total


@compiled
def _reset(costs: CellCosts, work: Work, atom: int, unit: int) -> None:
    """Let a unit be an atom alone."""
    for j in range(len(costs.numeric)):
        work.lo[j, unit], work.hi[j, unit] = work.atom_lo[j, atom], work.atom_hi[j, atom]
        work.known[j, unit] = work.atom_known[j, atom]
        work.mass[j, unit] = work.atom_mass[j, atom]
    work.size[unit], work.cost[unit] = work.atom_size[atom], work.atom_cost[atom]


@compiled
def _price(costs: CellCosts, work: Work, unit: int, first: int, last: int) -> None:
    """Price the unions of a unit with each from ``first`` to ``last``: `even` and `uneven`."""
    even, uneven = work.even, work.uneven
    for other in range(first, last):
        even[other] = uneven[other] = 0
    for j in range(len(costs.numeric)):
        lo, hi = work.lo[j], work.hi[j]
        low, high = lo[unit], hi[unit]
        if costs.numeric[j]:
            if costs.plain[j]:
                start, full = costs.start[j], costs.full[j]
                for other in range(first, last):
                    a, b = min(low, lo[other]), max(high, hi[other])
                    wide = min(costs.up[start + b] - costs.down[start + a], full)
                    even[other] += wide if a != b else 0
            else:
                for other in range(first, last):
                    each = number_cost(costs, j, min(low, lo[other]), max(high, hi[other]))
                    uneven[other] += each * (work.known[j, unit] + work.known[j, other])
        elif costs.plain[j] and costs.meets[j] >= 0:
            at = costs.first[j]
            row = costs.meets[j] + low * (costs.first[j + 1] - at)
            for other in range(first, last):
                even[other] += costs.base[at + costs.meeting[row + lo[other]]]
        else:
            for other in range(first, last):
                at = costs.first[j] + meet(costs, j, low, lo[other])
                known = work.known[j, unit] + work.known[j, other]
                mass = work.mass[j, unit] + work.mass[j, other]
                uneven[other] += costs.base[at] * known + costs.slope[at] * mass


@compiled
def _fill(costs: CellCosts, work: Work, unit: int, first: int, last: int, blur: float) -> None:
    """Note what joining a unit with each from ``first`` to ``last`` adds."""
    _price(costs, work, unit, first, last)
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
        work.short[unit] = _lacks(needs, pools, work, unit)
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
        _absorb(costs, work, keep, gone)
        work.chain[work.tail[keep]] = work.head[gone]
        work.tail[keep] = work.tail[gone]
        work.short[keep] = _lacks(needs, pools, work, keep)
        n_short += work.short[keep]
        units -= 1
        for unit in range(units + 1):
            if work.short[unit]:
                if work.partner[unit] == keep or work.partner[unit] == gone:
                    work.partner[unit] = -1
                elif work.partner[unit] == units:
                    work.partner[unit] = gone
        _move(costs, work, units, gone)
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
def _absorb(costs: CellCosts, work: Work, keep: int, gone: int) -> None:
    """Let one unit cover what another does, too."""
    total, size = 0, work.size[keep] + work.size[gone]
    for j in range(len(costs.numeric)):
        known = work.known[j, keep] + work.known[j, gone]
        mass = work.mass[j, keep] + work.mass[j, gone]
        if costs.numeric[j]:
            lo = min(work.lo[j, keep], work.lo[j, gone])
            hi = max(work.hi[j, keep], work.hi[j, gone])
            total += number_cost(costs, j, lo, hi) * known
        else:
            lo = hi = meet(costs, j, work.lo[j, keep], work.lo[j, gone])
            at = costs.first[j] + lo
            total += costs.base[at] * known + costs.slope[at] * mass
        work.lo[j, keep], work.hi[j, keep] = lo, hi
        work.known[j, keep], work.mass[j, keep] = known, mass
    work.size[keep], work.cost[keep] = size, total


@compiled
def _move(costs: CellCosts, work: Work, last: int, to: int) -> None:
    """Put the last unit in the place of one that is gone."""
    if last == to:
        return
    for j in range(len(costs.numeric)):
        work.lo[j, to], work.hi[j, to] = work.lo[j, last], work.hi[j, last]
        work.known[j, to], work.mass[j, to] = work.known[j, last], work.mass[j, last]
    work.size[to], work.cost[to], work.short[to] = (
        work.size[last],
        work.cost[last],
        work.short[last],
    )
    work.best[to], work.partner[to] = work.best[last], work.partner[last]
    work.head[to], work.tail[to] = work.head[last], work.tail[last]
    for other in range(last):
        work.added[to, other] = work.added[other, to] = work.added[last, other]


@compiled
def _lacks(needs: Needs, pools: Pools, work: Work, unit: int) -> bool:
    """Say whether a unit is short of what is required."""
    if work.size[unit] < needs.k:
        return True
    if len(needs.least) == 0 and len(needs.sets) == 0:
        return False
    return not _holds(needs, pools, work, work.head[unit], work.chain)


@compiled
def _holds(needs: Needs, pools: Pools, work: Work, head: int, chain: Ints) -> bool:
    """Say whether the atoms of a chain hold enough values, and none too often."""
    for which in range(len(needs.least)):
        work.numbers[1] += 1
        stamp, different, atom = work.numbers[1], 0, head
        while atom >= 0 and different < needs.least[which]:
            for at in range(work.begin[atom], work.begin[atom + 1]):
                value = needs.kind[which, pools.rows[at]]
                if work.mark[value] != stamp:
                    work.mark[value] = stamp
                    different += 1
            atom = chain[atom]
        if different < needs.least[which]:
            return False
    for which in range(len(needs.sets)):
        total, atom = 0, head
        while atom >= 0:
            for at in range(work.begin[atom], work.begin[atom + 1]):
                work.tally[needs.sets[which, pools.rows[at]]] = 0
                total += 1
            atom = chain[atom]
        atom = head
        while atom >= 0:
            for at in range(work.begin[atom], work.begin[atom + 1]):
                one = needs.sets[which, pools.rows[at]]
                work.tally[one] += 1
                if work.tally[one] * needs.below[one] > total * needs.above[one]:
                    return False
            atom = chain[atom]
    return True


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
    _reset(costs, work, order[first], unit)
    work.head[unit], work.tail[unit] = order[first], order[last - 1]
    work.chain[order[last - 1]] = -1
    for place in range(first + 1, last):
        _reset(costs, work, order[place], other)
        _absorb(costs, work, unit, other)
        work.chain[order[place - 1]] = order[place]


@compiled
def _arrange(costs: CellCosts, work: Work, n: int, seed: int) -> None:
    """Put n atoms in the order of what joining them with one of them costs."""
    order, away = work.order, work.away
    for place in range(n):
        atom = order[place]
        far = -1 if atom == seed else _far(costs, work, seed, atom)
        to = place
        while to > 0 and (away[to - 1] > far or (away[to - 1] == far and order[to - 1] > atom)):
            away[to], order[to] = away[to - 1], order[to - 1]
            to -= 1
        away[to], order[to] = far, atom


@compiled
def _far(costs: CellCosts, work: Work, one: int, other: int) -> int:
    """Price, per row, the cells that cover two atoms."""
    total = 0
    for j in range(len(costs.numeric)):
        if costs.numeric[j]:
            lo = min(work.atom_lo[j, one], work.atom_lo[j, other])
            hi = max(work.atom_hi[j, one], work.atom_hi[j, other])
            total += number_cost(costs, j, lo, hi)
        else:
            node = meet(costs, j, work.atom_lo[j, one], work.atom_lo[j, other])
            total += costs.base[costs.first[j] + node]
    return total


@compiled
def _cut(
    costs: CellCosts, needs: Needs, pools: Pools, work: Work, n: int, seed: int
) -> tuple[int, int]:
    """Find where to cut the order of n atoms from one on: the place, 0 if none, and the cost."""
    _arrange(costs, work, n, seed)
    order, ahead, k = work.order, work.ahead, needs.k
    part, other = len(work.size) - 2, len(work.size) - 1
    _reset(costs, work, order[0], part)
    ahead[0] = work.cost[part]
    for place in range(1, n):
        _reset(costs, work, order[place], other)
        _absorb(costs, work, part, other)
        ahead[place] = work.cost[part]
    whole = work.size[part]
    best, cut = ALL, 0
    _reset(costs, work, order[n - 1], part)
    place = n - 1
    while place > 0 and whole - work.size[part] >= k:
        paid = ahead[place - 1] + work.cost[part]
        if (
            work.size[part] >= k
            and paid < best
            and _hold(needs, pools, work, 0, place)
            and _hold(needs, pools, work, place, n)
        ):
            best, cut = paid, place
        place -= 1
        _reset(costs, work, order[place], other)
        _absorb(costs, work, part, other)
    return cut, best


@compiled
def _hold(needs: Needs, pools: Pools, work: Work, first: int, last: int) -> bool:
    """Say whether the atoms of a part of an order hold what is required besides k."""
    if len(needs.least) == 0 and len(needs.sets) == 0:
        return True
    order, link = work.order, work.link
    for place in range(first, last - 1):
        link[order[place]] = order[place + 1]
    link[order[last - 1]] = -1
    return _holds(needs, pools, work, order[first], link)


@compiled
def _exchange(costs: CellCosts, needs: Needs, pools: Pools, work: Work, units: int) -> bool:
    """Move atoms to other units, or swap them, where that costs less; say whether any was."""
    changed = False
    rest, alone = len(work.size) - 2, len(work.size) - 1
    for unit in range(units):
        atom = work.head[unit]
        while atom >= 0:
            following = work.chain[atom]
            if work.head[unit] == work.tail[unit]:
                break
            _without(costs, work, unit, atom, -1, rest)
            saved = work.cost[unit] - work.cost[rest]
            if saved > 0:
                _reset(costs, work, atom, alone)
                _price(costs, work, alone, 0, units)
                size, least, to = work.size[alone], saved, -1
                for other in range(units):
                    if other != unit:
                        union = (size + work.size[other]) * work.even[other] + work.uneven[other]
                        if union - work.cost[other] < least:
                            least, to = union - work.cost[other], other
                if to >= 0:
                    if work.size[rest] >= needs.k:
                        done = _swap(costs, needs, pools, work, unit, to, atom, -1)
                    else:
                        back = _in_return(costs, needs, pools, work, unit, to, atom)
                        done = back >= 0 and _swap(costs, needs, pools, work, unit, to, atom, back)
                    changed = changed or done
            atom = following
    return changed


@compiled
def _without(
    costs: CellCosts,
    work: Work,
    unit: int,
    gone: int,
    extra: int,
    into: int,
) -> None:
    """Let a unit be another less an atom, and with one more if ``extra`` is one."""
    alone, begun = len(work.size) - 1, False
    atom = work.head[unit]
    while atom >= 0:
        if atom != gone:
            if begun:
                _reset(costs, work, atom, alone)
                _absorb(costs, work, into, alone)
            else:
                _reset(costs, work, atom, into)
                begun = True
        atom = work.chain[atom]
    if extra >= 0:
        if begun:
            _reset(costs, work, extra, alone)
            _absorb(costs, work, into, alone)
        else:
            _reset(costs, work, extra, into)


@compiled
def _in_return(
    costs: CellCosts,
    needs: Needs,
    pools: Pools,
    work: Work,
    unit: int,
    other: int,
    atom: int,
) -> int:
    """Find the atom of another unit that is best given in return for one; −1 if none is."""
    rest = len(work.size) - 2
    size = work.begin[atom + 1] - work.begin[atom]
    best, least = -1, work.cost[unit] + work.cost[other]
    back = work.head[other]
    while back >= 0:
        own = work.begin[back + 1] - work.begin[back]
        if work.size[unit] - size + own >= needs.k and work.size[other] - own + size >= needs.k:
            _without(costs, work, other, back, atom, rest)
            paid = work.cost[rest]
            if paid < least:
                _without(costs, work, unit, atom, back, rest)
                if paid + work.cost[rest] < least:
                    best, least = back, paid + work.cost[rest]
        back = work.chain[back]
    return best


@compiled
def _swap(
    costs: CellCosts,
    needs: Needs,
    pools: Pools,
    work: Work,
    unit: int,
    other: int,
    atom: int,
    back: int,
) -> bool:
    """Move an atom to another unit, and one ``back`` if there is one, unless one then fails."""
    order, n = work.order, 0
    at = work.head[unit]
    while at >= 0:
        if at != atom:
            order[n] = at
            n += 1
        at = work.chain[at]
    if back >= 0:
        order[n] = back
        n += 1
    cut = n
    at = work.head[other]
    while at >= 0:
        if at != back:
            order[n] = at
            n += 1
        at = work.chain[at]
    order[n] = atom
    n += 1
    if not (_hold(needs, pools, work, 0, cut) and _hold(needs, pools, work, cut, n)):
        return False
    _gather(costs, work, 0, cut, unit)
    _gather(costs, work, cut, n, other)
    return True
