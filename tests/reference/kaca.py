"""KACA, slow and obvious: plain Python, every cost computed anew from lists of rows.

It shares nothing with the kernel: hierarchies are parent maps, classes are lists of rows,
and a class's cell is found from its rows each time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import lcm


class Attribute:
    """Leaf labels per row (``None`` where missing) and a child → parent map."""

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
        self.height = max(len(self.way(label)) - 1 for label in parents)

    @cache  # noqa: B019
    def way(self, label: str) -> tuple[str, ...]:
        """The labels from a node up to the root."""
        parent = self.parents[label]
        return (label,) if parent is None else (label, *self.way(parent))

    @cache  # noqa: B019
    def meet(self, a: str, b: str) -> str:
        return next(label for label in self.way(a) if label in self.way(b))

    def cell(self, rows: Sequence[int]) -> str:
        """The lowest node above all rows; a missing cell is the root."""
        found: str | None = None
        for row in rows:
            value = self.values[row]
            node = self.root if value is None else value
            found = node if found is None else self.meet(found, node)
        assert found is not None
        return found

    @cache  # noqa: B019
    def distortion(self, low: str, high: str) -> Fraction:
        """Steps climbed over the height of the tree, weighted."""
        if self.height == 0:
            return Fraction(0)
        return self.weight * Fraction(self.way(low).index(high), self.height)


@dataclass
class Reference:
    """The algorithm with the readings that `shoal.KACA` lists."""

    attributes: Sequence[Attribute]
    n: int
    people: Sequence[int] | None = None

    def __post_init__(self) -> None:
        # One denominator, because sums of fractions are slow.
        self.scale = lcm(*((a.weight / max(a.height, 1)).denominator for a in self.attributes))
        self.scaled = cache(lambda j, low, high: self._scaled(j, low, high))

    def _scaled(self, j: int, low: str, high: str) -> int:
        cost = self.attributes[j].distortion(low, high) * self.scale
        assert cost.denominator == 1
        return int(cost)

    def count(self, members: list[int]) -> int:
        if self.people is None:
            return len(members)
        return len({self.people[row] for row in members})

    def cells(self, members: list[int]) -> list[str]:
        return [a.cell(members) for a in self.attributes]

    def cost(self, one: tuple[int, list[str]], two: tuple[int, list[str]]) -> int:
        total = 0
        for j, (a, x, y) in enumerate(zip(self.attributes, one[1], two[1], strict=True)):
            top = a.meet(x, y)
            total += one[0] * self.scaled(j, x, top) + two[0] * self.scaled(j, y, top)
        return total

    def labels(self, k: int, draws: Iterator[float]) -> list[int]:
        """``draws`` says, merge by merge, which of the small classes is taken (0: the first)."""
        tuples: dict[tuple[str | None, ...], list[int]] = {}
        for row in range(self.n):
            tuples.setdefault(tuple(a.values[row] for a in self.attributes), []).append(row)
        classes = [(members, self.cells(members)) for members in tuples.values()]
        while len(classes) > 1:
            # In the order of their lowest rows, always.
            assert [min(m) for m, _ in classes] == sorted(min(m) for m, _ in classes)
            small = [i for i, (m, _) in enumerate(classes) if self.count(m) < k]
            if not small:
                break
            one = small[int(next(draws) * len(small))]
            members, cells = classes[one]
            other = min(
                (i for i in range(len(classes)) if i != one),
                key=lambda i: (
                    self.cost((len(members), cells), (len(classes[i][0]), classes[i][1])),
                    i,
                ),
            )
            keep, gone = sorted((one, other))
            union = sorted(classes[keep][0] + classes[gone][0])
            classes[keep] = (union, self.cells(union))
            del classes[gone]
        labels = [-1] * self.n
        for label, (members, _) in enumerate(classes):
            for row in members:
                labels[row] = label
        return labels
