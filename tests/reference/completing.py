"""Merging of groups that fail, one judgement after the other: the slow twin of `merge_failing`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.models import Requirement, holding
from shoal.publications.groups.counting import one_group
from shoal.publications.groups.grouping import SUPPRESSED, Grouping
from shoal.table import CategoricalColumn, QuasiColumn, Table

__all__ = ["merged_one_by_one"]

NEAREST = 64


def merged_one_by_one(
    table: Table, grouping: Grouping, require: Sequence[Requirement], columns: Sequence[QuasiColumn]
) -> list[int]:
    """Give the labels; every group, and every union that is tried, is judged by itself."""
    members = {g: np.flatnonzero(grouping.labels == g) for g in range(grouping.n_groups)}
    people, sensitive = table.people, table.sensitive
    held = holding(require, grouping.statistics(people, sensitive))
    for start in np.flatnonzero(~held).tolist():
        group = start
        while group in members and not _holds(table, require, members[group]):
            others = [other for other in members if other != group]
            if not others:
                del members[group]
                break
            added = {
                other: round(_added(columns, members[group], members[other]), 9) for other in others
            }
            near = sorted(others, key=lambda other: (added[other], other))[:NEAREST]
            unions = [np.concatenate((members[group], members[other])) for other in near]
            good = [
                other
                for other, union in zip(near, unions, strict=True)
                if _holds(table, require, union)
            ]
            other = (good or near)[0]
            keep, gone = min(group, other), max(group, other)
            members[keep] = np.concatenate((members[keep], members.pop(gone)))
            group = keep
    labels = [SUPPRESSED] * table.n_rows
    for label, group in enumerate(sorted(members)):
        for row in members[group].tolist():
            labels[row] = label
    return labels


def _holds(table: Table, require: Sequence[Requirement], rows: np.ndarray) -> bool:
    found = one_group(table, require, rows)
    return all(requirement.judge(found).passed for requirement in require)


def _added(columns: Sequence[QuasiColumn], one: np.ndarray, other: np.ndarray) -> float:
    """Say what all records lose more if two groups become one."""
    total = 0.0
    for column in columns:
        both = _lost(column, np.concatenate((one, other)))
        total += both - _lost(column, other) - _lost(column, one)
    return total


def _lost(column: QuasiColumn, rows: np.ndarray) -> float:
    """Say what a group loses: the share of the domain that its cell covers, for each record."""
    codes = column.codes[rows].astype(np.int64)
    known = codes[codes < column.size]
    if not len(known):
        return 0.0
    if len(known) < len(codes):
        share = 1.0
    elif isinstance(column, CategoricalColumn):
        tree = column.hierarchy
        node = tree.lca_of_codes(int(known.min()), int(known.max()))
        share = (int(tree.leaf_counts[node]) - 1) / max(tree.n_leaves - 1, 1)
    else:
        share = float(column.values[known.max()] - column.values[known.min()])
        share /= column.range or np.inf
    return len(rows) * column.weight * share
