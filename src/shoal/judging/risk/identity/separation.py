"""Distinction and separation: how far columns tell people apart (Motwani and Xu 2007)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np

from shoal.base.arguments import is_whole
from shoal.base.plural import counted
from shoal.errors import ParameterError
from shoal.judging.risk.identity.records import Records, records
from shoal.table.schema import SchemaLike

_MOST = 20_000
"""The most sets that are examined."""


@dataclass(frozen=True)
class Separation:
    """How well a set of columns distinguishes rows.

    Parameters
    ----------
    distinction
        Different combinations of cells per row: 1 if the columns are a key.
    separation
        The share of pairs of rows that differ in one of the columns or more.
    uniques
        The share of rows that are alone with their cells.
    """

    columns: tuple[str, ...]
    distinction: float
    separation: float
    uniques: float

    def to_dict(self) -> dict[str, Any]:
        """Write it for programs."""
        return {**asdict(self), "columns": list(self.columns)}


def separation(
    table: Any,
    schema: SchemaLike | None = None,
    *,
    quasi: Sequence[str] | None = None,
    sizes: Iterable[int | Literal["all"]] = (1, 2, "all"),
) -> list[Separation]:
    """Measure how well each column, and each set of columns, distinguishes rows; private.

    Parameters
    ----------
    table, schema, quasi
        As in `reidentification`. Rows are counted, even where a person has several.
    sizes
        How many columns a set has; ``"all"`` for the set of all.

    Returns
    -------
    list of Separation
        The smaller sets first, and of these the ones that tell most apart.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": [30, 31, 32, 32], "sex": ["f", "f", "m", "f"]})
    >>> for each in shoal.risk.separation(table, quasi=["age", "sex"]):
    ...     print(each.columns, each.distinction, round(each.separation, 3), each.uniques)
    ('age',) 0.75 0.833 0.5
    ('sex',) 0.5 0.5 0.25
    ('age', 'sex') 1.0 1.0 1.0
    """
    found = records(table, schema, quasi=quasi)
    sets = _sets(len(found.names), sizes)
    made = [_of(found, columns) for columns in sets]
    return sorted(made, key=lambda each: (len(each.columns), -each.distinction, -each.separation))


def _of(found: Records, columns: Sequence[int]) -> Separation:
    rows = found.rows_per_class
    if len(columns) < len(found.names):
        numbers = found.grouped(columns)
        rows = np.bincount(numbers, rows).astype(np.int64)
    n = found.n_rows
    alike = int((rows * (rows - 1)).sum())
    pairs = n * (n - 1)
    return Separation(
        tuple(found.names[j] for j in columns),
        len(rows) / n,
        1.0 - alike / pairs if pairs else 1.0,
        int((rows == 1).sum()) / n,
    )


def _sets(n: int, sizes: Iterable[int | Literal["all"]]) -> list[tuple[int, ...]]:
    """List the sets of columns of some sizes."""
    usual = 'Such as (1, 2, "all").'
    if isinstance(sizes, str) or not isinstance(sizes, Iterable):
        raise ParameterError("sizes must be a list of sizes.", usual)
    wanted: list[int] = []
    for size in sizes:
        if size != "all" and (not is_whole(size) or size < 1):
            raise ParameterError(f"A set of columns cannot have the size {size!r}.", usual)
        wanted.append(n if isinstance(size, str) else size)
    made: list[tuple[int, ...]] = []
    for size in sorted({each for each in wanted if each <= n}):
        for columns in combinations(range(n), size):
            made.append(columns)
            if len(made) > _MOST:
                raise ParameterError(
                    f"{counted(n, 'column')} have more than {_MOST:,} sets of these sizes.",
                    "Name fewer columns with quasi, or smaller sizes.",
                )
    return made


def unique_share(found: Records) -> float:
    """Say which share of people are alone with all their quasi-identifiers."""
    return found.people_in(found.sizes == 1) / found.n_people


def unique_without(found: Records) -> dict[str, float]:
    """Say per column which share of people would still be alone without it.

    It is quicker than minimal unique sets, as it looks at one set per column, and says which
    columns matter beside all others.
    """
    made: dict[str, float] = {}
    every = range(len(found.names))
    for j, name in enumerate(found.names):
        rest = [other for other in every if other != j]
        if not rest:
            made[name] = 1.0 if found.n_people == 1 else 0.0
            continue
        numbers = found.grouped(rest)
        sizes = found.people_per(numbers[found.classes], int(numbers.max()) + 1)
        made[name] = found.people_in((sizes == 1)[numbers]) / found.n_people
    return made
