"""Groups that show the same cells are one group to a reader, and must hold as one.

For most requirements the union of groups that hold them holds them too. For the others, such
as shares of people where a person has rows in two groups, it is looked at here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from shoal.kernels.collapse import collapse
from shoal.models import Requirement
from shoal.publications.groups.completing import merge_failing
from shoal.publications.groups.counting import judged_columns
from shoal.publications.groups.grouping import SUPPRESSED, Grouping, number_by_first
from shoal.publications.recoding import Recoded
from shoal.table import QuasiColumn, Table


def unions_hold(table: Table, require: Sequence[Requirement]) -> bool:
    """Say whether groups that hold the requirements hold them together."""
    return all(
        each.monotone and (table.people is None or each.monotone_in_people) for each in require
    )


def merge_indistinguishable(
    table: Table,
    grouping: Grouping,
    require: Sequence[Requirement],
    columns: Sequence[QuasiColumn],
    show: Callable[[Grouping], Recoded],
) -> Grouping:
    """Unite groups that show the same cells, and merge further those that then fail.

    ``columns``: the quasi-identifiers as the method publishes them.
    ``show``: gives the cells that are published of a grouping.

    Nothing changes where unions hold by themselves, or where groups are classes of equal cells
    to begin with.
    """
    if unions_hold(table, require) or grouping.levels is not None:
        return grouping
    while grouping.n_groups > 0:  # each turn leaves fewer groups
        grouping = _unite(grouping, show(grouping))
        groups = grouping.statistics(table.people, judged_columns(table, require))
        if all(each.judge(groups).passed for each in require):
            break
        grouping = merge_failing(table, grouping, require, columns)
    return grouping


def _unite(grouping: Grouping, published: Recoded) -> Grouping:
    """Give the rows of equal published cells one label, in the order of their lowest rows."""
    codes, sizes = [], []
    for cells in published.columns:
        texts, same = np.unique(np.array(cells.texts()), return_inverse=True)
        codes.append(same[cells.index])
        sizes.append(len(texts))
    labels = np.full(len(grouping.labels), SUPPRESSED, dtype=np.int32)
    labels[grouping.rows] = number_by_first(collapse(codes, sizes))
    return Grouping(labels)
