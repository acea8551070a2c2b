"""What a row pays at least to stand beside as many others as a group needs."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.base.arrays import Ints, Small
from shoal.kernels.bounds.costliest import ROWS, Costliest, empty, offer
from shoal.kernels.cell_costs import CellCosts, meet, number_cost
from shoal.kernels.compiled import compiled


@compiled
def nearest(
    costs: CellCosts,
    codes: Small,
    rows: Ints,
    k: int,
    heap: Costliest,
    found: Ints,
    first: int,
    last: int,
) -> None:
    """Write, per point, what the (k − 1)-th nearest row costs it; from one point to another.

    A row is as near as the cells that the two would show cost the first of them. Points are
    looked at from their neighbours in the list on, so that far ones are given up early.

    - ``codes``: per point and column.
    - ``rows``: per point: how often it occurs.
    - ``found``: written.
    """
    points = len(rows)
    for one in range(first, last):
        wanted = k - rows[one]
        if wanted <= 0:
            found[one] = 0
            continue
        empty(heap)
        for away in range(1, points):
            if one - away < 0 and one + away >= points:
                break
            for direction in range(2):
                other = one - away if direction == 0 else one + away
                if 0 <= other < points:
                    limit = -heap.worth[0] if heap.sums[ROWS] >= wanted else np.int64(2**62)
                    far = _distance(costs, codes[one], codes[other], limit)
                    if far < limit:
                        offer(heap, wanted, -far, other, rows[other])
        found[one] = -heap.worth[0]


@compiled
def _distance(costs: CellCosts, one: Small, other: Small, limit: Any) -> Any:
    """Price, for the first row, the cells that two would show; up to a limit."""
    total = 0
    for j in range(len(one)):
        start = costs.start[j]
        unknown = costs.start[j + 1] - start - 1
        if (one[j] == other[j] and costs.plain[j]) or one[j] == unknown:
            continue
        if other[j] == unknown:
            total += costs.full[j]
        elif costs.numeric[j]:
            low, high = min(one[j], other[j]), max(one[j], other[j])
            total += max(number_cost(costs, j, low, high), 0)
        else:
            node = meet(costs, j, costs.node[start + one[j]], costs.node[start + other[j]])
            place = costs.first[j] + node
            cost = costs.base[place] + costs.slope[place] * costs.mass[start + one[j]]
            total += max(cost, 0)
        if total >= limit:
            break
    return total
