"""Published cells of grouped rows, written beside their originals, and then alone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import polars as pl
import pyarrow as pa

from shoal.engines.spark.columns import (
    GROUP,
    ORIGINAL,
    PUBLISHED,
    collected,
    functions as f,
    quoted,
)
from shoal.engines.spark.domain import Domain
from shoal.engines.spark.encoding import cells_of
from shoal.engines.spark.grouping import Grouped
from shoal.kernels.collapse import collapse
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import Recoded, generalize
from shoal.publications.recoding.cells import CategoryCells, NumberCells
from shoal.publications.recoding.rounding import Step, step_of
from shoal.table import NumericColumn, Table

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import DataFrame

ROWS_PER_FILE = 2_000_000
"""So many rows a written file has, about."""


@dataclass(frozen=True, eq=False)
class Cells:
    """What groups show: cells that are known, or how the ends of groups are shown."""

    domain: Domain
    bounds: Literal["rounded", "observed"]
    steps: Mapping[str, Step]
    known: tuple[NumberCells | CategoryCells, ...] | None = None
    """What each group shows, where levels were chosen."""

    @classmethod
    def of(
        cls, grouped: Grouped, domain: Broadcast[Domain], bounds: Literal["rounded", "observed"]
    ) -> Cells:
        """Find out what cells are made from."""
        if grouped.chosen is not None:
            return cls(domain.value, bounds, {}, grouped.chosen.cells)
        return cls(domain.value, bounds, grid_steps(grouped.rows, domain))

    @property
    def made_from(self) -> list[str]:
        """The columns that the cells of a row are made from, and measured by."""
        layout = self.domain.layout
        return layout.of_groups if self.known is None else [*layout.codes, GROUP]


def grid_steps(rows: DataFrame, domain: Broadcast[Domain]) -> dict[str, Step]:
    """Find the grid of each column of numbers or dates: it follows what published ranges cover."""
    coded = rows.select(*domain.value.layout.of_groups)
    codes = collected(coded.mapInArrow(partial(_covered, domain), "at int, code int").distinct())
    made = {}
    for at, column in enumerate(domain.value.quasi):
        if isinstance(column, NumericColumn):
            own = np.sort(codes.filter(pl.col("at") == at)["code"].to_numpy())
            made[column.name] = step_of(column, own)
    return made


def _covered(
    domain: Broadcast[Domain], batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """List the codes of numbers in groups that show no ``*``."""
    known = domain.value
    for batch in batches:
        held = batch.column(GROUP).to_numpy() >= 0
        for at, column in enumerate(known.quasi):
            if isinstance(column, NumericColumn):
                shown = held & (batch.column(f"largest{at}").to_numpy() < column.size)
                codes = np.unique(batch.column(f"q{at}").to_numpy()[shown]).astype(np.int32)
                columns = [pa.array(np.full(len(codes), at, dtype=np.int32)), pa.array(codes)]
                yield pa.RecordBatch.from_arrays(columns, names=["at", "code"])


def recode(cells: Cells, batch: pa.RecordBatch) -> tuple[Table, Recoded]:
    """Give the rows of a batch the cells of their groups, as one machine does.

    Unless it is known what groups show, they are known by their least and largest codes: a table of
    these two rows for each is published. Rows show what their group does.
    """
    domain = cells.domain
    table = domain.table([batch.column(name).to_numpy() for name in domain.layout.codes])
    if cells.known is not None:
        which = batch.column(GROUP).to_numpy()
        known = tuple(replace(each, index=each.index[which]) for each in cells.known)
        return table, Recoded(np.arange(len(which)), known)
    ends = [batch.column(name).to_numpy() for name in domain.layout.least]
    ends += [batch.column(name).to_numpy() for name in domain.layout.largest]
    sizes = [column.size + 1 for column in domain.quasi]
    which = collapse(ends, [*sizes, *sizes])
    groups = int(which.max(initial=-1)) + 1
    first = np.zeros(groups, dtype=np.intp)
    first[which[::-1]] = np.arange(len(which))[::-1]
    half = len(sizes)
    both = [
        np.stack([least[first], largest[first]], axis=1).reshape(-1)
        for least, largest in zip(ends[:half], ends[half:], strict=True)
    ]
    pairs = Grouping(np.repeat(np.arange(groups, dtype=np.int32), 2))
    shown = generalize(domain.table(both), pairs, bounds=cells.bounds, steps=cells.steps)
    # Each row shows the cell of its group, which the first of its two rows shows.
    columns = tuple(replace(each, index=each.index[::2][which]) for each in shown.columns)
    return table, Recoded(np.arange(len(which)), columns)


def publish(rows: DataFrame, cells: Broadcast[Cells], salt: int) -> DataFrame:
    """Make the published cells of rows, beside the original ones, in an order that tells nothing.

    The order follows from what is published and from a secret number alone. So it does not depend
    on the order in which rows come, nor on work that was lost and done again.
    """
    from pyspark.sql.types import DoubleType, LongType, StringType, StructField, StructType

    kinds = {pl.String: StringType(), pl.Int64: LongType(), pl.Float64: DoubleType()}
    known = cells.value.domain
    original: Any = rows.schema[ORIGINAL].dataType
    fields = []
    for name in original.names:
        if name in known.layout.quasi:
            fields.append(StructField(name, StringType()))
        elif name in known.shown:
            fields.append(StructField(name, kinds[known.shown[name].dtype.base_type()]))
        elif name in known.schema.untouched:
            fields.append(StructField(name, original[name].dataType))
    schema = StructType().add(PUBLISHED, StructType(fields)).add(ORIGINAL, original)
    schema = schema.add(GROUP, rows.schema[GROUP].dataType)
    made = rows.where(f.col(GROUP) >= 0).mapInArrow(partial(_published, cells, fields), schema)
    return mixed(made, max(known.rows // ROWS_PER_FILE, 1), salt)


def mixed(rows: DataFrame, files: int, salt: int) -> DataFrame:
    """Put published rows into an order that follows from their cells and a secret number alone."""
    keyed = rows.withColumn("key", f.xxhash64(f.lit(salt), PUBLISHED))
    spread = keyed.repartition(files, f.pmod("key", f.lit(files)))
    then = [f.xxhash64(each) for each in rows.columns if each != PUBLISHED]
    return spread.sortWithinPartitions("key", *then).drop("key")


def _published(
    cells: Broadcast[Cells], fields: list[Any], batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    from pyspark.sql.pandas.types import to_arrow_type

    known = cells.value.domain
    quasi = {name: at for at, name in enumerate(known.layout.quasi)}
    for batch in batches:
        _, recoded = recode(cells.value, batch)
        original = batch.column(batch.schema.get_field_index(ORIGINAL))
        columns = []
        for field in fields:
            if field.name in quasi:
                shown = recoded.columns[quasi[field.name]]
                words = pa.array(shown.texts(), pa.string())
                columns.append(words.take(pa.array(shown.index.astype(np.int64))))
            elif field.name in known.shown:
                shown_cells = known.published(field.name, cells_of(original, field.name))
                columns.append(shown_cells.to_arrow().cast(to_arrow_type(field.dataType)))
            else:
                columns.append(original.field(field.name))
        rows = pa.StructArray.from_arrays(columns, names=[field.name for field in fields])
        group = batch.column(batch.schema.get_field_index(GROUP))
        yield pa.RecordBatch.from_arrays(
            [rows, original, group], names=[PUBLISHED, ORIGINAL, GROUP]
        )


def write_parquet(rows: DataFrame, folder: Path) -> None:
    """Write rows as a folder of Parquet files, and nothing else."""
    rows.write.parquet(folder.as_uri())
    parts = sorted(folder.glob("part-*.parquet"))
    for number, part in enumerate(parts):
        part.rename(folder / f"part-{number:05d}.parquet")
    for rest in folder.iterdir():
        if rest.is_dir():  # of a task that was given up, and wrote on
            shutil.rmtree(rest)
        elif rest.suffix != ".parquet":
            rest.unlink()


def published_alone(rows: DataFrame) -> DataFrame:
    """Take what is published from the rows of the private folder."""
    cells: Any = rows.schema[PUBLISHED].dataType
    names = cells.names
    return rows.select(*(f.col(f"{PUBLISHED}.{quoted(name)}").alias(name) for name in names))
