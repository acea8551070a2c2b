"""Parts of a table round to the grid of the whole, where they are told it."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import generalize
from shoal.publications.recoding.grid import grid_step
from shoal.table import Table


def test_a_part_shows_what_the_whole_shows() -> None:
    table = Table.encode(pl.DataFrame({"pay": [11, 13, 502, 508, 950, 2000]}), {"pay": "quasi"})
    labels = np.array([0, 0, 1, 1, 2, 2], dtype=np.int32)
    whole = generalize(table, Grouping(labels))
    step = grid_step(table.quasi[0].values)  # type: ignore[union-attr]
    words = np.array(whole.columns[0].texts())[whole.columns[0].index]
    for rows in (np.arange(2), np.arange(2, 4)):
        part, own = table.select(rows, ranges="whole"), Grouping(labels[rows] - labels[rows[0]])
        told = generalize(part, own, steps={"pay": step}).columns[0]
        assert np.array(told.texts())[told.index].tolist() == words[rows].tolist()
        alone = generalize(part, own).columns[0]
        assert np.array(alone.texts())[alone.index].tolist() != words[rows].tolist()
