"""Adult as the papers' experiments use it: some columns, a sample of rows, more missing cells."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import polars as pl

from shoal import datasets
from shoal.hierarchies import CsvFile
from shoal.schema import Column, Schema, quasi, sensitive
from shoal.table import Table

__all__ = ["ROWS", "SAMPLE_SEED", "encoded"]

ROWS, COMPLETE = 48_842, 45_222
"""Rows in all, and rows without a missing cell."""

SAMPLE_SEED = 2017
"""Draws the rows of smaller tables; a smaller table is a part of every larger one."""


@lru_cache(maxsize=64)
def encoded(
    names: tuple[str, ...],
    protected: str,
    *,
    rows: int,
    complete: bool = False,
    missing: tuple[float, int] | None = None,
) -> Table:
    """Encode some quasi-identifiers and a sensitive column, with the bundled hierarchies.

    Parameters
    ----------
    rows
        How many; fewer than all are a random sample.
    complete
        Whether only rows without a missing cell take part.
    missing
        The wanted share of missing quasi-identifier cells, and the seed that draws them.
    """
    frame = _sample(datasets.adult(complete=complete).select(*names, protected), rows)
    if missing is not None:
        rate, seed = missing
        frame = datasets.with_missing(frame, rate, seed, list(names))
    columns = {name: _column(name) for name in names}
    table = Table.encode(frame, Schema({**columns, protected: sensitive()}))
    _ = table.trees  # encoding is no part of any method's time
    return table


def _sample(frame: pl.DataFrame, rows: int) -> pl.DataFrame:
    if rows >= frame.height:
        return frame
    order = np.random.default_rng(SAMPLE_SEED).permutation(frame.height)
    return frame[np.sort(order[:rows])]


def _column(name: str) -> Column:
    """Declare a column: Age is a number, with a tree for methods that climb one."""
    tree = datasets.folder("adult") / "hierarchies" / f"{name}.csv"
    kind = "numeric" if name == "age" else "categorical"
    return quasi(kind=kind, hierarchy=CsvFile(tree))
