"""A few rows of a release that Spark made, in one place: drawn by the seed, never too many.

Written rows have places, a file and a number in it, that follow from the seed. A hash of the place
decides whether a row is drawn, so the same rows are drawn however Spark parts its work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from shoal.engines.spark.columns import (
    ORIGINAL,
    PUBLISHED,
    collected,
    functions as f,
    numbered,
    quoted,
)
from shoal.engines.spark.domain import Domain
from shoal.measures import Pair
from shoal.publications.recoding import parse

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

KEY, PLACE, SIZE = "key", "place", "size"
KEY_RANGE = 2**31
"""Keys are spread over so many parts, of which some are drawn."""
LEAST_CLASSES = 1_000
"""About so many classes at least are looked at, to choose among them."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """Rows as they were, the published ones first, and what is published of these."""

    original: pl.DataFrame
    published: pl.DataFrame

    @property
    def rows(self) -> int:
        """How many rows there are, published or not."""
        return self.original.height

    def pair(self, domain: Domain) -> Pair:
        """Set them side by side, with the ranges, trees and values of the whole table."""
        layout, people = domain.layout, None
        codes = {
            name: domain.codes[name][domain.places_of(name, self.original[name])]
            for name in (*layout.quasi, *layout.sensitive)
        }
        if layout.entity is not None:
            people = numbered(self.original[layout.entity])
        quasi = [codes[name] for name in layout.quasi]
        table = domain.table(quasi, {name: codes[name] for name in layout.sensitive}, people)
        rows = np.arange(self.published.height)
        return Pair(table, parse(table, self.published, rows))


def draw_rows(
    private: DataFrame, left_out: DataFrame, domain: Domain, number: int, most: int
) -> Drawn:
    """Draw about ``most`` rows of the whole table; all, if it has no more.

    `private`: the rows of the private folder.
    `left_out`: rows that are not published, under `ORIGINAL`. They have no places: their cells are
    hashed.
    `number`: what the draw follows from.
    """
    share = min(most / domain.rows, 1.0)
    shown = _some(private.withColumn(KEY, _place(number)), share, most)
    hidden = _some(left_out.withColumn(KEY, f.xxhash64(f.lit(number), ORIGINAL)), share, most)
    held = _collected(shown, _needed(domain), _published(private))
    lost = _collected(hidden, _needed(domain), [])
    held = held[:most]
    original = pl.concat([_part(held, ORIGINAL), _part(lost[: most - held.height], ORIGINAL)])
    return Drawn(original, _part(held, PUBLISHED))


def draw_classes(
    private: DataFrame, domain: Domain, number: int, most: int, *, rows: int, classes: int
) -> tuple[Drawn | None, bool]:
    """Draw classes, each with all its rows, of at most ``most`` rows together.

    `rows`, `classes`: how many are published.

    Returns
    -------
    drawn, skipped
        The rows, ``None`` if no class is small enough; and whether some class was too large.
    """
    cells = [f.col(f"{PUBLISHED}.{quoted(name)}") for name in domain.layout.quasi]
    placed = private.withColumn(PLACE, _place(number))
    keyed = placed.withColumn(KEY, f.xxhash64(f.lit(number), *cells))
    wanted = max(2 * most * classes / max(rows, 1), LEAST_CLASSES)
    counted = keyed.groupBy(KEY).agg(f.count(f.lit(1)).alias(SIZE))
    found = collected(counted.where(_below(wanted / max(classes, 1)))).sort(KEY)
    small = found.filter(pl.col(SIZE) <= most)
    chosen = small.filter(small[SIZE].cum_sum() <= most)
    skipped = small.height < found.height
    if not chosen.height:
        return None, skipped
    keys = keyed.sparkSession.createDataFrame([(key,) for key in chosen[KEY]], f"{KEY} bigint")
    drawn = keyed.join(f.broadcast(keys), on=KEY).withColumn(KEY, f.col(PLACE))
    held = _collected(drawn, _needed(domain), _published(private))
    return Drawn(_part(held, ORIGINAL), _part(held, PUBLISHED)), skipped


def _place(number: int) -> Column:
    """Hash where a row was written."""
    return f.xxhash64(f.lit(number), f.col("_metadata.file_name"), f.col("_metadata.row_index"))


def _below(share: float) -> Column:
    """Say whether a key is among a share of all."""
    return f.pmod(f.col(KEY), f.lit(KEY_RANGE)) < int(min(share, 1.0) * KEY_RANGE)


def _some(rows: DataFrame, share: float, most: int) -> DataFrame:
    """Take a share of rows, and never many more than asked, whatever they hash to."""
    if share >= 1:
        return rows
    return rows.where(_below(share)).orderBy(KEY).limit(most)


def _needed(domain: Domain) -> list[str]:
    """Name the columns that are looked at: identifiers are not, but who is who."""
    names = [*domain.schema.quasi, *domain.schema.untouched]
    entity = domain.layout.entity
    return names if entity is None or entity in names else [*names, entity]


def _published(private: DataFrame) -> list[str]:
    cells: Any = private.schema[PUBLISHED].dataType
    return list(cells.names)


def _collected(rows: DataFrame, original: Sequence[str], published: Sequence[str]) -> pl.DataFrame:
    """Bring rows here, in the order of their keys; columns are called by side and number."""
    taken = [f.col(KEY)]
    for side, names in ((ORIGINAL, original), (PUBLISHED, published)):
        taken += [f.col(f"{side}.{quoted(name)}").alias(f"{side}.{name}") for name in names]
    return collected(rows.select(*taken)).sort(pl.all(), nulls_last=True)


def _part(rows: pl.DataFrame, side: str) -> pl.DataFrame:
    """Take one side of rows, under the names of its columns."""
    names = [name for name in rows.columns if name.startswith(f"{side}.")]
    return rows.select(pl.col(name).alias(name.removeprefix(f"{side}.")) for name in names)
