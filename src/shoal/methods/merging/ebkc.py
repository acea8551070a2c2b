"""EBKC: clusters by a distance threshold, small ones merged, large ones cut by entropy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from shoal.arguments import is_number, one_of
from shoal.errors import ParameterError
from shoal.grouping import Grouping, number_merged
from shoal.kernels.merging.bisect import FINISHED, BisectState, bisect
from shoal.kernels.merging.boxes import Boxes
from shoal.kernels.merging.clusters import N_CLUSTERS, N_DONE, Clusters, Scales, copy_entries
from shoal.kernels.merging.leader import FULL, lead
from shoal.kernels.merging.members import members
from shoal.kernels.merging.small import merge_small
from shoal.methods.base import Method, Progress
from shoal.methods.bounds import without_surplus
from shoal.methods.completing import complete, least_size
from shoal.methods.merging._boxes import make_boxes, openers, telling_first
from shoal.methods.scaling import FALLBACK, positions, sums_fit, weight_of
from shoal.models import Requirement
from shoal.table import NumericColumn, QuasiColumn, Table

__all__ = ["EBKC"]

BUDGET = 10_000_000
"""Cells visited between two looks at the clock: a few hundredths of a second."""

MOST_COLUMNS = 1000
"""A sum of distances is at most the number of columns; a threshold above this is a slip."""

DIGITS = 10**9
"""The threshold is read to nine decimals, so that it is an exact fraction."""

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class EBKC(Method):
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
    carries: ClassVar[frozenset[str] | None] = None
    carries_missing: ClassVar[bool] = True

    def validate(self) -> None:
        """Refuse unknown picks, and thresholds that no distance can have."""
        super().validate()
        one_of("per", self.per, ("sum", "mean"))
        most = 1 if self.per == "mean" else MOST_COLUMNS
        if not is_number(self.delta) or not 0 < self.delta <= most:
            raise ParameterError(
                f"delta must be a number above 0 and at most {most:,} with per = "
                f"{self.per!r}, not {self.delta!r}.",
                "It is the largest distance at which a record joins a cluster; the paper takes "
                "0.5.",
            )

    def describe(self) -> str:
        """Say in words how groups are found."""
        distance = "a summed" if self.per == "sum" else "a mean"
        return f"EBKC: clusters within {distance} distance of {self.delta:g}, cut by entropy"

    def group(
        self,
        table: Table,
        require: Sequence[Requirement],
        *,
        rng: np.random.Generator,
        progress: Progress | None = None,
    ) -> Grouping:
        """Gather, merge, cut."""
        return without_surplus(
            table, require, lambda part: self._group(part, require, rng, progress)
        )

    def _group(
        self,
        table: Table,
        require: Sequence[Requirement],
        rng: np.random.Generator,
        progress: Progress | None,
    ) -> Grouping:
        k = least_size(require)
        n = table.n_rows
        order = self.row_order(n, rng)

        def report(done: int) -> None:  # two halves: gathering, then cutting
            if progress:
                progress(done // 2, n)

        columns = telling_first(table.quasi)
        scales, limit = _scales(columns, n, self.delta, per=self.per)
        codes = _codes(columns)
        boxes = make_boxes(columns, scales)
        found, made = _gather(columns, scales, boxes, codes, order.astype(np.int64), limit, report)
        bounds = openers(columns, scales, boxes, made)
        clusters = _merged(scales, boxes, bounds, found, made, table.people, k, lambda: report(n))
        sizes = [column.size + 1 for column in table.quasi]
        by_column = np.ascontiguousarray(_codes(table.quasi).T)
        labels = _cut(by_column, sizes, clusters, table.people, k, lambda done: report(n + done))
        if progress:
            progress(n, n)
        return complete(table, Grouping(labels), require, table.quasi)


def _codes(columns: Sequence[QuasiColumn]) -> npt.NDArray[np.int32]:
    return np.stack([column.codes for column in columns], axis=1).astype(np.int32)


def _gather(
    columns: Sequence[QuasiColumn],
    scales: Scales,
    boxes: Boxes,
    codes: npt.NDArray[np.int32],
    order: Ints,
    limit: Ints,
    report: Callable[[int], None],
) -> tuple[Ints, Clusters]:
    """Put every record into a cluster; also give the clusters."""
    need = sum(
        column.size.bit_length() if isinstance(column, NumericColumn) else column.hierarchy.height
        for column in columns
    )
    labels = np.zeros(len(codes), dtype=np.int64)
    rooms = 16
    made = Clusters(
        size=np.zeros(rooms, dtype=np.int64),
        facts=np.zeros((rooms, len(columns), 4), dtype=np.int64),
        box=np.zeros(rooms, dtype=np.int64),
        following=np.zeros(rooms, dtype=np.int64),
        opener=np.zeros(rooms, dtype=np.int64),
        best=np.zeros(3, dtype=np.int64),
        counters=np.zeros(3, dtype=np.int64),
        **_entries(32 * need + 1),
    )
    while stopped := lead(scales, boxes, made, codes, order, labels, limit, need, BUDGET):
        if stopped == FULL:
            made = _grown(made)
        report(int(made.counters[N_DONE]))
    return labels, made


def _entries(places: int) -> dict[str, Ints]:
    """Make an empty hash table."""
    names = ("owner", "cell", "held", "sum")
    return {name: np.full(places, -(name == "owner"), dtype=np.int64) for name in names}


def _grown(made: Clusters) -> Clusters:
    """Make room for twice as many clusters and entries."""
    more = {
        name: np.concatenate([part, np.zeros_like(part)])
        for name in ("size", "facts", "box", "following", "opener")
        for part in [getattr(made, name)]
    }
    larger = made._replace(**more, **_entries(2 * len(made.owner) + 1))
    copy_entries(made, larger)
    return larger


def _merged(
    scales: Scales,
    boxes: Boxes,
    bounds: tuple[Ints, Ints],
    labels: Ints,
    made: Clusters,
    people: Ints | None,
    k: int,
    report: Callable[[], None],
) -> Ints:
    """Merge clusters of fewer than k people; give each record its cluster's new number."""
    into = np.arange(made.counters[N_CLUSTERS])
    inside = members(labels, people, len(into))
    counters = np.zeros(4, dtype=np.int64)
    while merge_small(scales, made, boxes, *bounds, into, inside, k, counters, BUDGET):
        report()
    return number_merged(into)[labels]


