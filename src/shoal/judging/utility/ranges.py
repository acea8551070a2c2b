"""Columns of too many values for a feature each: dates and numbers as ranges of their tree.

Every node of such a tree is a range, from the least to the largest value below it, and a leaf is
a range of one value. Original and published cells are both nodes, so one rule reads them alike,
whatever the nodes are called: ``1955``, ``195*`` or ``1955 to 1964``. Labels are never looked at.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.base.arrays import Floats
from shoal.table.hierarchies import Hierarchy
from shoal.table.hierarchies.builders.dates import days_of
from shoal.table.written_dates import read_dates


@dataclass(frozen=True, eq=False)
class NodeRanges:
    """The range of each node of a tree: days of the calendar, or numbers."""

    lo: Floats
    hi: Floats

    @property
    def middle(self) -> Floats:
        """The middle of each range."""
        return self.lo / 2 + self.hi / 2  # halves first: sums of large ends overflow


def ranges_of(tree: Hierarchy) -> NodeRanges | None:
    """Find the range of each node; ``None`` if the values are neither dates nor numbers.

    Texts of four digits alone are years as well as codes, so they are read as numbers.
    """
    leaves = _numbers(tree)
    if leaves is None:
        leaves = _dates(tree.leaves)
    if leaves is None:
        return None
    lo, hi = np.full(tree.n_nodes, np.inf), np.full(tree.n_nodes, -np.inf)
    lo[tree.leaf_nodes], hi[tree.leaf_nodes] = leaves
    for depth in range(tree.height, 0, -1):
        nodes = np.flatnonzero(tree.depth == depth)
        np.minimum.at(lo, tree.parent[nodes], lo[nodes])
        np.maximum.at(hi, tree.parent[nodes], hi[nodes])
    return NodeRanges(lo, hi)


def _numbers(tree: Hierarchy) -> tuple[Floats, Floats] | None:
    """Read leaves as numbers, if all nodes below the root are: prefixes of codes are not."""
    known = [interval for interval in tree.intervals[1:] if interval is not None]
    if not known or len(known) < tree.n_nodes - 1:
        return None
    below = np.array([(float(each.lo), float(each.hi)) for each in known])[tree.leaf_nodes - 1]
    return below[:, 0], below[:, 1]


def _dates(leaves: tuple[str, ...]) -> tuple[Floats, Floats] | None:
    """Read leaves as dates: ISO texts of any precision, or one other way of writing days."""
    iso = [days for text in leaves if (days := days_of(text)) is not None]
    if len(iso) == len(leaves):
        if all(len(text) == len("YYYY") for text in leaves):
            return None
        ends = np.array(iso)
        return ends[:, 0], ends[:, 1]
    read = read_dates(pl.Series(leaves, dtype=pl.String))
    if read is None:
        return None
    at = read.cast(pl.Int32).cast(pl.Float64).to_numpy()
    return at, at
