"""How groups are released: published cells from groups, and groups from published cells."""

from shoal.recode.cells import CategoryCells, NumberCells, Recoded
from shoal.recode.generalized import generalize
from shoal.recode.parse import parse

__all__ = ["CategoryCells", "NumberCells", "Recoded", "generalize", "parse"]
