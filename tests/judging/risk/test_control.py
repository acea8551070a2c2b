"""Controls draw from the values that a cell covers, and from no others."""

from __future__ import annotations

import numpy as np
import polars as pl

import shoal
from shoal.judging.risk.control import redrawn
from shoal.publications.recoding import NumberCells
from shoal.table import Table


def drawn(open_end: bool) -> set[float]:
    """Draw values for rows that are published as 20 to 30; 30 is a value of the table, too."""
    frame = pl.DataFrame({"age": [20, 25, 30, 35] * 50})
    column = Table.encode(frame, shoal.Schema({"age": shoal.quasi(kind="numeric")})).quasi[0]
    cells = NumberCells(
        index=np.zeros(len(frame), dtype=np.int64),
        lo=np.array([20]),
        hi=np.array([30]),
        star=np.array([False]),
        open_end=np.array([open_end]),
    )
    codes = redrawn(column, cells, column.codes.astype(np.int64), np.random.default_rng(1))
    return {float(each) for each in column.values[np.unique(codes)]}


def test_a_closed_range_covers_its_end() -> None:
    assert drawn(open_end=False) == {20, 25, 30}


def test_an_open_range_does_not_cover_its_end() -> None:
    assert drawn(open_end=True) == {20, 25}
