"""Edit a hierarchy by hand: move, group, rename, dissolve and merge nodes, add values.

A hierarchy never changes; each function gives a new one. Whatever is done, every value stays a
leaf, once: a group that loses its last member is gone, since without members it would be a value.
Messages hold counts, never a label, because labels are values of a column.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from shoal.base.arguments import is_whole, require_kind
from shoal.base.plural import counted
from shoal.errors import HierarchyError
from shoal.table.hierarchies.tree import Hierarchy


def moved(tree: Hierarchy, nodes: Collection[int], to: int) -> Hierarchy:
    """Put nodes, with all that is below them, below another group or the root.

    ``nodes``: their numbers. What lies below another one of them goes with it.
    ``to``: the node that they come below, after what it has already.

    Raises `HierarchyError` if the root is among them, the new place is a value, or it lies below
    one of them.

    >>> tree = Hierarchy.from_dict({"X": ["a", "b"], "Y": ["c"], "d": None})
    >>> moved(tree, [tree.node("a"), tree.node("d")], tree.node("Y")).to_dict()
    {'*': {'X': ['b'], 'Y': ['c', 'a', 'd']}}
    """
    edit = _Edit(tree)
    chosen = edit.topmost(nodes)
    place = edit.place(to)
    inside = sum(edit.lies_below(place, node) for node in chosen)
    if inside:
        raise HierarchyError(
            f"{counted(inside, 'group')} would be placed below itself.",
            "Choose a place outside what is moved.",
        )
    edit.put(chosen, place)
    return edit.made()


def grouped(tree: Hierarchy, nodes: Collection[int], label: str) -> Hierarchy:
    """Make a group of nodes, where the first of them stands.

    Nodes with different parents come below the lowest node that holds all of these parents.

    ``nodes``: their numbers. What lies below another one of them goes with it.
    ``label``: name of the group, which nothing else in the tree has.

    Raises `HierarchyError` if the root is among them, or the name is taken.

    >>> tree = Hierarchy.flat(["a", "b", "c"])
    >>> grouped(tree, [1, 3], "X").to_dict()
    {'*': {'X': ['a', 'c'], 'b': []}}
    """
    edit = _Edit(tree)
    chosen = edit.topmost(nodes)
    edit.require_free(label)
    parents = np.unique(tree.parent[chosen])
    above = int(parents[0])
    for parent in parents[1:].tolist():
        above = tree.lca(above, parent)
    # The child of the node above that holds, or is, the first of them.
    edit.put(chosen, edit.add(label, above, int(tree.ancestors[chosen[0], tree.depth[above] + 1])))
    return edit.made()


def renamed(tree: Hierarchy, node: int, label: str) -> Hierarchy:
    """Give a group, or the root, another name.

    Raises `HierarchyError` if it is a leaf, which is a value of the column, or the name is taken.

    >>> tree = Hierarchy.from_dict({"X": ["a", "b"], "c": None})
    >>> renamed(tree, 1, "Z").labels
    ('*', 'Z', 'a', 'b', 'c')
    """
    edit = _Edit(tree)
    (chosen,) = edit.known([node])
    edit.require_group(chosen, "Values cannot be renamed.", "Rename a group, or group the value.")
    if label != tree.labels[chosen]:
        edit.require_free(label)
        edit.labels[chosen] = label
    return edit.made()


def dissolved(tree: Hierarchy, nodes: Collection[int]) -> Hierarchy:
    """Put the members of groups where the groups stand, and remove these.

    Raises `HierarchyError` if the root or a value is among them.

    >>> tree = Hierarchy.from_dict({"X": ["a", "b"], "c": None})
    >>> dissolved(tree, [1]).to_dict()
    {'*': ['a', 'b', 'c']}
    """
    edit = _Edit(tree)
    for node in reversed(edit.below_root(nodes)):  # inner groups before those that hold them
        edit.require_group(node, "A value cannot be dissolved.", "Choose groups only.")
        edit.replace_by_members(node)
    return edit.made()


def merged(tree: Hierarchy, nodes: Collection[int], label: str | None = None) -> Hierarchy:
    """Make one group of several, with the members of all, where the first of them stands.

    ``nodes``: numbers of two groups or more, none below another.
    ``label``: name of the new group; that of the first if not given.

    Raises `HierarchyError` if the root or a value is among them, one lies below another, or the
    name is taken.

    >>> tree = Hierarchy.from_dict({"X": ["a"], "Y": ["b"], "c": None})
    >>> merged(tree, [1, 3], "XY").to_dict()
    {'*': {'XY': ['a', 'b'], 'c': []}}
    """
    edit = _Edit(tree)
    chosen = edit.below_root(nodes)
    if len(chosen) < 2:
        raise HierarchyError("A single group cannot be merged.", "Choose two groups or more.")
    for node in chosen:
        edit.require_group(node, "A value cannot be merged.", "Group values, or move them.")
    if nested := len(chosen) - len(edit.topmost(chosen)):
        raise HierarchyError(
            f"{counted(nested, 'group lies', 'groups lie')} below another one that it would be "
            "merged with.",
            "Dissolve the inner one instead.",
        )
    first, *others = chosen
    if label is not None and label not in {tree.labels[node] for node in chosen}:
        edit.require_free(label)
    edit.labels[first] = tree.labels[first] if label is None else label
    edit.put([member for node in others for member in edit.children[node]], first)
    return edit.made()


def with_values(tree: Hierarchy, values: Iterable[str], to: int = 0) -> Hierarchy:
    """Add values that the tree misses, each as a leaf below a group or the root.

    ``values``: those that are leaves already stay where they are.
    ``to``: the node that the others come below.

    Raises `HierarchyError` if a value is named like a group or the root, or the place is a value
    itself.

    >>> tree = Hierarchy.from_dict({"X": ["a"], "c": None})
    >>> with_values(tree, ["c", "d"], 1).to_dict()
    {'*': {'X': ['a', 'd'], 'c': []}}
    """
    require_kind("values", values, Iterable, "a list of texts", 'Such as ["yes", "no"].')
    edit = _Edit(tree)
    place = edit.place(to)
    # A root that stands alone is no value, though nothing is below it.
    leaves = set(tree.leaves) if tree.n_nodes > 1 else set()
    new = [value for value in dict.fromkeys(values) if value not in leaves]
    if taken := len(set(new) & set(tree.labels)):
        raise HierarchyError(
            f"{counted(taken, 'value is', 'values are')} named like a group or the root.",
            "Rename the group first.",
        )
    for value in new:
        edit.add(value, place)
    return edit.made()


class _Edit:
    """A tree that is being changed: labels, parents and children of nodes, by their old numbers.

    New nodes are numbered from the end on.
    """

    def __init__(self, tree: Hierarchy) -> None:
        require_kind("tree", tree, Hierarchy, "a Hierarchy", "Build one first.")
        self.tree = tree
        self.labels = list(tree.labels)
        self.parents: list[int] = tree.parent.tolist()
        self.children: dict[int, list[int]] = {0: []}  # of groups alone: most nodes are values
        for node, parent in enumerate(self.parents[1:], start=1):
            self.children.setdefault(parent, []).append(node)

    # -- what is asked --------------------------------------------------------------------

    def known(self, nodes: Iterable[int]) -> list[int]:
        """Take numbers of nodes, each once and in their order."""
        given = list(nodes) if isinstance(nodes, Iterable) else []
        if not given:
            raise HierarchyError("No node is chosen.", "Choose one or more.")
        inside = range(self.tree.n_nodes)
        if wrong := sum(not is_whole(node) or node not in inside for node in given):
            raise HierarchyError(
                f"{wrong:,} of {counted(len(given), 'node')} {'is' if wrong == 1 else 'are'} not "
                "in the tree.",
                "Nodes are numbered from 0, the root, on.",
            )
        return sorted({int(node) for node in given})

    def below_root(self, nodes: Iterable[int]) -> list[int]:
        """Take nodes, unless the root is among them."""
        chosen = self.known(nodes)
        if chosen[0] == 0:
            raise HierarchyError(
                "The root stays where it is, above all values.", "Choose nodes below it."
            )
        return chosen

    def topmost(self, nodes: Iterable[int]) -> list[int]:
        """Take nodes below the root that lie below no other one of them."""
        kept: list[int] = []
        for node in self.below_root(nodes):  # depth first: right after a group comes all below it
            if not kept or not self.lies_below(node, kept[-1]):
                kept.append(node)
        return kept

    def place(self, node: int) -> int:
        """Take a node that others come below."""
        (chosen,) = self.known([node])
        self.require_group(
            chosen, "A value can have nothing below it.", "Choose a group or the root."
        )
        return chosen

    def lies_below(self, node: int, above: int) -> bool:
        """Whether a node is another one, or lies below it."""
        return bool(self.tree.ancestors[node, self.tree.depth[above]] == above)

    def require_group(self, node: int, problem: str, hint: str) -> None:
        """Refuse a value where a group, or the root, is needed."""
        if node not in self.children:
            raise HierarchyError(problem, hint)

    def require_free(self, label: object) -> None:
        """Refuse a name that is none, or that another node has."""
        if not isinstance(label, str) or not label.strip():
            raise HierarchyError("The group has no name.", "Give it a text of one letter or more.")
        if label in self.labels:
            raise HierarchyError(
                "Another node of the tree has this name already.",
                "Give every node a name of its own; a group may not be named like a value.",
            )

    # -- what is done ---------------------------------------------------------------------

    def add(self, label: str, parent: int, before: int | None = None) -> int:
        """Add a node below another one, before one of its children or after all."""
        node = len(self.labels)
        self.labels.append(label)
        self.parents.append(parent)
        siblings = self.children[parent]
        siblings.insert(len(siblings) if before is None else siblings.index(before), node)
        return node

    def put(self, nodes: Collection[int], parent: int) -> None:
        """Put nodes below another one, after what it has already."""
        chosen = set(nodes)
        left = {self.parents[node] for node in nodes}
        for group in left:
            self.children[group] = [each for each in self.children[group] if each not in chosen]
        self.children.setdefault(parent, []).extend(nodes)
        for node in nodes:
            self.parents[node] = parent
        for group in left:
            self._remove_if_empty(group)

    def replace_by_members(self, node: int) -> None:
        """Put the members of a group in its place."""
        members, above = self.children.pop(node), self.parents[node]
        at = self.children[above].index(node)
        self.children[above][at : at + 1] = members
        for member in members:
            self.parents[member] = above

    def _remove_if_empty(self, group: int) -> None:
        """Remove a group without members, and those above it that are left so."""
        while group and self.children.get(group) == []:
            del self.children[group]
            above = self.parents[group]
            self.children[above].remove(group)
            group = above

    def made(self) -> Hierarchy:
        """Make the tree of what hangs together with the root."""
        order: list[int] = []
        place = [-1] * len(self.labels)
        todo = [0]
        while todo:
            node = todo.pop()
            place[node] = len(order)
            order.append(node)
            if node in self.children:
                todo.extend(reversed(self.children[node]))
        labels = [self.labels[node] for node in order]
        parents = [-1, *(place[self.parents[node]] for node in order[1:])]
        known = self.tree._known  # the numbers that labels stand for, as far as these are left
        kept = {label: known[label] for label in labels if label in known} if known else None
        return Hierarchy(labels, parents, kept)
