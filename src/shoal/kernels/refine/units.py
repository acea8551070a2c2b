"""Units of a pool: what they cover and cost, what their union would, and what they lack.

Units are kept side by side, columns outermost; a unit that is gone is replaced by the last one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.kernels.cell_costs import CellCosts, meet, number_cost
from shoal.kernels.compiled import compiled
from shoal.kernels.refine.pools import Pools, Space

__all__ = [
    "Needs",
    "Work",
    "absorb",
    "enter",
    "hold",
    "holds",
    "lacks",
    "move",
    "price",
    "price_both",
    "price_groups",
    "reach",
    "reset",
]

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


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
def enter(costs: CellCosts, space: Space, work: Work, atom: int, row: int, size: int) -> None:
    """Let an atom hold some rows of one point, too."""
    point, begun = space.point[row], work.atom_size[atom] > 0
    total = 0
    for j in range(len(costs.numeric)):
        cell = int(space.cell[point, j])
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
def reach(costs: CellCosts, space: Space, work: Work, atom: int, point: int) -> int:
    """Price, per row, the cells that cover an atom and a point."""
    total = 0
    for j in range(len(costs.numeric)):
        cell = int(space.cell[point, j])
        if costs.numeric[j]:
            lo, hi = min(cell, work.atom_lo[j, atom]), max(cell, work.atom_hi[j, atom])
            total += number_cost(costs, j, lo, hi)
        else:
            node = meet(costs, j, cell, work.atom_lo[j, atom])
            total += costs.base[costs.first[j] + node]
    return total


@compiled
def reset(costs: CellCosts, work: Work, atom: int, unit: int) -> None:
    """Let a unit be an atom alone."""
    for j in range(len(costs.numeric)):
        work.lo[j, unit], work.hi[j, unit] = work.atom_lo[j, atom], work.atom_hi[j, atom]
        work.known[j, unit] = work.atom_known[j, atom]
        work.mass[j, unit] = work.atom_mass[j, atom]
    work.size[unit], work.cost[unit] = work.atom_size[atom], work.atom_cost[atom]


@compiled
def price(costs: CellCosts, work: Work, unit: int, first: int, last: int) -> None:
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
def absorb(costs: CellCosts, work: Work, keep: int, gone: int) -> None:
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
def move(costs: CellCosts, work: Work, last: int, to: int) -> None:
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
def lacks(needs: Needs, pools: Pools, work: Work, unit: int) -> bool:
    """Say whether a unit is short of what is required."""
    if work.size[unit] < needs.k:
        return True
    if len(needs.least) == 0 and len(needs.sets) == 0:
        return False
    return not holds(needs, pools, work, work.head[unit], work.chain)


@compiled
def holds(needs: Needs, pools: Pools, work: Work, head: int, chain: Ints) -> bool:
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
def price_both(costs: CellCosts, work: Work, one: int, other: int) -> int:
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
def hold(needs: Needs, pools: Pools, work: Work, first: int, last: int) -> bool:
    """Say whether the atoms of a part of an order hold what is required besides k."""
    if len(needs.least) == 0 and len(needs.sets) == 0:
        return True
    order, link = work.order, work.link
    for place in range(first, last - 1):
        link[order[place]] = order[place + 1]
    link[order[last - 1]] = -1
    return holds(needs, pools, work, order[first], link)


@compiled
def price_groups(
    costs: CellCosts, space: Space, head: Small, following: Small, work: Work, paid: Ints
) -> None:
    """Price groups whose rows are chained; ``paid`` becomes what each costs."""
    for group in range(len(head)):
        work.atom_size[0] = work.atom_cost[0] = 0
        row = head[group]
        while row >= 0:
            enter(costs, space, work, 0, row, 1)
            row = following[row]
        paid[group] = work.atom_cost[0]
