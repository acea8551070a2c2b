"""What cells cost, with the columns in the order that kernels want."""

from __future__ import annotations

import numpy as np

from shoal.kernels.cell_costs import CellCosts
from shoal.kernels.refine.units import Prices

__all__ = ["make_prices"]


def make_prices(costs: CellCosts) -> Prices:
    """Put columns that cost every row of a group the same first: trees with a table, numbers.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> from shoal.measures.cell_costs import price_cells
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
