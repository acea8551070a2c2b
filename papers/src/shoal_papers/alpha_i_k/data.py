"""Adult as the paper on (αᵢ, k)-anonymity uses it, and its ages in the decades of table 9."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import polars as pl

from shoal.publications.recoding import NumberCells, Recoded
from shoal.table import Table
from shoal.table.hierarchies import Flat
from shoal.table.schema import Schema, quasi
from shoal_papers import adult

__all__ = ["QUASI", "ROWS", "SENSITIVE", "decades_of", "in_decades", "most_frequent", "table_of"]

QUASI = (
    "age",
    "workclass",
    "education",
    "marital-status",
    "relationship",
    "race",
    "sex",
    "native-country",
    "salary-class",
)
"""The quasi-identifiers in the order of table 9; |QI| = q means the first q."""

SENSITIVE, AGE = "occupation", "age"

ROWS = 10_000

YOUNGEST, DECADE, OLDEST = 20, 10, 70
"""Table 9's values of Age: below 20, five decades, 70 and above."""


def table_of(n: int, width: int, seed: int) -> Table:
    """Encode the first quasi-identifiers of a sample of n rows."""
    return adult.encoded(
        QUASI[:width],
        (SENSITIVE,),
        rows=n,
        complete=True,
        train=True,
        sample_seed=seed,
        levels=True,
    )


@lru_cache(maxsize=64)
def decades_of(n: int, width: int, seed: int) -> Table:
    """Encode the same rows with each age as the first year of its decade, directly below ``*``."""
    table = table_of(n, width, seed)
    first = (pl.col(AGE) // DECADE * DECADE).clip(YOUNGEST - DECADE, OLDEST)
    columns = {name: table.schema[name] for name in table.schema}
    columns[AGE] = quasi(kind="numeric", hierarchy=Flat())
    coarse = Table.encode(table.frame.with_columns(first.alias(AGE)), Schema(columns))
    _ = coarse.trees  # encoding is no part of any method's time
    return coarse


def in_decades(table: Table, recoded: Recoded) -> Recoded:
    """Widen every interval of ages to the smallest union of decades, as tables 2 and 3 publish."""
    (at,) = (i for i, column in enumerate(table.quasi) if column.name == AGE)
    cells = recoded.columns[at]
    assert isinstance(cells, NumberCells)
    ages = table.frame[AGE]
    low, high = (int(end) for end in (ages.min(), ages.max()))  # type: ignore[arg-type]
    lo = np.where(cells.lo < YOUNGEST, low, np.minimum(cells.lo // DECADE * DECADE, OLDEST))
    hi = np.where(cells.hi >= OLDEST, high, cells.hi // DECADE * DECADE + DECADE - 1)
    ends, index = np.unique(np.stack([lo, hi]), axis=1, return_inverse=True)
    wide = replace(
        cells,
        index=index.reshape(-1)[cells.index],
        lo=ends[0],
        hi=ends[1],
        star=np.zeros(ends.shape[1], dtype=np.bool_),
        open_end=np.zeros(ends.shape[1], dtype=np.bool_),
    )
    columns = (*recoded.columns[:at], wide, *recoded.columns[at + 1 :])
    return replace(recoded, columns=columns)


def most_frequent() -> float:
    """Give the share of the most frequent occupation."""
    counts = adult.rows_of(complete=True, train=True)[SENSITIVE].value_counts()["count"]
    return float(max(counts.to_list()) / counts.sum())
