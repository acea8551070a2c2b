"""EBKC: clusters by a distance threshold, small ones merged, large ones cut by entropy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator

from shoal.base.arrays import Ints, Small
from shoal.base.limits import number
from shoal.kernels.merging.bisect import FINISHED, BisectState, bisect
from shoal.kernels.merging.boxes import Boxes
from shoal.kernels.merging.clusters import (
    LANES,
    N_CLUSTERS,
    N_DONE,
    N_ENTRIES,
    N_PACKS,
    Clusters,
    Scales,
    copy_entries,
)
from shoal.kernels.merging.leader import FULL, lead
from shoal.kernels.merging.members import members
from shoal.kernels.merging.small import merge_small
from shoal.methods._trimming import TrimmingMethod
from shoal.methods.base import Progress
from shoal.methods.merging._boxes import make_boxes, openers, telling_first
from shoal.methods.merging._scales import cells_of, make_scales, width_of
from shoal.models import Requirement
from shoal.publications.groups.completing import complete, least_size
from shoal.publications.groups.grouping import Grouping, number_merged
from shoal.table import QuasiColumn, Table

BUDGET = 10_000_000
"""Cells visited between two looks at the clock: a few hundredths of a second."""

MOST_COLUMNS = 1000
"""A sum of distances is at most the number of columns; a threshold above this is a slip."""

THRESHOLD = "It is the largest distance at which a record joins a cluster; the paper uses 0.5."


@dataclass(frozen=True)
class EBKC(TrimmingMethod):
    """Gather records that are near on average, merge small clusters, cut large ones.

    A baseline of Jiang et al. (2017). Its cuts look at one attribute at a time and at entropy
    instead of loss, so that `GAACP` usually loses less; with a small ``delta`` it starts from
    many small clusters and may lose less than that. It suppresses nothing. Its classes hold k
    to 2k records.

    Parameters
    ----------
    delta
        The largest distance to a cluster, on average over its members, at which a record still
        joins it; above 0. Read to nine decimals.
    per
        Which distance of two records ``delta`` is about: ``"sum"`` of the attributes'
        differences, at most one each, or their ``"mean"``.
    picks
        In which order records are taken: ``"first"`` for row by row, as we read the paper, or
        ``"random"``.
    seed
        Makes the random order repeatable.

    Notes
    -----
    The algorithm is read from its description by Jiang et al. First pass: a record joins the
    cluster of least mean distance to its members if that is at most delta, else it opens one.
    The distance of two records is their Definition 5, the mean over attributes, weighted
    by the columns' weights: |x − y| / range for numbers, ½ (h(p, lca) / h(p, root) +
    h(q, lca) / h(q, root)) for categories; ½ between a missing and a known cell, 0 between
    two missing ones; a column with one number costs 0. The sum is that mean times the number of
    attributes. Jiang et al. say that δ = 0.5 "favours the forming of small classes" and that EBKC
    is the slowest of the three: on Adult, both are so only for the sum. Second: while a cluster
    holds fewer than k records, the first such cluster merges with the one that adds the least
    information loss (iloss of the union less those of the two, weighted); clusters are numbered as
    they were opened, and a merged one keeps the lower number. Third: a cluster of more than 2k
    records is cut at the median of the attribute of highest entropy in it, where missing is a
    value of its own: records sorted by code (numbers ascending, categories in tree order,
    missing last), then by row, the first ⌊n/2⌋ being one part; and so on with the parts.
    Ties go to the earliest cluster and the first attribute; entropies that agree to 10⁻⁹ are
    equal. Where the schema names an entity column, a cluster is small while it holds fewer
    than k people, and is cut only if both parts hold k people. Labels follow the clusters'
    numbers, and inside a cluster its parts from low to high. Distances and losses are
    compared as exact integers.

    Examples
    --------
    >>> import shoal
    >>> patients = shoal.datasets.patients(1)
    >>> schema = shoal.Schema({
    ...     "name": shoal.identifier(), "age": shoal.quasi(), "sex": shoal.quasi(),
    ...     "zip": shoal.quasi(kind="numeric"), "disease": shoal.sensitive()})
    >>> release = shoal.anonymize(patients, schema, require=[shoal.KAnonymity(2)],
    ...                           method=shoal.EBKC())
    >>> release.grouping.labels.tolist()
    [0, 0, 1, 0, 1]

    References
    ----------
    Zhang, Zhao, Yang, Yang: A k-anonymity clustering algorithm based on the information
    entropy. CSCWD 2014, 319–324. As described and compared in: Jiang, Zeng, Ma: Greedy
    clustering-anonymity method for privacy preservation of table data-publishing. Journal of
    Software 28(2), 2017, 341–351.
    """

    delta: float = 0.5
    per: Literal["sum", "mean"] = "sum"
    picks: Literal["random", "first"] = "first"
    seed: int | None = None

    name: ClassVar[str] = "ebkc"
    limits: ClassVar = {**TrimmingMethod.limits, "delta": number(f"(0, {MOST_COLUMNS}]", THRESHOLD)}

    def validate(self) -> None:
        """Refuse thresholds that no mean distance can have, either."""
        super().validate()
        if self.per == "mean":
            number("(0, 1]", "A mean distance is at most 1; the paper uses 0.5.").check(
                "delta", self.delta
            )

    def describe(self) -> str:
        distance = "a summed" if self.per == "sum" else "a mean"
        return f"EBKC: clusters within {distance} distance of {self.delta:g}, cut by entropy"

    def group_rest(
        self, table: Table, require: Sequence[Requirement], rng: Generator, progress: Progress
    ) -> Grouping:
        """Gather, merge, cut."""
        k = least_size(require)
        n = table.n_rows
        order = self.row_order(n, rng)

        def report(done: int) -> None:  # two halves: gathering, then cutting
            progress(done // 2, n)

        columns = telling_first(table.quasi)
        scales, limit = make_scales(columns, n, self.delta, per=self.per)
        codes = _codes(columns)
        boxes = make_boxes(columns, scales)
        found, made = _gather(columns, scales, boxes, codes, order.astype(np.int64), limit, report)
        bounds = openers(columns, scales, boxes, made)
        into, counters = np.arange(made.counters[N_CLUSTERS]), np.zeros(4, dtype=np.int64)
        inside = members(found, table.people, len(into))
        while merge_small(scales, made, boxes, *bounds, into, inside, k, counters, BUDGET):
            report(n)
        clusters = number_merged(into)[found]
        sizes = [column.size + 1 for column in table.quasi]
        by_column = np.ascontiguousarray(_codes(table.quasi).T)
        labels = _cut(by_column, sizes, clusters, table.people, k, lambda done: report(n + done))
        progress(n, n)
        return complete(table, Grouping(labels), require, table.quasi)


def _codes(columns: Sequence[QuasiColumn]) -> Small:
    return np.stack([column.codes for column in columns], axis=1).astype(np.int32)


def _gather(
    columns: Sequence[QuasiColumn],
    scales: Scales,
    boxes: Boxes,
    codes: Small,
    order: Ints,
    limit: Ints,
    report: Callable[[int], None],
) -> tuple[Ints, Clusters]:
    """Put every record into a cluster; also give the clusters."""
    need = sum(
        cells_of(column)
        for column, begins in zip(columns, scales.summed.tolist(), strict=True)
        if begins < 0
    )
    labels = np.zeros(len(codes), dtype=np.int64)
    capacity = 16
    made = Clusters(
        size=np.zeros(capacity, dtype=np.int64),
        facts=np.zeros((capacity, len(columns), 4), dtype=np.int64),
        lane=np.zeros(capacity, dtype=np.int64),
        sums=np.zeros((capacity, width_of(scales, scales.summed), LANES), dtype=np.int64),
        number=np.zeros((capacity, LANES), dtype=np.int64),
        members=np.zeros((capacity, LANES), dtype=np.int64),
        next_pack=np.zeros(capacity, dtype=np.int64),
        box=np.zeros(capacity, dtype=np.int64),
        following=np.zeros(capacity, dtype=np.int64),
        opener=np.zeros(capacity, dtype=np.int64),
        best=np.zeros(3, dtype=np.int64),
        totals=np.zeros((2, LANES), dtype=np.int64),
        counters=np.zeros(4, dtype=np.int64),
        **_entries(32 * need + 1),
    )
    while stopped := lead(scales, boxes, made, codes, order, labels, limit, need, BUDGET):
        if stopped == FULL:
            made = _grown(made, need)
        report(int(made.counters[N_DONE]))
    return labels, made


def _entries(places: int) -> dict[str, Ints]:
    """Make an empty hash table."""
    names = ("owner", "cell", "held", "sum")
    return {name: np.full(places, -(name == "owner"), dtype=np.int64) for name in names}


def _grown(made: Clusters, need: int) -> Clusters:
    """Make twice the room for clusters, packs or entries, whichever are full."""
    names: list[str] = []
    if made.counters[N_CLUSTERS] == len(made.size):
        names += ["size", "facts", "lane", "box", "following", "opener"]
    if made.counters[N_PACKS] == len(made.next_pack):
        names += ["sums", "number", "members", "next_pack"]
    parts = {name: getattr(made, name) for name in names}
    larger = made._replace(
        **{name: np.concatenate([part, np.zeros_like(part)]) for name, part in parts.items()}
    )
    if 2 * (made.counters[N_ENTRIES] + need) > len(made.owner):
        larger = larger._replace(**_entries(2 * len(made.owner) + 1))
        copy_entries(made, larger)
    return larger


def _cut(
    by_column: Small,
    sizes: Sequence[int],
    clusters: Ints,
    people: Ints | None,
    k: int,
    report: Callable[[int], None],
) -> Small:
    """Bisect clusters of more than 2k records; label every record."""
    n = len(clusters)
    bounds = np.concatenate([[0], np.cumsum(np.bincount(clusters))])
    pieces = np.stack([bounds[:-1], bounds[1:]], axis=1)[::-1]
    people = np.arange(n) if people is None else people
    state = BisectState(
        rows=np.argsort(clusters, kind="stable").astype(np.int64),
        spare=np.zeros(n, dtype=np.int64),
        tally=np.zeros(max(sizes), dtype=np.int64),
        stack=np.concatenate([pieces, np.zeros((64, 2))]).astype(np.int64),
        ends=np.zeros(len(pieces) + n // k, dtype=np.int64),
        seen=np.zeros(int(people.max()) + 1, dtype=np.int64),
        counters=np.array([len(pieces), 0, 0], dtype=np.int64),
    )
    while bisect(by_column, np.array(sizes), people, state, k, BUDGET):
        finished = int(state.counters[FINISHED])
        report(int(state.ends[finished - 1]) if finished else 0)
    lengths = np.diff(state.ends[: state.counters[FINISHED]], prepend=0)
    labels = np.empty(n, dtype=np.int32)
    labels[state.rows] = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    return labels
