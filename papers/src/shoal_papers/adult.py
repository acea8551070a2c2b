"""Adult as the papers' experiments use it: some columns, a sample of rows, more missing cells."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import polars as pl

from shoal import datasets
from shoal.table import Table
from shoal.table.hierarchies import CsvFile
from shoal.table.levels import read_levels
from shoal.table.schema import Column, Schema, quasi, sensitive

__all__ = [
    "ROWS",
    "SAMPLE_SEED",
    "TRAIN",
    "TRAIN_COMPLETE",
    "bundled",
    "encoded",
    "rows_of",
    "sample",
]

ROWS, COMPLETE = 48_842, 45_222
"""Rows in all, and rows without a missing cell."""

TRAIN, TRAIN_COMPLETE = 32_561, 30_162
"""The same of the train part, which comes first."""

SAMPLE_SEED = 2017
"""Draws the rows of smaller tables; a smaller table is a part of every larger one."""


@lru_cache(maxsize=64)
def encoded(
    names: tuple[str, ...],
    secrets: tuple[str, ...],
    *,
    rows: int,
    complete: bool = False,
    missing: tuple[float, int] | None = None,
    train: bool = False,
    sample_seed: int = SAMPLE_SEED,
    levels: bool = False,
) -> Table:
    """Encode some quasi-identifiers and sensitive columns, with the bundled hierarchies.

    Parameters
    ----------
    rows
        How many; fewer than all are a random sample.
    complete
        Whether only rows without a missing cell take part.
    missing
        The wanted share of missing quasi-identifier cells, and the seed that draws them.
    train
        Whether only rows of the train part take part.
    sample_seed
        Draws the sample.
    levels
        Whether the sensitive columns have their bundled levels.
    """
    every = rows_of(complete=complete, train=train).select(*names, *secrets)
    frame = sample(every, rows, sample_seed)
    if missing is not None:
        rate, seed = missing
        frame = datasets.with_missing(frame, rate, seed, list(names))
    columns = {name: _column(name) for name in names}
    for name in secrets:
        graded = read_levels(bundled("levels", name)) if levels else None
        columns[name] = sensitive(levels=graded)
    table = Table.encode(frame, Schema(columns))
    _ = table.trees  # encoding is no part of any method's time
    return table


def rows_of(*, complete: bool = False, train: bool = False) -> pl.DataFrame:
    """Read all rows, those of the train part, or those of either without a missing cell."""
    frame = datasets.adult()
    part = frame.head(TRAIN) if train else frame
    return part.drop_nulls() if complete else part


def sample(frame: pl.DataFrame, rows: int, seed: int = SAMPLE_SEED) -> pl.DataFrame:
    """Draw rows, and keep their order."""
    if rows >= frame.height:
        return frame
    order = np.random.default_rng(seed).permutation(frame.height)
    return frame[np.sort(order[:rows])]


def _column(name: str) -> Column:
    """Declare a column: Age is a number, with a tree for methods that climb one."""
    tree = CsvFile(bundled("hierarchies", name))
    return quasi(kind="numeric" if name == "age" else "categorical", hierarchy=tree)


def bundled(kind: str, name: str) -> Path:
    """Find the bundled file of a column: its hierarchy, or its levels."""
    return datasets.folder("adult") / kind / f"{name}.csv"
