"""The recount in Spark, of what was written: it shares no code with what made it.

The private folder holds, row by row, what is published beside what it was made from. So rows need
no join: every part of whole classes is verified as a table of its own, by the verification that
judges any table. What is left to show is that the public folder holds the same rows, and that the
private one holds the rows of the input; sums of hashes over all rows show both.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import polars as pl
import pyarrow as pa

from shoal.engines.spark.columns import ORIGINAL, PUBLISHED, collected, functions as f, quoted
from shoal.judging.verification import Finding, Verification, verify
from shoal.judging.verification.counting import values_of
from shoal.judging.verification.result import join
from shoal.models import GroupStatistics, Histogram, Requirement
from shoal.table.schema import Schema

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import Column, DataFrame

ROWS_PER_PART = 200_000
"""So many rows are verified at a time, about."""

PART = "part"


_Required: TypeAlias = tuple[Schema, Sequence[Requirement]]


def recount(
    public: DataFrame,
    private: DataFrame,
    source: DataFrame,
    left_out: DataFrame,
    schema: Schema,
    require: Sequence[Requirement],
) -> Verification:
    """Verify a release as it was written.

    `public`, `private`: the two folders, read back.
    `source`: the input.
    `left_out`: the rows of the input that are not published, under `ORIGINAL`.
    """
    names = public.columns
    shown = [f.col(f"{PUBLISHED}.{quoted(name)}") for name in names]
    written, beside = hash_sum(public), hash_sum(private, shown)
    originals = [f.col(f"{ORIGINAL}.{quoted(name)}") for name in source.columns]
    given = hash_sum(source)
    held, lost = hash_sum(private, originals), hash_sum(left_out, originals)
    whole = _whole(private, schema, require)
    required = [each.against(whole) for each in require]
    found = _verified(private, written[0], (schema, required))
    same = written == beside and found.rows == written[0]
    all_there = (held[0] + lost[0], held[1] + lost[1]) == given
    findings = (
        *found.findings,
        Finding("public and private rows", same, "the same rows" if same else "other rows"),
        Finding("rows of the input", all_there, "each once" if all_there else "not each once"),
    )
    return replace(found, findings=findings)


def hash_sum(rows: DataFrame, columns: Sequence[Column] | None = None) -> tuple[int, int]:
    """Count rows, and sum up a hash of each: the same for the same rows in any order.

    `columns`: what of the rows counts; all columns if left out.
    """
    if columns is None:
        columns = [f.col(quoted(name)) for name in rows.columns]
    hashed = f.xxhash64(*_marked(columns)).cast("decimal(38,0)")
    found = rows.agg(f.count(f.lit(1)), f.coalesce(f.sum(hashed), f.lit(0))).collect()[0]
    return int(found[0]), int(found[1])


def _marked(columns: Any) -> list[Column]:
    """Hash nulls, too: by themselves they change no hash."""
    made = []
    for column in columns:
        made += [column, column.isNull()]
    return made


def _verified(private: DataFrame, rows: int, required: _Required) -> Verification:
    """Verify parts of whole classes on whatever executor they come to."""
    parts = max(-(-rows // ROWS_PER_PART), 1)
    cells = [f.col(f"{PUBLISHED}.{quoted(name)}") for name in required[0].quasi]
    split = private.withColumn(PART, f.pmod(f.xxhash64(*_marked(cells)), f.lit(parts)))
    known = private.sparkSession.sparkContext.broadcast(required)

    def one(rows):  # type: ignore[no-untyped-def]  # Spark reads hints, and fails on a partial
        return _one_part(known, rows)

    found = split.groupBy(PART).applyInArrow(one, "said binary").collect()
    known.unpersist()
    if not found:
        return Verification(0, 0, "rows", (), (Finding("rows", False, "there are none"),))
    return join([pickle.loads(bytes(each["said"])) for each in found])


def _one_part(required: Broadcast[_Required], rows: pa.Table) -> pa.Table:
    found = verify(_frame(rows, PUBLISHED), *required.value, original=_frame(rows, ORIGINAL))
    return pa.table({"said": pa.array([pickle.dumps(found)], pa.binary())})


def _frame(rows: pa.Table, which: str) -> pl.DataFrame:
    made: Any = pl.from_arrow(rows.select([which]))
    return pl.DataFrame(made).unnest(which)


def _whole(private: DataFrame, schema: Schema, require: Sequence[Requirement]) -> GroupStatistics:
    """Count the published values of all rows, where classes are compared with them."""
    n = private.count()
    histograms = {}
    for name in schema.sensitive if any(each.relative for each in require) else ():
        cell = f.col(f"{PUBLISHED}.{quoted(name)}").alias("value")
        found = collected(private.groupBy(cell).count())
        words = values_of(found["value"].rename(name), schema=schema, name=name)
        counts: dict[str | None, int] = {}
        for word, count in zip(words.to_list(), found["count"].to_list(), strict=True):
            counts[word] = counts.get(word, 0) + count
        labels = sorted(counts, key=lambda word: (word is None, word or ""))
        at = np.arange(len(labels))
        held = np.array([counts[label] for label in labels], dtype=np.int64)
        histograms[name] = Histogram(np.zeros(len(at), dtype=np.int64), at, held, tuple(labels))
    return GroupStatistics(np.array([n]), None, histograms)
