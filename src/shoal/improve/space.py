"""The rows of a table as points, what these cost, and which are near each other.

Neighbours are found in orders of the points. All columns' levels, from coarse to fine, are
interleaved at random: sorted by the first of them, then by the second, and so on. Two points that
are near in the sense of a loss share many coarse levels, so in some of several such orders they are
neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.base.arrays import Ints
from shoal.improve.cell_costs import PricedCells
from shoal.kernels.cell_costs import CellCosts
from shoal.kernels.collapse import collapse
from shoal.kernels.refine.near import keep_nearest
from shoal.kernels.refine.pools import Space
from shoal.kernels.refine.units import Prices
from shoal.table import CategoricalColumn, QuasiColumn

ORDERS, WINDOW, NEAREST = 16, 8, 24
"""How many orders are looked at, how far to either side, and how many points are kept."""

MANY_POINTS = 200_000
"""Of more points than this, half as many orders are looked at."""

BATCH = 20_000
"""Points that are looked at before Ctrl-C is heard."""


HALVINGS = 10
"""How often numbers are halved, at most."""


def sorted_by_point(priced: PricedCells, rows: Ints) -> Ints:
    """Order rows so that those of equal cells come one after another."""
    codes = [column.codes[rows].astype(np.int64) for column in priced.columns]
    keys = collapse(codes, [column.size + 1 for column in priced.columns])
    return rows[np.argsort(keys, kind="stable")]


def make_space(
    priced: PricedCells, rows: Ints, rng: np.random.Generator
) -> tuple[Prices, Space, Ints]:
    """Make points of rows that are sorted by them; also give an order in which near ones meet.

    The order is of rows: places in ``rows``.
    """
    codes = np.stack([column.codes[rows].astype(np.int64) for column in priced.columns], axis=1)
    new = np.append(True, (codes[1:] != codes[:-1]).any(axis=1)) if len(rows) else np.zeros(0, bool)
    begin = np.append(np.flatnonzero(new), len(rows)).astype(np.int64)
    costs, first = priced.costs, codes[begin[:-1]]
    prices = make_prices(costs)
    cell, mass = np.zeros(first.shape, dtype=np.uint32), np.zeros(first.shape, dtype=np.int64)
    for i, j in enumerate(prices.column.tolist()):
        at = costs.start[j] + first[:, j]
        cell[:, i] = first[:, j] if costs.numeric[j] else costs.node[at]
        mass[:, i] = costs.mass[at]
    n = len(first)
    near = np.full((n, min(NEAREST, max(n - 1, 1))), -1, dtype=np.int32)
    apart = np.zeros(near.shape, dtype=np.int64)
    levels = [each for each in (levels_of(c, rows[begin[:-1]]) for c in priced.columns) if each]
    order = np.arange(n)
    for _ in range(ORDERS if n <= MANY_POINTS else ORDERS // 2):
        if levels:
            order = random_order(levels, rng)
        for at in range(0, n, BATCH):
            end = min(at + BATCH, n)
            keep_nearest(prices, cell, mass, order, WINDOW, at, end, near, apart)
    point = np.cumsum(new).astype(np.int32) - 1
    by_place = np.empty(n, dtype=np.int64)
    by_place[order] = np.arange(n)
    return (
        prices,
        Space(point.astype(np.int32), begin, cell, mass, near),
        np.argsort(by_place[point], kind="stable"),
    )


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


def levels_of(column: QuasiColumn, rows: Ints) -> list[Ints]:
    """Give, from coarse to fine, where in a column some rows are; missing apart."""
    codes = column.codes[rows].astype(np.int64)
    if isinstance(column, CategoricalColumn):
        tree = column.hierarchy
        nodes = np.append(tree.leaf_nodes, 0)[codes]
        levels = [tree.ancestors[nodes, depth].astype(np.int64) for depth in range(tree.height + 1)]
        return [np.where(codes == column.size, -1, level) for level in levels[1:]]
    share = np.append(column.offsets.astype(np.float64) / max(column.reach, 1), 0.0)[codes]
    finest = int(np.ceil(np.log2(max(column.size, 2))))
    made = []
    for halvings in range(1, min(finest, HALVINGS) + 1):
        level = np.minimum((share * 2**halvings).astype(np.int64), 2**halvings - 1)
        made.append(np.where(codes == column.size, -1, level))
    return made


def random_order(levels: Sequence[Sequence[Ints]], rng: np.random.Generator) -> Ints:
    """Sort points by the levels of all columns, interleaved at random.

    Examples
    --------
    >>> sex, zip_code = [np.array([1, 0, 1])], [np.array([0, 0, 0]), np.array([2, 3, 1])]
    >>> random_order([sex, zip_code], np.random.default_rng(1)).tolist()
    [1, 2, 0]
    """
    turns = np.concatenate([np.full(len(each), j) for j, each in enumerate(levels)])
    used = [0] * len(levels)
    keys: list[Ints] = []
    for j in rng.permutation(turns).tolist():
        keys.append(levels[j][used[j]])
        used[j] += 1
    packed = np.zeros(len(keys[0]), dtype=np.int64)
    wide, waiting = 1, []
    for key in keys:
        low, high = int(key.min()), int(key.max())
        if wide * (high - low + 1) >= 2**62:
            waiting.append(packed)
            packed, wide = np.zeros(len(key), dtype=np.int64), 1
        packed = packed * (high - low + 1) + (key - low)
        wide *= high - low + 1
    waiting.append(packed)
    return np.lexsort(waiting[::-1]).astype(np.int64)
