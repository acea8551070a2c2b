"""The rows of a table as points, and which points are near each other."""

from __future__ import annotations

import numpy as np

from shoal.base.arrays import Ints
from shoal.improve.cell_costs import PricedCells
from shoal.improve.orders import levels_of, random_order
from shoal.improve.prices import make_prices
from shoal.kernels.collapse import collapse
from shoal.kernels.refine.near import keep_nearest
from shoal.kernels.refine.pools import Space
from shoal.kernels.refine.units import Prices

ORDERS, WINDOW, NEAREST = 16, 8, 24
"""How many orders are looked at, how far to either side, and how many points are kept."""

MANY_POINTS = 200_000
"""Of more points than this, half as many orders are looked at."""

BATCH = 20_000
"""Points that are looked at before Ctrl-C is heard."""


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
