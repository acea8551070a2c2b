"""How the time of each method grows with the rows, from 100,000 to five million.

`python -m benchmarks growth` measures all methods, which takes most of an hour. A table is left out
where a method may take more than ten minutes of CPU on it, and the figures say so. The environment
says less or more: `SHOAL_GROWTH_METHODS` names some methods with commas between,
`SHOAL_GROWTH_ROWS` the numbers of rows, such as `100000,1000000`, and `SHOAL_GROWTH_SECONDS` what a
method may take.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence

import numpy as np

import shoal
from benchmarks.timing import Figures, cpu
from shoal.errors import ShoalError
from shoal.plan import Plan
from shoal.table import Table
from shoal.table.levels import read_levels

__all__ = ["growth"]

ROWS = "100000,1000000,5000000"
SENSITIVE = ("education", "occupation", "marital-status", "race", "workclass")
EXACT = ("age", "sex", "salary-class", "native-country")
"""The quasi-identifiers where sensitive columns are many."""

Case = tuple[shoal.Schema, list[shoal.models.Requirement]]


def growth() -> Figures:
    """Grouping of `census` by every method: seconds of CPU, and the exponent of their growth."""
    sizes = [int(rows) for rows in os.environ.get("SHOAL_GROWTH_ROWS", ROWS).split(",")]
    most = float(os.environ.get("SHOAL_GROWTH_SECONDS", "600"))
    named = os.environ.get("SHOAL_GROWTH_METHODS", ",".join(shoal.methods.METHODS)).split(",")
    seconds: dict[str, dict[int, float]] = {name: {} for name in named}
    figures: Figures = {}
    for n in sizes:
        frame = shoal.datasets.census(n)
        tables: dict[str, Table] = {}
        for name, taken in seconds.items():
            kind = shoal.methods.METHODS[name]
            method = kind(**({"seed": 1} if kind.draws() else {}))
            needs = kind.needs or "nothing"
            if taken and _expected(taken, n) > most:
                figures[f"{name}: {n:,} rows"] = f"not run: it may take more than {most:g} s"
                continue
            schema, require = _case(needs)
            if needs not in tables:
                tables[needs] = Table.encode(frame.select(*schema), schema)
                _ = tables[needs].sensitive, tables[needs].trees
            try:
                taken[n] = _measured(tables[needs], method, require)
            except ShoalError as error:
                figures[f"{name}: {n:,} rows"] = f"refused: {error}"
                continue
            print(f"{name:20} {n:12,} rows {taken[n]:9.2f} s CPU", flush=True)
    for name, taken in seconds.items():
        figures |= {f"{name}: {n:,} rows (s CPU)": spent for n, spent in taken.items()}
        if len(taken) > 1:
            first, last = min(taken), max(taken)
            grown = math.log(taken[last] / taken[first]) / math.log(last / first)
            figures[f"{name}: growth exponent, {first:,} to {last:,}"] = grown
    return figures


def _expected(taken: dict[int, float], n: int) -> float:
    """Say what a larger table takes at most, if the time grows no faster than with the square."""
    last = max(taken)
    return taken[last] * (n / last) ** 2


def _measured(
    table: Table, method: shoal.methods.Method, require: Sequence[shoal.models.Requirement]
) -> float:
    some = table.select(
        np.arange(4000), ranges="own"
    )  # loads the kernels, which is not what is measured
    method.group(some, require, rng=np.random.default_rng(1))
    return cpu(lambda: method.group(table, require, rng=np.random.default_rng(1)))


def _case(needs: str) -> Case:
    """Give a schema and requirements that a method can work with."""
    schema = Plan.read(shoal.datasets.folder("adult") / "adult.toml").schema_()
    schema = shoal.Schema({name: schema[name] for name in (*schema.quasi, "occupation")})
    if needs == "shares":
        return schema, [shoal.AlphaK(0.25, 4)]
    if needs == "levels":
        path = shoal.datasets.folder("adult") / "levels" / "occupation.csv"
        levels = {**read_levels(path), "": 3}  # the census has missing occupations
        leveled = shoal.LeveledAlphaK(levels, [0.2, 0.3, 0.35, 0.4, 0.5], 4)
        return schema.with_column("occupation", levels=levels), [leveled]
    if needs == "values":
        columns = {name: shoal.quasi() for name in EXACT}
        wanted = shoal.MultiLDiversity(dict.fromkeys(SENSITIVE, 3), lower=True)
        return shoal.Schema(columns | {name: shoal.sensitive() for name in SENSITIVE}), [wanted]
    return schema, [shoal.KAnonymity(5)]
