"""How the groups of a run are found and published: what no step changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shoal.methods import Method
from shoal.publications import Publication
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import Recoded
from shoal.table import QuasiColumn, Table

__all__ = ["Setting"]


@dataclass(frozen=True)
class Setting:
    """How the groups of a run are found and published.

    Parameters
    ----------
    blocks
        In how many blocks the table is grouped; ``None``: as a whole.
    suppression_limit
        The share of rows that may be left out.
    """

    method: Method
    publication: Publication
    seed: int
    blocks: int | Literal["auto"] | None = None
    suppression_limit: float = 0.05

    def columns(self, table: Table) -> tuple[QuasiColumn, ...]:
        """Give the quasi-identifiers as the method publishes them: some take numbers as leaves."""
        return table.trees if self.method.numbers == "tree" else table.quasi

    def show(self, table: Table, groups: Grouping) -> Recoded:
        """Give the cells that groups of the table show."""
        return self.publication.recode(table, groups, numbers=self.method.numbers)
