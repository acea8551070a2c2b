"""Mondrian: cut the records at medians and nodes, the widest column first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import lcm
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator

from shoal.kernels.partition.cuts import Attributes
from shoal.kernels.partition.mondrian import (
    OPEN,
    ROWS,
    SUBMITTED,
    Partition,
    answer,
    ask,
    partition,
    split,
)
from shoal.methods._scaling import FALLBACK, positions, sums_fit, weight_of
from shoal.methods._trimming import TrimmingMethod
from shoal.methods.base import Progress
from shoal.models import Requirement, holding
from shoal.publications.groups.completing import Judge, holds, least_size
from shoal.publications.groups.grouping import SUPPRESSED, Grouping, number_by_first
from shoal.publications.groups.share_limits import limits_of
from shoal.table import NumericColumn, QuasiColumn, Table

BUDGET = 1_000_000
"""Rows visited between two looks at the clock: less than a tenth of a second."""


@dataclass(frozen=True)
class Mondrian(TrimmingMethod):
    """Cut all records into two or more parts, and these again, as long as all parts hold.

    Each part is cut where it is widest: a number at its median, a category into the children of
    its node. A million rows take seconds, also under bounds on shares or l-diversity. `GAACP` and
    `LocalRecoding` often lose less, `FullDomain` shows one level per column.

    Parameters
    ----------
    partitioning
        ``"strict"``: records that are equal in all quasi-identifiers stay together, so that their
        published cells are the same. ``"relaxed"``: they may part where that lets a cut hold;
        more cuts do, and usually less is lost.
    numbers
        What numbers are cut at, and how they are published: ``"intervals"``, at medians and as the
        least intervals that hold a part; ``"tree"``, at nodes of the column's hierarchy and as
        these.

    Notes
    -----
    The width of a part in a column is the share of the column's domain that its cell covers:
    the range of its numbers over that of the table, or the leaves of its lowest common node less
    one over all leaves less one; times the column's weight. A part with a missing and a known
    cell shows ``*`` and is as wide as the column. Columns are tried from the widest down (the
    first on ties); the first that has a cut whose parts all hold is cut. Every part is judged
    before it is cut off, so any requirement is held.

    Missing cells are cut off from known ones if both parts hold; else they count as the largest
    number, or go to the rest of a node. Numbers are cut below or above their median value,
    where the two parts are more even (above on ties), or else on its other side; relaxed, if
    both fail, in the middle, the first rows of the median value going to the lower part. Of a
    node's children, those that fail form the rest, which shows the node. While the rest fails,
    the smallest child joins it, then twice as many; relaxed, the largest child gives it its last
    rows: as many as the rest is short of its least size, at least one, then twice as many. (The
    first child in the tree on ties.) A node is cut if a child stands apart in the end.

    Where even all records together exceed a share, the last rows of the too frequent values are
    suppressed first; nothing else is. Labels number the parts by their lowest row. Nothing is
    drawn at random. Widths are compared as exact integers.

    Examples
    --------
    >>> import shoal
    >>> schema = shoal.Schema({
    ...     "name": shoal.identifier(), "age": shoal.quasi(), "sex": shoal.quasi(),
    ...     "zip": shoal.quasi(kind="numeric"), "disease": shoal.sensitive()})
    >>> release = shoal.anonymize(shoal.datasets.patients(1), schema,
    ...     require=[shoal.KAnonymity(2)], method=shoal.Mondrian(), bounds="observed")
    >>> release.grouping.labels.tolist()
    [0, 0, 1, 0, 1]
    >>> release.table.select("age", "sex").row(2)
    ('[45, 55]', 'female')

    References
    ----------
    LeFevre, DeWitt, Ramakrishnan: Mondrian multidimensional k-anonymity. ICDE 2006.
    """

    partitioning: Literal["strict", "relaxed"] = "strict"
    numbers: Literal["intervals", "tree"] = "intervals"

    name: ClassVar[str] = "mondrian"
    in_blocks: ClassVar[bool] = True

    def describe(self) -> str:
        return f"Mondrian: {self.partitioning} cuts at medians and nodes, the widest column first"

    def group_rest(
        self, table: Table, require: Sequence[Requirement], rng: Generator, progress: Progress
    ) -> Grouping:
        """Cut parts until no cut holds."""
        n, k = table.n_rows, least_size(require)
        rows = np.arange(n)
        if not holds(require, table, rows):
            return Grouping(np.full(n, SUPPRESSED, dtype=np.int32))
        attributes = _attributes(table.trees if self.numbers == "tree" else table.quasi)
        limits, complete = limits_of(table, require)
        state = partition(attributes, limits, k, rows)
        relaxed = self.partitioning == "relaxed"

        def report() -> None:
            progress(int(state.counters[ROWS]), n)

        if complete:
            while split(attributes, limits, state, k, relaxed, BUDGET):
                report()
        else:
            _split_judged(attributes, state, k, relaxed, table, require, report)
        report()
        return Grouping(number_by_first(state.label).astype(np.int32))


def _split_judged(
    attributes: Attributes,
    state: Partition,
    k: int,
    relaxed: bool,
    table: Table,
    require: Sequence[Requirement],
    report: Callable[[], None],
) -> None:
    """Cut parts as long as the requirements themselves say that they hold."""
    judge = Judge(table, require)
    rows, group = (np.zeros(table.n_rows, dtype=np.int64) for _ in range(2))
    while state.counters[OPEN]:
        while (submitted := int(ask(attributes, state, k, relaxed, rows, group, BUDGET))) < 0:
            report()
        report()
        groups = judge.count(rows[:submitted], group[:submitted], int(state.counters[SUBMITTED]))
        answer(state, holding(require, groups))


def _attributes(columns: Sequence[QuasiColumn]) -> Attributes:
    """Lay the columns end to end, and scale their widths to integers.

    Exact over the least common denominator of ranges, leaves and weights where a width fits in
    64 bits; else rounded as `shoal.methods._scaling` says.
    """
    weights = [weight_of(column) for column in columns]
    shares = [
        weight / max(c.reach if isinstance(c, NumericColumn) else c.size - 1, 1)
        for c, weight in zip(columns, weights, strict=True)
    ]
    common = lcm(*(each.denominator for each in (*shares, *weights)))
    exact = sums_fit(common * max(weights))
    if not exact:
        common, weights = FALLBACK, [weight / max(weights) for weight in weights]
    deepest = max(
        (c.hierarchy.height for c in columns if not isinstance(c, NumericColumn)), default=0
    )
    places, parents, lasts, spans, depths, paths = [], [], [], [], [], []
    start, whole = [0], []
    nodes = 0
    for column, weight in zip(columns, weights, strict=True):
        full = weight * common
        if isinstance(column, NumericColumn):
            place = positions(column, full, exact=exact)
            whole.append(max(round(full), int(place.max(initial=0))))
        else:
            tree = column.hierarchy
            place = tree.leaf_nodes.astype(np.int64) + nodes
            whole.append(round(full))
            parents.append(tree.parent + nodes)
            lasts.append(tree.last_leaf)
            below = (tree.leaf_counts - 1).tolist()
            scaled = {count: round(full * count / max(column.size - 1, 1)) for count in set(below)}
            spans.append([scaled[count] for count in below])
            depths.append(tree.depth)
            beyond = np.repeat(tree.ancestors[:, -1:], deepest - tree.height, axis=1)
            paths.append(np.hstack((tree.ancestors, beyond)) + nodes)
            nodes += tree.n_nodes
        places.append(place)
        start.append(start[-1] + len(place))
    small, none = np.int32, [np.zeros(0, dtype=np.int32)]
    return Attributes(
        codes=np.stack([column.codes for column in columns], axis=1).astype(small),
        missing=np.array([column.size for column in columns], dtype=np.int64),
        numeric=np.array([isinstance(column, NumericColumn) for column in columns]),
        whole=np.array(whole, dtype=np.int64),
        start=np.array(start, dtype=np.int64),
        place=np.concatenate(places).astype(np.int64),
        parent=np.concatenate(parents or none).astype(small),
        last=np.concatenate(lasts or none).astype(small),
        span=np.concatenate(spans or none).astype(np.int64),
        depth=np.concatenate(depths or none).astype(small),
        path=np.concatenate(paths or [np.zeros((0, 1), dtype=np.int32)]).astype(small),
    )
