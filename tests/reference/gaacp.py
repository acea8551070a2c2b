"""GAA-CP, slow and obvious: plain Python, fractions, every distance computed anew.

It shares nothing with the kernel: hierarchies are parent maps, distances are fractions,
classes are lists of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from tests.reference.rows import Rows


class Number:
    """A numeric attribute: values per row, ``None`` where missing."""

    def __init__(self, values: Sequence[int | None], weight: Fraction = Fraction(1)) -> None:
        self.values = values
        known = [v for v in values if v is not None]
        self.range = max(known) - min(known)
        self.weight = weight

    def describe(self, rows: Sequence[int]) -> tuple[int, int] | None:
        """The published interval, ``None`` for ``*``."""
        values = [self.values[r] for r in rows]
        if any(v is None for v in values):
            return None
        return min(values), max(values)

    def distance(self, row: int, cell: tuple[int, int] | None) -> Fraction:
        x = self.values[row]
        if self.range == 0:
            return Fraction(0)
        if x is None or cell is None:
            return Fraction(0) if x is None and cell is None else Fraction(1, 2)
        return Fraction(max(x, cell[1]) - min(x, cell[0]), self.range)

    def loss(self, row: int, cell: tuple[int, int] | None) -> Fraction:
        """What one row loses when ``cell`` is published for it."""
        if self.values[row] is None or self.range == 0:
            return Fraction(0)
        return Fraction(1) if cell is None else Fraction(cell[1] - cell[0], self.range)


class Category:
    """A categorical attribute: leaf labels per row and a child → parent map."""

    def __init__(
        self,
        values: Sequence[str | None],
        parents: dict[str, str | None],
        weight: Fraction = Fraction(1),
    ) -> None:
        self.values = values
        self.parents = parents
        self.weight = weight
        self.root = next(label for label, parent in parents.items() if parent is None)

    @cache  # noqa: B019
    def way(self, label: str) -> tuple[str, ...]:
        """The labels from a node up to the root."""
        parent = self.parents[label]
        return (label,) if parent is None else (label, *self.way(parent))

    @cache  # noqa: B019
    def meet(self, a: str, b: str) -> str:
        return next(label for label in self.way(a) if label in self.way(b))

    def node(self, row: int) -> str:
        value = self.values[row]
        return self.root if value is None else value

    def describe(self, rows: Sequence[int]) -> str:
        cell = self.node(rows[0])
        for row in rows[1:]:
            cell = self.meet(cell, self.node(row))
        return cell

    @cache  # noqa: B019
    def share(self, low: str, high: str) -> Fraction:
        """How much of the way from a node to the root is gone at ``high``; 0/0 is 0."""
        whole = len(self.way(low)) - 1
        gone = self.way(low).index(high)
        return Fraction(gone, whole) if whole else Fraction(0)

    def distance(self, row: int, cell: str) -> Fraction:
        top = self.meet(self.node(row), cell)
        return (self.share(self.node(row), top) + self.share(cell, top)) / 2

    def loss(self, row: int, cell: str) -> Fraction:
        return self.share(self.node(row), cell)


Attribute = Number | Category


@dataclass
class Reference:
    """The algorithm of Jiang, Zeng and Ma (2017) with the readings that `shoal.GAACP` lists."""

    attributes: Sequence[Attribute]
    n: int
    exact_loss: bool = False
    people: Sequence[int] | None = None

    def costs(self, rest: list[int], members: list[int]) -> list[dict[int, int]]:
        """For each attribute, what each value of the rest costs to the class."""
        return self.rows.costs(rest, [self.cost(a, members) for a in self.attributes])

    def cost(self, a: Attribute, members: list[int]) -> Callable[[int], Fraction]:
        """What it costs in one attribute that a row joins."""
        cell = a.describe(members)
        if not self.exact_loss:
            return lambda row: a.weight * a.distance(row, cell)

        @cache
        def lost(shown: object) -> Fraction:
            return sum((a.loss(r, shown) for r in members), Fraction(0))

        def added(row: int) -> Fraction:
            after = a.describe([*members, row])
            return a.weight * (lost(after) + a.loss(row, after) - lost(cell))

        return added

    def exact_distance(self, row: int, members: list[int]) -> Fraction:
        return sum((self.cost(a, members)(row) for a in self.attributes), Fraction(0))

    def __post_init__(self) -> None:
        self.rows = Rows(self.attributes)

    def count(self, members: list[int]) -> int:
        if self.people is None:
            return len(members)
        return len({self.people[row] for row in members})

    def labels(self, k: int, first: int) -> list[int]:
        rest = [row for row in range(self.n) if row != first]
        seed: int | None = first
        classes: list[list[int]] = []
        leftovers: list[int] = []
        while seed is not None and len(rest) + 1 >= k:
            members = [seed]
            while self.count(members) < k and rest:
                nearest = self.rows.nearest(rest, self.costs(rest, members))
                members.append(nearest)
                rest.remove(nearest)
            if self.count(members) < k:
                leftovers += members
                seed = None
                break
            classes.append(members)
            seed = None
            if rest:
                seed = self.rows.farthest(rest, self.costs(rest, members))
                rest.remove(seed)
        leftovers += rest + ([] if seed is None else [seed])
        for row in sorted(leftovers):
            best = min(
                range(len(classes)),
                key=lambda c: (self.exact_distance(row, classes[c]), c),
            )
            classes[best].append(row)
        labels = [-1] * self.n
        for label, members in enumerate(classes):
            for row in members:
                labels[row] = label
        return labels
