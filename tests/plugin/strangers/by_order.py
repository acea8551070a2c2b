"""A method: groups of k rows, in the order of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from shoal.methods import Method, Progress
from shoal.models import Requirement
from shoal.publications.groups.completing import complete, least_size
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table


@dataclass(frozen=True)
class ByOrder(Method):
    """Put each k rows that follow one another into a group."""

    picks: Literal["random", "first"] = "first"
    seed: int | None = None
    name: ClassVar[str] = "by-order"
    carries: ClassVar[frozenset[str] | None] = None
    carries_missing: ClassVar[bool] = True

    def group(
        self,
        table: Table,
        require: Sequence[Requirement],
        *,
        rng: np.random.Generator,
        progress: Progress | None = None,
    ) -> Grouping:
        """Number the rows by k."""
        k = least_size(require)
        labels = np.minimum(np.arange(table.n_rows) // k, max(table.n_rows // k - 1, 0))
        made = complete(table, Grouping(labels.astype(np.int32)), require, table.quasi)
        if progress is not None:
            progress(table.n_rows, table.n_rows)
        return made

    def describe(self) -> str:
        """Say it in words."""
        return "groups of rows that follow one another"
