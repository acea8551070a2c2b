"""How groups are released: published cells from groups, and groups from published cells."""

from shoal.publications.recoding.cells import (
    CategoryCells as CategoryCells,
    Cells as Cells,
    NumberCells as NumberCells,
    Recoded as Recoded,
)
from shoal.publications.recoding.centres import represent as represent
from shoal.publications.recoding.counts import (
    expected_count as expected_count,
    true_count as true_count,
)
from shoal.publications.recoding.generalized import generalize as generalize
from shoal.publications.recoding.parse import parse as parse
from shoal.publications.recoding.unique_end_points import (
    UniqueEndPoints as UniqueEndPoints,
    unique_end_points as unique_end_points,
)
