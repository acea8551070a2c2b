"""What groups cost, summed row by row and column by column from an additive measure's fractions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from shoal.improve.cell_costs import PricedCells
from shoal.publications.groups.grouping import Grouping

__all__ = ["cell", "cost_of_groups", "cost_of_rows", "price_per_row"]


def cost_of_groups(priced: PricedCells, grouping: Grouping) -> Fraction:
    """Add up what each row pays for the cell of its group."""
    return sum(
        (
            cost_of_rows(priced, np.flatnonzero(grouping.labels == group).tolist())
            for group in range(grouping.n_groups)
        ),
        start=Fraction(0),
    )


def cost_of_rows(priced: PricedCells, rows: Sequence[int]) -> Fraction:
    """Add up what each row of one group pays for its cells."""
    total = 0
    for j, column in enumerate(priced.columns):
        codes = column.codes[list(rows)].tolist()
        pays = cell(priced.costs, j, codes, column.size)
        total += sum(pays(code) for code in codes)
    return total * priced.unit


def price_per_row(priced: PricedCells, rows: list[int]) -> int:
    """Add up what cells that cover some rows cost any row, whatever it holds itself."""
    light = priced.costs._replace(mass=np.zeros_like(priced.costs.mass))
    total = 0
    for j, column in enumerate(priced.columns):
        codes = column.codes[rows].tolist()
        known = [code for code in codes if code != column.size]
        total += cell(light, j, codes, column.size)(known[0]) if known else int(light.full[j])
    return total


def cell(costs: Any, j: int, codes: Sequence[int], missing: int) -> Callable[[int], int]:
    """What the cell that covers some codes costs a row with one of them; a hole costs nothing."""
    if missing in codes:
        full = int(costs.full[j])
        return lambda code: 0 if code == missing else full
    start = int(costs.start[j])
    if costs.numeric[j]:
        lo, hi = min(codes), max(codes)
        wide = int(costs.up[start + hi] - costs.down[start + lo])
        cost = 0 if lo == hi else min(wide, int(costs.full[j]))
        return lambda code: cost
    first = int(costs.first[j])
    ways = [_way(costs, first, int(costs.node[start + each])) for each in set(codes)]
    node = first + max(set.intersection(*map(set, ways)))  # the deepest: children come later
    base, slope = int(costs.base[node]), int(costs.slope[node])
    return lambda code: base + slope * int(costs.mass[start + code])


def _way(costs, first, node):  # type: ignore[no-untyped-def]
    way = [node]
    while node:
        node = int(costs.parent[first + node])
        way.append(node)
    return way
