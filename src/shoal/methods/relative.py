"""Groups that are judged against all published groups must hold beside those that are left.

Methods compare a group with the whole table. Rows that they suppress are not published, so the
published table is another one, and a group that was close to the first may be too far from it.
"""

from __future__ import annotations

from collections.abc import Sequence

from shoal.grouping import Grouping
from shoal.models import Requirement, holding
from shoal.table import Table

__all__ = ["settle_relative"]


def settle_relative(table: Table, grouping: Grouping, require: Sequence[Requirement]) -> Grouping:
    """Suppress groups that fail beside the others, until all that are left hold.

    Nothing changes where every requirement judges a group by itself.
    """
    relative = [each.against(None) for each in require if each.relative]
    if not relative or not grouping.n_groups:
        return grouping
    holds = holding(relative, grouping.statistics(table.people, table.sensitive))
    return grouping if holds.all() else grouping.only(holds)
