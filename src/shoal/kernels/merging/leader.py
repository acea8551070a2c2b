"""Leader clustering by mean distance: a record joins the nearest cluster, or opens one (EBKC)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from shoal.kernels.compiled import compiled
from shoal.kernels.merging.boxes import Boxes, bound, widen
from shoal.kernels.merging.clusters import (
    N_CLUSTERS,
    N_DONE,
    N_ENTRIES,
    Clusters,
    Scales,
    distance,
    enter,
)

__all__ = ["DONE", "FULL", "PAUSED", "lead"]

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]

DONE, PAUSED, FULL = 0, 1, 2

NEAREST, WHOLE, REST = range(3)
"""Places in `Clusters.best`."""


@compiled
def _look(
    scales: Scales, made: Clusters, codes: Small, row: int, cluster: int, limit: Ints
) -> int:  # pragma: no cover
    """Look for a nearer cluster from one on to the end of its box; return the work."""
    work = 0
    while cluster >= 0:
        work += codes.shape[1]
        size, best = made.size[cluster], made.best[NEAREST]
        # Whole parts and rests, because the products of fractions may overflow.
        most = size * limit[0] + size * limit[1] // limit[2]
        if best >= 0:
            most = min(most, size * made.best[WHOLE] + size * made.best[REST] // made.size[best])
        total = 0
        for j in range(codes.shape[1]):
            total += distance(scales, made, j, int(codes[row, j]), cluster)
            if total > most:
                break
        if total <= most:  # not farther than the best: nearer, or as near and earlier
            whole = total // size
            rest = total - whole * size
            nearer = best < 0 or whole < made.best[WHOLE]
            if not nearer:
                mine, theirs = rest * made.size[best], made.best[REST] * size
                nearer = mine < theirs or (mine == theirs and cluster < best)
            if nearer:
                made.best[NEAREST], made.best[WHOLE], made.best[REST] = cluster, whole, rest
        cluster = made.following[cluster]
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
) -> int:  # pragma: no cover
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
            or 2 * (counters[N_ENTRIES] + need) > made.owner.shape[0]
        ):
            return FULL
        row = order[counters[N_DONE]]
        home = boxes.home[row]
        made.best[NEAREST] = -1
        spent += n_outer + _look(scales, made, codes, row, boxes.head[home], limit)
        for outer in range(n_outer):
            cap = limit[0] if made.best[NEAREST] < 0 else min(limit[0], made.best[WHOLE])
            if not boxes.filled[outer] or bound(scales, boxes, outer, codes, row, cap) > cap:
                continue
            spent += boxes.begin[outer + 1] - boxes.begin[outer]
            for inner in range(boxes.begin[outer], boxes.begin[outer + 1]):
                if boxes.head[inner] < 0 or inner == home:
                    continue
                cap = limit[0] if made.best[NEAREST] < 0 else min(limit[0], made.best[WHOLE])
                if bound(scales, boxes, n_outer + inner, codes, row, cap) <= cap:
                    spent += _look(scales, made, codes, row, boxes.head[inner], limit)
        cluster = made.best[NEAREST]
        if cluster < 0:
            cluster = counters[N_CLUSTERS]
            counters[N_CLUSTERS] += 1
            made.box[cluster], made.opener[cluster] = home, row
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
