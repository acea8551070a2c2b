"""What Gong et al. (2013) compare, and variants beside: how each is run, and what it loses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from shoal.measures import Pair, iloss_rate
from shoal.methods import Method
from shoal.models import KAnonymity
from shoal.publications.groups.grouping import SUPPRESSED, Grouping
from shoal.publications.recoding import generalize
from shoal.table import Table
from shoal.table.hierarchies import Flat, Intervals
from shoal_papers import adult
from shoal_papers.trial import Series, require_k, timed

__all__ = [
    "DRAWN",
    "NUMBERS",
    "QUASI",
    "SENSITIVE",
    "SERIES",
    "HoleSeries",
    "measure_costliest_pair",
    "measure_loss",
    "table_of",
]

Rows: TypeAlias = npt.NDArray[np.intp]
Trees: TypeAlias = Literal["bundled", "decades", "flat"]
Names: TypeAlias = tuple[str, ...]

QUASI = (
    "age",
    "sex",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
)
"""The paper's quasi-identifiers in its order; |QI| = q means the first q."""

SENSITIVE = "salary-class"

NUMBERS = (
    "iloss_rate",
    "generalization",
    "suppression",
    "iloss_rate_interval",
    "vmr",
    "classes",
    "cpu_seconds",
)
"""What is measured of each run."""


@dataclass(frozen=True)
class HoleSeries(Series):
    """A method, and what becomes of incomplete rows.

    Parameters
    ----------
    deleted
        Rows that are deleted first: none, those that miss any of the eight columns, or those that
        miss one of the quasi-identifiers in use.
    trees
        The hierarchies: the bundled ones; Age by decades below one root, as in figure 1; or
        categories below one root.
    settings
        Where it is run: ``"all"`` settings; those of fewer than eight quasi-identifiers
        (``"narrow"``); those of figure 7 (``"rates"``), the first of these (``"own"``), or the
        least |QI| of figure 6 (``"pairs"``).
    """

    deleted: Literal["none", "any", "used"] = "none"
    trees: Trees = "bundled"
    settings: Literal["all", "narrow", "rates", "own", "pairs"] = "all"


_BY_TREE = {"numbers": "tree"}

SERIES = {
    "kaim": HoleSeries("KAIM", "kaim"),
    "kaim-equation-9": HoleSeries("KAIM (equation 9)", "kaim", options={"distance": "equation-9"}),
    "k-member-drop": HoleSeries("k-member (rows deleted)", "k-member", "any", options=_BY_TREE),
    "k-member-drop-interval": HoleSeries("k-member (rows deleted, intervals)", "k-member", "any"),
    "k-member": HoleSeries("k-member (holes kept)", "k-member", options=_BY_TREE),
    "gaa-cp": HoleSeries("GAA-CP (holes kept, intervals)", "gaa-cp"),
    "k-member-drop-used": HoleSeries(
        "k-member (rows deleted by |QI|)", "k-member", "used", "bundled", "narrow", options=_BY_TREE
    ),
    "k-member-interval": HoleSeries(
        "k-member (holes kept, intervals)", "k-member", settings="rates"
    ),
    "kaim-decades": HoleSeries("KAIM (decades)", "kaim", trees="decades", settings="rates"),
    "k-member-drop-decades": HoleSeries(
        "k-member (rows deleted, decades)", "k-member", "any", "decades", "rates", options=_BY_TREE
    ),
    "kaim-flat": HoleSeries("KAIM (flat categories)", "kaim", trees="flat", settings="own"),
    "k-member-drop-flat": HoleSeries(
        "k-member (rows deleted, flat categories)",
        "k-member",
        "any",
        "flat",
        "own",
        options=_BY_TREE,
    ),
    "k-member-drop-pairs": HoleSeries(
        "k-member (rows deleted, costliest pair)",
        "k-member",
        "any",
        settings="pairs",
        options=_BY_TREE,
    ),
}
DRAWN = tuple(name for name, series in SERIES.items() if series.settings == "all")
"""The series of the figures."""


def table_of(n: int, names: Names, rate: int, seed: int, trees: Trees = "bundled") -> Table:
    """Encode some quasi-identifiers of n rows, with so many per cent of cells missing."""
    missing = (rate / 100, seed) if rate else None
    table = adult.encoded(names, (SENSITIVE,), rows=n, missing=missing)
    return table if trees == "bundled" else _grown(n, names, rate, seed, trees)


@lru_cache(maxsize=8)
def _grown(n: int, names: Names, rate: int, seed: int, trees: Trees) -> Table:
    """Encode the same cells with other trees."""
    table = table_of(n, names, rate, seed)
    schema = table.schema
    for name in names:
        if trees == "decades" and name == "age":
            schema = schema.with_column(name, hierarchy=Intervals(width=10, levels=1))
        elif trees == "flat" and name != "age":
            schema = schema.with_column(name, hierarchy=Flat())
    return Table.encode(table.frame, schema)


def measure_loss(
    series: HoleSeries, n: int, names: Names, rate: int, k: int, seed: int
) -> dict[str, float]:
    """Group once, and measure the publication; rows that were deleted are paid for."""
    drawn = seed if rate else 0
    table = table_of(n, names, rate, drawn, series.trees)
    rows = _kept(series.deleted, n, names, rate, drawn)
    part = table if len(rows) == n else table.select(rows) if len(rows) >= k else None
    if part is not None:
        _ = part.trees  # encoding is no part of any method's time
    method = series.build(seed)
    made = timed(lambda: _group(table, part, rows, k, method, seed))
    left = 0 if part is None else part.n_rows
    require_k(made.grouping, k, method.name, dropped=table.n_rows - left)
    loss = _loss(table, made.grouping, method.numbers)
    suppression = made.grouping.n_suppressed / table.n_rows
    by_interval = method.numbers == "intervals"
    found = (
        loss,
        loss - suppression,
        suppression,
        loss if by_interval else _loss(table, made.grouping, "intervals"),
        float(table.missing.mean()),
        made.grouping.n_groups,
        made.cpu_seconds,
    )
    return dict(zip(NUMBERS, found, strict=True))


def measure_costliest_pair(series: HoleSeries, n: int, k: int, seed: int) -> dict[str, float]:
    """Measure every pair of quasi-identifiers, and give the one that loses most."""
    found = (measure_loss(series, n, pair, 0, k, seed) for pair in combinations(QUASI, 2))
    return max(found, key=lambda each: each["iloss_rate"])


@lru_cache(maxsize=64)
def _kept(
    deleted: Literal["none", "any", "used"], n: int, names: Names, rate: int, seed: int
) -> Rows:
    """List the rows that are left."""
    kept = np.ones(n, dtype=np.bool_)
    if deleted != "none":
        kept &= ~table_of(n, names, rate, seed).missing.any(axis=1)
    if deleted == "any":
        kept &= ~table_of(n, QUASI, 0, 0).missing.any(axis=1)
    return np.flatnonzero(kept)


def _group(
    table: Table, part: Table | None, rows: Rows, k: int, method: Method, seed: int
) -> Grouping:
    """Group a part of a table, the rest suppressed; fewer than k rows leave nothing."""
    labels = np.full(table.n_rows, SUPPRESSED, dtype=np.int32)
    if part is not None:
        labels[rows] = method.group(part, [KAnonymity(k)], rng=np.random.default_rng(seed)).labels
    return Grouping(labels)


def _loss(table: Table, grouping: Grouping, numbers: Literal["intervals", "tree"]) -> float:
    published = generalize(table, grouping, bounds="observed", numbers=numbers)
    return iloss_rate.of(Pair(table, published))
