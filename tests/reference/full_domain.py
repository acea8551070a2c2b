"""Full-domain generalization, slow and obvious: every node, every row, plain Python."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress


@dataclass
class Attribute:
    """Leaf labels per row (``None``: missing), a child → parent map, and what nodes cost."""

    values: Sequence[str | None]
    parents: dict[str, str | None]
    width: Callable[[str], float] | None = None
    """For numbers: the share of the range that a node covers."""
    weight: float = 1.0

    def __post_init__(self) -> None:
        self.root = next(label for label, parent in self.parents.items() if parent is None)
        inner = set(self.parents.values())
        self.leaves = [label for label in self.parents if label not in inner]
        self.height = max(len(self.way(leaf)) - 1 for leaf in self.leaves)
        known = [v for v in self.values if v is not None]
        self.counts = Counter(known)
        self.known = len(known)

    def way(self, label: str) -> list[str]:
        """From the root down to a node."""
        parent = self.parents[label]
        return [label] if parent is None else [*self.way(parent), label]

    def cell(self, row: int, level: int) -> str | None:
        """What a row shows at a level; a missing cell joins the root only at the top."""
        value = self.values[row]
        if value is None:
            return self.root if level == self.height else None
        way = self.way(value)
        return way[min(len(way) - 1, self.height - level)]

    def under(self, label: str) -> list[str]:
        return [leaf for leaf in self.leaves if label in self.way(leaf)]

    def cost(self, name: str, row: int, level: int) -> float:
        """What a published row loses."""
        value = self.values[row]
        if value is None:
            return 0.0
        cell = self.cell(row, level)
        assert cell is not None
        if name.startswith("loss"):
            if self.width is not None:
                return self.width(cell)
            return (len(self.under(cell)) - 1) / max(len(self.leaves) - 1, 1)
        if name == "precision":
            return level / max(self.height, 1)
        if name == "non-uniform-entropy":
            held = sum(self.counts[leaf] for leaf in self.under(cell))
            return math.log(held / self.counts[value]) / math.log(max(self.known, 2))
        return 0.0


@dataclass
class Exhaustive:
    attributes: Sequence[Attribute]
    n: int
    alone: Callable[[list[list[int]]], list[bool]]
    """Which classes, given by their rows, hold what is asked of each by itself."""
    beside: Callable[[list[list[int]]], list[bool]]
    """Which hold what is asked of each beside the others."""

    def classes(self, levels: Sequence[int]) -> list[list[int]]:
        found: dict[tuple[str | None, ...], list[int]] = defaultdict(list)
        for row in range(self.n):
            found[
                tuple(a.cell(row, at) for a, at in zip(self.attributes, levels, strict=True))
            ].append(row)
        return list(found.values())

    def published(self, classes: list[list[int]]) -> list[list[int]]:
        """Leave out classes that fail alone, then those that fail beside the others, in turns."""
        left = list(compress(classes, self.alone(classes)))
        while not all(held := self.beside(left)):
            left = list(compress(left, held))
        return left

    def score(self, name: str, levels: Sequence[int]) -> tuple[float, int]:
        """The score and the suppressed rows of a node."""
        good = self.published(self.classes(levels))
        kept = [row for rows in good for row in rows]
        gone = self.n - len(kept)
        if name == "height":
            return float(sum(levels)), gone
        if name == "discernibility":
            return float(sum(len(rows) ** 2 for rows in good) + gone * self.n), gone
        if name == "average-class-size":
            return (len(kept) / len(good) if good else float(self.n)), gone
        total = sum(a.weight for a in self.attributes)
        losses = [
            (sum(a.cost(name, row, at) for row in kept) + gone) / self.n
            for a, at in zip(self.attributes, levels, strict=True)
        ]
        weights = [a.weight / total for a in self.attributes]
        if name == "loss-geometric":
            return math.prod((1 + x) ** w for x, w in zip(losses, weights, strict=True)) - 1, gone
        return sum(w * x for x, w in zip(losses, weights, strict=True)), gone

    def best(
        self, name: str, most: int, ends: Sequence[tuple[int, int]] | None = None
    ) -> float | None:
        """The least score of all nodes, or of those of some levels, that suppress so few rows."""
        scores = []
        ends = ends or [(0, a.height) for a in self.attributes]
        for levels in itertools.product(*(range(low, high + 1) for low, high in ends)):
            score, gone = self.score(name, levels)
            if gone <= most:
                scores.append(score)
        return min(scores, default=None)


@dataclass
class ExhaustiveInPopulation(Exhaustive):
    """The same with a population, whose people are looked at one by one."""

    people: Sequence[Attribute] = ()
    """The columns of the population, with the trees of the table's."""
    k: int = 0
    """So many people of the population must fit a class."""
    presence: tuple[Fraction, Fraction] | None = None
    """Of those who fit a class, which share may be in it, at least and at most."""

    def classes(self, levels: Sequence[int]) -> list[list[int]]:
        self.levels = levels
        return super().classes(levels)

    def shown(self, attributes: Sequence[Attribute], row: int) -> tuple[str | None, ...]:
        return tuple(a.cell(row, at) for a, at in zip(attributes, self.levels, strict=True))

    def published(self, classes: list[list[int]]) -> list[list[int]]:
        fit = Counter(self.shown(self.people, i) for i in range(len(self.people[0].values)))
        least, most = self.presence or (Fraction(0), None)
        good = []
        for rows in classes:
            fitting = fit[self.shown(self.attributes, rows[0])]
            held = most is None or (fitting and least <= Fraction(len(rows), fitting) <= most)
            if fitting >= self.k and held and self.alone([rows])[0]:
                good.append(rows)
        cells = {self.shown(self.attributes, rows[0]) for rows in good}
        return [] if least and set(fit) - cells else good
