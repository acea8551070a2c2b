"""One record for each group: means or medians of numbers, medoids of categories."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Floats, Ints
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding.cells import (
    CategoryCells,
    Cells,
    Ends,
    Mask,
    NumberCells,
    Recoded,
    shown_by,
)
from shoal.table import CategoricalColumn, NumericColumn, Table

_DIGITS = 6
"""Numbers that are no short decimals are rounded to so many digits of their range."""


def represent(
    table: Table,
    grouping: Grouping,
    *,
    centre: Literal["mean", "median"] = "mean",
    suppressed: Collection[str] = (),
) -> Recoded:
    """Publish, in all rows of a group, the centre of its values.

    ``centre``: what numbers show: the mean of the group, or the median (of an even number the
        middle of the two). Both are rounded, half up, to the decimals of the column, so that no
        digit tells of single values.
    ``suppressed``: columns that show ``*`` in every row.

    Categories show the medoid: of the values that the group holds, the one from which the paths
    in the tree to all its values are shortest in sum; ties go to the lowest code. A group in
    which a cell is missing shows ``*`` in that column, in all its rows.
    """
    labels = grouping.labels[grouping.rows].astype(np.int64)
    columns: list[Cells] = []
    for column in table.quasi:
        codes = column.codes[grouping.rows].astype(np.int64)
        star = np.zeros(grouping.n_groups, dtype=np.bool_)
        star[labels[codes == column.size]] = True
        star |= column.name in suppressed
        if isinstance(column, CategoricalColumn):
            chosen = medoids(column, codes, labels, grouping.n_groups)
            columns.append(_category_cells(column, chosen, star, labels))
        else:
            shown = _centres(column, codes, labels, grouping.sizes, centre)
            columns.append(_number_cells(shown, star, labels, dates=column.dates))
    return Recoded(grouping.rows, tuple(columns), centres=centre)


def medoids(column: CategoricalColumn, codes: Ints, labels: Ints, n_groups: int) -> Ints:
    """Find the medoid of each group: a code, 0 where all of a group is missing.

    >>> from shoal.hierarchies import Hierarchy
    >>> tree = Hierarchy.from_dict({"P": ["a", "b", "c"], "d": []})
    >>> column = CategoricalColumn("x", np.array([0, 1, 3]), tree, 1.0)
    >>> medoids(column, np.array([0, 1, 3, 3, 3]), np.array([0, 0, 0, 1, 1]), 2).tolist()
    [0, 3]
    """
    tree = column.hierarchy
    known = codes < column.size
    keys, counts = np.unique(labels[known] * column.size + codes[known], return_counts=True)
    group, code = np.divmod(keys, column.size)
    leaf = tree.leaf_nodes[code]
    depth = tree.depth.astype(np.int64)
    sizes = np.bincount(group, counts, minlength=n_groups).astype(np.int64)
    # The paths of x to all y sum to n·depth(x) + Σ depth(y) − 2 Σ (rows below each node above x).
    paths = sizes[group] * depth[leaf]
    for level in range(1, tree.height + 1):
        above = tree.ancestors[leaf, level].astype(np.int64)
        _, same = np.unique(group * tree.n_nodes + above, return_inverse=True)
        below = np.bincount(same.reshape(-1), counts).astype(np.int64)[same.reshape(-1)]
        paths -= np.where(depth[leaf] >= level, 2 * below, 0)
    order = np.lexsort((code, paths, group))
    first = np.unique(group[order], return_index=True)[1]
    made = np.zeros(n_groups, dtype=np.int64)
    made[group[order][first]] = code[order][first]
    return made


def _centres(column: NumericColumn, codes: Ints, labels: Ints, sizes: Ints, centre: str) -> Ends:
    """Find the mean or the median of each group; what a group with a missing cell gets is void."""
    if not column.size:
        return np.zeros(len(sizes), dtype=np.int64)
    codes = np.minimum(codes, column.size - 1)
    if not column.exact:
        values = column.values.astype(np.float64)[codes]
        return _rounded(column, _middles(values, labels, sizes, centre))
    base = int(column.units[0])
    steps = (column.units.astype(np.uint64) - column.units.astype(np.uint64)[:1])[codes]
    # Sums of large numbers are made without end.
    small = int(steps.max(initial=0)) * len(steps) < 2**61
    exact: npt.NDArray[Any] = steps.astype(np.int64 if small else object)
    count: npt.NDArray[Any] = sizes.astype(exact.dtype)
    if centre == "mean":
        total = np.zeros(len(sizes), dtype=exact.dtype)
        np.add.at(total, labels, exact)
        units = (2 * total + count) // (2 * count)
    else:
        low, high = _two_middle(exact, labels, sizes)
        units = (low + high + 1) // 2
    if not column.decimals:
        return np.array([base + int(unit) for unit in units], dtype=np.int64)
    return np.array([(base + int(unit)) / 10**column.decimals for unit in units])


def _two_middle(values: Ends, labels: Ints, sizes: Ints) -> tuple[Ends, Ends]:
    """Find the value, or the two, in the middle of each group."""
    rank = np.unique(values, return_inverse=True)[1].reshape(-1)
    ordered = values[np.lexsort((rank, labels))]
    start = np.cumsum(sizes) - sizes
    return ordered[start + (sizes - 1) // 2], ordered[start + sizes // 2]


def _middles(values: Floats, labels: Ints, sizes: Ints, centre: str) -> Floats:
    if centre == "mean":
        # Shares are added, because a sum of large numbers may be infinite.
        return np.bincount(labels, values / sizes[labels], minlength=len(sizes)).astype(np.float64)
    low, high = _two_middle(values, labels, sizes)
    return np.asarray(low / 2 + high / 2)


def _rounded(column: NumericColumn, values: Floats) -> Floats:
    """Keep six digits of the range."""
    if column.size < 2:
        return np.full(len(values), float(column.values[0]))
    digits = _DIGITS - math.floor(math.log10(column.domain))
    return np.array([round(value, digits) + 0.0 for value in values.tolist()])


def _number_cells(values: Ends, star: Mask, labels: Ints, *, dates: bool) -> NumberCells:
    distinct, which = np.unique(np.where(star, 0, values), return_inverse=True)
    # The cell * comes last.
    cells = np.append(distinct, np.zeros(1, dtype=distinct.dtype))
    index = np.where(star, len(distinct), which.reshape(-1))
    used, index = np.unique(index, return_inverse=True)
    numbers = cells[used]
    return NumberCells(
        shown_by(index, labels),
        numbers,
        numbers,
        used == len(distinct),
        np.zeros(len(used), dtype=np.bool_),
        dates=dates,
    )


def _category_cells(
    column: CategoricalColumn, codes: Ints, star: Mask, labels: Ints
) -> CategoryCells:
    shown, index = np.unique(np.where(star, column.size, codes), return_inverse=True)
    nodes = np.append(column.hierarchy.leaf_nodes, 0).astype(np.int64)[shown]
    return CategoryCells(shown_by(index, labels), nodes, shown == column.size, column.hierarchy)
