"""Full-domain search: CPU time, and how much of the lattice is looked at."""

from __future__ import annotations

import itertools
import time
from typing import Any

import numpy as np
import polars as pl

import shoal
from benchmarks.timing import Figures, cpu
from shoal.methods.lattice._losses import score_of
from shoal.methods.lattice._method import lattice_of
from shoal.models import Requirement
from shoal.table import Table

__all__ = ["full_domain", "full_domain_secrets"]


def full_domain() -> Figures:
    """The proven optimum of loss over the full-domain lattice, against exhaustive enumeration.

    A warm ARX was measured on such a machine, outside this run, at about 0.04 to 0.07 s, 1.2 to
    1.8 s and 4 to 7 s of CPU for limits of 0, 2 % and 100 %, with 9 quasi-identifiers of Adult
    and a lattice of about 13,000 nodes; with 11 and 414,720 nodes at 539 nodes and 0.5 s for a
    limit of 0. The first search of each kind loads kernels, so each is done twice; the second one
    counts.
    """
    figures: Figures = {}
    nine = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex"]
    nine += ["native-country", "salary-class"]
    adult = shoal.datasets.adult(complete=True)
    table = _laddered(adult, nine)
    shoal.FullDomain().search(table.select(np.arange(300)), [shoal.KAnonymity(5)])
    for k in (2, 5, 10):
        for limit in (0.0, 0.02, 1.0):
            case = f"Adult 45,222, 9 QIs, k = {k}, limit {limit:.0%}"
            made, lattice, found = _searched(case, table, [shoal.KAnonymity(k)], limit)
            figures |= {**made, f"{case}: loss": found.score}
            figures["Adult, 9 QIs: nodes of the lattice"] = lattice.size
    figures |= _exhaustive(table, 5, 0.02)
    secret = _laddered(adult, nine, sensitive="salary-class")
    for limit in (0.02, 1.0):
        case = f"Adult 45,222, 8 QIs, (0.9, 5), limit {limit:.0%}"
        figures |= _searched(case, secret, [shoal.AlphaK(0.9, 5)], limit)[0]
    eleven = [*nine[:-1], "relationship", "hours-per-week", "education-num"]
    wide = _laddered(adult, eleven)
    for limit in (0.0, 0.02, 1.0):
        case = f"Adult 45,222, 11 QIs, k = 5, limit {limit:.0%}"
        made, lattice, _ = _searched(case, wide, [shoal.KAnonymity(5)], limit)
        figures |= {"Adult, 11 QIs: nodes of the lattice": lattice.size, **made}
    million = _laddered(shoal.datasets.census(1_000_000), nine)
    for limit in (0.0, 0.02, 1.0):
        case = f"census 1,000,000, 9 QIs, k = 5, limit {limit:.0%}"
        figures |= _searched(case, million, [shoal.KAnonymity(5)], limit)[0]
    return figures


def full_domain_secrets() -> Figures:
    """The same with requirements on values: how spread they are, and how close to the table's.

    ARX was measured outside this run, beside an earlier Shoal that did not judge classes by
    kernels: that one was 0.6 to 1.2 times as fast as ARX with entropy and recursive l-diversity,
    and ARX 1.1 to 2.8 times as fast with t-closeness and suppression. Decision 011 has its times.
    """
    figures: Figures = {}
    adult = shoal.datasets.adult(complete=True)
    nine = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex"]
    nine += ["native-country", "salary-class"]
    k = shoal.KAnonymity(5)
    cases: dict[str, tuple[str, list[Requirement]]] = {
        "entropy 5": ("occupation", [k, shoal.LDiversity(5, "entropy")]),
        "recursive (4, 3)": ("occupation", [k, shoal.LDiversity(3, "recursive", c=4)]),
        "entropy 4": ("education", [k, shoal.LDiversity(4, "entropy")]),
        "recursive (3, 3)": ("education", [k, shoal.LDiversity(3, "recursive", c=3)]),
        "t = 0.2": ("occupation", [k, shoal.TCloseness(0.2)]),
        "t = 0.3": ("education", [k, shoal.TCloseness(0.3)]),
        "t = 0.2, two values": ("salary-class", [k, shoal.TCloseness(0.2)]),
        "t = 0.1, ordered": ("hours-per-week", [k, shoal.TCloseness(0.1, distance="ordered")]),
        "(0.9, 5)": ("salary-class", [shoal.AlphaK(0.9, 5)]),
    }
    for name, (secret, require) in cases.items():
        quasi = [column for column in nine if column != secret]
        table = _laddered(adult, quasi, sensitive=secret)
        for limit in (0.0, 0.02, 0.05, 1.0):
            case = f"Adult 45,222, {len(quasi)} QIs, {secret}, {name}, limit {limit:.0%}"
            figures |= _searched(case, table, require, limit)[0]
    return figures


def _laddered(frame: pl.DataFrame, names: list[str], sensitive: str | None = None) -> Table:
    """Encode columns with the bundled hierarchies, other numbers in a few intervals."""
    trees = shoal.datasets.folder("adult") / "hierarchies"
    small = {"hours-per-week": 2, "education-num": 1}  # levels of intervals
    columns = {}
    for name in names:
        if name in small:
            tree = shoal.hierarchies.Intervals(bins=4, levels=small[name])
            columns[name] = shoal.quasi(kind="numeric", hierarchy=tree)
            continue
        columns[name] = shoal.quasi(
            kind="numeric" if name == "age" else "categorical",
            hierarchy=shoal.Hierarchy.from_csv(trees / f"{name}.csv"),
        )
    if sensitive is not None:
        columns[sensitive] = shoal.sensitive()
    table = Table.encode(frame.select(list(columns)), shoal.Schema(columns))
    _ = table.trees
    return table


def _searched(
    case: str, table: Table, require: list[Requirement], limit: float
) -> tuple[Figures, Any, Any]:
    """Search, and say what it took: CPU time, seconds by the clock, nodes, and whether proven."""
    method = shoal.FullDomain(suppression_limit=limit)
    made: list[Any] = []
    method.search(table, require)  # what is loaded first is not measured
    begin = time.perf_counter()
    spent = cpu(lambda: made.append(method.search(table, require)))
    lattice, found = made[0]
    figures: Figures = {
        f"{case} (s CPU)": spent,
        f"{case} (s)": time.perf_counter() - begin,
        f"{case}: nodes examined": found.evaluated,
        f"{case}: optimal": str(found.optimal),
    }
    return figures, lattice, found


def _exhaustive(table: Table, k: int, limit: float) -> Figures:
    """Look at every node of the lattice."""
    lattice = lattice_of(table, [shoal.KAnonymity(k)], "loss")
    key = score_of(lattice, "loss")
    best: list[float] = []

    def all_nodes() -> None:
        nodes = itertools.product(*(range(height + 1) for height in lattice.heights))
        holding = [n for n in nodes if lattice.node_at(n).suppressed <= limit * table.n_rows]
        best.append(min(map(key, holding))[0])

    spent = cpu(all_nodes)
    case = f"Adult 45,222, 9 QIs, k = {k}, limit {limit:.0%}, every node"
    return {f"{case} (s CPU)": spent, f"{case}: loss": best[0]}
