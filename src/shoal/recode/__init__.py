"""How groups are released: published cells from groups, and groups from published cells."""

from shoal.recode.cells import CategoryCells, Cells, NumberCells, Recoded
from shoal.recode.centres import represent
from shoal.recode.counts import expected_count, true_count
from shoal.recode.generalized import generalize
from shoal.recode.lone_ends import LoneEnds, lone_ends
from shoal.recode.parse import parse

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
