"""Local recoding by rounds, slow and obvious: every node, every row that is left, plain Python."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.reference.full_domain import Attribute

GRID = 2**30


@dataclass
class Rounds:
    """The rounds as `shoal.LocalRecoding` describes them."""

    attributes: Sequence[Attribute]
    n: int
    holds: Callable[[list[int]], bool]

    def cost(self, name: str, levels: Sequence[int]) -> int:
        """What a node costs on average over all rows."""
        if name == "height":
            return sum(levels) * GRID
        total, cost = sum(a.weight for a in self.attributes), 0
        for attribute, level in zip(self.attributes, levels, strict=True):
            mean = sum(attribute.cost(name, row, level) for row in range(self.n)) / self.n
            if name == "loss-geometric":
                mean = math.log(1 + mean)
            cost += round(attribute.weight / total * mean * GRID)
        return cost

    def classes(self, rows: Sequence[int], levels: Sequence[int]) -> list[list[int]]:
        found: dict[tuple[str | None, ...], list[int]] = defaultdict(list)
        for row in rows:
            cells = (a.cell(row, at) for a, at in zip(self.attributes, levels, strict=True))
            found[tuple(cells)].append(row)
        return list(found.values())

    def groups(self, name: str, share: int) -> tuple[list[list[int]], list[list[int]]]:
        """The published classes, and the tuples that are left; ``share`` in rows."""
        every = itertools.product(*(range(a.height + 1) for a in self.attributes))
        nodes = sorted(every, key=lambda levels: (self.cost(name, levels), levels))
        left, made = list(range(self.n)), []
        for need in (max(share, 1), 1):
            for levels in nodes:
                good = [rows for rows in self.classes(left, levels) if self.holds(rows)]
                if sum(map(len, good)) >= need:
                    made += good
                    gone = {row for rows in good for row in rows}
                    left = [row for row in left if row not in gone]
        return made, self.classes(left, [0] * len(self.attributes))

    def labels(self, name: str, share: int) -> tuple[list[int], bool]:
        """Number all groups by their lowest row; also say whether tuples were left."""
        made, left = self.groups(name, share)
        labels = [-1] * self.n
        for label, rows in enumerate(sorted(made + left, key=min)):
            for row in rows:
                labels[row] = label
        return labels, bool(left)
