"""EBKC, slow and obvious: plain Python, fractions, every mean over all members anew.

It shares nothing with the kernels: hierarchies are parent maps, clusters are lists of rows,
means are fractions, and entropies are compared as products of whole numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import lcm, prod


class Number:
    """A numeric attribute: values per row, ``None`` where missing."""

    def __init__(self, values: Sequence[int | None], weight: Fraction = Fraction(1)) -> None:
        self.values = values
        self.weight = weight
        known = [v for v in values if v is not None]
        self.range = max(known) - min(known)

    def differ(self, x: int | None, y: int | None) -> Fraction:
        """Definition 5's difference of two cells."""
        if self.range == 0:
            return Fraction(0)
        if x is None or y is None:
            return Fraction(0) if x is y else Fraction(1, 2)
        return Fraction(abs(x - y), self.range)

    def loss(self, rows: Sequence[int]) -> Fraction:
        """What the rows lose when they share one cell."""
        known = [self.values[row] for row in rows if self.values[row] is not None]
        if self.range == 0 or not known:
            return Fraction(0)
        wide = max(known) - min(known) if len(known) == len(rows) else self.range
        return Fraction(len(known) * wide, self.range)

    def rank(self, row: int) -> tuple[bool, int]:
        """Where a row stands in the order of values; missing comes last."""
        value = self.values[row]
        return (value is None, value or 0)


class Category:
    """A categorical attribute: leaf labels per row, leaves in order, a child → parent map."""

    def __init__(
        self,
        values: Sequence[str | None],
        parents: dict[str, str | None],
        leaves: Sequence[str],
        weight: Fraction = Fraction(1),
    ) -> None:
        self.values = values
        self.parents = parents
        self.leaves = list(leaves)
        self.weight = weight
        self.root = next(label for label, parent in parents.items() if parent is None)

    @cache  # noqa: B019
    def way(self, label: str) -> tuple[str, ...]:
        parent = self.parents[label]
        return (label,) if parent is None else (label, *self.way(parent))

    @cache  # noqa: B019
    def meet(self, a: str, b: str) -> str:
        return next(label for label in self.way(a) if label in self.way(b))

    @cache  # noqa: B019
    def share(self, low: str, high: str) -> Fraction:
        """How much of the way from a node to the root is gone at ``high``; 0/0 is 0."""
        whole = len(self.way(low)) - 1
        return Fraction(self.way(low).index(high), whole) if whole else Fraction(0)

    def differ(self, x: str | None, y: str | None) -> Fraction:
        a, b = x or self.root, y or self.root
        top = self.meet(a, b)
        return (self.share(a, top) + self.share(b, top)) / 2

    def loss(self, rows: Sequence[int]) -> Fraction:
        nodes = Counter(self.values[row] or self.root for row in rows)
        cell = next(iter(nodes))
        for node in nodes:
            cell = self.meet(cell, node)
        return sum((n * self.share(node, cell) for node, n in nodes.items()), Fraction(0))

    def rank(self, row: int) -> tuple[bool, int]:
        value = self.values[row]
        return (value is None, 0 if value is None else self.leaves.index(value))


@dataclass
class Reference:
    """The algorithm with the readings that `shoal.EBKC` lists."""

    attributes: Sequence[Number | Category]
    n: int
    people: Sequence[int] | None = None

    def __post_init__(self) -> None:
        self.weight = sum(a.weight for a in self.attributes)
        # Differences of values over one denominator, because sums of fractions are slow.
        exact = [
            {(x, y): a.weight * a.differ(x, y) for x in set(a.values) for y in set(a.values)}
            for a in self.attributes
        ]
        self.scale = lcm(*(cost.denominator for costs in exact for cost in costs.values()))
        self.costs = [{pair: int(c * self.scale) for pair, c in costs.items()} for costs in exact]

    def count(self, rows: Sequence[int]) -> int:
        return len(rows) if self.people is None else len({self.people[row] for row in rows})

    def mean(self, row: int, rows: Sequence[int]) -> Fraction:
        """The mean of Definition 5's distances from a row to all members."""
        total = sum(
            costs[a.values[row], a.values[other]]
            for a, costs in zip(self.attributes, self.costs, strict=True)
            for other in rows
        )
        return Fraction(total, len(rows)) / self.scale / self.weight

    def loss(self, rows: Sequence[int]) -> Fraction:
        return sum((a.weight * a.loss(rows) for a in self.attributes), Fraction(0))

    def gather(self, delta: Fraction, order: Sequence[int], per: str = "mean") -> list[list[int]]:
        if per == "sum":  # the mean over attributes, times their number
            delta /= len(self.attributes)
        clusters: list[list[int]] = []
        for row in order:
            means = [self.mean(row, rows) for rows in clusters]
            if means and min(means) <= delta:
                clusters[means.index(min(means))].append(row)
            else:
                clusters.append([row])
        return clusters

    def merge(self, clusters: list[list[int]], k: int) -> list[list[int]]:
        clusters = [list(rows) for rows in clusters]
        losses = [self.loss(rows) for rows in clusters]
        while len(clusters) > 1:
            small = [i for i, rows in enumerate(clusters) if self.count(rows) < k]
            if not small:
                break
            one = small[0]
            other = min(
                (i for i in range(len(clusters)) if i != one),
                key=lambda i: (
                    self.loss(clusters[one] + clusters[i]) - losses[one] - losses[i],
                    i,
                ),
            )
            keep, gone = sorted((one, other))
            clusters[keep] += clusters[gone]
            del clusters[gone], losses[gone]
            losses[keep] = self.loss(clusters[keep])
        return clusters

    def most_varied(self, rows: Sequence[int]) -> Number | Category:
        """The first attribute of highest entropy, that is of least Π count^count."""
        return min(
            self.attributes,
            key=lambda a: prod(c**c for c in Counter(a.values[row] for row in rows).values()),
        )

    def cut(self, rows: Sequence[int], k: int) -> list[list[int]]:
        if len(rows) > 2 * k:
            a = self.most_varied(rows)
            ordered = sorted(rows, key=lambda row: (a.rank(row), row))
            half = len(rows) // 2
            lower, upper = ordered[:half], ordered[half:]
            if self.count(lower) >= k and self.count(upper) >= k:
                return self.cut(lower, k) + self.cut(upper, k)
        return [list(rows)]

    def labels(self, k: int, delta: Fraction, order: Sequence[int], per: str = "mean") -> list[int]:
        merged = self.merge(self.gather(delta, order, per), k)
        labels = [-1] * self.n
        parts = [part for rows in merged for part in self.cut(rows, k)]
        for label, part in enumerate(parts):
            for row in part:
                labels[row] = label
        return labels