def _cut(
    by_column: npt.NDArray[np.int32],
    sizes: Sequence[int],
    clusters: Ints,
    people: Ints | None,
    k: int,
    report: Callable[[int], None],
) -> npt.NDArray[np.int32]:
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


def _scales(
    columns: Sequence[QuasiColumn], n: int, delta: float, *, per: str
) -> tuple[Scales, Ints]:
    """Scale distances to integers, and the threshold to a mixed number on that scale.

    Exact over the least common denominator of ranges, depths and weights, where the sum of n
    whole distances fits in 64 bits; else numbers go to a grid of 2²⁰ steps over their range
    and steps are rounded to a denominator of 2²⁰ · 720 for the column of the largest weight.
    """
    weights = [weight_of(column) for column in columns]
    common = _denominator(columns, weights)
    exact = sums_fit(common * sum(weights) * 4 * (n + 1))
    if not exact:
        common, weights = FALLBACK, [weight / max(weights) for weight in weights]
    value, cell, reach, parent, depth = [], [], [], [], []
    start, cells = [0], [0]
    for column, weight in zip(columns, weights, strict=True):
        here = cells[-1]
        if isinstance(column, NumericColumn):
            scaled = positions(column, weight * common, exact=exact)
            value.append(np.append(scaled, 0))
            cell.append(np.zeros(column.size + 1, dtype=np.int64))
            reach.append(int(scaled[-1]))
            parent.append(np.full(column.size, -1))
            depth.append(np.zeros(column.size, dtype=np.int64))
        else:
            tree = column.hierarchy
            nodes = np.append(tree.leaf_nodes, 0).astype(np.int64)
            halves = [round(weight * common / (2 * max(t, 1))) for t in range(tree.height + 1)]
            value.append(np.where(nodes == 0, 0, np.array(halves)[tree.depth[nodes]]))
            cell.append(nodes + here)
            reach.append(0)
            parent.append(np.where(tree.parent < 0, -1, tree.parent.astype(np.int64) + here))
            depth.append(tree.depth.astype(np.int64))
        start.append(start[-1] + column.size + 1)
        cells.append(here + len(parent[-1]))
    scales = Scales(
        numeric=np.array([isinstance(column, NumericColumn) for column in columns]),
        start=np.array(start, dtype=np.int64),
        value=np.concatenate(value).astype(np.int64),
        cell=np.concatenate(cell).astype(np.int64),
        reach=np.array(reach, dtype=np.int64),
        cell_start=np.array(cells, dtype=np.int64),
        parent=np.concatenate(parent).astype(np.int64),
        depth=np.concatenate(depth).astype(np.int64),
    )
    threshold = Fraction(round(Fraction(str(delta)) * DIGITS), DIGITS)
    if per == "sum":
        threshold /= len(columns)
    whole, part = divmod(threshold * round(sum(weights) * common), 1)
    return scales, np.array([whole, part.numerator, part.denominator], dtype=np.int64)


def _denominator(columns: Sequence[QuasiColumn], weights: Sequence[Fraction]) -> int:
    """Find the least common denominator of all distances between two cells, and of halves."""
    parts = [1]
    for column, weight in zip(columns, weights, strict=True):
        parts.append(weight.denominator)
        if isinstance(column, NumericColumn):
            parts.append(2 * (weight / max(column.reach, 1)).denominator)
        else:
            depths = set(column.hierarchy.depth[column.hierarchy.leaf_nodes].tolist()) - {0}
            parts += [(weight / (2 * depth)).denominator for depth in depths]
    return lcm(*parts)
