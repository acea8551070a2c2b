"""How groups are released: published cells from groups, and groups from published cells."""

from shoal.recode.cells import CategoryCells, NumberCells, Recoded
from shoal.recode.counts import expected_count, true_count
from shoal.recode.generalized import generalize
from shoal.recode.parse import parse
from shoal.recode.two_table import TwoTables, two_table

__all__ = [
    "CategoryCells",
    "NumberCells",
    "Recoded",
    "TwoTables",
    "expected_count",
    "generalize",
    "parse",
    "true_count",
    "two_table",
]
