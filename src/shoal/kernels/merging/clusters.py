"""Clusters that grow record by record (EBKC): what they hold, and how far a record is from them.

The sum of a record's distances to all members of a cluster is never added up member by
member. With positions p of numbers, and depths d and half-step costs u of leaves:

- number: Σ|x − p| needs how many members lie at or below x, and the sum of their positions:
  prefix sums, kept as Fenwick trees;
- category: Σ (d(x) − l)·u(x) + (d(m) − l)·u(m), where l is the depth of the lowest common
  ancestor, needs how many members lie below each ancestor of x, and the sum of their u.

Both are sums over a few *cells*: places of the Fenwick tree, or nodes from the leaf to below
the cluster's node. What a cluster has in a cell stands in one hash table for all, so memory grows
with records and depth, never with clusters times many values. A number outside the cluster's range
and a category outside its node need no cell.

An attribute whose cells would take about as much memory as a sum for each of its codes has these
*sums* instead: one look, and not several. The sums of `LANES` clusters of one box lie side by
side, in a *pack*, and are looked at together.

A cluster is described per attribute by four numbers, ``facts[cluster, j]``:
numeric: lo, hi, known members, sum of positions;
categorical: node, 0, sum of d·u, sum of u.
"""

from __future__ import annotations

from typing import NamedTuple

from shoal.base.arrays import Bools, Ints, Small
from shoal.kernels.compiled import compiled

N_CLUSTERS, N_ENTRIES, N_DONE, N_PACKS = range(4)
"""What `Clusters.counters` counts: clusters, entries, records that are in a cluster, packs."""

LANES = 4
"""Clusters in a pack."""


class Scales(NamedTuple):
    """What the kernels know of the attributes; arrays are laid end to end."""

    numeric: Bools
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
    column: Ints
    """Per attribute of few values: where its codes begin among those of all such; −1 for others."""
    pair: Ints
    """Distances between two codes, for attributes of few values, laid end to end."""
    pair_start: Ints
    """Per attribute: where its distances begin."""
    summed: Ints
    """Per attribute that has sums: where its codes begin among those of all such; −1 for others."""


class Clusters(NamedTuple):
    """What is kept between calls; `shoal.methods.merging.ebkc` makes it and lets it grow."""

    size: Ints
    """Per cluster: how many members."""
    facts: Ints
    """Per cluster, per attribute: four numbers (see the module)."""
    lane: Ints
    """Per cluster: its place among those of all packs."""
    sums: Ints
    """Per pack, per code of attributes that have sums, per lane: the distances to all members."""
    number: Ints
    """Per pack, per lane: the cluster, −1 if there is none."""
    members: Ints
    """Per pack, per lane: how many members."""
    next_pack: Ints
    """Per pack: the next one of the same box, −1 at the end."""
    box: Ints
    """Per cluster: its box."""
    following: Ints
    """Per cluster: the next one of the same box, −1 at the end."""
    opener: Ints
    """Per cluster: the row that opened it."""
    owner: Ints
    """Per place of the hash table: the cluster of the entry, −1 if there is none."""
    cell: Ints
    """Per place: its cell."""
    held: Ints
    """Per place: how many members the cluster has in the cell."""
    sum: Ints
    """Per place: the sum of their values."""
    best: Ints
    """The nearest cluster found so far, −1 if none; whole part and rest of its mean distance."""
    totals: Ints
    """Room for a sum and a bound per lane."""
    counters: Ints
    """Clusters, entries, records done, packs."""


@compiled
def _find(made: Clusters, cell: int, cluster: int) -> int:
    """Find the entry of a cluster in a cell; −1 less the place for it, if there is none."""
    places = made.owner.shape[0]
    place = (cell * 1_000_003 + cluster * 7_654_321) % places
    while made.owner[place] >= 0:
        if made.owner[place] == cluster and made.cell[place] == cell:
            return place
        place += 1
        if place == places:
            place = 0
    return -1 - place


@compiled
def copy_entries(old: Clusters, made: Clusters) -> None:
    """Copy all entries into a hash table of another size."""
    for place in range(old.owner.shape[0]):
        if old.owner[place] >= 0:
            to = -1 - _find(made, old.cell[place], old.owner[place])
            made.owner[to], made.cell[to] = old.owner[place], old.cell[place]
            made.held[to], made.sum[to] = old.held[place], old.sum[place]


@compiled
def lift(scales: Scales, a: int, b: int) -> int:
    """Find the lowest common ancestor of two cells of one tree."""
    while a != b:  # depth first: the larger number is never above the other
        if a > b:
            a = scales.parent[a]
        else:
            b = scales.parent[b]
    return a


