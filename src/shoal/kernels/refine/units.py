"""Boxes: what some rows of a pool cover and cost, what their union would, and what they lack.

Boxes are kept side by side, box by box: first units, then atoms, then what is only in
passing use. They are told by their places.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Floats, Ints, Small
from shoal.kernels.cell_costs import CellCosts, meet, number_cost
from shoal.kernels.compiled import compiled
from shoal.kernels.refine.pools import Space

Codes = npt.NDArray[np.uint32]
Wide = npt.NDArray[np.uint64]

ONE = np.uint64(1)


class Prices(NamedTuple):
    """What cells cost. Trees that have a table come first, then numbers none of which is missing.

    Cells of these cost every row of a group the same; the columns that come last are others.
    """

    cells: CellCosts
    tabled: int
    """How many columns have tables."""
    even: int
    """How many columns cost every row of a group the same."""
    column: Ints
    """Per column: its number in ``cells``."""
    wide: Wide
    """Per column that has a table: how many nodes."""
    place: Wide
    """Per column that has a table: where it begins."""
    paid: Ints
    """What the lowest common ancestor of each two nodes costs a row, table by table."""


class Needs(NamedTuple):
    """What a group must hold, as far as kernels can tell; whoever requires more judges again."""

    k: int
    """Rows."""
    kind: Ints
    """Per list of values (or people) and row: a number for its value."""
    least: Ints
    """Per list: how many different ones a group must hold."""
    slot: Ints
    """Per list: where its values begin in `Work.values`."""
    sets: Ints
    """Per list of shares and row: a number for its set of values."""
    above: Ints
    """Per set: the numerator of its largest share."""
    below: Ints
    """Per set: the denominator."""
    most: int
    """No group grows beyond so many rows."""


class Work(NamedTuple):
    """Room to work in, for one thread."""

    lo: Codes
    """Per box and column: the least code of a number, or the node."""
    hi: Codes
    """Per box and column: the largest code of a number."""
    known: Ints
    """Per box and column that does not cost all rows the same: rows whose cell is known."""
    mass: Ints
    """Per box and column that does not cost all rows the same: what slopes are multiplied by."""
    size: Ints
    cost: Ints
    values: Ints
    """Per box: different values of its rows, as many as are asked for, list by list."""
    different: Ints
    """Per box and list of values: how many are there."""
    begin: Ints
    """Per atom, or run of equal rows: where its rows begin in the pool; one more: their end."""
    chain: Ints
    """Per atom: the next of the same unit, −1 at the end."""
    short: Ints
    added: Floats
    """Per two units: what joining them adds, blurred."""
    best: Floats
    """Per unit that is short: what joining its partner adds."""
    partner: Ints
    head: Ints
    """Per unit: its first atom."""
    tail: Ints
    rows: Small
    """Rows of a group, while they are put in order."""
    row: Wide
    """Per column that has a table: where the row of the box at hand begins in it."""
    even: Ints
    """Per place of a list of boxes: what each row of a union pays in even columns."""
    uneven: Ints
    """The same: what all rows of a union pay in other columns."""
    mark: Ints
    """Per value: the stamp of whoever saw it last."""
    tally: Ints
    """Per set: how often it was seen since."""
    held: Ints
    """Per set: how often units at hand hold it; 0 in between."""
    wanted: Ints
    """Per unit: how many rows it must have for the shares of its values."""
    numbers: Ints
    """The state of the generator, and the stamp."""
    piece: Ints
    """Per place of a unit that is to be split: its atom."""
    order: Ints
    """These places, in the order of the one at hand."""
    link: Ints
    """Per atom: the next of a part of an order, −1 at the end."""
    kept: Ints
    """The best order so far, of atoms."""
    ahead: Ints
    """Per place of an order: what all up to it cost as one group; −1 if they are short."""
    blur: Floats
    """Random factors, which what joining adds is multiplied by."""


@compiled
def box_point(prices: Prices, space: Space, work: Work, box: int, point: int, size: int) -> None:
    """Let a box hold some rows of one point."""
    even, uneven, costs = 0, 0, prices.cells
    for i in range(len(prices.column)):
        cell = space.cell[point, i]
        work.lo[box, i] = work.hi[box, i] = cell
        if i < prices.tabled:
            even += prices.paid[prices.place[i] + cell * (prices.wide[i] + ONE)]
        elif i >= prices.even:
            j, known, mass = prices.column[i], size, 0
            if costs.numeric[j]:
                known *= int(cell != costs.start[j + 1] - costs.start[j] - 1)
            else:
                known *= int(cell != 0)
                mass = space.mass[point, i] * size
                at = costs.first[j] + cell
                uneven += costs.base[at] * known + costs.slope[at] * mass
            work.known[box, i], work.mass[box, i] = known, mass
    work.size[box], work.cost[box] = size, even * size + uneven


@compiled
def note(needs: Needs, work: Work, box: int, rows: Small, first: int, last: int) -> None:
    """Note the different values of a box's rows, as many as are asked for."""
    for which in range(len(needs.least)):
        work.numbers[1] += 1
        stamp, different, slot = work.numbers[1], 0, needs.slot[which]
        for at in range(first, last):
            if different == needs.least[which]:
                break
            value = needs.kind[which, rows[at]]
            if work.mark[value] != stamp:
                work.mark[value] = stamp
                work.values[box, slot + different] = value
                different += 1
        work.different[box, which] = different


