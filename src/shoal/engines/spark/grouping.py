"""Groups in Spark: blocks of rows, grouped where they lie; then what lost most, once more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa

from shoal.engines.blocks.cutting import Axis, Cut, Cuts, blocks_for, cut
from shoal.engines.blocks.points import canonical_order
from shoal.engines.blocks.working import MOST_AGAIN, costly_above, group_block, group_widths
from shoal.engines.spark.columns import (
    BESIDE,
    GROUP,
    ORIGINAL,
    collected,
    functions as f,
    numbered,
    with_fields,
)
from shoal.engines.spark.domain import Domain
from shoal.engines.spark.encoding import cells_of
from shoal.engines.spark.points import ROWS, SparkPoints, people_of, whole_statistics
from shoal.errors import InfeasibleError
from shoal.methods import Method
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import CategoryCells, NumberCells
from shoal.release.missing_cost import groups_with_missing
from shoal.table import Table

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import Column, DataFrame

BLOCK, FIRST, WIDE = "block", "first", "wide"
"""Which block a row is in, whether it is the first of its group, and how wide the cells are."""


MOST_ROWS = 20_000_000
"""So many rows of a block at most are put before one executor."""


@dataclass(frozen=True, eq=False)
class Work:
    """What every worker must know to group rows."""

    domain: Domain
    require: Sequence[Requirement]
    """What groups must hold, each judged by itself."""
    method: Method
    seed: int


@dataclass(frozen=True, eq=False)
class Chosen:
    """One level per column for all rows: what one place knows of the groups."""

    cells: tuple[NumberCells | CategoryCells, ...]
    """What each group shows, column by column."""
    search: Mapping[str, Any]
    """What a search of levels found: see `Grouping.search`."""
    examples: Mapping[str, str]
    """By column, the cell that most rows show, unless it is ``*``."""
    remarks: Sequence[str]


@dataclass(frozen=True)
class Grouped:
    """Rows with their groups, and what is known of them.

    Where levels were chosen, these say what a group shows; else rows have the ends of their groups.
    """

    rows: DataFrame
    blocks: int
    suppressed: int
    groups: int
    chosen: Chosen | None = None


def group(
    rows: DataFrame, work: Broadcast[Work], blocks: int | str | None, kept: list[DataFrame]
) -> Grouped:
    """Group encoded rows; those that no group could take have a group below 0.

    `kept`: what Spark is to keep until the release is written is added to it.
    """
    known = work.value
    wanted = blocks if isinstance(blocks, int) else blocks_for(known.domain.rows)
    in_blocks, count = _in_blocks(rows, work, wanted, 0)
    found = on_disk(_grouped(in_blocks, work), kept)
    if count > 1:
        found = _mended(found, work, count, kept)
    totals = found.agg(
        f.sum((f.col(GROUP) < 0).cast("long")), f.sum(f.col(FIRST).cast("long"))
    ).collect()[0]
    return Grouped(found, count, int(totals[0]), int(totals[1]))


def on_disk(rows: DataFrame, kept: list[DataFrame]) -> DataFrame:
    """Let Spark keep rows on disk: they are looked at more than once."""
    from pyspark import StorageLevel

    kept.append(rows.persist(StorageLevel.DISK_ONLY))
    return kept[-1]


def _in_blocks(
    rows: DataFrame, work: Broadcast[Work], count: int, first: int
) -> tuple[DataFrame, int]:
    """Give each row its block; blocks are numbered from ``first`` on."""
    known = work.value
    layout = known.domain.layout
    if count <= 1:
        if known.domain.rows > MOST_ROWS and not first:
            raise InfeasibleError(
                f"One block of {known.domain.rows:,} rows is required, but an executor groups "
                f"at most {MOST_ROWS:,}.",
                "Use more blocks, or leave blocks out.",
            )
        return rows.withColumn(BLOCK, f.lit(first)), 1
    points = SparkPoints.collect(rows, known.domain, known.require)
    cuts = cut(
        points.axes,
        count,
        weights=points.weights,
        allowed=lambda few: points.holds(known.require, few),
    )
    largest = points.share * int(np.bincount(cuts.blocks_of(points.axes), points.weights).max())
    if largest > MOST_ROWS:
        raise InfeasibleError(
            f"About {largest:,} rows cannot be split, because they share all their "
            f"quasi-identifiers, but an executor groups at most {MOST_ROWS:,} at most.",
            "Add a quasi-identifier that splits them, or publish them separately.",
        )
    if layout.entity is None:
        axes = [Axis.of(column).places for column in known.domain.quasi]
        below = [_codes_below(name, own) for name, own in zip(layout.codes, axes, strict=True)]
        return rows.withColumn(BLOCK, _block(cuts, below, first)), cuts.count
    people = people_of(rows, known.domain)
    below = [_mean_below(name) for name in layout.places]
    placed = people.withColumn(BLOCK, _block(cuts, below, first))
    whose = rows.withColumn("person", f.col(layout.person))
    joined = whose.join(placed.select("person", BLOCK), on="person")
    return joined.select(*rows.columns, BLOCK), cuts.count


def _block(cuts: Cuts, below: Sequence[Callable[[Cut], Column]], first: int) -> Column:
    """Say in Spark's terms which block a row is in: cut after cut, from the first on."""

    def at(number: int) -> Column:
        if number < 0:
            return f.lit(first - 1 - number)
        one = cuts.cuts[number]
        return f.when(below[one.column](one), at(one.below)).otherwise(at(one.above))

    return at(0) if cuts.cuts else f.lit(first)


