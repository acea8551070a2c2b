"""Which cells of rows are missing, and which show ``*``: as bits, counted by kinds of rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from shoal.base.arrays import Ints
from shoal.engines.spark.columns import BESIDE, GROUP, collected, functions as f
from shoal.engines.spark.domain import Domain
from shoal.engines.spark.publishing import Cells, recode
from shoal.measures import Pair
from shoal.release.head_counts import HeadCounts, Removed
from shoal.table.missingness import Missingness, Pattern

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import DataFrame

BITS = ("missing", "stars", "beside", "held")
PERSON, KINDS, HEADS = "person", "kinds", "heads"
MOST_KINDS = 1_000_000
"""So many kinds of people at most are told apart."""


@dataclass(frozen=True, eq=False)
class Marks:
    """Rows as bits, a bit for each quasi-identifier."""

    missing: Ints
    stars: Ints
    beside: Ints
    """In which columns a cell is missing, ``*`` is published, and that only because another cell is
    missing."""
    held: Ints
    """1 if the row is published."""
    counts: Ints
    """How many rows there are of each kind."""

    @classmethod
    def of(cls, batch: pa.RecordBatch, domain: Domain, shown: Pair | None) -> Marks:
        """Mark grouped rows, one by one; ``shown`` are the published ones."""
        held = batch.column(GROUP).to_numpy() >= 0
        missing, stars, beside = np.zeros((3, batch.num_rows), dtype=np.int64)
        for at, column in enumerate(domain.quasi):
            missing |= (batch.column(f"q{at}").to_numpy() == column.size).astype(np.int64) << at
            if shown is not None:
                cells = shown.recoded.columns[at]
                stars[held] |= cells.star.take(cells.index).astype(np.int64) << at
        if BESIDE in batch.schema.names:
            beside[held] = batch.column(BESIDE).to_numpy()[held] & ~missing[held]
        return cls(missing, stars, beside, held.astype(np.int64), np.ones_like(missing))

    def counted(self) -> list[list[int]]:
        """Count the different kinds of rows: lists of bits and of counts."""
        if not len(self.counts):
            return [[] for _ in (*BITS, "counts")]
        rows = np.stack([getattr(self, name) for name in BITS])
        kinds, which = np.unique(rows, axis=1, return_inverse=True)
        counts = np.bincount(which.reshape(-1), self.counts, minlength=kinds.shape[1])
        return [*kinds.tolist(), counts.astype(np.int64).tolist()]

    @classmethod
    def joined(cls, parts: Sequence[Mapping[str, Any]]) -> Marks:
        """Put counts of parts of the rows together."""
        every = np.concatenate([np.array(part["marks"], dtype=np.int64) for part in parts], axis=1)
        return cls(*np.array(cls(*every).counted(), dtype=np.int64))

    def missingness(self, names: Sequence[str]) -> Missingness:
        """Say which columns are missing together, and how often."""
        patterns, which = np.unique(self.missing, return_inverse=True)
        rows = np.bincount(which.reshape(-1), self.counts).astype(np.int64)
        found = dict(zip(patterns.tolist(), rows.tolist(), strict=True))
        columns = {
            name: sum(count for pattern, count in found.items() if pattern >> at & 1)
            for at, name in enumerate(names)
        }
        listed = tuple(
            Pattern(tuple(n for at, n in enumerate(names) if pattern >> at & 1), found[pattern])
            for pattern in sorted(found, key=lambda each: (-found[each], each))
        )
        return Missingness(int(self.counts.sum()), columns, listed)

    @property
    def beside_missing(self) -> int:
        """How many known cells are ``*`` only because others are missing."""
        bits = np.array([int(each).bit_count() for each in self.beside], dtype=np.int64)
        return int((bits * self.counts).sum())

    def heads(
        self, names: Sequence[str], people: Ints | None, weights: Ints, removed: Removed
    ) -> HeadCounts:
        """Count heads as on one machine, where equal rows or people are one of some weight."""

        def columns(bits: Ints) -> npt.NDArray[np.bool_]:
            return np.stack([bits >> at & 1 == 1 for at in range(len(names))], axis=1)

        missing = columns(self.missing)
        return HeadCounts.count(
            {name: missing[:, at] for at, name in enumerate(names)},
            columns(self.stars),
            removed=removed,
            people=people,
            beside=columns(self.beside) if self.beside.any() else None,
            weights=weights,
        )


def count_heads(
    rows: DataFrame, cells: Broadcast[Cells], marks: Marks, removed: Removed
) -> HeadCounts | None:
    """Count the people, or rows, behind each count that a release could show.

    People whose rows are of the same kinds are counted together, in Spark. ``None`` if there are
    too many kinds of people.
    """
    domain = cells.value.domain
    layout, names = domain.layout, [column.name for column in domain.quasi]
    if layout.entity is None:
        return marks.heads(names, None, marks.counts, removed)
    taken = rows.select(*cells.value.made_from, f.col(layout.person).alias(PERSON))
    kind: Any = taken.schema[PERSON].dataType
    schema = ", ".join([f"{PERSON} {kind.simpleString()}", *(f"{name} long" for name in BITS)])
    marked = taken.mapInArrow(partial(_marked, cells), schema)
    kinds = f.sort_array(f.collect_set(f.struct(*BITS))).alias(KINDS)
    people = marked.groupBy(PERSON).agg(kinds)
    counted = people.groupBy(KINDS).agg(f.count(f.lit(1)).alias(HEADS)).limit(MOST_KINDS + 1)
    found = collected(counted)
    if found.height > MOST_KINDS:
        return None
    each = found.with_row_index(PERSON).explode(KINDS).unnest(KINDS)
    weights = found[HEADS].to_numpy().astype(np.int64)
    bits = {name: each[name].to_numpy().astype(np.int64) for name in BITS}
    person = each[PERSON].to_numpy().astype(np.int64)
    return Marks(counts=np.ones_like(person), **bits).heads(names, person, weights, removed)


def _marked(cells: Broadcast[Cells], batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        held = pa.array(batch.column(GROUP).to_numpy() >= 0)
        shown = batch.filter(held)
        both = Pair(*recode(cells.value, shown)) if shown.num_rows else None
        marks = Marks.of(batch, cells.value.domain, both)
        columns = [pa.array(getattr(marks, name)) for name in BITS]
        person = batch.column(batch.schema.get_field_index(PERSON))
        yield pa.RecordBatch.from_arrays([person, *columns], names=[PERSON, *BITS])
