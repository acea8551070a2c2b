"""What groups cost, summed row by row and column by column from an additive measure's fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from shoal.grouping import Grouping
from shoal.measures.cell_costs import PricedCells

__all__ = ["cost_of_groups", "price_per_row"]


def cost_of_groups(priced: PricedCells, grouping: Grouping) -> Fraction:
    """Add up what each row pays for the cell of its group."""
    costs, total = priced.costs, 0
    for group in range(grouping.n_groups):
        rows = np.flatnonzero(grouping.labels == group)
        for j, column in enumerate(priced.columns):
            codes = column.codes[rows].astype(int)
            star = bool((codes == column.size).any())
            for code in codes.tolist():
                total += 0 if code == column.size else _cell(costs, j, codes, code, star)
    return total * priced.unit


def price_per_row(priced: PricedCells, rows: list[int]) -> int:
    """Add up what cells that cover some rows cost any row, whatever it holds itself."""
    total = 0
    for j, column in enumerate(priced.columns):
        codes = column.codes[rows].astype(int)
        if (codes == column.size).any():
            total += int(priced.costs.full[j])
        else:
            light = priced.costs._replace(mass=np.zeros_like(priced.costs.mass))
            total += _cell(light, j, codes, int(codes[0]), False)
    return total


def _cell(costs, j, codes, code, star):  # type: ignore[no-untyped-def]
    if star:
        return int(costs.full[j])
    start = int(costs.start[j])
    if costs.numeric[j]:
        lo, hi = codes.min(), codes.max()
        wide = int(costs.up[start + hi] - costs.down[start + lo])
        return 0 if lo == hi else min(wide, int(costs.full[j]))
    first = int(costs.first[j])
    ways = [_way(costs, first, int(costs.node[start + each])) for each in codes.tolist()]
    node = max(set.intersection(*map(set, ways)))  # the deepest: children come later
    return int(costs.base[first + node] + costs.slope[first + node] * costs.mass[start + code])


def _way(costs, first, node):  # type: ignore[no-untyped-def]
    way = [node]
    while node:
        node = int(costs.parent[first + node])
        way.append(node)
    return way
