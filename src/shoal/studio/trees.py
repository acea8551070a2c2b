"""The hierarchies of a table's columns, built once for each way the plan says them, and kept."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from shoal.errors import InputError, ShoalError
from shoal.io.frames import Coded
from shoal.plan import Plan
from shoal.table import ColumnValues, Coverage
from shoal.table.hierarchies import Builder, Flat, Hierarchy
from shoal.table.schema import Kind, Schema

MOST = 20
"""Trees of a column that are kept: the one that counts, those that undo leads back to, and those
that pages showed when somebody edited them."""


@dataclass(frozen=True, eq=False)
class ColumnTree:
    """A quasi-identifier, its values and its hierarchy."""

    values: ColumnValues
    tree: Hierarchy | None
    """Its hierarchy; ``None`` if its numbers or dates become ranges."""

    @property
    def ranges(self) -> bool:
        """Whether nodes must be ranges of numbers or dates."""
        return self.values.kind is not Kind.CATEGORICAL

    @cached_property
    def coverage(self) -> Coverage:
        """How the tree fits the column (ask only if there is one)."""
        assert self.tree is not None
        return Coverage(self.tree, self.values)

    @cached_property
    def version(self) -> str:
        """Tell this tree from others, so that numbers of nodes mean what a page shows."""
        return f"{hash(self.tree) % 2**64:x}"

    @cached_property
    def problem(self) -> ShoalError | None:
        """Why a release would refuse the tree, though it has every value."""
        if self.tree is None or self.coverage.uncovered:
            return None
        try:
            self.values.require_fit(self.tree)
        except ShoalError as error:
            return error
        return None


class ColumnTrees:
    """Finds values and trees of columns, and remembers them.

    `table`: the table that is to be published.
    """

    def __init__(self, table: Coded) -> None:
        self._table = table
        self._lock = threading.RLock()
        self._values: dict[str, deque[tuple[Any, ColumnValues]]] = {}
        self._trees: dict[str, deque[tuple[Any, ColumnTree]]] = {}

    def values(self, plan: Plan, name: str) -> ColumnValues:
        """Find what a column holds, as the plan prepares it (raises `ShoalError` if it cannot)."""
        column_plan = plan.columns[name]
        key = (
            plan.missing_of(name),
            column_plan.model_dump(exclude={"hierarchy", "draft", "weight"}),
        )
        with self._lock:
            found: ColumnValues | None = _kept(self._values, name, key)
            if found is None:
                schema = Schema({name: column_plan.column(plan.folder)}, missing=plan.input.missing)
                found = ColumnValues.of(self._table, schema, name)
                _keep(self._values, name, key, found)
            return found

    def of(self, plan: Plan, name: str) -> ColumnTree:
        """Build the tree that the plan says (raises `ShoalError` if it does not fit the column)."""
        values, key = self.values(plan, name), plan.columns[name].hierarchy
        with self._lock:
            found: ColumnTree | None = _kept(self._trees, name, (key, values))
            if found is None:
                found = ColumnTree(values, self._built(plan, name, values))
                _keep(self._trees, name, (key, values), found)
            return found

    def shown(self, name: str, version: str) -> ColumnTree | None:
        """Find a tree that a page shows, though it may have been edited since."""
        with self._lock:
            known = [found for _, found in self._trees.get(name, ())]
        return next((found for found in known if found.version == version), None)

    def keep(self, plan: Plan, name: str, tree: Hierarchy) -> ColumnTree:
        """Remember a tree that was just written into the plan."""
        values = self.values(plan, name)
        with self._lock:
            made = ColumnTree(values, tree)
            _keep(self._trees, name, (plan.columns[name].hierarchy, values), made)
            return made

    def _built(self, plan: Plan, name: str, values: ColumnValues) -> Hierarchy | None:
        column = plan.columns[name].column(plan.folder)
        spec = column.hierarchy
        if spec is None and values.kind is not Kind.CATEGORICAL:
            return None
        # Where a plan says nothing, a release shows a category as it is or as *.
        builder = spec or Flat()
        assert isinstance(builder, Builder)  # plans hold no built trees
        return values.build(builder)


def same_nodes(before: Hierarchy, after: Hierarchy, nodes: Sequence[int]) -> list[int]:
    """Find nodes of a tree in an edited one: by their labels, or renamed groups by their values.

    Raises `InputError` if a node is none, or is no longer there.

    Examples
    --------
    >>> before = Hierarchy.from_dict({"*": {"North": ["Oslo", "Bergen"], "South": ["Rome"]}})
    >>> after = Hierarchy.from_dict({"*": {"South": ["Rome"], "Norway": ["Oslo", "Bergen"]}})
    >>> [after.labels[node] for node in same_nodes(before, after, [before.node("North")])]
    ['Norway']
    """
    if not all(0 <= node < before.n_nodes for node in nodes):
        raise InputError("There is no such node.", "Load the page again.")
    if before is after:
        return list(nodes)
    known = {label: node for node, label in enumerate(after.labels)}
    made = []
    for node in nodes:
        label = before.labels[node]
        if label not in known:
            wanted = _values(before, node)
            renamed = (n for n in range(after.n_nodes) if _values(after, n) == wanted)
            label = after.labels[next(renamed, 0)]
            if known[label] == 0:
                raise InputError(
                    "The group no longer exists: an earlier edit removed it.",
                    "Check the tree, and edit it again.",
                )
        made.append(known[label])
    return made


def _values(tree: Hierarchy, node: int) -> set[str]:
    return set(tree.leaves[tree.first_leaf[node] : tree.last_leaf[node] + 1])


def _kept(kept: dict[str, deque[tuple[Any, Any]]], name: str, key: Any) -> Any:
    """Look for what was kept under an equal key: specs are nested mappings, which have no hash."""
    return next((found for known, found in kept.get(name, ()) if known == key), None)


def _keep(kept: dict[str, deque[tuple[Any, Any]]], name: str, key: Any, made: Any) -> None:
    kept.setdefault(name, deque(maxlen=MOST)).appendleft((key, made))
