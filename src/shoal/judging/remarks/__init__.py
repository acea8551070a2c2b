"""What a table shows of columns that endanger a release, whatever is required of it.

Nothing is refused here: a program cannot know what a column means. But what looks dangerous
is said, without any cell of the table, and without counts.

`near_unique`    columns published as they are that differ from row to row
`person_number`  columns that seem to identify people where no entity is named
`same_information`  columns that say the same under different roles
"""

from __future__ import annotations

from collections.abc import Mapping

from shoal.io.frames import Coded
from shoal.judging.remarks.near_unique import near_unique
from shoal.judging.remarks.person_number import person_number
from shoal.judging.remarks.same_information import same_information
from shoal.judging.remarks.seen import Seen
from shoal.table.hierarchies import Hierarchy
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
        *_drafted(schema),
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
        *_drafted(schema),
    ]


def _drafted(schema: Schema) -> list[str]:
    """Remark on quasi-identifiers with a drafted hierarchy that nobody has given groups.

    The plan says which hierarchies were drafted, and the tree whether it still has no groups:
    so the remark goes with the first group, or with the word ``draft`` in the plan.
    """
    bare = []
    for name in schema.quasi:
        tree = schema[name].hierarchy
        if schema[name].draft and isinstance(tree, Hierarchy) and tree.height <= 1:
            bare.append(f"'{name}'")
    if not bare:
        return []
    listed = ", ".join(bare[:-1]) + " and " * (len(bare) > 1) + bare[-1]
    return [
        f"{'Column' if len(bare) == 1 else 'Columns'} {listed} "
        f"{'has' if len(bare) == 1 else 'have'} a drafted hierarchy "
        "without groups: every value is published either unchanged or as *. Group values by "
        "meaning, or remove draft from the plan if this is intended."
    ]
