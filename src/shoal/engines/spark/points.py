"""Where the rows of a Spark table lie, counted in Spark: what cuts and levels are found from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from shoal.engines.blocks.cutting import Axis
from shoal.engines.blocks.points import mean_axes
from shoal.engines.spark.columns import collected, functions as f, numbered
from shoal.engines.spark.domain import Domain
from shoal.errors import InfeasibleError
from shoal.models import GroupStatistics, Histogram, Requirement
from shoal.table import Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST_POINTS = 5_000_000
"""So many points at most are held in one place; of more, a sample is cut by."""

ROWS, PEOPLE = "rows", "people"


@dataclass(frozen=True, eq=False)
class SparkPoints:
    """The points of a table, or a sample of them."""

    axes: tuple[Axis, ...]
    """Where each point lies, column by column."""
    weights: npt.NDArray[np.int64]
    """How many rows lie at each."""
    people: npt.NDArray[np.int64] | None
    """How many people do, where they are told apart."""
    values: Mapping[str, tuple[npt.NDArray[np.int64], ...]]
    """By sensitive column, how many rows or people at a point hold a value: arrays of points, codes
    and counts. None of a sample."""
    labels: Mapping[str, tuple[str | None, ...]]
    share: int
    """One point of so many is here."""

    @classmethod
    def collect(
        cls, rows: DataFrame, domain: Domain, require: Sequence[Requirement]
    ) -> SparkPoints:
        """Count the points of encoded rows, in the order in which one machine would find them."""
        layout = domain.layout
        people = layout.entity is not None
        located = people_of(rows, domain) if people else rows
        keys = [*layout.places, ROWS] if people else layout.codes
        share = _share(located, keys)
        if share > 1:
            located = located.where(f.pmod(f.xxhash64(*keys), f.lit(share)) == 0)
        counted = collected(located.groupBy(*keys).agg(f.count(f.lit(1)).alias("n"))).sort(keys)
        codes = counted.select(keys).to_numpy().astype(np.int64)
        heads = counted["n"].to_numpy().astype(np.int64)
        if people:
            axes, weights = mean_axes(codes), heads * codes[:, -1]
        else:
            both = zip(domain.quasi, codes.T, strict=True)
            axes = tuple(Axis.of(replace(column, codes=own)) for column, own in both)
            weights = heads
        values = {}
        if share == 1 and any("histograms" in each.needs for each in require):
            number = counted.select(keys).with_row_index("point")
            for name, code in zip(layout.sensitive, layout.values, strict=True):
                held = rows
                if people:  # each value of a person once, where the person lies
                    own = rows.select(f.col(layout.person).alias("person"), code).distinct()
                    held = own.join(located, on="person")
                found = collected(held.groupBy(*keys, code).agg(f.count(f.lit(1)).alias("n")))
                found = found.join(number, on=keys, how="inner")
                values[name] = tuple(
                    found[each].to_numpy().astype(np.int64) for each in ("point", code, "n")
                )
        return cls(axes, weights, heads if people else None, values, domain.labels, share)

    def holds(self, require: Sequence[Requirement], points: npt.NDArray[np.intp]) -> bool:
        """Judge the rows at some points as one group; of a sample, by its size alone."""
        rows = int(self.weights[points].sum()) * self.share
        if self.share > 1:
            return rows >= 1000 * max(each.least_size for each in require)
        wanted = np.zeros(len(self.weights), dtype=np.bool_)
        wanted[points] = True
        people = None if self.people is None else np.array([int(self.people[points].sum())])
        histograms = {}
        for name, (point, value, count) in self.values.items():
            kept = wanted[point]
            histograms[name] = _one_group(value[kept], count[kept], self.labels[name])
        group = GroupStatistics(np.array([rows]), people, histograms)
        return all(each.judge(group).passed for each in require)


def every_point(rows: DataFrame, domain: Domain, require: Sequence[Requirement]) -> Table:
    """Collect different rows with how many there are of each: never a sample.

    They differ in quasi-identifiers, in people where these are told apart, and in sensitive values
    where a requirement counts them.

    Raises `InfeasibleError` if they are more than one place can hold.
    """
    layout = domain.layout
    values = layout.values if any("histograms" in each.needs for each in require) else []
    person = [] if layout.entity is None else [f.col(layout.person).alias("person")]
    points = rows.groupBy(*layout.codes, *values, *person).agg(f.count(f.lit(1)).alias("n"))
    found = collected(points.limit(MOST_POINTS + 1))
    if found.height > MOST_POINTS:
        of = ["quasi-identifiers", *["sensitive values"] * bool(values), *["people"] * len(person)]
        raise InfeasibleError(
            f"The table has {points.count():,} different combinations of {' and '.join(of)}, "
            f"but levels can be found for at most {MOST_POINTS:,}.",
            "Round or shorten columns, leave some out, or use a method that works in blocks, "
            "such as gaa-cp.",
        )
    people = None
    if person:
        people = numbered(found["person"])
    return domain.table(
        [found[code].to_numpy() for code in layout.codes],
        {
            name: found[code].to_numpy()
            for name, code in zip(layout.sensitive, values, strict=False)
        },
        people,
        multiplicity=found["n"].to_numpy().astype(np.int64),
    )


def people_of(rows: DataFrame, domain: Domain) -> DataFrame:
    """Sum up where the rows of each person lie, and count them."""
    layout = domain.layout
    sums = [f.sum(name).alias(name) for name in layout.places]
    person = f.col(layout.person).alias("person")
    return rows.groupBy(person).agg(*sums, f.count(f.lit(1)).alias(ROWS))


def whole_statistics(
    rows: DataFrame, domain: Domain, require: Sequence[Requirement]
) -> GroupStatistics:
    """Count encoded rows as one group."""
    layout = domain.layout
    heads = f.count(f.lit(1))
    persons = None
    if layout.entity is not None:
        heads = f.count_distinct(layout.person)
    found = rows.agg(f.count(f.lit(1)).alias(ROWS), heads.alias(PEOPLE)).collect()[0]
    if layout.entity is not None:
        persons = np.array([found[PEOPLE]])
    histograms = {}
    if any("histograms" in each.needs for each in require):
        for name, code in zip(layout.sensitive, layout.values, strict=True):
            counts = collected(rows.groupBy(code).agg(heads.alias("n")))
            value, n = (counts[each].to_numpy().astype(np.int64) for each in (code, "n"))
            histograms[name] = _one_group(value, n, domain.labels[name])
    return GroupStatistics(np.array([found[ROWS]]), persons, histograms)


def _one_group(
    value: npt.NDArray[np.int64], count: npt.NDArray[np.int64], labels: tuple[str | None, ...]
) -> Histogram:
    """Put counts of values together, whoever counted them."""
    sums = np.bincount(value, count, minlength=len(labels)).astype(np.int64)
    held = np.flatnonzero(sums)
    return Histogram(np.zeros(len(held), dtype=np.int64), held, sums[held], labels)


def _share(located: DataFrame, keys: Sequence[str]) -> int:
    """Say of how many points one must be taken, so that one place can hold them."""
    points = located.agg(f.approx_count_distinct(f.struct(*keys), 0.02)).collect()[0][0]
    return max(-(-points // MOST_POINTS), 1) if points > 1.1 * MOST_POINTS else 1
