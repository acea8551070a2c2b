"""The information loss of microaggregation: squared errors within groups over those in all."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Floats
from shoal.errors import ParameterError
from shoal.measures._pairs import CategoryPair, NumberPair, Pair
from shoal.measures.base import measure
from shoal.table import CategoricalColumn, NumericColumn, QuasiColumn


def _require(pair: Pair) -> None:
    if pair.recoded.centres is None:
        raise ParameterError(
            "Squared errors need cells that are numbers and values, not ranges and groups.",
            "Publish as microaggregated, or use loss or iloss.",
        )


def _columns(pair: Pair) -> Floats:
    """Give the error of each quasi-identifier, in the table's order."""
    made = []
    for column, both in zip(pair.table.quasi, pair.columns, strict=True):
        known, shown = ~both.missing, ~both.star
        counts = np.zeros(column.size + 1)
        if pair.published_only:  # only of cells that are shown it is sure that they are known
            np.add.at(counts, both.code[shown], both.counts[shown])
        else:
            counts += column.counts
        spread = _variance(column, counts[:-1])
        error = _squares(both)[shown & known] @ both.counts[shown & known]
        starred = both.counts[known & ~shown].sum()
        made.append((error / spread if spread else 0.0) + starred + pair.n_removed)
    return np.array(made) / pair.n_rows


@measure(better="lower", columns=_columns, requires=_require, of_published=True)
def sse(pair: Pair) -> float:
    """Squared errors of microaggregation: SSE / SST, weighted over the columns.

    A cell costs its squared distance from the original, over the variance of its column. The
    squared distance of two categories is the length of the path between them in the tree, and
    their variance half of the mean squared distance of two records, which for numbers is the
    same as the usual one. A known cell published as ``*`` costs 1, as if the mean of the whole
    column were shown; a missing one 0; and a record that was not published 1 in every column. The
    columns' means are added by the schema's weights, which are scaled to sum to 1. So 0 says that
    cells are as they were, and 1 that all rows show the mean of the table.

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz: Practical data-oriented microaggregation for statistical
    disclosure control. IEEE Transactions on Knowledge and Data Engineering 14(1), 2002.
    """
    weights = np.array([column.weight for column in pair.table.quasi])
    return float(weights @ _columns(pair) / weights.sum())


def _squares(both: NumberPair | CategoryPair) -> Floats:
    """Square the distance of each original cell from the published one."""
    if isinstance(both, NumberPair):
        far = _apart(both.value, both.cells.lo[both.cell]) / _scale(both.column)
        return np.asarray(far * far)
    tree = both.column.hierarchy
    depth = tree.depth.astype(np.float64)
    meet = depth[tree.lca(both.leaf, both.node)]
    return np.asarray(depth[both.leaf] + depth[both.node] - 2 * meet)


def _apart(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> Floats:
    """Subtract exactly where 64 bits hold the difference, and else as floats."""
    floats = one.astype(np.float64) - other.astype(np.float64)
    if one.dtype == other.dtype == np.int64:
        return np.where((one < 0) == (other < 0), one - other, floats)
    return floats


def _scale(column: NumericColumn) -> float:
    """Choose a unit in which no square is too large for a float; it cancels out."""
    return float(np.abs(column.values.astype(np.float64)).max(initial=0.0)) or 1.0


def _variance(column: QuasiColumn, counts: Floats) -> float:
    """Work out half of the mean squared distance of two records that hold a value."""
    n = counts.sum()
    if not n:
        return 0.0
    if isinstance(column, NumericColumn):
        values = _apart(column.values, column.values[:1]) / _scale(column)
        return float(counts @ (values - counts @ values / n) ** 2 / n)
    assert isinstance(column, CategoricalColumn)
    tree = column.hierarchy
    shares = np.zeros(tree.n_nodes)
    shares[tree.leaf_nodes] = counts / n
    for node in range(tree.n_nodes - 1, 0, -1):  # children come after their parent
        shares[tree.parent[node]] += shares[node]
    # For each node but the root: the variance of standing below it.
    return float((shares[1:] * (1 - shares[1:])).sum())
