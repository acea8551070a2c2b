"""What a table shows of columns that endanger a release, whatever is required of it.

Nothing is refused here: a program cannot know what a column means. But what looks dangerous
is said, without any cell of the table, and without counts.

`drafts`         columns whose hierarchy is a draft without groups
`near_unique`    columns published as they are that differ from row to row
`person_number`  columns that seem to identify people where no entity is named
`same_information`  columns that say the same under different roles
"""

from __future__ import annotations

from collections.abc import Mapping

from shoal.io.frames import Coded
from shoal.judging.remarks.drafts import drafted
from shoal.judging.remarks.near_unique import near_unique
from shoal.judging.remarks.person_number import person_number
from shoal.judging.remarks.same_information import same_information
from shoal.judging.remarks.seen import Seen
from shoal.table.schema import Schema

__all__ = ["column_remarks", "counted_remarks"]


def column_remarks(table: Coded, schema: Schema) -> list[str]:
    """Say which columns look dangerous, and what to do.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"age": [30, 31] * 20, "note": [f"row {i}" for i in range(40)]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "note": shoal.other()})
    >>> [remark[:72] for remark in column_remarks(Coded(frame), schema)]
    ["Column 'note' (other) is published unchanged, and nearly every row has i"]
    """
    seen = {name: Seen.of(table[name], schema.missing_of(name)) for name in schema}
    return [
        *near_unique(table, schema, seen),
        *person_number(table, schema, seen),
        *same_information(table, schema, seen),
        *drafted(schema),
    ]


def counted_remarks(values: Coded, schema: Schema, seen: Mapping[str, Seen]) -> list[str]:
    """Say what counts of values alone tell, of a table whose rows are not in one place.

    That two columns agree row by row, or say the same, is not among it: see `column_remarks`.

    Parameters
    ----------
    values
        The different values of sensitive columns.
    """
    return [
        *near_unique(values, schema, seen),
        *person_number(None, schema, seen),
        *drafted(schema),
    ]