@compiled
def copy(prices: Prices, work: Work, source: int, to: int) -> None:
    """Let a box hold what another does."""
    for i in range(len(prices.column)):
        work.lo[to, i], work.hi[to, i] = work.lo[source, i], work.hi[source, i]
    for i in range(prices.even, len(prices.column)):
        work.known[to, i], work.mass[to, i] = work.known[source, i], work.mass[source, i]
    work.size[to], work.cost[to] = work.size[source], work.cost[source]
    for slot in range(work.values.shape[1]):
        work.values[to, slot] = work.values[source, slot]
    for which in range(work.different.shape[1]):
        work.different[to, which] = work.different[source, which]


@compiled
def price(prices: Prices, work: Work, box: int, first: int, last: int, each: bool) -> None:
    """Price the unions of a box with each from ``first`` to ``last``: `even` and `uneven`.

    With ``each``, one row of known cells is priced, not all of both.
    """
    n, tabled, costs = last - first, prices.tabled, prices.cells
    even, uneven, row = work.even[:n], work.uneven[:n], work.row
    for i in range(tabled):
        row[i] = prices.place[i] + work.lo[box, i] * prices.wide[i]
    los, his = work.lo[first:last], work.hi[first:last]
    for other in range(n):
        total = 0
        for i in range(tabled):
            total += prices.paid[row[i] + los[other, i]]
        even[other], uneven[other] = total, 0
    for i in range(tabled, prices.even):
        j, low, high = prices.column[i], work.lo[box, i], work.hi[box, i]
        start, stop, full = costs.start[j], costs.start[j + 1], costs.full[j]
        up, down = costs.up[start:stop], costs.down[start:stop]
        for other in range(n):
            a, b = min(low, los[other, i]), max(high, his[other, i])
            wide = min(up[b] - down[a], full)
            even[other] += wide if a != b else 0
    for i in range(prices.even, len(prices.column)):
        j, low, high = prices.column[i], int(work.lo[box, i]), int(work.hi[box, i])
        for other in range(n):
            lo, hi, slope = int(los[other, i]), int(his[other, i]), 0
            if costs.numeric[j]:
                base = number_cost(costs, j, min(low, lo), max(high, hi))
            else:
                at = costs.first[j] + meet(costs, j, low, lo)
                base, slope = costs.base[at], costs.slope[at]
            if each:
                uneven[other] += base
            else:
                uneven[other] += base * (work.known[box, i] + work.known[first + other, i])
                uneven[other] += slope * (work.mass[box, i] + work.mass[first + other, i])


