"""MDAV, which is quadratic by nature."""

from __future__ import annotations

import math

import numpy as np

import shoal
from benchmarks.timing import Figures, cpu
from shoal.table import Table

__all__ = ["mdav"]


def mdav() -> Figures:
    """MDAV's grouping, 8 QIs: Adult complete, and `census` of 25,000 to 100,000 rows."""
    schema = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml").schema_()
    tables = {"Adult 45,222": shoal.datasets.adult(complete=True)}
    tables |= {f"census {n:,}": shoal.datasets.census(n) for n in (25_000, 50_000, 100_000)}
    encoded = {name: Table.encode(frame, schema) for name, frame in tables.items()}
    method = shoal.MDAV()

    def group(table: Table, k: int) -> float:
        rng = np.random.default_rng(0)
        return cpu(lambda: method.group(table, [shoal.KAnonymity(k)], rng=rng))

    group(encoded["Adult 45,222"].take(np.arange(100)), 5)  # loads the kernel
    figures: Figures = {}
    seconds = {(name, k): group(encoded[name], k) for name in encoded for k in (5, 10, 25)}
    for (name, k), spent in seconds.items():
        figures[f"{name}, k = {k} (s CPU)"] = spent
    grown = seconds["census 100,000", 5] / seconds["census 25,000", 5]
    figures["growth exponent, census, k = 5"] = math.log(grown) / math.log(4)
    return figures
