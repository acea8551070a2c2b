"""Edits of a tree by the names that pages call them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from shoal.errors import HierarchyError
from shoal.studio.trees import ColumnTree
from shoal.table.hierarchies import Hierarchy, editing


@dataclass(frozen=True)
class Edit:
    """What a page asks of the tree that it shows."""

    nodes: list[int]
    to: int
    """Where they come below."""
    label: str
    """What a group is to be called."""


Edited = tuple[Hierarchy, list[int]]
"""The tree, and the nodes of it to look at."""


def _move(tree: Hierarchy, edit: Edit, found: ColumnTree) -> Edited:
    made = editing.moved(tree, edit.nodes, edit.to)
    first = tree.labels[min(edit.nodes)]
    return made, [made.node(first), made.node(tree.labels[edit.to])]


def _group(tree: Hierarchy, edit: Edit, found: ColumnTree) -> Edited:
    made = editing.grouped(tree, edit.nodes, edit.label)
    at = made.node(edit.label)
    return made, [at, at + 1]


def _rename(tree: Hierarchy, edit: Edit, found: ColumnTree) -> Edited:
    if len(edit.nodes) != 1:
        raise HierarchyError("Only one group can be renamed at a time.", "Choose one.")
    (node,) = edit.nodes
    made = editing.renamed(tree, node, edit.label)
    return made, [made.node(edit.label)]


def _dissolve(tree: Hierarchy, edit: Edit, found: ColumnTree) -> Edited:
    made = editing.dissolved(tree, edit.nodes)
    leaf = tree.leaves[tree.first_leaf[min(edit.nodes)]]
    return made, [made.node(leaf)]


def _merge(tree: Hierarchy, edit: Edit, found: ColumnTree) -> Edited:
    made = editing.merged(tree, edit.nodes, edit.label or None)
    at = made.node(edit.label or tree.labels[min(edit.nodes)])
    return made, [at, at + 1]


def _add(tree: Hierarchy, edit: Edit, found: ColumnTree) -> Edited:
    lacking = found.coverage.uncovered
    made = editing.with_values(tree, lacking, edit.to)
    return made, [made.node(lacking[0]) if lacking else 0]


EDITS: Mapping[str, Callable[[Hierarchy, Edit, ColumnTree], Edited]] = {
    "move": _move,
    "group": _group,
    "rename": _rename,
    "dissolve": _dissolve,
    "merge": _merge,
    "add": _add,
}

RANGES_STAY = ("dissolve", "add")
"""Edits after which nodes are still the ranges that their labels say."""
