"""The reconstruction distance: how well a record can be rebuilt."""

from __future__ import annotations

import numpy as np

from shoal.base.arrays import Floats
from shoal.errors import ParameterError
from shoal.measures._coverage import covered
from shoal.measures._pairs import Pair, require_covering
from shoal.measures.base import measure


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
