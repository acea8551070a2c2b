"""Merging of clusters that are too small, by least added loss (EBKC's second step).

A merged cluster still holds the record that opened it. So what it costs to cover the nearest of
the opening records of a box is less than or equal to what a merger with any cluster of it costs.
"""

from __future__ import annotations

import numpy as np

from shoal.base.arrays import Ints
from shoal.kernels.compiled import compiled
from shoal.kernels.merging.boxes import Boxes
from shoal.kernels.merging.clusters import Clusters, Scales, lift
from shoal.kernels.merging.leader import DONE, PAUSED
from shoal.kernels.merging.members import Members, join

FARTHEST = np.iinfo(np.int64).max

AT, MERGES, BEST, OTHER = 0, 1, 2, 3
"""What the counters are: the cluster in turn, merges done, the least loss and whom it is with."""


@compiled
def _added(scales: Scales, made: Clusters, j: int, a: int, b: int) -> int:
    """Give the loss that the union of two clusters adds to theirs, in one attribute."""
    facts = made.facts
    if scales.numeric[j]:
        reach, one, two = scales.reach[j], facts[a, j, 2], facts[b, j, 2]
        mine = facts[a, j, 1] - facts[a, j, 0] if one == made.size[a] else reach
        theirs = facts[b, j, 1] - facts[b, j, 0] if two == made.size[b] else reach
        wide = reach
        if one == made.size[a] and two == made.size[b]:
            wide = max(facts[a, j, 1], facts[b, j, 1]) - min(facts[a, j, 0], facts[b, j, 0])
        return one * (wide - mine) + two * (wide - theirs)
    left, right = facts[a, j, 0], facts[b, j, 0]
    level = scales.depth[lift(scales, left, right)]
    up = (scales.depth[left] - level) * facts[a, j, 3]
    return 2 * (up + (scales.depth[right] - level) * facts[b, j, 3])


@compiled
def _bound(scales: Scales, made: Clusters, lo: Ints, hi: Ints, box: int, one: int, cap: int) -> int:
    """Give what a merger of a cluster with any of a box adds at least; stop above the cap."""
    facts, total = made.facts, 0
    for j in range(lo.shape[1]):
        if scales.numeric[j]:
            known = facts[one, j, 2]
            if known == made.size[one] and lo[box, j] <= hi[box, j]:
                below = lo[box, j] - facts[one, j, 1]
                total += known * max(below, facts[one, j, 0] - hi[box, j], 0)
        else:
            node = facts[one, j, 0]
            meet = lift(scales, node, lo[box, j])
            if meet != lo[box, j]:
                total += 2 * (scales.depth[node] - scales.depth[meet]) * facts[one, j, 3]
        if total > cap:
            break
    return total


@compiled
def _search(
    scales: Scales, made: Clusters, boxes: Boxes, into: Ints, counters: Ints, inner: int
) -> int:
    """Look for a cheaper merger in one inner box; drop from it what is gone; return the work."""
    one, before, cluster, work = counters[AT], -1, boxes.head[inner], 0
    while cluster >= 0:
        after = made.following[cluster]
        if into[cluster] != cluster:
            if before < 0:
                boxes.head[inner] = after
            else:
                made.following[before] = after
        else:
            before = cluster
            if cluster != one:
                total = 0
                for j in range(scales.numeric.shape[0]):
                    total += _added(scales, made, j, one, cluster)
                    if total > counters[BEST]:
                        break
                work += scales.numeric.shape[0]
                better = total < counters[BEST]
                if better or (total == counters[BEST] and cluster < counters[OTHER]):
                    counters[BEST], counters[OTHER] = total, cluster
        cluster = after
    return work


@compiled
def _unite(scales: Scales, made: Clusters, keep: int, gone: int) -> None:
    """Let the members of one cluster into another."""
    facts = made.facts
    for j in range(scales.numeric.shape[0]):
        if not scales.numeric[j]:
            facts[keep, j, 0] = lift(scales, facts[keep, j, 0], facts[gone, j, 0])
        elif facts[gone, j, 2] > 0:
            unknown = facts[keep, j, 2] == 0
            lo, hi = facts[gone, j, 0], facts[gone, j, 1]
            facts[keep, j, 0] = lo if unknown else min(facts[keep, j, 0], lo)
            facts[keep, j, 1] = hi if unknown else max(facts[keep, j, 1], hi)
        facts[keep, j, 2] += facts[gone, j, 2]
        facts[keep, j, 3] += facts[gone, j, 3]
    made.size[keep] += made.size[gone]


@compiled
def merge_small(
    scales: Scales,
    made: Clusters,
    boxes: Boxes,
    lo: Ints,
    hi: Ints,
    into: Ints,
    people: Members,
    k: int,
    counters: Ints,
    budget: int,
) -> int:
    """Merge clusters of fewer than k people, the first of them first, by least added loss.

    A merged cluster keeps the lower number, so all before ``counters[AT]`` are complete or
    gone (``into`` another). ``lo`` and ``hi`` bound the records that opened the clusters of a box,
    as in `Boxes`; categories of few values, too. Returns DONE or PAUSED.
    """
    n_outer = boxes.filled.shape[0]
    spent = 0
    while counters[AT] < into.shape[0]:
        one = counters[AT]
        if into[one] != one or people.held[one] >= k:
            counters[AT] += 1
            continue
        if spent >= budget:
            return PAUSED
        counters[BEST], counters[OTHER] = FARTHEST, -1
        home = made.box[one]
        spent += n_outer + _search(scales, made, boxes, into, counters, home)
        for outer in range(n_outer):
            least = counters[BEST]
            if not boxes.filled[outer]:
                continue
            if _bound(scales, made, lo, hi, outer, one, least) > least:
                continue
            spent += boxes.begin[outer + 1] - boxes.begin[outer]
            for inner in range(boxes.begin[outer], boxes.begin[outer + 1]):
                if boxes.head[inner] < 0 or inner == home:
                    continue
                least = counters[BEST]
                if _bound(scales, made, lo, hi, n_outer + inner, one, least) <= least:
                    spent += _search(scales, made, boxes, into, counters, inner)
        other = counters[OTHER]
        if other < 0:  # it is the only one
            counters[AT] += 1
            continue
        keep, gone = min(one, other), max(one, other)
        counters[MERGES] += 1
        join(people, keep, gone, counters[MERGES], k)
        _unite(scales, made, keep, gone)
        into[gone] = keep
    return DONE
