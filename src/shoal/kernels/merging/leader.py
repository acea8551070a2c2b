"""Leader clustering by mean distance, and merging by least added loss (EBKC's first steps).

The sum of a record's distances to all members of a cluster is never added up member by
member. With positions p of numbers, and depths d and half-step costs u of leaves:

- number: Σ|x − p| needs how many members lie at or below x, and the sum of their positions:
  prefix sums, kept as Fenwick trees;
- category: Σ (d(x) − l)·u(x) + (d(m) − l)·u(m), where l is the depth of the lowest common
  ancestor, needs how many members lie below each ancestor of x, and the sum of their u.

Both are sums over a few *cells*: places of the Fenwick tree, or nodes from the leaf to below
the root. Each cell lists the clusters that have members in it, so memory grows with records
and depth, never with clusters times values.

A cluster is described per attribute by four numbers, ``facts[cluster, j]``:
numeric: lo, hi, known members, sum of positions;
categorical: node, 0, sum of d·u, sum of u.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.kernels.compiled import compiled_with_arrays
from shoal.kernels.merging.members import Members, join

__all__ = ["CLUSTERS", "RECORDS", "Clusters", "Scales", "lead", "merge_small"]

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]

DONE, PAUSED, FULL = 0, 1, 2
FARTHEST = np.iinfo(np.int64).max

CLUSTERS, ENTRIES, RECORDS = range(3)
"""Places in `Clusters.counters`."""

TURN, MERGES = range(2)
"""Places in the counters of `merge_small`."""


class Scales(NamedTuple):
    """What the kernels know of the attributes; arrays are laid end to end."""

    numeric: npt.NDArray[np.bool_]
    start: Ints
    """Per attribute: where its codes begin; the last of them is missing."""
    value: Ints
    """Per code, numeric: its scaled position. Categorical: half the scaled cost of a step."""
    cell: Ints
    """Per code, categorical: its leaf's cell; the root's for a missing one."""
    reach: Ints
    """Per attribute, numeric: the scaled range."""
    cell_start: Ints
    """Per attribute: where its cells begin. Categorical: the root comes first."""
    parent: Ints
    """Per cell, categorical: the cell of the parent, −1 at a root."""
    depth: Ints
    """Per cell, categorical: edges from the root."""


class Clusters(NamedTuple):
    """What `lead` keeps between calls; `shoal.methods.merging.ebkc` makes it and lets it grow."""

    size: Ints
    """Per cluster: how many members."""
    facts: Ints
    """Per cluster, per attribute: four numbers (see the module)."""
    total: Ints
    """Per cluster: a record's summed distance."""
    head: Ints
    """Per cell: its first entry, −1 if no cluster has members in it."""
    following: Ints
    """Per entry: the next one of the same cell."""
    owner: Ints
    """Per entry: the cluster."""
    held: Ints
    """Per entry: how many members the cluster has in the cell."""
    sum: Ints
    """Per entry: the sum of their values."""
    counters: Ints
    """Clusters, entries, records done."""


@compiled_with_arrays
def _measure(scales: Scales, codes: Small, made: Clusters) -> int:  # pragma: no cover
    """Write a record's summed distance to every cluster; return the work."""
    n_clusters = made.counters[CLUSTERS]
    made.total[:n_clusters] = 0
    work = n_clusters * codes.shape[0]
    for j in range(codes.shape[0]):
        start, x = scales.start[j], scales.value[scales.start[j] + codes[j]]
        missing = codes[j] == scales.start[j + 1] - start - 1
        if scales.numeric[j]:
            half = scales.reach[j] // 2
            if missing:
                for c in range(n_clusters):
                    made.total[c] += made.facts[c, j, 2] * half
                continue
            for c in range(n_clusters):
                known, positions = made.facts[c, j, 2], made.facts[c, j, 3]
                made.total[c] += (made.size[c] - known) * half + positions - known * x
            place = int(codes[j]) + 1
            while place > 0:
                entry = made.head[scales.cell_start[j] + place - 1]
                while entry >= 0:
                    made.total[made.owner[entry]] += 2 * (x * made.held[entry] - made.sum[entry])
                    entry = made.following[entry]
                    work += 1
                place -= place & -place
            continue
        cell = scales.cell[start + codes[j]]
        whole = scales.depth[cell] * x
        for c in range(n_clusters):
            made.total[c] += made.size[c] * whole + made.facts[c, j, 2]
        while scales.parent[cell] >= 0:
            entry = made.head[cell]
            while entry >= 0:
                made.total[made.owner[entry]] -= x * made.held[entry] + made.sum[entry]
                entry = made.following[entry]
                work += 1
            cell = scales.parent[cell]
    return work


@compiled_with_arrays
def _add(made: Clusters, cell: int, cluster: int, value: int) -> None:  # pragma: no cover
    """Count a member in a cell."""
    entry = made.head[cell]
    while entry >= 0 and made.owner[entry] != cluster:
        entry = made.following[entry]
    if entry < 0:
        entry = made.counters[ENTRIES]
        made.counters[ENTRIES] += 1
        made.following[entry] = made.head[cell]
        made.head[cell] = entry
        made.owner[entry] = cluster
        made.held[entry] = 0
        made.sum[entry] = 0
    made.held[entry] += 1
    made.sum[entry] += value


@compiled_with_arrays
def _lift(scales: Scales, a: int, b: int) -> int:  # pragma: no cover
    """Find the lowest common ancestor of two cells of one tree."""
    while a != b:  # depth first: the larger number is never above the other
        if a > b:
            a = scales.parent[a]
        else:
            b = scales.parent[b]
    return a