@compiled
def distance(scales: Scales, made: Clusters, j: int, code: int, cluster: int) -> int:
    """Sum up the distances from a code to all members, in an attribute that has cells."""
    start, size = scales.start[j], made.size[cluster]
    x = scales.value[start + code]
    third, fourth = made.facts[cluster, j, 2], made.facts[cluster, j, 3]
    if scales.numeric[j]:
        half = scales.reach[j] // 2
        if code == scales.start[j + 1] - start - 1:  # missing
            return third * half
        total = (size - third) * half
        if third == 0 or x >= made.facts[cluster, j, 1]:
            return total + third * x - fourth
        total += fourth - third * x
        if x <= made.facts[cluster, j, 0]:
            return total
        place = code + 1
        while place > 0:
            entry = _find(made, scales.cell_start[j] + place - 1, cluster)
            if entry >= 0:
                total += 2 * (x * made.held[entry] - made.sum[entry])
            place -= place & -place
        return total
    cell, node = scales.cell[start + code], made.facts[cluster, j, 0]
    meet = lift(scales, cell, node)
    level = scales.depth[meet]
    total = size * (scales.depth[cell] - level) * x + third - level * fourth
    if meet == node:  # some members may lie below the nodes on the way
        while cell != node:
            entry = _find(made, cell, cluster)
            if entry >= 0:
                total -= x * made.held[entry] + made.sum[entry]
            cell = scales.parent[cell]
    return total


@compiled
def open_cluster(made: Clusters, first_pack: Ints, home: int, row: int) -> int:
    """Open a cluster without members in a box, and give its number.

    ``first_pack`` has the first pack of each box, −1 if there is none; only that one has room.
    """
    cluster = made.counters[N_CLUSTERS]
    made.counters[N_CLUSTERS] += 1
    made.box[cluster], made.opener[cluster] = home, row
    pack = first_pack[home]
    if pack < 0 or made.number[pack, LANES - 1] >= 0:
        made.next_pack[made.counters[N_PACKS]] = pack
        pack = made.counters[N_PACKS]
        made.counters[N_PACKS] += 1
        first_pack[home] = pack
        made.number[pack] = -1
    lane = 0
    while made.number[pack, lane] >= 0:
        lane += 1
    made.number[pack, lane] = cluster
    made.lane[cluster] = pack * LANES + lane
    return cluster


@compiled
def _add(made: Clusters, cell: int, cluster: int, value: int) -> None:
    """Count a member in a cell."""
    entry = _find(made, cell, cluster)
    if entry < 0:
        entry = -1 - entry
        made.owner[entry], made.cell[entry] = cluster, cell
        made.counters[N_ENTRIES] += 1
    made.held[entry] += 1
    made.sum[entry] += value


@compiled
def enter(scales: Scales, made: Clusters, codes: Small, row: int, cluster: int) -> None:
    """Let a record into a cluster."""
    first = made.size[cluster] == 0
    pack, lane = made.lane[cluster] // LANES, made.lane[cluster] % LANES
    made.size[cluster] += 1
    made.members[pack, lane] += 1
    facts = made.facts
    for j in range(codes.shape[1]):
        code = int(codes[row, j])
        start, column = scales.start[j], scales.summed[j]
        x = scales.value[start + code]
        if column >= 0:
            values = scales.start[j + 1] - start
            at = scales.pair_start[j] + code * values
            for other in range(values):
                made.sums[pack, column + other, lane] += scales.pair[at + other]
        if scales.numeric[j]:
            values = scales.start[j + 1] - start - 1
            if code == values:
                continue
            unknown = facts[cluster, j, 2] == 0
            facts[cluster, j, 0] = x if unknown else min(facts[cluster, j, 0], x)
            facts[cluster, j, 1] = x if unknown else max(facts[cluster, j, 1], x)
            facts[cluster, j, 2] += 1
            facts[cluster, j, 3] += x
            place = code + 1
            while column < 0 and place <= values:
                _add(made, scales.cell_start[j] + place - 1, cluster, x)
                place += place & -place
            continue
        cell = scales.cell[start + code]
        facts[cluster, j, 0] = cell if first else lift(scales, facts[cluster, j, 0], cell)
        facts[cluster, j, 2] += scales.depth[cell] * x
        facts[cluster, j, 3] += x
        while column < 0 and scales.parent[cell] >= 0:
            _add(made, cell, cluster, x)
            cell = scales.parent[cell]
