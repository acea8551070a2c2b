"""Random COUNT queries, the same for every publication of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.arguments import require_kind, require_whole
from shoal.base.arrays import Ints
from shoal.kernels.collapse import collapse
from shoal.models.exact.shares import fraction
from shoal.publications.recoding import expected_count, true_count
from shoal.publications.recoding.cells import Recoded
from shoal.publications.recoding.counts import Wanted
from shoal.table import NumericColumn, QuasiColumn, Table


@dataclass(frozen=True)
class CountQuery:
    """How many rows are in all of some sets?

    Parameters
    ----------
    where
        Per quasi-identifier the set asked for: codes of categories, or a range of numbers.
    values
        Per sensitive column the codes that are asked for; empty: none is asked.
    """

    where: dict[str, Wanted]
    values: dict[str, frozenset[int]] = field(default_factory=dict)

    def true(self, table: Table, alike: Ints | None = None) -> int:
        """Count in the original; a missing cell is in no set."""
        return true_count(table, self.where, self.values, alike=alike)

    def estimate(self, table: Table, recoded: Recoded, alike: Ints | None = None) -> float:
        """Estimate from a publication, each cell standing for all its values equally."""
        return expected_count(table, recoded, self.where, self.values, alike=alike)


@dataclass(frozen=True)
class Condensed:
    """A table and its publication with equal rows once, for the answers of many queries.

    ``table`` holds the different rows of the original, and ``alike`` how often each occurs.
    ``shown`` is what the table must say of the different published rows in ``recoded``.
    """

    table: Table
    alike: Ints
    shown: Table
    recoded: Recoded
    shown_alike: Ints

    @classmethod
    def of(cls, table: Table, recoded: Recoded) -> Condensed:
        """Find the different rows."""
        held = {name: column.codes for name, column in table.sensitive.items()}
        first, alike = _different(
            [*(column.codes for column in table.quasi), *held.values()],
            [*(column.size + 1 for column in table.quasi), *_sizes(table)],
        )
        groups, shown = recoded.groups, recoded.shown
        beside = [codes[recoded.rows] for codes in held.values()]
        sizes = _sizes(table)
        if groups is not None:  # nobody knows which value of a group belongs to which row
            shown = {name: recoded.values(table, name) for name in held}
            beside, sizes = [groups], [int(groups.max(initial=-1)) + 1]
        classes = recoded.classes
        shown_first, shown_alike = _different(
            [classes, *beside], [int(classes.max(initial=-1)) + 1, *sizes]
        )
        rows = np.arange(len(shown_first))
        return cls(
            table.select(first, ranges="whole"),
            alike,
            table.select(recoded.rows[shown_first], ranges="whole"),
            replace(
                recoded,
                rows=rows,
                columns=tuple(replace(c, index=c.index[shown_first]) for c in recoded.columns),
                groups=None if groups is None else groups[shown_first],
                shown=shown,
            ),
            shown_alike,
        )


def _sizes(table: Table) -> list[int]:
    return [column.size for column in table.sensitive.values()]


def _different(
    columns: Sequence[npt.NDArray[Any]], sizes: Sequence[int]
) -> tuple[npt.NDArray[np.intp], Ints]:
    """Find a row of each kind, and how many there are."""
    kinds = collapse(columns, sizes)
    alike = np.bincount(kinds).astype(np.int64)
    first = np.zeros(len(alike), dtype=np.intp)
    first[kinds] = np.arange(len(kinds))
    return first, alike


def workload(
    table: Table,
    *,
    queries: int = 100,
    columns: int = 3,
    secrets: int = 1,
    selectivity: float = 0.1,
    seed: int = 0,
) -> Iterator[CountQuery]:
    """Draw COUNT queries for a table; the same seed gives the same ones.

    Parameters
    ----------
    queries
        How many.
    columns
        How many quasi-identifiers each one asks for (all, where there are fewer). Columns
        without a value are not asked for.
    secrets
        How many sensitive columns each one asks for, besides (all, where there are fewer).
    selectivity
        About which share of the rows a query would select if the columns were even and
        independent: each of its sets holds selectivity^(1/sets) of the column's values. A set
        of numbers is a range, from one value to another; of categories, any that occur.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> schema = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()})
    >>> frame = pl.DataFrame({"age": [20, 25, 30], "ill": ["flu", "HIV", "flu"]})
    >>> [query] = workload(shoal.table.Table.encode(frame, schema), queries=1, seed=1)
    >>> [*query.where], [*query.values]
    (['age'], ['ill'])
    """
    require_kind("table", table, Table, "a Table", "Make one with shoal.table.Table.encode.")
    require_whole("queries", queries, 1)
    require_whole("columns", columns, 1)
    require_whole("secrets", secrets, 0, "Such as 1.")
    require_whole("seed", seed, 0)
    selected = float(fraction("selectivity", selectivity))
    rng = np.random.default_rng(seed)
    occurring = ((column, np.flatnonzero(column.counts[: column.size])) for column in table.quasi)
    present = [(column, codes) for column, codes in occurring if len(codes)]
    sizes = {name: column.size for name, column in table.sensitive.items()}
    n_quasi, n_sensitive = min(columns, len(present)), min(secrets, len(sizes))
    share = selected ** (1 / max(n_quasi + n_sensitive, 1))
    for _ in range(queries):
        chosen = (
            np.sort(rng.choice(len(present), n_quasi, replace=False)).tolist() if n_quasi else []
        )
        chosen_columns = [present[i] for i in chosen]
        where = {column.name: _set(rng, column, codes, share) for column, codes in chosen_columns}
        names = list(sizes)
        if n_sensitive < len(names):
            names = [names[i] for i in np.sort(rng.choice(len(names), n_sensitive, replace=False))]
        values = {}
        for name in names:
            drawn = rng.choice(sizes[name], _some(share, sizes[name]), replace=False)
            values[name] = frozenset(drawn.tolist())
        yield CountQuery(where, values)


def _set(
    rng: np.random.Generator, column: QuasiColumn, present: npt.NDArray[np.intp], share: float
) -> Wanted:
    """Draw a range of numbers, or any categories that occur."""
    size = _some(share, len(present))
    if isinstance(column, NumericColumn):
        start = int(rng.integers(0, len(present) - size + 1))
        lo, hi = present[start], present[start + size - 1]
        return column.values[lo].item(), column.values[hi].item()
    return frozenset(rng.choice(present, size, replace=False).tolist())


def _some(share: float, size: int) -> int:
    """Take a share of the values, at least one."""
    return max(int(np.ceil(share * size - 1e-9)), 1)
