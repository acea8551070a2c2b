"""What cells cost, with the columns in the order that kernels want; and what groups cost."""

from __future__ import annotations

import numpy as np

from shoal.base.arrays import Ints
from shoal.improve.cell_costs import PricedCells
from shoal.kernels.cell_costs import CellCosts
from shoal.kernels.refine.units import Prices
from shoal.table import CategoricalColumn


def make_prices(costs: CellCosts) -> Prices:
    """Put columns that cost every row of a group the same first: trees with a table, numbers.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> from shoal.improve.cell_costs import price_cells
    >>> from shoal.table import Table
    >>> schema = shoal.Schema({"age": shoal.quasi(), "day": shoal.quasi()})
    >>> table = Table.encode(pl.DataFrame({"age": [30, None], "day": [1, 2]}), schema)
    >>> make_prices(price_cells(table, shoal.measures.iloss).costs).column.tolist()
    [1, 0]
    """
    columns = range(len(costs.numeric))
    trees = [j for j in columns if costs.plain[j] and costs.meets[j] >= 0]
    numbers = [j for j in columns if costs.plain[j] and costs.numeric[j]]
    others = [j for j in columns if j not in trees and j not in numbers]
    paid = np.zeros(len(costs.meeting), dtype=np.int64)
    wide = np.diff(costs.first)
    for j in trees:
        table = slice(costs.meets[j], costs.meets[j] + wide[j] ** 2)
        paid[table] = costs.base[costs.first[j] + costs.meeting[table]]
    return Prices(
        cells=costs,
        tabled=len(trees),
        even=len(trees) + len(numbers),
        column=np.array(trees + numbers + others, dtype=np.int64),
        wide=wide[trees].astype(np.uint64),
        place=costs.meets[trees].astype(np.uint64),
        paid=paid,
    )


def price_groups(priced: PricedCells, rows: Ints, starts: Ints) -> Ints:
    """Price groups: their rows come one after another, and begin at ``starts``."""
    costs, total = priced.costs, np.zeros(len(starts), dtype=np.int64)
    for j, column in enumerate(priced.columns):
        codes = column.codes[rows].astype(np.int64)
        there = codes != column.size
        known = np.add.reduceat(there.astype(np.int64), starts)
        low, high = np.minimum.reduceat(codes, starts), np.maximum.reduceat(codes, starts)
        missing = high == column.size
        begin = int(costs.start[j])
        if not isinstance(column, CategoricalColumn):
            wide = np.minimum(costs.up[begin + high] - costs.down[begin + low], costs.full[j])
            wide[low == high] = 0
            wide[missing] = costs.full[j]
            total += wide * known
            continue
        node = np.zeros(len(starts), dtype=np.int64)
        node[~missing] = column.hierarchy.lca_of_codes(low[~missing], high[~missing]) + 1
        at = costs.first[j] + node
        mass = np.add.reduceat(costs.mass[begin + codes], starts)
        total += costs.base[at] * known + costs.slope[at] * mass
    return total
