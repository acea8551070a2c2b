"""Auto: a start that suits the table and k, refinement for a while, and a bound beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from shoal.improve.loss_bound import Bounding
from shoal.improve.refinement import Refinement
from shoal.kernels.collapse import collapse
from shoal.measures import MEASURES, Pair
from shoal.methods.base import Method, OwnMethod, Progress
from shoal.methods.buckets.gca import GCA
from shoal.methods.clustering._greedy import order_points
from shoal.methods.clustering.gaa_cp import GAACP
from shoal.methods.merging.kaca import KACA
from shoal.methods.partition.mondrian import Mondrian
from shoal.models import Requirement, ShareBounds
from shoal.publications.groups.completing import complete, least_size, merge_failing
from shoal.publications.groups.grouping import Grouping
from shoal.publications.groups.share_limits import share_limits
from shoal.publications.recoding import generalize
from shoal.table import Table

LARGE_K = 10
"""From this k on, merging and cutting may find better starts than growing classes one by one."""

GIANT = 6
"""A start with a class of more than so many times k rows is replaced by one that mixes values."""

SMALL_TABLE_ROWS = 3_000
"""Up to so many rows refinement has the time to make the start forgotten, so it is GAA-CP's, which
needs no compiler there."""

MERGED_ROWS = 100_000
"""Beyond so many rows KACA may take minutes where other starts take seconds."""

SECONDS, PER_ROW = 3.0, 20e-6
"""What refinement is meant to take, on one core: so long, or so long per row if that is more,
which is about twice what grouping takes."""

MICROSECONDS = (
    (2, 11, 23),
    (5, 47, 105),
    (10, 125, 470),
    (25, 320, 1400),
    (100, 660, 3300),
    (1000, 6600, 33000),
)
"""What a step takes at some k, where a third of the rows differ, and where all do: measured on
Adult (eight columns) and on made-up hospital stays (seven), and guessed beyond k = 100."""

PER_GROUP = 30
"""Steps per group at most: then small tables are as good as they get."""

NEAR_OPTIMUM = 0.02
"""A loss that is proven to be so near to the best possible needs no more steps."""

EVALUATIONS, EVALUATIONS_PER_ROW, EVALUATIONS_PER_FURTHER_ROW, FEW_ROWS = (
    1_000_000,
    4_000,
    800,
    50_000,
)
"""What is spent on the bound: so many looks, and so many per row, of the first rows and of others.
Forty million take a second."""


@dataclass(frozen=True)
class Auto(OwnMethod):
    """Choose a start for the table and k, refine it, and report how close to optimal it is.

    The default: choose it unless you need the groups of a certain method. It loses a quarter to a
    third less than one pass of any other, and computes what any k-anonymous table loses at least.

    Parameters
    ----------
    measure
        What is to be small: ``"iloss"``, ``"iloss_rate"`` or ``"loss"``.
    seed
        Makes what is drawn repeatable: the first record, and which groups are refined.

    Notes
    -----
    Groups of fewer than 10, and tables of up to 3,000 rows, begin with `GAACP`. For others, relaxed
    `Mondrian` and, up to 100,000 rows, `KACA` are tried beside it, and the groups that lose least
    are taken. Where shares of sensitive values are bounded, such groups may become very large,
    since near rows have like values. If one has more than 6 k rows, `GCA` with
    ``within="nearest"`` makes the start, which mixes the values of one column, and what else is
    required is held by merging; if that has so large a class, too, each value's rows are put in one
    order of near rows and dealt to all groups alike. How many steps of refinement there
    are, and how many looks the lower bound is given, follows from the numbers of rows, of different
    rows and of columns and from k, or the groups that are found where people ask for a k of their
    own (`PersonalK`), and never from a clock: the same seed gives the same release on every
    machine. They are meant to take about three seconds each for up to 150,000 rows, and two more
    per 100,000 beyond. Steps end early when the loss is proven to be within 2 % of the best
    possible. A plan's ``[refine]`` and ``[bound]`` replace these budgets.

    Where quasi-identifiers are published as they are, or as centres, nothing is refined.

    Examples
    --------
    >>> import shoal
    >>> release = shoal.anonymize(shoal.datasets.patients(1), k=2, drop="name",
    ...     sensitive="disease", quasi=["age", "sex", "zip"], method=shoal.Auto(seed=1))
    >>> release
    Release(5 rows, 2 classes, k = 2, verified)
    """

    measure: str = "iloss"
    seed: int | None = None

    name: ClassVar[str] = "auto"
    in_blocks: ClassVar[bool] = True
    carries: ClassVar[frozenset[str] | None] = None
    carries_missing: ClassVar[bool] = True
    picks = "random"

    def validate(self) -> None:
        """Refuse measures that are not sums over cells."""
        super().validate()
        Refinement(steps=1, measure=self.measure).validate()

    def describe(self) -> str:
        return f"auto: a method chosen for the table, refined by {self.measure}"

    def find_groups(
        self, table: Table, require: Sequence[Requirement], rng: Generator, progress: Progress
    ) -> Grouping:
        """Find groups to start from: the pipeline refines them."""
        found = self._start(table, require, rng, progress)
        limits = share_limits(table, require)
        names = list(dict.fromkeys(each.column for each in limits))
        most = GIANT * least_size(require)

        def rank(groups: Grouping) -> tuple[bool, int]:
            return bool(groups.n_groups) and int(groups.sizes.max()) <= most, groups.n_groups

        def from_buckets() -> Grouping:
            own = _of_tightest_column(table, require, limits)
            mixed = GCA(within="nearest").group(table, own, rng=rng, progress=progress)
            return complete(table, mixed, require, table.quasi)

        for mix in (from_buckets, lambda: aligned_groups(table, require, names)):
            if rank(found)[0] or not names:
                break
            mixed = mix()
            if mixed.n_suppressed <= found.n_suppressed and rank(mixed) > rank(found):
                found = mixed
        return found

    def _start(
        self,
        table: Table,
        require: Sequence[Requirement],
        rng: Generator,
        progress: Progress,
    ) -> Grouping:
        """Find groups by what lies near each other."""
        if least_size(require) < LARGE_K or table.n_rows <= SMALL_TABLE_ROWS:
            return GAACP().group(table, require, rng=rng, progress=progress)
        methods: list[Method] = [GAACP(), Mondrian(partitioning="relaxed")]
        if table.n_rows <= MERGED_ROWS:
            methods.append(KACA(numbers="intervals", picks="first"))
        starts = [each.group(table, require, rng=rng, progress=progress) for each in methods]

        def lost(groups: Grouping) -> float:
            made = generalize(table, groups, bounds="observed")
            return float(MEASURES[self.measure].of(Pair(table, made)))

        return min(starts, key=lost)

    def refinement(self, table: Table, require: Sequence[Requirement]) -> Refinement:
        """Give as many steps as the table is meant to take."""
        k = max(least_size(require), 1)
        seconds = max(SECONDS, PER_ROW * table.n_rows)
        points = collapse([c.codes for c in table.quasi], [c.size + 1 for c in table.quasi])
        different = (int(points.max(initial=-1)) + 1) / max(table.n_rows, 1)
        steps = seconds / step_seconds(k, len(table.quasi), different)
        most = PER_GROUP * max(table.n_rows // k, 1)
        return Refinement(
            steps=max(int(min(steps, most)), 1), measure=self.measure, within=NEAR_OPTIMUM
        )

    def bounding(self, table: Table, require: Sequence[Requirement]) -> Bounding:
        """Give as many looks as the table is meant to take."""
        few = min(table.n_rows, FEW_ROWS)
        further = table.n_rows - few
        looks = EVALUATIONS + EVALUATIONS_PER_ROW * few + EVALUATIONS_PER_FURTHER_ROW * further
        return Bounding(looks=looks, measure=self.measure)


def _of_tightest_column(
    table: Table, require: Sequence[Requirement], limits: Sequence[ShareBounds]
) -> list[Requirement]:
    """List what `GCA` can hold: limits of the column that is nearest to them, and sizes.

    It mixes the values of one column; where the easier limits of others fail, few rows more will
    do.
    """

    def tightness(limits: ShareBounds) -> float:
        counts = np.bincount(limits.sets[table.sensitive[limits.column].codes])
        return float(max(c / s if s else 0.0 for c, s in zip(counts, limits.largest, strict=False)))

    column = max(limits, key=tightness).column
    return [each for each in require if {b.column for b in share_limits(table, [each])} <= {column}]


def step_seconds(k: int, columns: int, different: float) -> float:
    """Estimate what a step of refinement takes on one core.

    Parameters
    ----------
    different
        Different rows, as a share of all: equal ones are joined at once.

    Examples
    --------
    >>> [round(1e6 * step_seconds(k, 8, 1 / 3)) for k in (5, 10, 50)]
    [47, 125, 460]
    >>> round(1e6 * step_seconds(5, 8, 1.0))
    105
    """
    scale = np.log([each[0] for each in MICROSECONDS])
    few, many = (
        np.exp(np.interp(np.log(k), scale, np.log([each[j] for each in MICROSECONDS])))
        for j in (1, 2)
    )
    share = min(max((different - 1 / 3) * 1.5, 0.0), 1.0)
    return float(few ** (1 - share) * many**share) * 1e-6 * (columns + 8) / 16


def aligned_groups(table: Table, require: Sequence[Requirement], names: Sequence[str]) -> Grouping:
    """Cut the rows of each value, in an order of near rows, into a run for each group.

    So each group has every value as often as the table has, give or take one row. Groups that fail
    all the same are merged.

    ``names``: the sensitive columns whose values, taken together, are mixed.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"age": range(8), "ill": ["flu"] * 4 + ["cold"] * 4})
    >>> table = Table.encode(frame, {"age": "quasi", "ill": "sensitive"})
    >>> aligned_groups(table, [shoal.AlphaK(0.5, 4)], ["ill"]).labels.tolist()
    [0, 0, 1, 1, 0, 0, 1, 1]
    """
    near = order_points(table.quasi, np.stack([c.codes for c in table.quasi]).astype(np.int64))
    columns = [table.sensitive[name] for name in names]
    value = collapse([c.codes[near] for c in columns], [c.size for c in columns])
    by_value = np.argsort(value, kind="stable")
    counts = np.bincount(value)
    counts = counts[counts > 0]
    each = np.repeat(counts, counts)
    rank = np.arange(table.n_rows) - np.repeat(np.cumsum(counts) - counts, counts)
    groups = max(table.n_rows // max(least_size(require), 1), 1)
    labels = np.empty(table.n_rows, dtype=np.int64)
    # The middle of a row's place among those of its value; so the rare ones stand apart, too.
    labels[near[by_value]] = (2 * rank + 1) * groups // (2 * each)
    labels = np.unique(labels, return_inverse=True)[1]
    return merge_failing(table, Grouping(labels.astype(np.int32)), require, table.quasi)