@compiled
def absorb(prices: Prices, needs: Needs, work: Work, keep: int, gone: int) -> None:
    """Let one box, which may be empty, hold what another does, too."""
    if work.size[keep] == 0:
        copy(prices, work, gone, keep)
        return
    even, uneven, size, costs = 0, 0, work.size[keep] + work.size[gone], prices.cells
    for i in range(prices.tabled):
        at = prices.place[i] + work.lo[keep, i] * prices.wide[i] + work.lo[gone, i]
        work.lo[keep, i] = costs.meeting[at]
        even += prices.paid[at]
    for i in range(prices.tabled, len(prices.column)):
        j, lo, hi = prices.column[i], int(work.lo[keep, i]), int(work.hi[keep, i])
        if costs.numeric[j]:
            lo, hi = min(lo, int(work.lo[gone, i])), max(hi, int(work.hi[gone, i]))
            base, slope = number_cost(costs, j, lo, hi), 0
        else:
            lo = meet(costs, j, lo, int(work.lo[gone, i]))
            at = costs.first[j] + lo
            base, slope = costs.base[at], costs.slope[at]
        work.lo[keep, i], work.hi[keep, i] = lo, hi
        if i < prices.even:
            even += base
        else:
            known = work.known[keep, i] + work.known[gone, i]
            mass = work.mass[keep, i] + work.mass[gone, i]
            work.known[keep, i], work.mass[keep, i] = known, mass
            uneven += base * known + slope * mass
    work.size[keep], work.cost[keep] = size, even * size + uneven
    for which in range(len(needs.least)):
        different, slot = work.different[keep, which], needs.slot[which]
        if different == needs.least[which]:
            continue
        work.numbers[1] += 1
        stamp = work.numbers[1]
        for one in range(slot, slot + different):
            work.mark[work.values[keep, one]] = stamp
        for one in range(slot, slot + work.different[gone, which]):
            value = work.values[gone, one]
            if work.mark[value] != stamp and different < needs.least[which]:
                work.values[keep, slot + different] = value
                different += 1
        work.different[keep, which] = different


@compiled
def lacks(needs: Needs, work: Work, box: int) -> bool:
    """Say whether a box is short of rows, or of different values."""
    short = work.size[box] < needs.k
    for which in range(len(needs.least)):
        short |= work.different[box, which] < needs.least[which]
    return short


@compiled
def within(needs: Needs, work: Work, rows: Small, head: int, chain: Ints) -> bool:
    """Say whether the atoms of a chain hold no set of values too often."""
    for which in range(len(needs.sets)):
        total, atom = 0, head
        while atom >= 0:
            for at in range(work.begin[atom], work.begin[atom + 1]):
                work.tally[needs.sets[which, rows[at]]] = 0
                total += 1
            atom = chain[atom]
        atom = head
        while atom >= 0:
            for at in range(work.begin[atom], work.begin[atom + 1]):
                one = needs.sets[which, rows[at]]
                work.tally[one] += 1
                if work.tally[one] * needs.below[one] > total * needs.above[one]:
                    return False
            atom = chain[atom]
    return True


@compiled
def hold(needs: Needs, work: Work, rows: Small, unit: int, sign: int) -> int:
    """Count the sets of a unit in, or out again (−1); say how many rows those it holds want."""
    wanted = 0
    for which in range(len(needs.sets)):
        atom = work.head[unit]
        while atom >= 0:
            for at in range(work.begin[atom], work.begin[atom + 1]):
                one = needs.sets[which, rows[at]]
                work.held[one] += sign
                above, below = needs.above[one], needs.below[one]
                if above < below:  # a set that may have all rows wants none beside it
                    most = (work.held[one] * below + above - 1) // max(above, 1)
                    wanted = max(wanted, most)
            atom = work.chain[atom]
    return wanted
