"""MDAV: how its time grows with the rows, and with the columns that tell them apart."""

from __future__ import annotations

import math

import numpy as np
import polars as pl

import shoal
from benchmarks.timing import Figures, cpu
from shoal.table import Table

__all__ = ["mdav"]

FEW, MANY = 20_000, 80_000
"""Rows of the tables of numbers."""


def mdav() -> Figures:
    """MDAV's grouping: Adult complete, `census`, and numbers that are independent of each other."""
    schema = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml").schema_()
    adult = Table.encode(shoal.datasets.adult(complete=True), schema)
    _group(adult.take(np.arange(100)), 5)  # loads the kernel
    figures: Figures = {}
    for k in (5, 10, 25):
        figures[f"Adult 45,222, k = {k} (s CPU)"] = _group(adult, k)
    spent = {}
    for n in (25_000, 100_000, 400_000):
        spent[n] = _group(Table.encode(shoal.datasets.census(n), schema), 5)
        figures[f"census {n:,}, k = 5 (s CPU)"] = spent[n]
    figures["census: growth exponent"] = math.log(spent[400_000] / spent[25_000]) / math.log(16)
    for width in (2, 3, 5, 8):
        few, many = (_group(_normal(rows, width), 5) for rows in (FEW, MANY))
        figures[f"{width} normal numbers, {FEW:,} rows, k = 5 (s CPU)"] = few
        figures[f"{width} normal numbers, {MANY:,} rows, k = 5 (s CPU)"] = many
        figures[f"{width} normal numbers: growth exponent"] = math.log(many / few) / math.log(4)
    return figures


def _group(table: Table, k: int) -> float:
    rng = np.random.default_rng(0)
    return cpu(lambda: shoal.MDAV().group(table, [shoal.KAnonymity(k)], rng=rng))


def _normal(rows: int, width: int) -> Table:
    rng = np.random.default_rng(width)
    frame = pl.DataFrame({f"x{i}": rng.normal(size=rows) for i in range(width)})
    return Table.encode(frame, shoal.Schema(dict.fromkeys(frame.columns, shoal.quasi())))
