"""Builder: values in an order, joined a few neighbours at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import polars as pl

from shoal.base.arguments import require_whole
from shoal.errors import HierarchyError, ParameterError
from shoal.table.hierarchies.base import Builder, require_root
from shoal.table.hierarchies.tree import Hierarchy
from shoal.table.hierarchies.values import distinct_texts, natural_order


@dataclass(frozen=True)
class Order(Builder):
    """Join neighbours ``fan_out`` at a time into nodes labelled ``first..last``.

    Choose this for values with an order but no distances, such as school degrees. For numbers
    choose `Intervals`; to weigh how often values occur choose `Auto`.

    Parameters
    ----------
    fan_out
        Number of neighbours joined, 2 or more.
    order
        The values in their order; each becomes a leaf, in the column or not. Without it,
        numbers are ordered by size and texts by alphabet.
    root
        Label of the root.

    Examples
    --------
    >>> print(Order(fan_out=2, order=("low", "mid", "high")).build(pl.Series(["mid"])).show())
    * (3)
    ├── low..mid (2)
    │   ├── low
    │   └── mid
    └── high
    """

    fan_out: int = 4
    order: Sequence[str] | None = field(default=None, repr=False)
    root: str = "*"

    name: ClassVar[str] = "order"

    @property
    def names_values(self) -> bool:
        """Nodes are named after the first and the last value, unless an order is given."""
        return self.order is None

    def build(self, values: pl.Series) -> Hierarchy:
        """Join neighbours, level by level, until they fit below the root."""
        require_root(self.root)
        require_whole("fan_out", self.fan_out, 2)
        leaves = self._leaves(distinct_texts(values))
        # A node is the range of positions of its leaves; a range of one is the leaf.
        level = [(i, i) for i in range(len(leaves))]
        parent_of: dict[tuple[int, int], tuple[int, int] | None] = {}
        while len(level) > self.fan_out:
            above = []
            for start in range(0, len(level), self.fan_out):
                members = level[start : start + self.fan_out]
                joined = (members[0][0], members[-1][1])
                if len(members) > 1:
                    parent_of.update(dict.fromkeys(members, joined))
                above.append(joined)
            level = above
        parent_of.update(dict.fromkeys(level, None))

        nodes = sorted(parent_of)  # siblings from left to right
        number = {node: i for i, node in enumerate(nodes, start=1)}
        labels = [
            leaves[low] if low == high else f"{leaves[low]}..{leaves[high]}" for low, high in nodes
        ]
        parents = [0 if (up := parent_of[node]) is None else number[up] for node in nodes]
        return Hierarchy([self.root, *labels], [-1, *parents])

    def _leaves(self, texts: list[str]) -> list[str]:
        if self.order is None:
            return natural_order(texts)
        several = isinstance(self.order, list | tuple)
        if not several or not all(isinstance(text, str) for text in self.order):
            raise ParameterError(
                "order must be a list of texts.",
                "List every value of the column, from first to last.",
            )
        if twice := len(self.order) - len(set(self.order)):
            raise ParameterError(
                f"order must name each value once, but {twice} are repeated.",
                "Remove the repeated ones.",
            )
        if outside := len(set(texts) - set(self.order)):
            raise HierarchyError(
                f"order misses {outside} of {len(texts)} values.", "Add them where they belong."
            )
        return list(self.order)
