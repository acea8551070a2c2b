"""Leader clustering by mean distance: a record joins the nearest cluster, or opens one (EBKC)."""

from __future__ import annotations

from shoal.base.arrays import Ints, Small
from shoal.kernels.compiled import compiled
from shoal.kernels.merging.boxes import Boxes, add_near, bound, widen
from shoal.kernels.merging.clusters import (
    LANES,
    N_CLUSTERS,
    N_DONE,
    N_ENTRIES,
    N_PACKS,
    Clusters,
    Scales,
    distance,
    enter,
    open_cluster,
)

DONE, PAUSED, FULL = 0, 1, 2

NEAREST, WHOLE, REST = range(3)
"""Places in `Clusters.best`."""


@compiled
def _compare(
    scales: Scales, made: Clusters, codes: Small, row: int, cluster: int, total: int, limit: Ints
) -> None:
    """See whether a cluster is nearer, given the distances in attributes that have sums."""
    size, best = made.size[cluster], made.best[NEAREST]
    # Whole parts and rests, because the products of fractions may overflow.
    most = size * limit[0] + size * limit[1] // limit[2]
    if best >= 0:
        most = min(most, size * made.best[WHOLE] + size * made.best[REST] // made.size[best])
    for j in range(codes.shape[1]):
        if total > most:
            return
        if scales.summed[j] < 0:
            total += distance(scales, made, j, int(codes[row, j]), cluster)
    if total > most:
        return
    # Not farther than the best: nearer, or as near and earlier.
    whole = total // size
    rest = total - whole * size
    nearer = best < 0 or whole < made.best[WHOLE]
    if not nearer:
        mine, theirs = rest * made.size[best], made.best[REST] * size
        nearer = mine < theirs or (mine == theirs and cluster < best)
    if nearer:
        made.best[NEAREST], made.best[WHOLE], made.best[REST] = cluster, whole, rest


@compiled
def _search(scales: Scales, made: Clusters, codes: Small, row: int, pack: int, limit: Ints) -> int:
    """Look for a nearer cluster from a pack on to the end of its box; return the work."""
    totals, above, work = made.totals[0], made.totals[1], 0
    while pack >= 0:
        work += codes.shape[1] * LANES
        # No mean with a larger whole part is near enough.
        whole = limit[0] if made.best[NEAREST] < 0 else min(limit[0], made.best[WHOLE])
        for lane in range(LANES):
            totals[lane] = 0
            above[lane] = made.members[pack, lane] * (whole + 1)
        near = True
        for j in range(codes.shape[1]):
            if scales.summed[j] >= 0 and near:
                sums = made.sums[pack, scales.summed[j] + int(codes[row, j])]
                near = False
                for lane in range(LANES):
                    totals[lane] += sums[lane]
                    near |= totals[lane] < above[lane]
        if near:
            for lane in range(LANES):
                if totals[lane] < above[lane]:
                    _compare(scales, made, codes, row, made.number[pack, lane], totals[lane], limit)
        pack = made.next_pack[pack]
    return work


@compiled
def lead(
    scales: Scales,
    boxes: Boxes,
    made: Clusters,
    codes: Small,
    order: Ints,
    labels: Ints,
    limit: Ints,
    need: int,
    budget: int,
) -> int:
    """Put records into clusters until the budget is spent, no room is left or all are in.

    A record joins the cluster of least mean distance if that is within the limit, else it
    opens one. ``limit`` is a mixed number: whole part, numerator, denominator (below 2³⁵).
    ``need`` is how many entries a record may take. Returns DONE, PAUSED or FULL.
    """
    counters = made.counters
    n_outer = boxes.filled.shape[0]
    spent = 0
    while counters[N_DONE] < order.shape[0]:
        if spent >= budget:
            return PAUSED
        if (
            counters[N_CLUSTERS] == made.size.shape[0]
            or counters[N_PACKS] == made.next_pack.shape[0]
            or 2 * (counters[N_ENTRIES] + need) > made.owner.shape[0]
        ):
            return FULL
        row = order[counters[N_DONE]]
        home = boxes.home[row]
        made.best[NEAREST] = -1
        spent += n_outer + _search(scales, made, codes, row, boxes.first_pack[home], limit)
        add_near(scales, boxes, 0, n_outer, codes, row)
        for outer in range(n_outer):
            cap = limit[0] if made.best[NEAREST] < 0 else min(limit[0], made.best[WHOLE])
            if not boxes.filled[outer] or bound(scales, boxes, outer, codes, row, cap) > cap:
                continue
            begin, end = boxes.begin[outer], boxes.begin[outer + 1]
            spent += end - begin
            add_near(scales, boxes, n_outer + begin, n_outer + end, codes, row)
            for inner in range(begin, end):
                if boxes.head[inner] < 0 or inner == home:
                    continue
                cap = limit[0] if made.best[NEAREST] < 0 else min(limit[0], made.best[WHOLE])
                if bound(scales, boxes, n_outer + inner, codes, row, cap) <= cap:
                    spent += _search(scales, made, codes, row, boxes.first_pack[inner], limit)
        cluster = made.best[NEAREST]
        if cluster < 0:
            cluster = open_cluster(made, boxes.first_pack, home, row)
            made.following[cluster] = boxes.head[home]
            boxes.head[home] = cluster
            boxes.filled[boxes.outer[home]] = True
        enter(scales, made, codes, row, cluster)
        inner = made.box[cluster]
        widen(scales, boxes, n_outer + inner, codes, row)
        widen(scales, boxes, boxes.outer[inner], codes, row)
        labels[row] = cluster
        counters[N_DONE] += 1
    return DONE
