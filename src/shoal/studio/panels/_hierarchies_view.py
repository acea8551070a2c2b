"""What of a tree a page shows: rows of the opened groups, in pages, or what a filter finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.table import Coverage
from shoal.table.hierarchies import Hierarchy

PAGE = 200
"""The number of members of a group that are shown at first, and with each further page."""

MOST_ROWS = 4000
"""The most rows of a tree on a page: beyond that, groups stay closed."""

SMALL = 60
"""Up to this many nodes, all groups are open at first."""

EXAMPLES = 3
"""The number of labels that are shown per level."""

MOST_LEVELS = 9


@dataclass(frozen=True)
class TreeRow:
    """A line of the tree: a node, or the offer to show more members of one."""

    node: int
    """Its number; of an offer that of the group."""
    label: str = ""
    parent: int = -1
    level: int = 1
    place: int = 1
    siblings: int = 1
    group: bool = False
    open: bool = False
    found: bool = False
    values: int = 0
    rows: int = 0
    share: float = 0.0
    more: int = 0
    """How many members follow, of an offer; else 0."""
    shown: int = 0
    """How many are shown before them."""


@dataclass
class TreeView:
    """A tree as a page shows it."""

    coverage: Coverage
    """The tree, and the rows of its nodes."""
    open: dict[int, int]
    """The open groups, and how many members each shows."""

    @classmethod
    def first(cls, coverage: Coverage) -> TreeView:
        """Open the root; of a small tree everything."""
        tree = coverage.tree
        groups = _groups(tree) if tree.n_nodes <= SMALL else [0]
        return cls(coverage, dict.fromkeys(groups, PAGE))

    @classmethod
    def after(
        cls, coverage: Coverage, before: Hierarchy, opened: Mapping[int, int], at: Sequence[int]
    ) -> TreeView:
        """Show an edited tree with the groups open that were open, and some nodes in sight.

        `before`: the tree before the edit.
        `opened`: its open groups.
        `at`: nodes of the edited tree.
        """
        tree = coverage.tree
        known = {label: node for node, label in enumerate(tree.labels)}
        made = cls(coverage, {})
        for node, shown in opened.items():
            if 0 <= node < before.n_nodes:
                # What has its name no longer was renamed or merged, and is in sight.
                made.open[known.get(before.labels[node], at[0])] = shown
        for node in at:
            made.reveal(node)
        return made

    def reveal(self, node: int) -> None:
        """Open what holds a node, far enough to see it."""
        tree = self.coverage.tree
        while node > 0:
            parent = int(tree.parent[node])
            place = int(np.searchsorted(members(tree, parent), node))
            pages = -(-(place + 1) // PAGE)
            self.open[parent] = max(self.open.get(parent, 0), pages * PAGE)
            node = parent

    def rows(self, text: str = "") -> list[TreeRow]:
        """List the lines, or those that lead to nodes whose label holds a text."""
        return self._found(text) if text else self._from(0, 1, 1, 1)

    def below(self, node: int, start: int) -> list[TreeRow]:
        """List one page of the members of a group."""
        depth = int(self.coverage.tree.depth[node]) + 1
        return self._members(node, start, start + PAGE, depth + 1)

    def _from(self, node: int, level: int, place: int, siblings: int) -> list[TreeRow]:
        made: list[TreeRow] = []
        todo = [self._row(node, level, place, siblings)]
        while todo:
            row = todo.pop()
            made.append(row)
            if row.open and not row.more:
                below = self._members(row.node, 0, self.open[row.node], row.level + 1)
                todo.extend(reversed(below))
            if len(made) + len(todo) > MOST_ROWS:
                self.open = {}
        return made

    def _members(self, node: int, start: int, stop: int, level: int) -> list[TreeRow]:
        every = members(self.coverage.tree, node)
        made = [
            self._row(int(child), level, start + place, len(every))
            for place, child in enumerate(every[start:stop].tolist(), start=1)
        ]
        left = len(every) - stop
        if left > 0:
            made.append(TreeRow(node, parent=node, level=level, more=left, shown=stop))
        return made

    def _row(
        self, node: int, level: int, place: int, siblings: int, *, open_: bool | None = None
    ) -> TreeRow:
        tree, rows = self.coverage.tree, self.coverage.rows
        group = node == 0 or int(tree.leaf_nodes[tree.first_leaf[node]]) != node
        return TreeRow(
            node,
            tree.labels[node],
            parent=int(tree.parent[node]),
            level=level,
            place=place,
            siblings=siblings,
            group=group,
            open=group and (node in self.open if open_ is None else open_),
            values=int(tree.leaf_counts[node]),
            rows=int(rows[node]),
            share=float(rows[node] / max(int(rows[0]), 1)),
        )

    def _found(self, text: str) -> list[TreeRow]:
        """Show the nodes that a filter finds, and what holds them."""
        tree, sought = self.coverage.tree, text.casefold()
        found = [n for n, label in enumerate(tree.labels) if n and sought in label.casefold()]
        hits = found[:PAGE]
        shown = {0, *hits}
        for node in hits:
            shown.update(tree.ancestors[node, : tree.depth[node]].tolist())
        kept, sure = sorted(shown), set(hits)
        holders = {int(tree.parent[node]) for node in kept}
        made = []
        for node in kept:
            row = self._row(node, int(tree.depth[node]) + 1, 1, 1, open_=node in holders)
            made.append(TreeRow(**{**vars(row), "found": node in sure}))
        if len(found) > PAGE:
            made.append(TreeRow(0, level=2, more=len(found) - PAGE, shown=-1))
        return made


@dataclass(frozen=True)
class LevelRow:
    """What a level of the tree leaves of the column: how many distinct values, and some of them."""

    level: int
    values: int
    share: float
    examples: tuple[str, ...]
    is_root: bool


def levels(coverage: Coverage) -> list[LevelRow]:
    """List the levels from the values to the root; of a tall tree the lowest ones, and the root."""
    tree, most = coverage.tree, max(coverage.levels)
    shown = list(range(tree.height + 1))
    if len(shown) > MOST_LEVELS:
        shown = [*shown[: MOST_LEVELS - 1], shown[-1]]
    made = []
    for level in shown:
        count = coverage.levels[level]
        nodes = coverage.held_at(level)[:EXAMPLES].tolist()
        labels = tuple(tree.labels[node] for node in nodes)
        made.append(LevelRow(level, count, count / max(most, 1), labels, level == tree.height))
    return made


def members(tree: Hierarchy, node: int) -> np.ndarray:
    """Give the nodes right below another one."""
    return np.flatnonzero(tree.parent == node)


def places(tree: Hierarchy, nodes: Iterable[int], text: str) -> tuple[list[tuple[int, str]], int]:
    """List groups that nodes may be moved to, with what holds them; also count the others."""
    barred = np.zeros(tree.n_nodes, dtype=np.bool_)
    for node in nodes:
        if 0 < node < tree.n_nodes:
            barred |= tree.ancestors[:, tree.depth[node]] == node
    sought = text.casefold()
    fits = [
        node
        for node in _groups(tree)
        if not barred[node] and sought in tree.labels[node].casefold()
    ]
    made = []
    for node in fits[:PAGE]:
        path = [*tree.ancestors[node, 1 : tree.depth[node]].tolist(), node] if node else [0]
        made.append((node, " › ".join(tree.labels[each] for each in path)))
    return made, len(fits) - len(made)


def _groups(tree: Hierarchy) -> list[int]:
    groups = np.ones(tree.n_nodes, dtype=np.bool_)
    groups[tree.leaf_nodes] = False
    groups[0] = True
    return np.flatnonzero(groups).tolist()
