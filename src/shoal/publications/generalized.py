"""One table of coarse cells, with each row's own sensitive values."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from shoal.grouping import Grouping
from shoal.publications.base import BOUNDS_TOLD, Made, Publication, option
from shoal.published import Published
from shoal.recode import generalize
from shoal.table import Table

__all__ = ["Generalized"]


@dataclass(frozen=True)
class Generalized(Publication):
    """Publish one table: a group shows the same coarse cells in each of its rows.

    Parameters
    ----------
    bounds
        Where ranges of numbers end: at round numbers (``"rounded"``), or at values of the
        group (``"observed"``), which are exact values of people.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"age": [20, 29, 40], "ill": ["flu", "HIV", "flu"]})
    >>> table = Table.encode(
    ...     frame, shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()}))
    >>> made = Generalized().make(table, Grouping(np.zeros(3, dtype=np.int32)), np.array([1]))
    >>> made.published.frame["age"].to_list()
    ['[20, 40]', '[20, 40]', '[20, 40]']
    """

    bounds: Literal["rounded", "observed"] = option("rounded", BOUNDS_TOLD)

    name: ClassVar[str] = "generalized"
    files: ClassVar[tuple[str, ...]] = ("table",)

    def make(
        self,
        table: Table,
        grouping: Grouping,
        ids: npt.NDArray[np.integer[Any]],
        *,
        numbers: Literal["intervals", "tree"] = "intervals",
        suppressed: Collection[str] = (),
    ) -> Made:
        """Give each row the cells of its group."""
        self.require_no_lost_padding(grouping)
        recoded = generalize(
            table, grouping, bounds=self.bounds, numbers=numbers, suppressed=suppressed
        )
        return Made(recoded, Published(recoded.decode(table)))

    def file_names(self, sensitive: Sequence[str]) -> dict[str | None, str]:
        """Name the one file."""
        return {None: "table"}
