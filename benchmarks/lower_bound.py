"""Lower bounds: how high they are, and how long that takes."""

from __future__ import annotations

import numpy as np

import shoal
from benchmarks import stays
from benchmarks.timing import Figures, cpu
from shoal.improve.lower_bound import LowerBound
from shoal.measures import Pair, measure_all
from shoal.publications.recoding import generalize
from shoal.table import Table

__all__ = ["lower_bound"]

SECONDS = 60.0


def lower_bound() -> Figures:
    """Lower bounds of iloss, observed ends: Adult complete, 8 QIs, and made-up hospital stays."""
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    tables = {
        "Adult 45,222": Table.encode(shoal.datasets.adult(complete=True), plan.schema_()),
        "stays 50,000": Table.encode(stays.stays(50_000), stays.schema()),
    }
    figures: Figures = {}
    for name, table in tables.items():
        shoal.measures.lower_bound(
            table.select(np.arange(500)), table.schema, 5, seconds=None, passes=2
        )
        for k in (5, 10, 25):
            figures |= _bounds(f"{name}, k = {k}", table, k)
    return figures


def _bounds(case: str, table: Table, k: int) -> Figures:
    figures: Figures = {}
    for kind in ("nearest", "boxes", "prices"):
        made: list[LowerBound] = []
        spent = cpu(
            lambda kind=kind, made=made: made.append(
                shoal.measures.lower_bound(table, table.schema, k, kind=kind, seconds=SECONDS)
            )
        )
        figures[f"{case}: {kind}"] = made[0].value
        figures[f"{case}: {kind} (s CPU)"] = spent
        if kind == "prices":
            figures[f"{case}: rounds"] = made[0].passes
    method = shoal.GAACP(picks="first")
    grouping = method.group(table, [shoal.KAnonymity(k)], rng=np.random.default_rng(0))
    recoded = generalize(table, grouping, bounds="observed", numbers=method.numbers)
    figures[f"{case}: GAA-CP"] = measure_all(Pair(table, recoded))["iloss"]
    return figures
