"""Rows of a Spark table as codes, beside their original cells."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pyarrow as pa

from shoal.engines.blocks.cutting import Axis
from shoal.engines.spark.columns import (
    ORIGINAL,
    functions as f,
    is_missing_cell,
    quoted,
    with_fields,
)
from shoal.engines.spark.domain import Domain

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import DataFrame


def encode(frame: DataFrame, domain: Broadcast[Domain]) -> DataFrame:
    """Give each row its codes; no row meets another."""
    layout = domain.value.layout
    rows = frame.select(f.struct(*map(quoted, frame.columns)).alias(ORIGINAL))
    codes = dict.fromkeys([*layout.codes, *layout.values], "integer")
    schema = with_fields(rows, **codes, **dict.fromkeys(layout.places, "long"))
    return rows.mapInArrow(partial(_encoded, domain), schema)


def _encoded(
    domain: Broadcast[Domain], batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    known = domain.value
    layout = known.layout
    axes = [Axis.of(column).places.astype(np.int64) for column in known.quasi]
    for batch in batches:
        cells = batch.column(batch.schema.get_field_index(ORIGINAL))
        arrays: list[Any] = [cells]
        for name in (*layout.quasi, *layout.sensitive):
            at = known.places_of(name, cells_of(cells, name))
            arrays.append(pa.array(known.codes[name][at], pa.int32()))
        if layout.places:
            codes = [each.to_numpy() for each in arrays[1 : 1 + len(axes)]]
            arrays += [pa.array(axis[own]) for axis, own in zip(axes, codes, strict=True)]
        names = [ORIGINAL, *layout.codes, *layout.values, *layout.places]
        yield pa.RecordBatch.from_arrays(arrays, names=names)


def cells_of(rows: Any, name: str) -> pl.Series:
    """Take one column out of original or published rows."""
    if isinstance(rows, pa.ChunkedArray):
        rows = rows.combine_chunks()
    if isinstance(rows, pa.ChunkedArray):  # of no rows
        rows = pa.concat_arrays(rows.chunks)
    return pl.Series(name, pl.from_arrow(rows.field(name)))


def missing_people(frame: DataFrame, entity: str, missing: tuple[str, ...]) -> int:
    """Count the rows that belong to nobody."""
    return frame.where(is_missing_cell(f.col(quoted(entity)), missing)).count()
