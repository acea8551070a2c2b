"""k-member, slow and obvious: plain Python, fractions, every loss computed anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from tests.reference.gaacp import Attribute, Category, Number
from tests.reference.rows import Rows


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
        self.rows = Rows(self.attributes)

    def added(self, a: Attribute, members: list[int]) -> Callable[[int], Fraction]:
        """What the class loses besides in one attribute if a row joins."""
        cell = a.describe(members)

        @cache
        def lost(shown: object) -> Fraction:
            return sum((pays(a, r, shown) for r in members), Fraction(0))

        def more(row: int) -> Fraction:
            after = a.describe([*members, row])
            return a.weight * (lost(after) + pays(a, row, after) - lost(cell))

        return more

    def costs(self, rest: list[int], members: list[int]) -> list[dict[int, int]]:
        return self.rows.costs(rest, [self.added(a, members) for a in self.attributes])

    def count(self, members: list[int]) -> int:
        people = members if self.people is None else {self.people[row] for row in members}
        return len(people)

    def labels(self, k: int, first: int) -> list[int]:
        rest = list(range(self.n))
        last = first
        classes: list[list[int]] = []
        left: list[int] = []
        while len(rest) >= k:
            members = [self.rows.farthest(rest, self.costs(rest, [last]))]
            rest.remove(members[0])
            while self.count(members) < k and rest:
                members.append(self.rows.nearest(rest, self.costs(rest, members)))
                rest.remove(members[-1])
            if self.count(members) < k:
                left += members
                break
            classes.append(members)
            last = members[-1]
        for row in sorted(left + rest):
            best = min(
                range(len(classes)),
                key=lambda c: (sum(self.added(a, classes[c])(row) for a in self.attributes), c),
            )
            classes[best].append(row)
        labels = [-1] * self.n
        for label, members in enumerate(classes):
            for row in members:
                labels[row] = label
        return labels
