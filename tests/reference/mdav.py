"""MDAV, slow and obvious: all distances of two records are laid out, and summed anew.

It shares nothing with the kernel, and knows neither coordinates nor means: the record farthest
from the mean is the one with the largest sum of squared distances to all records, because that sum
is N times its squared distance to the mean, plus what is the same for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm

import numpy as np

from tests.reference.gaacp import Attribute, Number


def _whole(values: Sequence[int]) -> dict[int, int]:
    """Numbers as steps above the least; of more than 2¹⁴ steps, those of a grid."""
    least, reach = min(values), max(values) - min(values)
    if reach <= 2**14:
        return {v: v - least for v in values}
    return {v: round((v - least) / reach * 2**14) for v in values}


class Squares:
    """The squared distances of a column's cells."""

    def __init__(self, a: Attribute) -> None:
        self.a = a
        self.known = [v for v in a.values if v is not None]
        self.steps = _whole(self.known) if isinstance(a, Number) else {}
        self.reach = max(1, *self.steps.values(), 1)

    def height(self) -> int:
        return max(1, max(len(self.a.way(label)) for label in self.a.parents) - 1)

    def __call__(self, x: object, y: object) -> int:
        if x is None and y is None:
            return 0
        if isinstance(self.a, Number):
            if x is None or y is None:
                known = self.steps[y if x is None else x]
                return (2 * known - self.reach) ** 2 + 3 * self.reach**2
            return (2 * (self.steps[x] - self.steps[y])) ** 2
        if x is None or y is None:
            return len(self.a.way(y if x is None else x)) - 1 + self.height()
        return len(set(self.a.way(x)) ^ set(self.a.way(y)))

    def longest(self) -> int:
        return 3 * self.reach**2 if isinstance(self.a, Number) else self.height()


@dataclass
class MDAVReference:
    attributes: Sequence[Attribute]
    n: int
    people: Sequence[int] | None = None

    @cached_property
    def squares(self) -> list[Squares]:
        return [Squares(a) for a in self.attributes]

    @cached_property
    def factors(self) -> list[int]:
        """Weight over variance, half of the mean squared distance; exactly or rounded down."""
        ratios = []
        for a, square in zip(self.attributes, self.squares, strict=True):
            counts = {v: a.values.count(v) for v in set(a.values)}
            total = sum(counts[x] * counts[y] * square(x, y) for x in counts for y in counts)
            ratios.append(a.weight / Fraction(total, 2) if total else Fraction(0))
        told = [ratio for ratio in ratios if ratio]
        if not told:
            return [0] * len(ratios)
        exact = Fraction(lcm(*(r.denominator for r in told)), gcd(*(r.numerator for r in told)))
        most = 4 * self.n * sum(r * s.longest() for r, s in zip(ratios, self.squares, strict=True))
        scale = exact if exact * most < 2**61 else Fraction(2**61) / most
        return [max(int(r * scale), 1) if r else 0 for r in ratios]

    @cached_property
    def distances(self) -> np.ndarray:
        """The squared distance of every two records."""
        made, most = np.zeros((self.n, self.n), dtype=np.int64), 0
        for a, square, factor in zip(self.attributes, self.squares, self.factors, strict=True):
            values = list(dict.fromkeys(a.values))
            each = [[factor * square(x, y) for y in values] for x in values]
            place = np.array([values.index(value) for value in a.values])
            made += np.array(each, dtype=np.int64)[np.ix_(place, place)]
            most += max(map(max, each))
        assert most * self.n < 2**63  # so that sums are exact, too
        return made

    def who(self, row: int) -> int:
        return row if self.people is None else self.people[row]

    def count(self, rows: Sequence[int]) -> int:
        return len({self.who(row) for row in rows})

    def around(self, seed: int, rest: Sequence[int], k: int) -> list[int]:
        """What is nearest to a record, itself included, until there are k people."""
        members: list[int] = []
        for row in sorted(rest, key=lambda row: (self.distances[seed, row], row)):
            members.append(row)
            if self.count(members) == k:
                break
        return members

    def labels(self, k: int) -> list[int]:
        rest, groups = list(range(self.n)), []

        def take(members: list[int]) -> None:
            groups.append(members)
            rest[:] = [row for row in rest if row not in members]

        def outermost() -> int:
            sums = self.distances[np.ix_(rest, rest)].sum(axis=1)
            return rest[int(sums.argmax())]  # the first of equal ones: rows are in order

        while self.count(rest) >= 3 * k:
            seed = outermost()
            take(self.around(seed, rest, k))
            other = max(rest, key=lambda row: (self.distances[seed, row], -row))
            take(self.around(other, rest, k))
        if self.count(rest) >= 2 * k:
            take(self.around(outermost(), rest, k))
        if rest:
            take(list(rest))
        labels = [-1] * self.n
        for label, members in enumerate(sorted(groups, key=min)):
            for row in members:
                labels[row] = label
        return labels
