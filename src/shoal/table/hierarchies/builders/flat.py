"""Builder: every value directly below the root."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from shoal.table.hierarchies.base import Builder, require_root
from shoal.table.hierarchies.tree import Hierarchy
from shoal.table.hierarchies.values import distinct_texts, natural_order


@dataclass(frozen=True)
class Flat(Builder):
    """Publish a value as it is or not at all.

    Choose this for a column of two or three values, where no group in between makes sense.

    Parameters
    ----------
    root
        Label of the root.

    Examples
    --------
    >>> print(Flat().build(pl.Series(["Male", "Female", "Male"])).show())
    * (2)
    ├── Female
    └── Male
    """

    root: str = "*"

    name: ClassVar[str] = "flat"
    names_values = False  # there are no nodes between leaves and root

    def build(self, values: pl.Series) -> Hierarchy:
        """Put the values, in natural order, below the root."""
        require_root(self.root)
        return Hierarchy.flat(natural_order(distinct_texts(values)), self.root)
