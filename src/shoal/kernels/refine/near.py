"""Which points lie near each other: neighbours in several orders, the cheapest to join kept."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Ints, Small
from shoal.kernels.cell_costs import meet, number_cost
from shoal.kernels.compiled import compiled
from shoal.kernels.refine.units import Prices

Codes = npt.NDArray[np.uint32]


@compiled
def join_cost(prices: Prices, cell: Codes, mass: Ints, a: int, b: int) -> int:
    """Price the group of one row of each of two points."""
    total, costs = 0, prices.cells
    for i in range(prices.tabled):
        total += 2 * prices.paid[prices.place[i] + cell[a, i] * prices.wide[i] + cell[b, i]]
    for i in range(prices.tabled, len(prices.column)):
        j, one, other = prices.column[i], int(cell[a, i]), int(cell[b, i])
        if costs.numeric[j]:
            missing = costs.start[j + 1] - costs.start[j] - 1
            each = number_cost(costs, j, min(one, other), max(one, other))
            total += each * (int(one != missing) + int(other != missing))
        else:
            node = meet(costs, j, one, other)
            at = costs.first[j] + node
            total += costs.base[at] * (int(one != 0) + int(other != 0))
            total += costs.slope[at] * (mass[a, i] + mass[b, i])
    return total


@compiled
def keep_nearest(
    prices: Prices,
    cell: Codes,
    mass: Ints,
    order: Ints,
    window: int,
    begin: int,
    end: int,
    near: Small,
    apart: Ints,
) -> None:
    """Look at the points beside each in an order, from one place of it to another.

    ``near[p]`` holds the nearest points found so far, −1 where there is none yet, and
    ``apart[p]`` what joining each costs, rising.
    """
    kept = near.shape[1]
    for at in range(begin, end):
        p = order[at]
        for other in range(max(0, at - window), min(len(order), at + window + 1)):
            q = order[other]
            if q == p:
                continue
            cost = join_cost(prices, cell, mass, p, q)
            if near[p, kept - 1] >= 0 and cost >= apart[p, kept - 1]:
                continue
            known = False
            for slot in range(kept):
                if near[p, slot] < 0:
                    break
                if near[p, slot] == q:
                    known = True
                    break
            if known:
                continue
            slot = kept - 1
            while slot > 0 and (near[p, slot - 1] < 0 or apart[p, slot - 1] > cost):
                near[p, slot] = near[p, slot - 1]
                apart[p, slot] = apart[p, slot - 1]
                slot -= 1
            near[p, slot] = q
            apart[p, slot] = cost
