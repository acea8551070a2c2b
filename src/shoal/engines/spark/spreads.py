"""How rows lie over values, cells and classes, before and after: counted over all rows in Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from shoal.base.arrays import Ints
from shoal.base.cells import STAR
from shoal.engines.spark.columns import GROUP, collected, functions as f, quoted
from shoal.engines.spark.domain import Domain
from shoal.measures import CellOutcomes
from shoal.measures._coarseness import Coarseness, coarseness_of
from shoal.measures._margins import Margin, cells_margin, values_margin
from shoal.publications.recoding import Cells
from shoal.publications.recoding.parse import parse_column
from shoal.release.report.private.risks import Sizes
from shoal.table.sensitive import SensitiveColumn

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

MOST_CELLS = 1_000_000
"""Of more different cells of a column, nothing is told here."""


@dataclass(frozen=True, eq=False)
class Spreads:
    """How often each value and each published cell occurs."""

    domain: Domain
    before: Mapping[str, Ints]
    after: Mapping[str, Ints]
    """By column, how many rows of the table, and of those that are published, hold each code."""
    cells: Mapping[str, tuple[Cells, Ints]]
    """By quasi-identifier its different published cells, and how many rows show each."""

    @classmethod
    def count(cls, rows: DataFrame, public: DataFrame, domain: Domain) -> Spreads:
        """Count grouped rows, and the written table."""
        layout = domain.layout
        sizes = [column.size + 1 for column in domain.quasi]
        sizes += [len(domain.labels[name]) for name in layout.sensitive]
        names = [*layout.quasi, *layout.sensitive]
        codes = _code_counts(rows, [*layout.codes, *layout.values])
        before: dict[str, Ints] = {}
        after: dict[str, Ints] = {}
        for at, (name, size) in enumerate(zip(names, sizes, strict=True)):
            own = codes.filter(pl.col("at") == at)
            for held, made in ((own, before), (own.filter("held"), after)):
                counts = np.bincount(held["code"].to_numpy(), held["n"].to_numpy(), size)
                made[name] = counts.astype(np.int64)
        cells = {}
        for column in domain.quasi:
            found = _cell_counts(public, column.name)
            if found is not None:
                index = np.arange(found.height)
                shown = parse_column(column, found["cell"], index)
                cells[column.name] = (shown, found["n"].to_numpy().astype(np.int64))
        return cls(domain, before, after, cells)

    @property
    def names(self) -> list[str]:
        """The columns that can be drawn."""
        return [*self.cells, *self.domain.layout.sensitive]

    def margin(self, name: str, values: int) -> Margin:
        """Put a column in bins; rare ones of many values are joined."""
        for column in self.domain.quasi:
            if column.name == name:
                cells, shown = self.cells[name]
                return cells_margin(column, cells, self.before[name], shown, values=values)
        labels = self.domain.labels[name]
        every = np.arange(len(labels))
        coded, before, after = SensitiveColumn(every, labels), self.before[name], self.after[name]
        return values_margin(name, coded, before, every, after, values=values)

    def coarseness(self, outcomes: Mapping[str, CellOutcomes]) -> dict[str, Coarseness]:
        """Say how coarse columns became; of ``*``, only known cells count."""
        made = {}
        for column in self.domain.quasi:
            if column.name in self.cells:
                cells, shown = self.cells[column.name]
                own = outcomes[column.name]
                known = np.where(cells.star, own.starred, shown)
                made[column.name] = coarseness_of(column, cells, known, own)
        return made


def class_sizes(rows: DataFrame, cells: Sequence[Column], person: str | None) -> Sizes:
    """Count how many people are in classes of which size; rows, where nobody tells people apart.

    `cells`: what the rows of a class share.
    `person`: the column that tells people apart. Who has several classes is in the least one.
    """
    from pyspark.sql import Window

    keys = [f"cell{at}" for at in range(len(cells))]
    keyed = [cell.alias(key) for cell, key in zip(cells, keys, strict=True)]
    if person is None:
        classes = rows.select(*keyed).groupBy(*keys).agg(f.count(f.lit(1)).alias("size"))
        counted = classes.groupBy("size").agg(f.sum("size").alias("n"))
    else:
        met = rows.select(*keyed, f.col(person).alias("person")).distinct()
        sized = met.withColumn("size", f.count(f.lit(1)).over(Window.partitionBy(*keys)))
        least = sized.groupBy("person").agg(f.min("size").alias("size"))
        counted = least.groupBy("size").agg(f.count(f.lit(1)).alias("n"))
    found = collected(counted).sort("size")
    return Sizes(*(found[name].to_numpy().astype(np.int64) for name in ("size", "n")))


def _code_counts(rows: DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Count the codes of several columns at once, by whether rows are published."""
    held = (f.col(GROUP) >= 0).alias("held")
    every = f.array(
        *(f.struct(f.lit(at).alias("at"), f.col(n).alias("code")) for at, n in enumerate(names))
    )
    long = rows.select(f.explode(every).alias("it"), held).select("it.at", "it.code", "held")
    return collected(long.groupBy("at", "code", "held").agg(f.count(f.lit(1)).alias("n")))


def _cell_counts(public: DataFrame, name: str) -> pl.DataFrame | None:
    """Count the different cells of a published column, in a fixed order; ``None`` of too many."""
    cell = f.coalesce(f.col(quoted(name)), f.lit(STAR)).alias("cell")
    counts = public.groupBy(cell).agg(f.count(f.lit(1)).alias("n")).limit(MOST_CELLS + 1)
    found = collected(counts)
    return None if found.height > MOST_CELLS else found.sort("cell")