def _codes_below(name: str, places: npt.NDArray[np.float64]) -> Callable[[Cut], Column]:
    """Say which codes lie below a cut: the lowest, since places rise with them, but the missing."""

    def below(one: Cut) -> Column:
        found = one.is_below(places)
        lowest = f.col(name) < int(found[:-1].sum())
        missing = f.col(name) == len(places) - 1
        return (lowest | missing) if found[-1] else (lowest & ~missing)

    return below


def _mean_below(name: str) -> Callable[[Cut], Column]:
    """Say whether the mean of a person's rows lies below a cut."""

    def below(one: Cut) -> Column:
        mean = f.col(name).cast("double") / f.col(ROWS).cast("double")
        return mean <= one.middle if one.up_to else mean < one.middle

    return below


def _grouped(rows: DataFrame, work: Broadcast[Work]) -> DataFrame:
    """Group each block by itself, on whatever executor it comes to."""
    layout = work.value.domain.layout
    ends = dict.fromkeys([*layout.least, *layout.largest], "integer")
    own = {GROUP: "long", FIRST: "boolean", WIDE: "long", BESIDE: "long"}
    schema = with_fields(rows, **own, **ends)

    def one(rows):  # type: ignore[no-untyped-def]  # Spark reads hints, and fails on a partial
        return _one_block(work, rows)

    return rows.groupBy(BLOCK).applyInArrow(one, schema)


def _one_block(work: Broadcast[Work], rows: pa.Table) -> pa.Table:
    known = work.value
    number = int(rows.column(BLOCK)[0].as_py())
    table = _table(known.domain, rows)
    order = canonical_order(table)
    seed = (known.seed, number)
    found = group_block(table, order, known.require, known.method, seed)
    part = table.select(order, ranges="whole")
    labels = found.labels.astype(np.int64)
    kept = labels >= 0
    first = np.zeros(len(labels), dtype=np.bool_)
    first[np.flatnonzero(kept)[np.unique(labels[kept], return_index=True)[1]]] = True
    wide = np.append(group_widths(part, found, known.method), 0)[labels]
    added: dict[str, Any] = {
        GROUP: pa.array(np.where(kept, (np.int64(number) << 32) + labels, -1)),
        FIRST: pa.array(first),
        WIDE: pa.array(wide),
        BESIDE: pa.array(_beside_missing(part, found)),
    }
    layout = known.domain.layout
    for column, least, largest in zip(part.quasi, layout.least, layout.largest, strict=True):
        for name, ends in (
            (least, found.least(column.codes)),
            (largest, found.largest(column.codes)),
        ):
            own = np.append(ends.astype(np.int32), np.int32(0))[labels]
            added[name] = pa.array(np.where(kept, own, column.codes).astype(np.int32))
    made = rows.take(pa.array(order))
    for name, values in added.items():
        made = made.append_column(name, values)
    return made


def _beside_missing(table: Table, found: Grouping) -> npt.NDArray[np.int64]:
    """Say for each row in which columns its group shows ``*`` only because a cell is missing."""
    made = np.zeros(table.n_rows, dtype=np.int64)
    kept = found.labels >= 0
    for at, column in enumerate(table.quasi):
        absent = column.codes == column.size
        if absent.any():
            holed = groups_with_missing(found, column, absent)
            made[kept] |= holed[found.labels[kept]].astype(np.int64) << at
    return made


def _table(domain: Domain, rows: pa.Table) -> Table:
    """Make a table of the rows of a block."""
    layout, original = domain.layout, rows.column(ORIGINAL)
    people = None
    if layout.entity is not None:
        people = numbered(cells_of(original, layout.entity))
    others = [name for name in domain.schema.untouched if name not in layout.sensitive]
    return domain.table(
        [rows.column(name).to_numpy() for name in layout.codes],
        {
            name: rows.column(code).to_numpy()
            for name, code in zip(layout.sensitive, layout.values, strict=True)
        },
        people,
        pl.DataFrame([domain.published(name, cells_of(original, name)) for name in others])
        if others
        else None,
    )


def _mended(
    found: DataFrame, work: Broadcast[Work], blocks: int, kept: list[DataFrame]
) -> DataFrame:
    """Group what lost most once more, over all blocks; keep it if it loses less then."""
    known = work.value
    widths = collected(found.where(FIRST).groupBy(WIDE).count()).sort(WIDE)
    above = costly_above(widths[WIDE].to_numpy(), widths["count"].to_numpy())
    costly = (f.col(WIDE) > above) | (f.col(GROUP) < 0)
    lost = [
        f.coalesce(f.sum((f.col(GROUP) < 0).cast("long")), f.lit(0)),
        f.coalesce(f.sum(WIDE), f.lit(0)),
    ]
    layout = known.domain.layout
    of_groups = {BLOCK, GROUP, FIRST, WIDE, BESIDE, *layout.least, *layout.largest}
    old = [name for name in found.columns if name not in of_groups]
    again = found.where(costly).select(*old)
    whole = whole_statistics(again, known.domain, known.require)
    rows = int(whole.sizes[0])
    if not rows or not all(each.judge(whole).passed for each in known.require):
        return found
    pieces = -(-rows // MOST_AGAIN) if rows > MOST_AGAIN else 1
    in_blocks, _ = _in_blocks(again, work, pieces, blocks)
    mended = on_disk(_grouped(in_blocks, work), kept)
    before = tuple(found.where(costly).agg(*lost).collect()[0])
    after = tuple(mended.agg(*lost).collect()[0])
    if after >= before:
        return found
    return found.where(~costly).unionByName(mended)