@compiled_with_arrays
def _enter(scales: Scales, codes: Small, made: Clusters, cluster: int) -> None:  # pragma: no cover
    """Let a record into a cluster."""
    first = made.size[cluster] == 0
    made.size[cluster] += 1
    for j in range(codes.shape[0]):
        start, x = scales.start[j], scales.value[scales.start[j] + codes[j]]
        facts = made.facts[cluster, j]
        if scales.numeric[j]:
            values = scales.start[j + 1] - start - 1
            if codes[j] == values:
                continue
            facts[0] = x if facts[2] == 0 else min(facts[0], x)
            facts[1] = x if facts[2] == 0 else max(facts[1], x)
            facts[2] += 1
            facts[3] += x
            place = int(codes[j]) + 1
            while place <= values:
                _add(made, scales.cell_start[j] + place - 1, cluster, x)
                place += place & -place
            continue
        cell = scales.cell[start + codes[j]]
        facts[0] = cell if first else _lift(scales, facts[0], cell)
        facts[2] += scales.depth[cell] * x
        facts[3] += x
        while scales.parent[cell] >= 0:
            _add(made, cell, cluster, x)
            cell = scales.parent[cell]


@compiled_with_arrays
def lead(
    scales: Scales,
    codes: Small,
    order: Ints,
    labels: Ints,
    made: Clusters,
    limit: Ints,
    need: int,
    budget: int,
) -> int:  # pragma: no cover
    """Put records into clusters until the budget is spent, no room is left or all are in.

    A record joins the cluster of least mean distance if that is within the limit, else it
    opens one. ``limit`` is a mixed number: whole part, numerator, denominator (below 2³¹).
    ``need`` is how many entries a record may take. Returns DONE, PAUSED or FULL.
    """
    counters = made.counters
    spent = 0
    while counters[RECORDS] < order.shape[0]:
        if spent >= budget:
            return PAUSED
        if (
            counters[CLUSTERS] == made.size.shape[0]
            or counters[ENTRIES] + need > made.owner.shape[0]
        ):
            return FULL
        row = order[counters[RECORDS]]
        spent += 2 * _measure(scales, codes[row], made)
        best, whole, part, rough = -1, 0, 0, np.inf
        for c in range(counters[CLUSTERS]):
            # Whole parts and remainders, because the products of fractions may overflow.
            mean = made.total[c] / made.size[c]
            if mean > rough * (1 + 1e-12):
                continue
            quotient = made.total[c] // made.size[c]
            rest = made.total[c] - quotient * made.size[c]
            if (
                best < 0
                or quotient < whole
                or (quotient == whole and rest * made.size[best] < part * made.size[c])
            ):
                best, whole, part, rough = c, quotient, rest, mean
        if best >= 0:
            size = made.size[best]
            if made.total[best] > size * limit[0] + size * limit[1] // limit[2]:
                best = -1
        if best < 0:
            best = counters[CLUSTERS]
            counters[CLUSTERS] += 1
        _enter(scales, codes[row], made, best)
        labels[row] = best
        counters[RECORDS] += 1
    return DONE


@compiled_with_arrays
def _loss(scales: Scales, j: int, size: int, facts: Ints) -> int:  # pragma: no cover
    """Give the scaled information loss of a cluster in one attribute."""
    if scales.numeric[j]:
        return facts[2] * (facts[1] - facts[0] if facts[2] == size else scales.reach[j])
    return 2 * (facts[2] - scales.depth[facts[0]] * facts[3])


@compiled_with_arrays
def _unite(scales: Scales, j: int, a: Ints, b: Ints, out: Ints) -> None:  # pragma: no cover
    """Describe the union of two clusters in one attribute."""
    if scales.numeric[j]:
        low = a if b[2] == 0 or (a[2] > 0 and a[0] < b[0]) else b
        high = a if b[2] == 0 or (a[2] > 0 and a[1] > b[1]) else b
        lo, hi = low[0], high[1]
        out[0], out[1] = lo, hi
    else:
        out[0] = _lift(scales, a[0], b[0])
    out[2] = a[2] + b[2]
    out[3] = a[3] + b[3]


@compiled_with_arrays
def merge_small(
    scales: Scales,
    size: Ints,
    facts: Ints,
    into: Ints,
    people: Members,
    k: int,
    counters: Ints,
    budget: int,
) -> int:  # pragma: no cover
    """Merge clusters of fewer than k people, the first of them first, by least added loss.

    A merged cluster keeps the lower number, so all before ``counters[TURN]`` are complete or
    gone (``into`` another). ``counters``: that cluster, merges done. Returns DONE or PAUSED.
    """
    n_clusters, d = facts.shape[0], facts.shape[1]
    union = np.zeros(4, dtype=np.int64)
    spent = 0
    while counters[TURN] < n_clusters:
        one = counters[TURN]
        if into[one] != one or people.held[one] >= k:
            counters[TURN] += 1
            continue
        if spent >= budget:
            return PAUSED
        best, other = FARTHEST, -1
        for c in range(n_clusters):
            if into[c] != c or c == one:
                continue
            added = 0
            for j in range(d):
                _unite(scales, j, facts[one, j], facts[c, j], union)
                added += _loss(scales, j, size[one] + size[c], union)
                added -= _loss(scales, j, size[one], facts[one, j])
                added -= _loss(scales, j, size[c], facts[c, j])
                if added >= best:
                    break
            if added < best:
                best, other = added, c
        spent += n_clusters * d
        if other < 0:  # it is the only one
            counters[TURN] += 1
            continue
        keep, gone = min(one, other), max(one, other)
        counters[MERGES] += 1
        join(people, keep, gone, counters[MERGES], k)
        for j in range(d):
            _unite(scales, j, facts[keep, j], facts[gone, j], facts[keep, j])
        size[keep] += size[gone]
        into[gone] = keep
    return DONE
