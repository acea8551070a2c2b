"""What the counts of values show of columns that endanger a release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from shoal.engines.spark.columns import is_missing_cell, quoted
from shoal.judging.remarks import counted_remarks
from shoal.judging.remarks.seen import Seen
from shoal.table import Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def remarks_on(frame: DataFrame, table: Table, counts: Mapping[str, pl.Series]) -> tuple[str, ...]:
    """Say which columns look dangerous, by what can be counted in Spark.

    `table`: the different values of columns, as they are published.
    `counts`: how many rows hold each of them.
    """
    schema = table.schema.without([n for n in table.schema if n not in frame.columns])
    seen = {}
    for name in schema:
        missing = schema.missing_of(name)
        if name in counts:
            found = table.coded[name]
            held = np.bincount(found.codes, counts[name].to_numpy(), minlength=len(found))
            seen[name] = Seen.counted(found.values, held.astype(np.int64), missing)
        elif name in schema.other or not (schema.entity or schema.one_row_each):
            seen[name] = _seen(frame, name, missing)
    return tuple(counted_remarks(table.coded, schema, seen))


def _seen(frame: DataFrame, name: str, missing: tuple[str, ...]) -> Seen:
    """Count a column whose values stay in Spark."""
    from pyspark.sql import functions as f

    known = ~is_missing_cell(f.col("value"), missing)
    counted = frame.groupBy(f.col(quoted(name)).alias("value")).count()
    own = f.when(known, f.col("count"))
    aggregates = (f.sum("count"), f.sum(own), f.count(own), f.var_samp(own))
    rows, cells, values, variance = counted.agg(*aggregates).collect()[0]
    return Seen(int(rows), int(cells or 0), int(values), float(variance or 0.0))
