"""How groups are released: published cells from groups, and groups from published cells."""

from shoal.publications.recoding.cells import CategoryCells, Cells, NumberCells, Recoded
from shoal.publications.recoding.centres import represent
from shoal.publications.recoding.counts import expected_count, true_count
from shoal.publications.recoding.generalized import generalize
from shoal.publications.recoding.parse import parse
from shoal.publications.recoding.unique_end_points import UniqueEndPoints, unique_end_points

__all__ = [
    "CategoryCells",
    "Cells",
    "NumberCells",
    "Recoded",
    "UniqueEndPoints",
    "expected_count",
    "generalize",
    "parse",
    "represent",
    "true_count",
    "unique_end_points",
]
