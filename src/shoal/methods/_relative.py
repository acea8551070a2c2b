"""Groups that are judged against all published groups must hold beside those that are left.

Methods compare a group with the rows that can be published. They may suppress some of these, and
then the published table is another one: a group that was close to the first may be too far from
it. If such groups were suppressed, the table would change again, others would fail, and the
cascade could eat a table that might well be published.

So they are merged with their neighbours instead, which changes no published row and thus not what
groups are compared with. In the end all are one group, which is as the table is; so merging loses
nothing, where that group holds the other requirements. Rows that a method left over are brought
back in the same way where they are more than may be suppressed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from shoal.methods.clustering._greedy import order_points
from shoal.models import Requirement, holding
from shoal.publications.groups.completing import least_size, merge_failing
from shoal.publications.groups.counting import judged_columns, one_group
from shoal.publications.groups.grouping import SUPPRESSED, Grouping
from shoal.publications.groups.share_limits import publishable
from shoal.table import QuasiColumn, Table

LEFT_OVER_GROUPS = 1000
"""Into how many groups at most left-over rows are put to begin with."""

Unite: TypeAlias = Callable[[Grouping, Sequence[Requirement]], Grouping]
"""Makes groups that show the same cells one, and lets that one hold requirements."""


def pinned(table: Table, require: Sequence[Requirement]) -> list[Requirement]:
    """Let requirements judge groups one by one: against the rows that can be published.

    These are all but those of values that are too frequent for the shares that are bounded.
    """
    if not any(each.relative for each in require):
        return list(require)
    whole = one_group(table, require, publishable(table, require))
    return [each.against(whole) for each in require]


def merge_or_drop_failing(
    table: Table,
    grouping: Grouping,
    require: Sequence[Requirement],
    columns: Sequence[QuasiColumn],
    *,
    most: int,
    unite: Unite | None = None,
) -> Grouping:
    """Let all groups hold beside the others: by merging them, with left-over rows if need be.

    If the publishable rows, as one group, hold the requirements, then no row is suppressed that
    the method did not suppress, and no more rows in all than ``most`` or those that cannot be
    published, whichever is more. Nothing changes where every requirement judges a group by itself
    and no more rows are left over than may be.
    Classes of levels that were chosen for the whole table cannot be merged; those that fail are
    suppressed, until all that are left hold. Nor can groups to which values were added.

    - ``columns``: the quasi-identifiers as the method publishes them.
    - ``most``: how many rows may be suppressed.
    - ``unite``: what becomes of groups that show the same cells; left out, they stay apart.
    """
    require = [each.against(None) for each in require]
    relative = [each for each in require if each.relative]
    if grouping.levels is not None or grouping.padding:
        held = holding(relative, grouping.statistics(table.people, judged_columns(table, require)))
        return grouping if held.all() else grouping.only(held)
    found = _merged(table, grouping, require, columns, unite) if relative else grouping
    if found.n_suppressed <= most and found.n_groups:
        return found
    again = _merged(table, _with_left_over(table, found, require, columns), require, columns, unite)
    return min(found, again, key=lambda each: each.n_suppressed)


def _merged(
    table: Table,
    grouping: Grouping,
    require: Sequence[Requirement],
    columns: Sequence[QuasiColumn],
    unite: Unite | None,
) -> Grouping:
    """Merge groups that fail beside the others, until all hold."""
    while grouping.n_groups:  # each turn leaves fewer groups
        groups = grouping.statistics(table.people, judged_columns(table, require))
        now = [each.against(groups) for each in require]
        united = grouping if unite is None else unite(grouping, now)
        if united.n_groups < grouping.n_groups:
            grouping = united
        elif all(each.judge(groups).passed for each in require):
            break
        else:
            grouping = merge_failing(table, grouping, now, columns)
    return grouping


def _with_left_over(
    table: Table, grouping: Grouping, require: Sequence[Requirement], columns: Sequence[QuasiColumn]
) -> Grouping:
    """Put suppressed rows that can be published beside the others into groups of neighbours."""
    lost = np.flatnonzero(grouping.labels == SUPPRESSED)
    kept = publishable(table, require, np.concatenate((grouping.rows, lost)))
    labels = np.full(table.n_rows, SUPPRESSED, dtype=np.int64)
    labels[kept] = grouping.labels[kept]
    left = np.sort(kept[labels[kept] == SUPPRESSED])
    if not len(left):
        return grouping
    codes = np.stack([column.codes[left] for column in columns]).astype(np.int64)
    size = max(least_size(require), -(-len(left) // LEFT_OVER_GROUPS))
    groups = max(len(left) // size, 1)
    near = left[order_points(columns, codes)]
    labels[near] = grouping.n_groups + np.minimum(np.arange(len(left)) // size, groups - 1)
    held = np.flatnonzero(labels >= 0)
    labels[held] = np.unique(labels[held], return_inverse=True)[1]
    return Grouping(labels.astype(np.int32))
