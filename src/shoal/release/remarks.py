"""What people must know of a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shoal.models import Requirement
from shoal.publications.groups.counting import one_group
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import UniqueEndPoints
from shoal.release.guard import least_count
from shoal.table import NumericColumn, QuasiColumn, Table

ONE_GROUP = (
    "All published rows form one group: the method found no smaller groups that meet the "
    "requirements. To publish more detail, weaken the requirements or choose another method."
)
"""The remark on a table that is published as one group."""


def remarks(
    table: Table,
    grouping: Grouping,
    require: Sequence[Requirement],
    columns: Sequence[str] = (),
    ends: UniqueEndPoints | None = None,
) -> tuple[str, ...]:
    """Collect what people must know of a release; it is public, so no small count is in it.

    ``columns``: what `shoal.judging.remarks` says of the columns.
    """
    whole = one_group(table, require, grouping.rows)
    made = [remark for each in require for remark in each.remarks(whole)]
    made += one_group_remark(table, grouping)
    made += [*uneven_remark(table.quasi, grouping.levels or {}), *columns]
    if ends is not None and ends.unique_ends:
        made.append(ends.remark(least_count(require)))
    return tuple(made)


def one_group_remark(table: Table, grouping: Grouping) -> list[str]:
    """Say if all published rows are one group, though they differ."""
    rows = grouping.rows
    alike = all((column.codes[rows] == column.codes[rows[:1]]).all() for column in table.quasi)
    return [ONE_GROUP] if grouping.n_groups == 1 and not alike else []


def uneven_remark(columns: Sequence[QuasiColumn], levels: Mapping[str, int]) -> list[str]:
    """Say which columns have a level that was chosen in a hierarchy of uneven depth, if any."""
    chosen = (each for each in columns if each.name in levels)
    trees = (each.tree if isinstance(each, NumericColumn) else each for each in chosen)
    uneven = [f"'{tree.name}'" for tree in trees if not tree.hierarchy.even]
    if not uneven:
        return []
    return [
        "Levels are filled upward where a hierarchy is of uneven depth "
        f"({', '.join(uneven)}): a value nearer the root is unchanged up to the level of its "
        "parent."
    ]
