"""Columns whose hierarchy is still as a program drafted it: without any groups."""

from __future__ import annotations

from shoal.table.hierarchies import Hierarchy
from shoal.table.schema import Column, Schema


def drafted(schema: Schema) -> list[str]:
    """Remark on quasi-identifiers with a drafted hierarchy that nobody has given groups.

    The plan says which hierarchies were drafted, and the tree whether it still has no groups:
    so the remark goes with the first group, or with the word ``draft`` in the plan.
    """
    names = [f"'{name}'" for name in schema.quasi if _is_bare(schema[name])]
    if not names:
        return []
    listed = ", ".join(names[:-1]) + " and " * (len(names) > 1) + names[-1]
    one = len(names) == 1
    return [
        f"Column{'' if one else 's'} {listed} {'has' if one else 'have'} a drafted hierarchy "
        "without groups: every value is published either unchanged or as *. Group values by "
        "meaning, or remove draft from the plan if this is intended."
    ]


def _is_bare(column: Column) -> bool:
    tree = column.hierarchy
    return column.draft and isinstance(tree, Hierarchy) and tree.height <= 1
