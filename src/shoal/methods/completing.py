"""Requirements besides k, for methods that merge: merging goes on until they hold.

A group that fails a requirement is merged with another one: with the nearest that holds
together with it, if there is one among the nearest, otherwise with the nearest. Near means:
least added loss, each record losing the share of its domain that its cell covers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.grouping import SUPPRESSED, Grouping, one_group
from shoal.models import KAnonymity, Requirement
from shoal.table import CategoricalColumn, QuasiColumn, Table

__all__ = ["complete", "further_than_k", "holds"]

NEAREST = 64
"""How many of the nearest groups are tried for a union that holds."""

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def further_than_k(require: Sequence[Requirement]) -> list[Requirement]:
    """List the requirements that a method does not hold by its own counting."""
    return [each for each in require if not isinstance(each, KAnonymity)]


def holds(require: Sequence[Requirement], table: Table, rows: npt.NDArray[Any]) -> bool:
    """Judge some rows of a table as one group."""
    group = one_group(table, require, rows)
    return all(requirement.judge(group).passed for requirement in require)


def complete(
    table: Table, grouping: Grouping, require: Sequence[Requirement], columns: Sequence[QuasiColumn]
) -> Grouping:
    """Merge groups until every one holds the requirements besides k.

    Groups are taken in order; a merged one keeps the lower number. One that fails with
    nothing left to merge with is suppressed. Without such requirements nothing changes.

    Parameters
    ----------
    columns
        The quasi-identifiers as the method publishes them.
    """
    further = further_than_k(require)
    if not further:
        return grouping
    members = [np.flatnonzero(grouping.labels == label) for label in range(grouping.n_groups)]
    spans = [_Span(column, grouping) for column in columns]
    sizes = grouping.sizes.astype(np.float64)
    alive = np.ones(len(members), dtype=np.bool_)
    for first in range(len(members)):
        group = first
        while alive[group] and not holds(further, table, members[group]):
            other = _partner(table, further, members, spans, sizes, alive, group)
            if other < 0:
                alive[group] = False
                break
            keep, gone = min(group, other), max(group, other)
            members[keep] = np.concatenate((members[keep], members[gone]))
            sizes[keep] += sizes[gone]
            alive[gone] = False
            for span in spans:
                span.join(keep, gone)
            group = keep
    labels = np.full(table.n_rows, SUPPRESSED, dtype=np.int32)
    for label, group in enumerate(np.flatnonzero(alive).tolist()):
        labels[members[group]] = label
    return Grouping(labels)


def _partner(
    table: Table,
    further: Sequence[Requirement],
    members: Sequence[npt.NDArray[np.intp]],
    spans: Sequence[_Span],
    sizes: Floats,
    alive: npt.NDArray[np.bool_],
    group: int,
) -> int:
    """Choose the group to merge a failing one with; −1 if there is none."""
    others = np.flatnonzero(alive)
    others = others[others != group]
    if not len(others):
        return -1
    added = sum((span.added(group, others, sizes) for span in spans), np.zeros(len(others)))
    near = others[np.argsort(np.round(added, 9), kind="stable")].tolist()
    for other in near[:NEAREST]:
        if holds(further, table, np.concatenate((members[group], members[other]))):
            return int(other)
    return int(near[0])


class _Span:
    """What each group covers of one quasi-identifier, and what that loses."""

    def __init__(self, column: QuasiColumn, grouping: Grouping) -> None:
        self.column = column
        self.lo = grouping.least(column.codes).astype(np.int64)
        self.hi = grouping.largest(column.codes).astype(np.int64)

    def share(self, lo: Ints, hi: Ints) -> Floats:
        """The share of the domain that cells from one code to another cover; ``*`` all of it."""
        column = self.column
        known = np.minimum(hi, column.size - 1)
        if isinstance(column, CategoricalColumn):
            tree = column.hierarchy
            nodes = tree.lca_of_codes(np.minimum(lo, known), known)
            covered = (tree.leaf_counts[nodes] - 1) / max(tree.n_leaves - 1, 1)
        else:
            wide = column.values[known] - column.values[np.minimum(lo, known)]
            covered = wide / (column.range or np.inf)
        share = np.where((hi == column.size) & (lo < column.size), 1.0, covered)
        return np.asarray(column.weight * np.where(lo == column.size, 0.0, share))

    def added(self, group: int, others: Ints, sizes: Floats) -> Floats:
        """What all records lose more when a group is merged with each of others."""
        lo = np.minimum(self.lo[group], self.lo[others])
        hi = np.maximum(self.hi[group], self.hi[others])
        before = sizes[others] * self.share(self.lo[others], self.hi[others])
        own = sizes[group] * self.share(self.lo[group : group + 1], self.hi[group : group + 1])
        return np.asarray((sizes[group] + sizes[others]) * self.share(lo, hi) - before - own)

    def join(self, keep: int, gone: int) -> None:
        """Let one group cover what another does."""
        self.lo[keep] = min(self.lo[keep], self.lo[gone])
        self.hi[keep] = max(self.hi[keep], self.hi[gone])
