"""The entropy distances of Gong et al. (2013): what moving a cell up its tree costs.

An inner node is worth Info(v) = −Σ p log p over the leaves under it, a leaf 0; p is the share
of a value among the known cells. Both distances are rounded to a grid of 2⁻²⁰, so that equal
costs are equal everywhere.
"""

from __future__ import annotations

from fractions import Fraction
from math import fsum, log

import numpy as np

from shoal.methods.costs import differences
from shoal.methods.scaling import GRID, on_grid
from shoal.table import CategoricalColumn

__all__ = ["entropy_change", "equation_9"]


def entropy_change(column: CategoricalColumn) -> list[list[Fraction]]:
    """Growth of entropy, as a share of the root's: what the paper's abstract says."""
    surprise = _surprise(column)
    info = _info(column, surprise)
    shares = [_rounded(value, info[0]) for value in info]
    return differences(column.hierarchy, shares)


def equation_9(column: CategoricalColumn) -> list[list[Fraction]]:
    """Entropy after over entropy before, as printed; a leaf's own is −p log p.

    A node that does not move has a rate of 1 (a leaf 0), so a class pays for being general.
    """
    tree = column.hierarchy
    surprise = _surprise(column)
    info = _info(column, surprise)
    before = list(info)
    for code, node in enumerate(tree.leaf_nodes.tolist()):
        before[node] = surprise[code]
    return [
        [
            _rounded(info[above], before[node])
            for above in tree.ancestors[node, : depth + 1].tolist()
        ]
        for node, depth in enumerate(tree.depth.tolist())
    ]


def _surprise(column: CategoricalColumn) -> list[float]:
    """−p log p of every leaf; missing cells are not counted."""
    counts = np.bincount(column.codes, minlength=column.size + 1)[:-1].tolist()
    known = sum(counts)
    return [-(count / known) * log(count / known) if count else 0.0 for count in counts]


def _info(column: CategoricalColumn, surprise: list[float]) -> list[float]:
    """Sum the leaves under each node; a leaf itself is certain."""
    tree = column.hierarchy
    ends = zip(tree.first_leaf.tolist(), tree.last_leaf.tolist(), strict=True)
    info = [fsum(surprise[first : last + 1]) for first, last in ends]
    for node in tree.leaf_nodes.tolist():
        info[node] = 0.0
    return info


def _rounded(part: float, whole: float) -> Fraction:
    """Divide and round to the grid; 0/0 is 0."""
    return Fraction(on_grid(part / whole), GRID) if whole else Fraction(0)
