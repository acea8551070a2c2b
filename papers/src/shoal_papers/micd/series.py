"""What is measured of each method: its variants, the tables, the numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np

from shoal.measures import (
    Pair,
    count_query_error,
    degree_spread,
    highly_sensitive,
    largest_group,
    noise_bound,
    noise_ratio,
    vulnerability,
    vulnerable_share,
)
from shoal.measures.protection.vulnerability import mostly_sensitive
from shoal.models import MultiLDiversity
from shoal.publications import SensitiveGroups
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table
from shoal_papers import adult
from shoal_papers.base import Cell
from shoal_papers.micd.grid import DECOMPOSITION, MICD, PLUS, SECRETS, TABLE_5
from shoal_papers.results import SEED
from shoal_papers.trial import Series, require_held, timed

__all__ = [
    "NUMBERS",
    "OURS",
    "PAPER",
    "QUASI",
    "SERIES",
    "SHUFFLED",
    "measure",
    "require_of",
    "table_of",
]

QUASI = ("age", "sex", "salary-class", "native-country")

PAPER = {
    DECOMPOSITION: Series("Decomposition", "decomposition"),
    PLUS: Series("Decomposition+", "decomposition-plus"),
    MICD: Series("MICD", "micd"),
}
"""The paper's three methods."""

OURS = {
    "micd-paper": Series("MICD, rest as printed", "micd", options={"leftovers": "paper"}),
    "micd-one-by-one": Series("MICD, noise one by one", "micd", options={"noise": "one-by-one"}),
    "micd-never": Series("MICD, no noise", "micd", options={"noise": "never"}),
}
"""MICD with the records that are left placed as printed; with noise one by one; without noise."""

SHUFFLED = {name: f"{name}-shuffled" for name in PAPER}
"""The paper's three methods on rows in random order, by which ties are broken otherwise."""

SERIES = PAPER | OURS | {other: PAPER[name] for name, other in SHUFFLED.items()}

NUMBERS = (
    "vulnerability",
    "vulnerability_last",
    "vulnerability_table_5",
    "vulnerability_half",
    "noise_ratio",
    "noise_bound",
    "noise_sensitive",
    "degree_spread",
    "count_query_error",
    "groups",
    "largest_group",
    "suppressed",
    "cpu_seconds",
)


def measure(cell: Cell, rows: int) -> dict[str, float]:
    """Group once, take the time of that alone, and measure the publication."""
    name, primary, seed = str(cell["method"]), str(cell["primary"]), int(cell[SEED])
    shuffled = seed if name in SHUFFLED.values() else None
    table = table_of(rows, int(cell["secrets"]), shuffled)
    require = require_of(table, int(cell["l"]))
    series = SERIES[name]
    method = replace(series, options={**series.options, "primary": primary}).build(seed)
    rng = np.random.default_rng(seed)
    made = timed(lambda: method.group(table, [require], rng=rng))
    require_held(table, made.grouping, [require], method.name)
    ids = np.arange(made.grouping.n_groups) + 1
    pair = Pair(table, SensitiveGroups().make(table, made.grouping, ids).recoded)
    wanted = {name: min(require.l[name], table.sensitive[name].size) for name in require.l}
    return {
        "vulnerability": vulnerability.of(pair),
        "vulnerability_last": _last(pair, made.grouping.n_groups),
        "vulnerability_table_5": vulnerable_share(pair, values=_printed(wanted)),
        "vulnerability_half": vulnerable_share(pair, threshold=0.5),
        "noise_ratio": noise_ratio.of(pair),
        "noise_bound": noise_bound(wanted, primary),
        "noise_sensitive": _sensitive_noise(table, made.grouping),
        "degree_spread": degree_spread.of(pair),
        "count_query_error": count_query_error.of(pair),
        "groups": made.grouping.n_groups,
        "largest_group": largest_group.of(pair),
        "suppressed": made.grouping.n_suppressed / table.n_rows,
        "cpu_seconds": made.cpu_seconds,
    }


@lru_cache(maxsize=16)
def table_of(rows: int, count: int, shuffled: int | None = None) -> Table:
    """Encode so many rows with the first sensitive columns, shuffled by a seed if need be."""
    table = adult.encoded(QUASI, SECRETS[:count], rows=rows, complete=True, train=True)
    if shuffled is None:
        return table
    return Table.encode(table.frame.sample(fraction=1, shuffle=True, seed=shuffled), table.schema)


def require_of(table: Table, least: int) -> MultiLDiversity:
    """Ask for l values of every sensitive column, or for all where there are fewer."""
    return MultiLDiversity(dict.fromkeys(table.sensitive, least), lower=True)


def _printed(wanted: Mapping[str, int]) -> dict[str, tuple[str, ...]]:
    return {name: TABLE_5[name] for name in wanted}


def _last(pair: Pair, groups: int) -> float:
    """Give the share of groups that are open to an attack and in the last tenth that opened."""
    opened = np.zeros(groups, dtype=np.bool_)
    for name, column in pair.table.sensitive.items():
        opened |= mostly_sensitive(pair.shown[name], highly_sensitive(column), groups)
    return int(opened[groups * 9 // 10 :].sum()) / groups


def _sensitive_noise(table: Table, grouping: Grouping) -> float:
    """Say which share of the added values is highly sensitive; 0 where none was added."""
    added = [
        highly_sensitive(table.sensitive[name])[padding.value]
        for name, padding in grouping.padding.items()
    ]
    return float(np.concatenate(added).mean()) if added else 0.0
