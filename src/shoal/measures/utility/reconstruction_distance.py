"""The reconstruction distance: how well a record can be rebuilt."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Bools, Floats
from shoal.errors import ParameterError
from shoal.measures._pairs import Pair, require_covering
from shoal.measures.base import measure
from shoal.publications.recoding import CategoryCells, NumberCells
from shoal.table import CategoricalColumn, NumericColumn, QuasiColumn
from shoal.table.table import GRID


def _require(pair: Pair) -> None:
    require_covering(pair)
    n_sensitive = len(pair.table.sensitive)
    if pair.recoded.groups is not None and n_sensitive != 1:
        raise ParameterError(
            f"Sensitive values are published per group, but there are {n_sensitive} sensitive "
            "columns.",
            "The reconstruction distance of such a publication needs exactly one.",
        )


@measure(better="lower", requires=_require)
def reconstruction_distance(pair: Pair) -> float:
    """Reconstruction distance: how far a record is from what can be rebuilt of it.

    A record is a point; its publication spreads it evenly over the Π points that its cells
    cover and, where sensitive values are published per group, over the group's values by
    their shares p. The squared distance of the two is 1 − 2·pₛ/Π + Σ pᵥ²/Π, with s the
    record's own value; pₛ = 1 where each row shows its own. So a generalized record costs
    1 − 1/Π, and one of an exact two-table publication (1 − pₛ)² + Σ pᵥ² over the other values.
    A record that was not published costs 1. A cell that was missing before lost nothing, and
    counts as one value.

    References
    ----------
    (αᵢ, k)-anonymity by graded sensitivity, equations 3–6.
    """
    own, squares = _shares(pair)
    costs = 1 + (squares - 2 * own) * _density(pair)
    # Float dust below 0 would be the only way to a negative distance.
    return (float(np.maximum(costs, 0.0).sum()) + pair.n_removed) / pair.n_rows


def _density(pair: Pair) -> Floats:
    """Divide each published row evenly among the points that its cells cover: 1/Π."""
    rows = pair.recoded.rows
    density = np.ones(len(rows))
    for column, cells in zip(pair.table.quasi, pair.recoded.columns, strict=True):
        share = (1 / covered(column, cells))[cells.index]
        density *= np.where(column.codes[rows] == column.size, 1.0, share)
    return density


def _shares(pair: Pair) -> tuple[Floats, Floats]:
    """Give each published row its own value's share of the group, and the squares' sum."""
    rows, groups = pair.recoded.rows, pair.sensitive_classes
    if pair.recoded.groups is None:
        return np.ones(len(rows)), np.ones(len(rows))
    ((name, found),) = pair.shown.items()
    column = pair.table.sensitive[name]
    sizes = np.bincount(found.group, found.counts)
    share = found.counts / sizes[found.group]
    squares = np.bincount(found.group, share * share, minlength=len(sizes))
    width = max(len(column.labels), 1)
    entry = np.searchsorted(found.group * width + found.value, groups * width + column.codes[rows])
    return share[entry], np.asarray(squares[groups], dtype=np.float64)


def covered(column: QuasiColumn, cells: NumberCells | CategoryCells) -> Floats:
    """Count the values that each distinct cell covers; at least 1, at most the whole domain.

    A number covers itself, an interval the units of its column's smallest decimal between its
    ends (an open end excluded), a node the leaves under it, a set its values, and
    ``*`` the whole domain.
    """
    whole = _domain(column)
    if isinstance(cells, CategoryCells):
        count = cells.leaf_counts.astype(np.float64)
    else:
        assert isinstance(column, NumericColumn)
        count = _numbers_between(column, cells.lo, cells.hi, cells.open_end)
    return np.where(cells.star, whole, np.clip(count, 1.0, whole))


def _domain(column: QuasiColumn) -> float:
    """Count the values of a column's domain: its leaves, or the units of its range."""
    if isinstance(column, CategoricalColumn):
        return float(max(column.size, 1))
    if not column.size:
        return 1.0
    ends = column.values[[0, -1]]
    return float(_numbers_between(column, ends[:1], ends[1:], np.zeros(1, dtype=np.bool_))[0])


def _numbers_between(
    column: NumericColumn, lo: npt.NDArray[np.generic], hi: npt.NDArray[np.generic], open_end: Bools
) -> Floats:
    """Count the numbers a column could hold from ``lo`` to ``hi``.

    Numbers that are not short decimals lie on the column's grid of 2³² steps.
    """
    if column.exact and not column.decimals and lo.dtype == hi.dtype == np.int64:
        wide = hi.astype(np.uint64) - lo.astype(np.uint64)  # exact, also past 2**53
        return wide.astype(np.float64) + np.where(open_end, 0.0, 1.0)
    if column.exact:
        below, above = _grid(lo, column.decimals), _grid(hi, column.decimals)
    else:
        half = column.values[[0, -1]] / 2  # the difference of two floats may be infinite
        step = float(half[1] - half[0]) / GRID or 1.0
        below, above = (_near((end.astype(np.float64) / 2 - half[0]) / step) for end in (lo, hi))
    first, last = np.ceil(below), np.floor(above)
    last = np.where(open_end & (last == above), last - 1, last)
    return np.asarray(last - first + 1)


def _grid(values: npt.NDArray[np.generic], decimals: int) -> Floats:
    return _near(values.astype(np.float64) * 10.0**decimals)


def _near(values: Floats) -> Floats:
    """Take what is a whole number but for float dust as that number."""
    whole = np.rint(values)
    return np.where(np.abs(values - whole) <= 1e-9 * np.maximum(np.abs(whole), 1), whole, values)
