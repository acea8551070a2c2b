"""KACA: merge classes that are too small, by hierarchies alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator

from shoal.base.arrays import Floats, Ints, Small
from shoal.kernels.collapse import collapse
from shoal.kernels.merging.members import members
from shoal.kernels.merging.merge import COMPLETE, Forest, MergingState, Trie, merge, ranks
from shoal.methods._scaling import FALLBACK, sums_fit, weight_of
from shoal.methods._trimming import TrimmingMethod
from shoal.methods.base import Progress
from shoal.models import Requirement
from shoal.publications.groups.completing import complete, least_size
from shoal.publications.groups.grouping import Grouping, number_by_first, number_merged
from shoal.table import CategoricalColumn, Table

BUDGET = 5_000_000
"""Classes visited between two looks at the clock: a few hundredths of a second."""

PER_BUCKET = 8
"""Classes per bucket, on average at least: fewer make more branches to look at."""


@dataclass(frozen=True)
class KACA(TrimmingMethod):
    """Merge a class that is too small with the class that is cheapest to merge with.

    Every quasi-identifier climbs a tree, numbers included, so that published cells are nodes
    that were agreed on beforehand. Choose it for that, or as a baseline; `GAACP` publishes
    numbers as minimal intervals and usually loses less. With such intervals for its own classes
    and ``picks="first"``, KACA loses less than `GAACP` on Adult from k = 10 on. It suppresses
    nothing. A class may grow past 2k, because a small class may join one that is complete.

    Parameters
    ----------
    picks
        Which of the small classes is merged next: a ``"random"`` one, or the ``"first"``.
    seed
        Makes the random picks repeatable.
    numbers
        How numbers are published: as nodes of the ``"tree"`` that they climb, as in the paper, or
        as the least ``"intervals"`` that hold a class. The classes are the same.

    Notes
    -----
    Readings of the paper: classes of equal tuples at the start, numbered by their lowest row;
    a merged class keeps the lower number, which is still that of its lowest row. Two classes
    merge at the cost |A|·distortion(a, ab) + |B|·distortion(b, ab), where ab holds the lowest
    common ancestors and the distortion of an attribute is the number of steps climbed divided
    by the height of its tree (all levels weigh the same), times the column's weight. Ties go
    to the earliest class. It ends when every class holds k records. A number climbs the tree
    of its schema, or 16 equal intervals joined in pairs. A missing cell stands at the root.
    Where the schema names an entity column, a class is complete when it holds k people, and
    its size in the cost still counts records. Labels number the classes by their lowest row.
    Costs are compared as exact integers.

    Examples
    --------
    >>> import shoal
    >>> patients = shoal.datasets.patients(1)
    >>> schema = shoal.Schema({
    ...     "name": shoal.identifier(), "sex": shoal.quasi(), "disease": shoal.sensitive(),
    ...     "age": shoal.quasi(kind="numeric", hierarchy=shoal.hierarchies.Intervals(width=10)),
    ...     "zip": shoal.quasi(hierarchy=shoal.hierarchies.Prefixes())})
    >>> release = shoal.anonymize(patients, schema, require=[shoal.KAnonymity(2)],
    ...                           method=shoal.KACA(picks="first"))
    >>> release.grouping.labels.tolist()
    [0, 0, 1, 0, 1]
    >>> release.table.select("age", "sex", "zip").row(2)
    ('[40, 60)', 'female', '230**')

    The same classes, with minimal intervals:

    >>> narrow = shoal.anonymize(patients, schema, require=[shoal.KAnonymity(2)],
    ...     bounds="observed", method=shoal.KACA(picks="first", numbers="intervals"))
    >>> narrow.table["age"][2]
    '[45, 55]'

    References
    ----------
    Li, Wong, Fu, Pei: Achieving k-anonymity by clustering in attribute hierarchical
    structures. DaWaK 2006, LNCS 4081, 405–416. As described and compared in: Jiang, Zeng, Ma:
    Greedy clustering-anonymity method for privacy preservation of table data-publishing.
    Journal of Software 28(2), 2017, 341–351.
    """

    picks: Literal["random", "first"] = "random"
    seed: int | None = None
    numbers: Literal["intervals", "tree"] = "tree"

    name: ClassVar[str] = "kaca"
    in_blocks: ClassVar[bool] = True

    def describe(self) -> str:
        return "KACA: merging of small classes by least distortion in the hierarchies"

    def group_rest(
        self, table: Table, require: Sequence[Requirement], rng: Generator, progress: Progress
    ) -> Grouping:
        """Merge classes of equal tuples until each holds k."""
        k = least_size(require)
        n = table.n_rows
        # Steep steps first: they tell the most about which classes are far.
        columns = sorted(table.trees, key=lambda c: -c.weight / max(c.hierarchy.height, 1))
        classes = number_by_first(
            collapse([c.codes for c in columns], [c.size + 1 for c in columns])
        )
        firsts = np.unique(classes, return_index=True)[1]
        draws = np.zeros(len(firsts)) if self.picks == "first" else rng.random(len(firsts))
        forest, leaves = _forest(columns, n)
        nodes = np.stack([leaf[c.codes[firsts]] for c, leaf in zip(columns, leaves, strict=True)])
        state = _state(forest, nodes.T, classes, table.people, k, draws)
        while merge(forest, state, k, BUDGET):
            progress(int(state.counters[COMPLETE]), n)
        progress(n, n)
        labels = number_merged(state.into)[classes].astype(np.int32)
        shown = table.trees if self.numbers == "tree" else table.quasi
        return complete(table, Grouping(labels), require, shown)


def _forest(columns: Sequence[CategoricalColumn], n: int) -> tuple[Forest, list[Small]]:
    """Lay the trees end to end, without nodes that no record stands below.

    Also gives, per column, the node of each code (the root for a missing one).
    """
    parents, ends, heights, leaves = [], [], [], []
    start = 0
    for column, step in zip(columns, _steps(columns, n), strict=True):
        tree = column.hierarchy
        place = np.append(tree.leaf_nodes, 0)
        used = np.zeros(tree.n_nodes + 1, dtype=np.int64)
        used[tree.ancestors[place[np.unique(column.codes)]]] = 1
        number = np.cumsum(used) - used + start  # depth first stays depth first
        kept = np.flatnonzero(used)
        parent = number[tree.parent[kept]]
        parent[0] = -1
        beyond = tree.leaf_nodes[tree.last_leaf] + 1  # the last node below is the last leaf
        parents.append(parent)
        ends.append(number[beyond[kept]])
        heights.append(tree.depth[kept].astype(np.int64) * step)
        leaves.append(number[place].astype(np.int32))
        start += len(kept)
    forest = Forest(*(np.concatenate(parts) for parts in (parents, ends, heights)))
    return forest, leaves


def _steps(columns: Sequence[CategoricalColumn], n: int) -> list[int]:
    """Scale the cost of one step up, weight / height, to integers.

    Exact over the least common denominator where n whole climbs fit in 64 bits; else
    rounded to a denominator of 2²⁰ · 720 for the column of the largest weight.
    """
    weights = [weight_of(column) for column in columns]
    heights = [max(column.hierarchy.height, 1) for column in columns]
    costs = [weight / height for weight, height in zip(weights, heights, strict=True)]
    common = lcm(*(cost.denominator for cost in costs))
    if sums_fit(common * sum(weights) * 2 * n):
        return [int(cost * common) for cost in costs]
    return [round(cost / max(weights) * FALLBACK) for cost in costs]


def _state(
    forest: Forest, nodes: Small, classes: Ints, people: Ints | None, k: int, draws: Floats
) -> MergingState:
    m = len(nodes)
    inside = members(classes, people, m)
    small = inside.held < k
    size = np.bincount(classes, minlength=m).astype(np.int64)
    shared, bucket = _buckets(nodes)
    order = np.argsort(bucket, kind="stable")
    place = np.empty(m, dtype=np.int64)
    place[order] = np.arange(m)
    length = np.bincount(bucket).astype(np.int64)
    begin = np.cumsum(length) - length
    least = np.minimum.reduceat(size[order], begin)
    branches, trie = _trie(forest, nodes[order[begin], :shared], length, least)
    return MergingState(
        nodes=np.ascontiguousarray(nodes[order]),
        size=size[order],
        own=forest.height[nodes[order]].sum(axis=1),
        name=order.astype(np.int64),
        home=bucket[order],
        place=place,
        begin=begin,
        length=length,
        branches=branches,
        trie=trie,
        into=np.arange(m, dtype=np.int64),
        small=ranks(small.astype(np.int64)),
        people=inside,
        meet=np.zeros(len(forest.parent), dtype=np.int64),
        draws=draws,
        counters=np.array([m, small.sum(), 0, size[~small].sum(), 0]),
    )


def _trie(forest: Forest, front: Small, length: Ints, least: Ints) -> tuple[Ints, Trie]:
    """Lay out the branches above buckets, which are sorted; also say which lie above each."""
    n, shared = front.shape
    differs = np.ones((n, shared), dtype=np.bool_)
    differs[1:] = np.logical_or.accumulate(front[1:] != front[:-1], axis=1)
    first, depth = np.nonzero(differs)  # the first bucket of each branch
    numbers = np.full((n, shared), -1, dtype=np.int64)
    numbers[first, depth] = np.arange(len(first))
    branches = np.maximum.accumulate(numbers, axis=0)
    opened = np.append(0, np.cumsum(differs.sum(axis=1)))  # branches before each bucket
    after, smallest, held = (np.zeros(len(first), dtype=np.int64) for _ in range(3))
    for j in range(shared):
        mine = np.flatnonzero(depth == j)
        begin = first[mine]
        after[mine] = opened[np.append(begin[1:], n)]
        smallest[mine] = np.minimum.reduceat(least, begin)
        held[mine] = np.add.reduceat(length, begin)
    heights = np.cumsum(forest.height[front], axis=1)
    trie = Trie(
        node=front[first, depth],
        depth=depth.astype(np.int64),
        after=after,
        bucket=np.where(depth == shared - 1, first, -1).astype(np.int64),
        low=heights[first, depth].astype(np.int64),
        least=smallest,
        held=held,
        common=np.zeros(shared + 1, dtype=np.int64),
        mine=np.zeros(shared + 1, dtype=np.int64),
    )
    return branches, trie


def _buckets(nodes: Small) -> tuple[int, Ints]:
    """Put classes together that are equal in the first few attributes."""
    shared, bucket = 0, np.zeros(len(nodes), dtype=np.int64)
    for j in range(nodes.shape[1]):
        finer = collapse([bucket, nodes[:, j]], [len(nodes), int(nodes.max()) + 1])
        if finer.max() >= len(nodes) // PER_BUCKET:
            break
        shared, bucket = j + 1, finer
    return shared, bucket
