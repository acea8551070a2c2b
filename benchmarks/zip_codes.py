"""What the leaves of a hierarchy cost: zip codes by their prefixes, age and sex."""

from __future__ import annotations

import numpy as np
import polars as pl

import shoal
from benchmarks.timing import Figures, cpu
from shoal.table import Table

__all__ = ["zip_codes"]

SIZES = ((20_000, 100), (20_000, 18_183), (100_000, 60_000), (1_000_000, 100_000))


def zip_codes() -> Figures:
    """GAA-CP's grouping by zip code (prefixes of 5 digits), age and sex, k = 10."""
    method = shoal.GAACP(picks="first")
    figures: Figures = {}
    for rows, leaves in SIZES:
        table = _table(rows, leaves)
        small = table.select(np.arange(4000))  # loads the kernels
        method.group(small, [shoal.KAnonymity(5)], rng=np.random.default_rng(0))
        figures[f"{rows:,} rows, {leaves:,} zip codes (s CPU)"] = cpu(
            lambda table=table: method.group(
                table, [shoal.KAnonymity(10)], rng=np.random.default_rng(0)
            )
        )
    return figures


def _table(rows: int, leaves: int) -> Table:
    """Draw people; few zip codes have many of them."""
    rng = np.random.default_rng(leaves)
    codes = [f"{code:05}" for code in np.sort(rng.choice(100_000, leaves, replace=False))]
    weight = rng.pareto(1.2, leaves) + 0.1
    frame = pl.DataFrame(
        {
            "zip": pl.Series(codes)[rng.choice(leaves, rows, p=weight / weight.sum())],
            "age": np.clip(rng.normal(45, 20, rows), 0, 99).astype(np.int64),
            "sex": rng.choice(["Female", "Male"], rows),
        }
    )
    tree = shoal.Hierarchy.from_paths(
        [(code, *(code[:n] + "*" * (5 - n) for n in range(4, 0, -1)), "*") for code in codes]
    )
    columns = {"zip": shoal.quasi(hierarchy=tree), "age": shoal.quasi(), "sex": shoal.quasi()}
    return Table.encode(frame, shoal.Schema(columns))
