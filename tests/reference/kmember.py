"""k-member, slow and obvious: plain Python, fractions, every loss computed anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import lcm

from tests.reference.gaacp import Attribute, Category, Number


@cache
def height(a: Category, label: str) -> int:
    """Edges from a node down to its deepest leaf."""
    below = [child for child, parent in a.parents.items() if parent == label]
    return 1 + max(height(a, child) for child in below) if below else 0


def pays(a: Attribute, row: int, cell: object) -> Fraction:
    """What a member loses when the class shows a cell; a missing one loses nothing."""
    if a.values[row] is None:
        return Fraction(0)
    if isinstance(a, Number):
        if a.range == 0:
            return Fraction(0)
        return Fraction(1) if cell is None else Fraction(cell[1] - cell[0], a.range)
    return Fraction(height(a, cell), max(height(a, a.root), 1))


@dataclass
class KMemberReference:
    attributes: Sequence[Attribute]
    n: int
    people: Sequence[int] | None = None

    def __post_init__(self) -> None:
        self.firsts = [{v: a.values.index(v) for v in set(a.values)} for a in self.attributes]

    def added(self, a: Attribute, row: int, members: list[int]) -> Fraction:
        before, after = a.describe(members), a.describe([*members, row])
        lost = sum((pays(a, r, after) for r in [*members, row]), Fraction(0))
        return a.weight * (lost - sum((pays(a, r, before) for r in members), Fraction(0)))

    def costs(self, members: list[int]) -> list[dict[object, int]]:
        exact = [
            {value: self.added(a, row, members) for value, row in firsts.items()}
            for a, firsts in zip(self.attributes, self.firsts, strict=True)
        ]
        scale = lcm(*(cost.denominator for costs in exact for cost in costs.values()))
        return [{value: int(cost * scale) for value, cost in costs.items()} for costs in exact]

    def cost(self, row: int, costs: list[dict[object, int]]) -> int:
        return sum(c[a.values[row]] for a, c in zip(self.attributes, costs, strict=True))

    def farthest(self, rest: list[int], row: int) -> int:
        costs = self.costs([row])
        return max(rest, key=lambda other: (self.cost(other, costs), -other))

    def count(self, members: list[int]) -> int:
        people = members if self.people is None else {self.people[row] for row in members}
        return len(people)

    def labels(self, k: int, first: int) -> list[int]:
        rest = list(range(self.n))
        last = first
        classes: list[list[int]] = []
        left: list[int] = []
        while len(rest) >= k:
            members = [self.farthest(rest, last)]
            rest.remove(members[0])
            while self.count(members) < k and rest:
                costs = self.costs(members)
                members.append(min(rest, key=lambda row: (self.cost(row, costs), row)))
                rest.remove(members[-1])
            if self.count(members) < k:
                left += members
                break
            classes.append(members)
            last = members[-1]
        for row in sorted(left + rest):
            best = min(
                range(len(classes)),
                key=lambda c: (sum(self.added(a, row, classes[c]) for a in self.attributes), c),
            )
            classes[best].append(row)
        labels = [-1] * self.n
        for label, members in enumerate(classes):
            for row in members:
                labels[row] = label
        return labels
