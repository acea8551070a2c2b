"""Mondrian: CPU time on a large table, and what it loses beside GAA-CP."""

from __future__ import annotations

import numpy as np

import shoal
from benchmarks.timing import Figures, cpu
from shoal.measures import Pair, measure_all
from shoal.methods import Method
from shoal.models import Requirement
from shoal.plan import Plan
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import generalize
from shoal.table import Table

__all__ = ["mondrian"]


def mondrian() -> Figures:
    """Mondrian's grouping: Adult complete and `census` of a million rows, 8 QIs, k = 10."""
    schema = Plan.read(shoal.datasets.folder("adult") / "adult.toml").schema_()
    tables = {
        "Adult 45,222": Table.encode(shoal.datasets.adult(complete=True), schema),
        "census 1,000,000": Table.encode(shoal.datasets.census(1_000_000), schema),
    }
    small = tables["Adult 45,222"].select(np.arange(4000))
    needs: dict[str, list[Requirement]] = {
        "k = 10": [shoal.KAnonymity(10)],
        "(0.5, 10)": [shoal.AlphaK(0.5, 10)],
        "k = 10, l = 3": [shoal.KAnonymity(10), shoal.LDiversity(3)],
    }
    figures: Figures = {}
    for name, table in tables.items():
        _ = table.sensitive
        for text, require in needs.items():
            methods: list[Method] = [shoal.Mondrian(), shoal.Mondrian("relaxed")]
            if text == "k = 10":
                methods.append(shoal.GAACP(picks="first"))
            for method in methods:
                case = f"{name}, {text}: {method.name}"
                if isinstance(method, shoal.Mondrian):
                    case += f", {method.partitioning}"
                method.group(small, require, rng=np.random.default_rng(0))  # loads the kernels
                made: list[Grouping] = []
                figures[f"{case} (s CPU)"] = cpu(
                    lambda method=method, table=table, require=require, made=made: made.append(
                        method.group(table, require, rng=np.random.default_rng(0))
                    )
                )
                recoded = generalize(table, made[0], bounds="observed")
                measures = measure_all(Pair(table, recoded))
                figures |= {f"{case}: {each}": measures[each] for each in ("iloss", "loss")}
    return figures
