"""Edits of a tree by the names that pages call them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from shoal.errors import HierarchyError
from shoal.studio.trees import ColumnTree
from shoal.table.hierarchies import Hierarchy, editing

__all__ = ["EDITS", "RANGES_STAY", "Edit"]


@dataclass(frozen=True)
class Edit:
    """What a page asks of the tree that it shows.

    Parameters
    ----------
    nodes
        The chosen nodes.
    to
        Where they come below.
    label
        What a group is to be called.
    """

    nodes: list[int]
    to: int
    label: str


Edited = tuple[Hierarchy, list[int]]
"""The tree, and the nodes of it to look at."""


def _move(tree: Hierarchy, asked: Edit, found: ColumnTree) -> Edited:
    made = editing.moved(tree, asked.nodes, asked.to)
    first = tree.labels[min(asked.nodes)]
    return made, [made.node(first), made.node(tree.labels[asked.to])]


def _group(tree: Hierarchy, asked: Edit, found: ColumnTree) -> Edited:
    made = editing.grouped(tree, asked.nodes, asked.label)
    at = made.node(asked.label)
    return made, [at, at + 1]


def _rename(tree: Hierarchy, asked: Edit, found: ColumnTree) -> Edited:
    if len(asked.nodes) != 1:
        raise HierarchyError("Only one group can be renamed at a time.", "Choose one.")
    (node,) = asked.nodes
    made = editing.renamed(tree, node, asked.label)
    return made, [made.node(asked.label)]


def _dissolve(tree: Hierarchy, asked: Edit, found: ColumnTree) -> Edited:
    made = editing.dissolved(tree, asked.nodes)
    leaf = tree.leaves[tree.first_leaf[min(asked.nodes)]]
    return made, [made.node(leaf)]


def _merge(tree: Hierarchy, asked: Edit, found: ColumnTree) -> Edited:
    made = editing.merged(tree, asked.nodes, asked.label or None)
    at = made.node(asked.label or tree.labels[min(asked.nodes)])
    return made, [at, at + 1]


def _add(tree: Hierarchy, asked: Edit, found: ColumnTree) -> Edited:
    lacking = found.coverage.uncovered
    made = editing.with_values(tree, lacking, asked.to)
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
