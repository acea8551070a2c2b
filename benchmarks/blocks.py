"""Large tables in blocks against the same tables as a whole."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numpy as np

import shoal
from benchmarks.thirteen import thirteen_columns
from benchmarks.timing import Figures
from shoal.engines.blocks.working import group_in_blocks
from shoal.measures import MEASURES, Pair
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import generalize
from shoal.table import Table

__all__ = ["blocks"]


def blocks() -> Figures:
    """GAA-CP in blocks, `census`, k = 10: loss and time beside those of the table as a whole."""
    figures: Figures = {}
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    narrow = plan.schema_()
    for label, rows, schema, counts in (
        ("1,000,000 × 8", 1_000_000, narrow, (4, 16)),
        ("1,000,000 × 13", 1_000_000, thirteen_columns(), (4, 17)),
    ):
        table = Table.encode(shoal.datasets.census(rows).select(list(schema)), schema)
        need, method = [shoal.KAnonymity(10)], shoal.GAACP(picks="first")
        method.group(
            table.select(np.arange(50_000), ranges="whole"), need, rng=_rng()
        )  # loads the kernels
        whole, cpu, wall = _measured(partial(method.group, table, need, rng=_rng()))
        base = _loss(table, whole)
        figures[f"{label}: whole, iloss"] = base
        figures[f"{label}: whole, CPU (s)"] = cpu
        figures[f"{label}: whole, on the clock (s)"] = wall
        for count in counts:
            found, cpu, wall = _measured(
                partial(group_in_blocks, table, need, method, count, seed=1)
            )
            figures[f"{label}: {count} blocks, more lost (%)"] = 100 * (
                _loss(table, found) / base - 1
            )
            figures[f"{label}: {count} blocks, CPU (s)"] = cpu
            figures[f"{label}: {count} blocks, on the clock (s)"] = wall
    return figures


def _rng() -> np.random.Generator:
    return np.random.default_rng(1)


def _measured(make: Callable[[], Grouping]) -> tuple[Grouping, float, float]:
    cpu, wall = time.process_time(), time.perf_counter()
    made = make()
    return made, time.process_time() - cpu, time.perf_counter() - wall


def _loss(table: Table, groups: Grouping) -> float:
    return MEASURES["iloss"].of(Pair(table, generalize(table, groups, bounds="observed")))
