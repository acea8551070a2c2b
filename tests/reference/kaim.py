"""KAIM, slow and obvious: plain Python, every entropy summed anew from the raw cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import fsum, log

from tests.reference.gaacp import Category
from tests.reference.rows import Rows

GRID = 2**20


def rounded(part: float, whole: float) -> Fraction:
    return Fraction(round(part / whole * GRID), GRID) if whole else Fraction(0)


@dataclass(eq=False)
class KaimReference:
    """Algorithm 1 of Gong, Yang and Luo (2013) with the readings that `shoal.KAIM` lists."""

    attributes: Sequence[Category]
    n: int
    distance: str = "entropy-change"
    people: Sequence[int] | None = None
    rows: Rows = field(init=False)

    def __post_init__(self) -> None:
        self.rows = Rows(self.attributes)

    @cache  # noqa: B019
    def surprise(self, a: Category, leaf: str) -> float:
        known = [v for v in a.values if v is not None]
        p = known.count(leaf) / len(known)
        return -p * log(p) if p else 0.0

    @cache  # noqa: B019
    def info(self, a: Category, label: str) -> float:
        """Equation 8 with its minus sign; 0 for a leaf."""
        inner = set(a.parents.values())
        if label not in inner:
            return 0.0
        return fsum(
            self.surprise(a, leaf)
            for leaf in a.parents
            if leaf not in inner and label in a.way(leaf)
        )

    @cache  # noqa: B019
    def rate(self, a: Category, low: str, high: str) -> Fraction:
        """What it costs one record to be moved from a node up to another."""
        if self.distance == "entropy-change":
            whole = self.info(a, a.root)
            return rounded(self.info(a, high), whole) - rounded(self.info(a, low), whole)
        leaf = low not in set(a.parents.values())
        own = self.surprise(a, low) if leaf else 0.0
        return rounded(self.info(a, high), self.info(a, low) + own)

    def cost(self, a: Category, members: list[int]) -> Callable[[int], Fraction]:
        """Equation 12 in one attribute: what it costs that a row joins."""
        centre, size = a.describe(members), len(members)

        def moved(row: int) -> Fraction:
            top = a.meet(a.node(row), centre)
            return a.weight * (self.rate(a, a.node(row), top) + size * self.rate(a, centre, top))

        return moved

    def costs(self, rest: list[int], members: list[int]) -> list[dict[int, int]]:
        return self.rows.costs(rest, [self.cost(a, members) for a in self.attributes])

    def count(self, members: list[int]) -> int:
        return len(members if self.people is None else {self.people[row] for row in members})

    def labels(self, k: int, order: Sequence[int] | None = None) -> list[int]:
        rest = list(range(self.n) if order is None else order)
        classes: list[list[int]] = []
        left: list[int] = []
        while len(rest) >= k:
            members = [rest.pop(0)]
            while self.count(members) < k and rest:
                near = self.rows.nearest(rest, self.costs(rest, members))
                members.append(near)
                rest.remove(near)
            if self.count(members) < k:
                left = members
                break
            classes.append(members)
        turn = {row: i for i, row in enumerate(range(self.n) if order is None else order)}
        for row in sorted(left + rest, key=lambda row: turn[row]):
            best = min(
                range(len(classes)),
                key=lambda c: (sum(self.cost(a, classes[c])(row) for a in self.attributes), c),
            )
            classes[best].append(row)
        found = [-1] * self.n
        for label, members in enumerate(classes):
            for row in members:
                found[row] = label
        return found
