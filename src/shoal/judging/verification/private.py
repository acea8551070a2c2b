"""Recount requirements that read columns which no release holds: only the original has them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arrays import Ints
from shoal.base.cells import STAR, texts
from shoal.errors import SchemaError
from shoal.io.frames import Coded, Dictionary
from shoal.judging.verification import counting
from shoal.judging.verification.result import UNRECOUNTED, Judgement
from shoal.models import GroupStatistics, Histogram, Private, Requirement
from shoal.table.schema import Schema, is_missing


@dataclass(frozen=True, eq=False)
class PrivateCells:
    """The original's cells beside the published rows, to judge what people ask for themselves.

    ``order`` gives for each published row the original one, ``None`` if nobody knows; ``classes``
    its class, and ``persons`` whose it is where people are counted.
    """

    schema: Schema
    source: Coded | None
    order: Ints | None
    classes: Ints
    persons: npt.NDArray[np.integer[Any]] | None

    def judge(self, requirement: Requirement, groups: GroupStatistics) -> Judgement:
        """Judge the counted classes; without the original, say that it cannot be done."""
        if not isinstance(requirement, Private):
            return counting.judge(requirement, groups)
        if self.source is None or self.order is None:
            return counting.unrecounted(requirement, UNRECOUNTED)
        found = {
            name: self._histogram(requirement, name, self.source, self.order)
            for name in requirement.private_columns
        }
        return counting.judge(requirement, replace(groups, private=found))

    def _histogram(self, requirement: Private, name: str, source: Coded, order: Ints) -> Histogram:
        """Count a column of the original per published class."""
        if name not in source.columns:
            raise SchemaError(
                f"The original table has no column '{name}', which '{requirement.name}' reads.",
                "Give the table that the publication was made from.",
            )
        values = source.cells(name)
        # A star is a text here: it is the root of many trees, and no empty cell.
        tokens = [token for token in self.schema.missing_of(name) if token != STAR]
        cells = texts(values).set(is_missing(values, tokens), None)
        recorded = cells.alias("cell").value_counts(name="rows")
        counts = recorded["rows"].cast(pl.Int64).to_numpy()
        ranks = requirement.ranks(name, recorded["cell"].to_list(), counts)
        shown = cells[order]
        if ranks is not None and self.persons is not None:
            who = self._everybody(source, order)
            wishes = pl.DataFrame({"who": who, "cell": cells}).join(
                pl.DataFrame({"cell": recorded["cell"], "rank": ranks}), on="cell", nulls_equal=True
            )
            largest = wishes.group_by("who").agg(pl.col("cell").sort_by("rank").last())
            shown = pl.DataFrame({"who": who[order]}).join(
                largest, on="who", how="left", maintain_order="left"
            )["cell"]
        return counting.histogram(self.classes, Dictionary.of(shown), persons=self.persons)

    def _everybody(self, source: Coded, order: Ints) -> pl.Series:
        """Tell the people of all original rows apart, the published ones and the others."""
        if self.schema.entity is not None and self.schema.entity in source.columns:
            return texts(source.cells(self.schema.entity))
        alone = pl.int_range(source.height, eager=True).to_numpy() + source.height
        assert self.persons is not None
        alone[order] = self.persons
        return texts(pl.Series(alone))
