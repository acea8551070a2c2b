"""EBKC's leader pass against a look at every cluster, in NumPy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import shoal
from benchmarks.timing import Figures, cpu
from shoal.plan import Plan
from shoal.table import CategoricalColumn, NumericColumn, QuasiColumn, Table
from shoal_papers.adult import encoded
from shoal_papers.gaa_cp.experiment import QUASI, SENSITIVE


def leader() -> Figures:
    """EBKC, δ = 0.5 on the sum, k = 5, 8 QIs: Adult complete against NumPy, and `census`."""
    table = encoded(QUASI, (SENSITIVE,), rows=45_222, complete=True)
    method, require = shoal.EBKC(), [shoal.KAnonymity(5)]
    group = lambda: method.group(table, require, rng=np.random.default_rng(0))  # noqa: E731
    group()  # compiles
    ours = min(cpu(group) for _ in range(5))
    found: list[int] = []
    theirs = cpu(lambda: found.append(_clusters(table.quasi, 0.5)))
    figures: Figures = {
        "Adult: Shoal, everything (s CPU, best of 5)": ours,
        "Adult: NumPy, the leader pass alone (s CPU)": theirs,
        "Adult: ratio": theirs / ours,
        "Adult: clusters, NumPy": found[0],
    }
    seconds = {}
    schema = Plan.read(shoal.datasets.folder("adult") / "adult.toml").schema_()
    for n in (100_000, 1_000_000):
        large = Table.encode(shoal.datasets.census(n).select(*schema), schema)
        seconds[n] = cpu(
            lambda large=large: method.group(large, require, rng=np.random.default_rng(0))
        )
        figures[f"census {n:,} (s CPU)"] = seconds[n]
    figures["census: growth exponent"] = float(np.log10(seconds[1_000_000] / seconds[100_000]))
    return figures


def _clusters(columns: Sequence[QuasiColumn], delta: float) -> int:
    """Count the clusters that a plain leader pass opens: float sums, a table per cluster."""
    tables = [_distances(column) for column in columns]
    codes = [column.codes.astype(np.intp) for column in columns]
    sums = [np.zeros((16, len(table))) for table in tables]
    size = np.zeros(16)
    count = 0
    for row in range(len(codes[0])):
        cells = [each[row] for each in codes]
        best = -1
        if count:
            total = sums[0][:count, cells[0]].copy()
            for held, cell in zip(sums[1:], cells[1:], strict=True):
                total += held[:count, cell]
            total /= size[:count]
            nearest = int(np.argmin(total))
            best = nearest if total[nearest] <= delta + 1e-9 else -1
        if best < 0:
            best, count = count, count + 1
            if count > len(size):
                size = np.concatenate([size, np.zeros_like(size)])
                sums = [np.concatenate([held, np.zeros_like(held)]) for held in sums]
        size[best] += 1
        for held, table, cell in zip(sums, tables, cells, strict=True):
            held[best] += table[cell]
    return count


def _distances(column: QuasiColumn) -> np.ndarray:
    """Give the distance of any two values."""
    if isinstance(column, NumericColumn):
        place = column.offsets.astype(np.float64) / max(column.reach, 1)
        return np.abs(np.subtract.outer(place, place))
    assert isinstance(column, CategoricalColumn)
    tree = column.hierarchy
    leaves = tree.leaf_nodes
    top = tree.depth[np.asarray(tree.lca(leaves[:, None], leaves[None, :]))]
    share = 1 - top / np.maximum(tree.depth[leaves], 1)[:, None]
    return (share + share.T) / 2
