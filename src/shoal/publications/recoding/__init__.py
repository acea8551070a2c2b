"""How groups are released: published cells from groups, and groups from published cells."""

from shoal.publications.recoding.cells import CategoryCells, Cells, NumberCells, Recoded
from shoal.publications.recoding.centres import represent
from shoal.publications.recoding.counts import expected_count, true_count
from shoal.publications.recoding.generalized import generalize
from shoal.publications.recoding.lone_ends import LoneEnds, lone_ends
from shoal.publications.recoding.parse import parse

__all__ = [
    "CategoryCells",
    "Cells",
    "LoneEnds",
    "NumberCells",
    "Recoded",
    "expected_count",
    "generalize",
    "lone_ends",
    "parse",
    "represent",
    "true_count",
]
