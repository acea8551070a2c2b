"""Where EBKC's clusters lie: boxes of clusters whose first records are alike in coarse parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.base.arrays import Ints
from shoal.kernels.merging.boxes import Boxes
from shoal.kernels.merging.clusters import N_CLUSTERS, Clusters, Scales
from shoal.methods.merging._scales import width_of
from shoal.table import CategoricalColumn, NumericColumn, QuasiColumn

OUTER, INNER = 192, 16_384
"""At most so many boxes of either kind; more would cost more to look at than they leave out."""

CODES = 4_000_000
"""At most so many codes of all inner boxes, where attributes of few values have many together."""

RANGES = 8
"""Into so many parts of equal width numbers are divided."""

MARKS = 1_000_000
"""Combinations are marked, and not sorted, if there may be no more than rows and so many."""

FARTHEST = np.iinfo(np.int64).max


def telling_first(columns: Sequence[QuasiColumn]) -> list[QuasiColumn]:
    """Order columns so that those come first in which two records are most often far apart."""

    def alike(column: QuasiColumn) -> float:
        shares = np.bincount(_coarse(column)) / max(len(column.codes), 1)
        return float((shares**2).sum())

    return sorted(columns, key=alike)


def make_boxes(columns: Sequence[QuasiColumn], scales: Scales) -> Boxes:
    """Make empty boxes for all clusters that the rows of a table may open."""
    width = width_of(scales, scales.column)
    home, outer = _homes(columns, min(INNER, CODES // max(width, 1)))
    n_outer = int(outer.max(initial=-1)) + 1
    n_boxes = n_outer + len(outer)
    shape = (n_boxes, len(columns))
    numeric = np.array([isinstance(each, NumericColumn) for each in columns])
    return Boxes(
        home=home,
        outer=outer,
        begin=np.searchsorted(outer, np.arange(n_outer + 1)).astype(np.int64),
        head=np.full(len(outer), -1, dtype=np.int64),
        first_pack=np.full(len(outer), -1, dtype=np.int64),
        filled=np.zeros(n_outer, dtype=np.bool_),
        lo=np.where(numeric, FARTHEST // 2, np.full(shape, -1, dtype=np.int64)),
        hi=np.full(shape, -(FARTHEST // 2), dtype=np.int64),
        gap=np.zeros(shape, dtype=np.bool_),
        present=np.zeros((n_boxes, width), dtype=np.bool_),
        near=np.full((width, n_boxes), FARTHEST // (len(columns) + 1), dtype=np.int64),
        least=np.zeros(n_boxes, dtype=np.int64),
    )


def openers(
    columns: Sequence[QuasiColumn], scales: Scales, boxes: Boxes, made: Clusters
) -> tuple[Ints, Ints]:
    """Bound, per box and attribute, the records that opened its clusters: see `merge_small`."""
    n_outer, n_clusters = len(boxes.filled), int(made.counters[N_CLUSTERS])
    rows, inner = made.opener[:n_clusters], made.box[:n_clusters]
    lo = np.full((n_outer + len(boxes.outer), len(columns)), FARTHEST // 2, dtype=np.int64)
    hi = np.full_like(lo, -1)
    for j, column in enumerate(columns):
        codes = column.codes[rows].astype(np.int64)
        at = scales.start[j] + codes
        known = codes < column.size
        if isinstance(column, NumericColumn):
            where, values = np.flatnonzero(known), scales.value[at]
        else:
            where, values = np.arange(n_clusters), scales.cell[at]
        for box in (n_outer + inner, boxes.outer[inner]):
            np.minimum.at(lo[:, j], box[where], values[where])
            np.maximum.at(hi[:, j], box[where], values[where])
        if isinstance(column, CategoricalColumn):  # the first and the last of some nodes meet
            first, used = scales.cell_start[j], hi[:, j] >= 0  # where all of them do
            ends = (lo[used, j] - first, hi[used, j] - first)
            lo[used, j] = first + column.hierarchy.lca(*ends)
    return lo, hi


def _homes(columns: Sequence[QuasiColumn], most: int) -> tuple[Ints, Ints]:
    """Give each row its inner box, and each inner box its outer one; both in order."""
    n = len(columns[0].codes)
    outer = inner = np.zeros(n, dtype=np.int64)
    for column in columns:
        coarse = _coarse(column)
        for_inner, for_outer = (_combined(old, coarse) for old in (inner, outer))
        if for_inner.max() < most:
            inner = for_inner
            if for_outer.max() < OUTER:
                outer = for_outer
    home = _combined(outer, inner)
    of_box = np.zeros(int(home.max()) + 1, dtype=np.int64)
    of_box[home] = outer
    return home, of_box


def _combined(old: Ints, coarse: Ints) -> Ints:
    """Number the combinations that occur, in order."""
    several = int(coarse.max()) + 1
    keys = old * several + coarse
    most = (int(old.max()) + 1) * several
    if most > len(keys) + MARKS:
        found: Ints = np.unique(keys, return_inverse=True)[1]
        return found
    occurs = np.zeros(most, dtype=np.bool_)
    occurs[keys] = True
    return np.asarray((np.cumsum(occurs) - 1)[keys])


def _coarse(column: QuasiColumn) -> Ints:
    """Divide a column's rows: numbers by ranges, categories by branches; missing apart."""
    missing = column.codes == column.size
    if isinstance(column, NumericColumn):
        share = np.append(column.offsets / max(column.reach, 1), 0)
        coarse = np.minimum((share * RANGES).astype(np.int64), RANGES - 1)
        return np.where(missing, RANGES, coarse[column.codes])
    tree = column.hierarchy
    nodes = np.append(tree.leaf_nodes, 0).astype(np.int64)
    while (deep := tree.depth[nodes] > 1).any():
        nodes[deep] = tree.parent[nodes[deep]]
    return nodes[column.codes]
