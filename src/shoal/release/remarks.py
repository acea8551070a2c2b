"""What people must know of a release."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.counting import one_group
from shoal.grouping import Grouping
from shoal.models import Requirement
from shoal.recode import LoneEnds
from shoal.release.guard import least_count
from shoal.table import NumericColumn, Table

__all__ = ["remarks"]


def remarks(
    table: Table,
    grouping: Grouping,
    require: Sequence[Requirement],
    columns: Sequence[str] = (),
    ends: LoneEnds | None = None,
) -> tuple[str, ...]:
    """Collect what people must know of a release; it is public, so no small count is in it.

    Parameters
    ----------
    columns
        What `shoal.remarks` says of the columns.
    """
    whole = one_group(table, require, grouping.rows)
    made = [remark for each in require for remark in each.remarks(whole)]
    uneven = ", ".join(f"'{name}'" for name in _uneven(table, grouping))
    if uneven:
        made.append(
            f"Levels are filled upward where a hierarchy is of uneven depth ({uneven}): "
            "a value that lies less deep stays as it is until the level of its own parent."
        )
    made += columns
    if ends is not None and ends.lone:
        made.append(ends.remark(least_count(require)))
    return tuple(made)


def _uneven(table: Table, grouping: Grouping) -> list[str]:
    """Name the columns of which a level was chosen in a hierarchy of uneven depth."""
    levels = grouping.levels or {}
    chosen = [column for column in table.quasi if column.name in levels]
    return [
        column.name
        for column in chosen
        if not (column.tree if isinstance(column, NumericColumn) else column).hierarchy.even
    ]
