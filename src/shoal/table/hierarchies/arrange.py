"""From loose labels to one rooted tree: numbering, and the errors of what is not a tree.

Every constructor of `Hierarchy` ends here. Messages hold counts and line numbers, never a
label, because the labels of a hierarchy are values of a column.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from shoal.base.arguments import is_whole, require_kind
from shoal.base.cells import number_text
from shoal.errors import HierarchyError, a_type

MAX_HEIGHT = 250
"""Deepest tree that is accepted; ancestors are kept as one row per node."""

Links = tuple[list[str], list[int]]
"""Labels, and for each the position of its parent (-1 for a root)."""


def arrange(labels: Sequence[str], parents: Sequence[int]) -> Links:
    """Put the nodes in depth-first order, each node before its children.

    Siblings keep the order in which they are given.

    >>> arrange(["a", "X", "b", "*", "c"], [1, 3, 3, -1, 1])
    (['*', 'X', 'a', 'c', 'b'], [-1, 0, 1, 1, 0])
    """
    _refuse_unfit(labels, parents)
    if _is_depth_first(parents):  # edited and copied trees mostly are
        return list(labels), list(parents)
    children: list[list[int]] = [[] for _ in labels]
    for node, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(node)
    new_labels: list[str] = []
    new_parents: list[int] = []
    todo = [(parents.index(-1), -1, 0)]
    while todo:
        node, parent, depth = todo.pop()
        if depth > MAX_HEIGHT:
            raise _too_tall()
        here = len(new_labels)
        new_labels.append(labels[node])
        new_parents.append(parent)
        todo.extend((child, here, depth + 1) for child in reversed(children[node]))
    if lost := len(labels) - len(new_labels):
        raise _cycle(lost)
    return new_labels, new_parents


def _is_depth_first(parents: Sequence[int]) -> bool:
    """Whether each node comes right after its parent, or after all below a sibling before it."""
    if parents[0] != -1:
        return False
    branch = [0]  # from the root to the node before
    for node in range(1, len(parents)):
        parent = parents[node]
        while branch and branch[-1] != parent:
            branch.pop()
        if not branch:
            return False
        branch.append(node)
        if len(branch) > MAX_HEIGHT + 1:
            raise _too_tall()
    return True


def _refuse_unfit(labels: Sequence[str], parents: Sequence[int]) -> None:
    require_kind("labels", labels, Sequence, "a list of texts", 'Such as ["*", "a", "b"].')
    require_kind("parents", parents, Sequence, "a list of positions", "Such as [-1, 0, 0].")
    if not labels:
        raise HierarchyError("The hierarchy is empty.", "Give it at least one value and a root.")
    if strangers := sum(not isinstance(label, str) for label in labels):
        raise HierarchyError(
            f"{_count(strangers, 'label is not a text', 'labels are not texts')}.",
            "Write numbers as texts, too.",
        )
    whole = set(map(type, parents)) == {int} or all(map(is_whole, parents))
    inside = whole and len(parents) > 0 and min(parents) >= -1 and max(parents) < len(labels)
    if len(parents) != len(labels) or not inside:
        raise HierarchyError(
            f"{_count(len(labels), 'label needs', 'labels need')} as many positions of parents.",
            "Give the position of each label's parent, and -1 for the root.",
        )
    if twice := len(labels) - len(set(labels)):
        raise HierarchyError(
            f"{_count(twice, 'label stands', 'labels stand')} in more than one place of the tree.",
            "Give every node a unique label; a value must not have the name of a group or "
            "the root.",
        )
    roots = sum(parent < 0 for parent in parents)
    if not roots:
        raise _cycle(len(labels))
    if roots > 1:
        raise _roots(roots)


def links_of_paths(paths: Iterable[Sequence[str]], lines: Sequence[int] | None = None) -> Links:
    """Join paths, each from a leaf up to the root, to labels and parents.

    >>> links_of_paths([("a", "X", "*"), ("b", "b", "*")])
    (['a', 'X', '*', 'b'], [1, 2, -1, 2])
    """
    require_kind("paths", paths, Iterable, "a list of paths", 'Such as [("a", "X", "*")].')
    chains = [_without_repeats(path) for path in paths]
    _refuse_paths(chains, lines)
    parent_of: dict[str, str | None] = {}
    clashes: dict[str, int] = {}
    for row, chain in enumerate(chains):
        for label, above in zip(chain, (*chain[1:], None), strict=True):
            if parent_of.setdefault(label, above) != above:
                clashes.setdefault(label, row)
    if clashes:
        first = min(clashes.values())
        raise HierarchyError(
            f"{_count(len(clashes), 'label has', 'labels have')} two parents{_at(first, lines)}.",
            "Keep one parent for each label, or rename one of the two nodes.",
        )
    ids = {label: node for node, label in enumerate(parent_of)}
    return list(ids), [-1 if above is None else ids[above] for above in parent_of.values()]


def _refuse_paths(chains: Sequence[Sequence[str]], lines: Sequence[int] | None) -> None:
    if not chains:
        raise HierarchyError("The hierarchy is empty.", "Give it at least one value and a root.")
    inner: set[str] = set()
    ends: dict[str, int] = {}
    for row, chain in enumerate(chains):
        if not chain:
            raise HierarchyError(f"A path is empty{_at(row, lines)}.", "Give its leaf and root.")
        # A value named like the root is no cycle, and is told below.
        if len(set(chain)) < len(chain) and chain[0] != chain[-1]:
            raise HierarchyError(
                f"The hierarchy has a cycle{_at(row, lines)}: a label occurs again higher up.",
                "Remove the second appearance of the label.",
            )
        inner.update(chain[1:])
        ends.setdefault(chain[-1], row)
    if len(ends) > 1:
        raise _roots(len(ends), _at(list(ends.values())[1], lines))
    if "" in inner:
        row = next(row for row, chain in enumerate(chains) if "" in chain[1:])
        raise HierarchyError(
            f"A node above the values has no label{_at(row, lines)}.",
            "Fill a gap by repeating the label to its left.",
        )
    both = [row for row, chain in enumerate(chains) if chain[0] in inner]
    if both:
        number = len({chains[row][0] for row in both})
        raise HierarchyError(
            f"{_count(number, 'label is', 'labels are')} used both as a value and as a node "
            f"above values{_at(both[0], lines)}.",
            "Rename the upper node or the root, or treat the value as missing.",
        )


def _without_repeats(path: Sequence[str]) -> list[str]:
    if not isinstance(path, Sequence) or not all(isinstance(label, str) for label in path):
        raise HierarchyError(
            "A path is not a list of texts.", "Give the labels of each path, leaf first, root last."
        )
    return [label for i, label in enumerate(path) if not i or label != path[i - 1]]


def links_of_parents(parent_of: Mapping[str, str | None]) -> Links:
    """Read a mapping of each label to its parent; the root's parent is ``None`` or unsaid.

    >>> links_of_parents({"a": "X", "X": "*", "b": "*"})
    (['a', 'X', '*', 'b'], [1, 2, -1, 2])
    """
    hint = 'Such as {"a": "X", "X": "*"}.'
    require_kind("parent_of", parent_of, Mapping, "a mapping of labels to parents", hint)
    every: dict[str, None] = {}
    for label, parent in parent_of.items():
        if not isinstance(label, str) or not isinstance(parent, str | None):
            raise HierarchyError("A label or its parent is not a text.", "Write numbers as texts.")
        every |= dict.fromkeys([label] if parent is None else [label, parent])
    ids: dict[str | None, int] = {label: node for node, label in enumerate(every)}
    return list(every), [ids.get(parent_of.get(label), -1) for label in every]


def links_of_nested(nested: Any, root: str | None) -> Links:
    """Read nested mappings and lists; see `Hierarchy.from_dict`.

    >>> links_of_nested({"X": ["a", "c"], "b": None}, "*")
    (['*', 'X', 'b', 'a', 'c'], [-1, 0, 0, 1, 1])
    """
    labels: list[str] = []
    parents: list[int] = []
    todo: list[tuple[Any, int]] = [(nested, -1)]
    if not isinstance(nested, Mapping | list | tuple) or not nested:
        raise HierarchyError("The tree is empty.", "Give a mapping of groups to their members.")
    require_kind("root", root, str | None, "a text, or None", 'Such as "*".')
    rooted = isinstance(nested, Mapping) and len(nested) == 1 and root in nested
    if root is not None and not rooted:
        labels, parents, todo = [root], [-1], [(nested, 0)]
    for level, parent in todo:  # which grows
        for label, below in _members(level):
            labels.append(label)
            parents.append(parent)
            if below is not None:
                todo.append((below, len(labels) - 1))
    return labels, parents


def _members(level: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(level, Mapping):
        for label, below in level.items():
            yield _label(label), below
    elif isinstance(level, list | tuple):
        for item in level:
            if isinstance(item, Mapping | list | tuple):
                yield from _members(item)
            else:
                yield _label(item), None
    else:
        raise HierarchyError(
            f"A level of the tree is {a_type(level)}.",
            "Use a mapping for groups, a list for values, and null or [] for a single value.",
        )


def _label(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number_text(value)
    raise HierarchyError(f"A label of the tree is {a_type(value)}.", "Labels are texts or numbers.")


def _roots(count: int, where: str = "") -> HierarchyError:
    return HierarchyError(
        f"The hierarchy has {count} roots{where}.",
        "Let every value end at the same root label, such as *.",
    )


def _too_tall() -> HierarchyError:
    return HierarchyError(
        f"The hierarchy has more than {MAX_HEIGHT} levels.", "Leave out unused levels."
    )


def _cycle(count: int) -> HierarchyError:
    return HierarchyError(
        f"The hierarchy has a cycle: {_count(count, 'label never reaches', 'labels never reach')}"
        " a root.",
        "Follow the parents upward and let them end at one root.",
    )


def _at(row: int, lines: Sequence[int] | None) -> str:
    return "" if lines is None else f" (line {lines[row]})"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
