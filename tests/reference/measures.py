"""The measures, slow and obvious: raw cells against published cells, in fractions.

Nothing of Shoal is used: cells are read by splitting text, hierarchies are child → parent
maps, classes are counted with a dictionary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

STAR = "*"


def exact(value: int | float | str | Decimal) -> Fraction:
    """Take a number as it is written: 0.1 is one tenth."""
    return Fraction(repr(value) if isinstance(value, float) else str(value).strip())


@dataclass
class Number:
    """A numeric quasi-identifier: raw numbers, ``None`` where missing."""

    values: Sequence[int | float | Decimal | None]
    weight: Fraction = Fraction(1)

    @property
    def range(self) -> Fraction:
        known = [exact(v) for v in self.values if v is not None]
        return max(known) - min(known)

    @property
    def unit(self) -> Fraction:
        """One of the last decimal place that any value needs."""
        known = [exact(v) for v in self.values if v is not None]
        places = 0
        while any((v * 10**places).denominator != 1 for v in known):
            places += 1
        return Fraction(1, 10**places)

    @staticmethod
    def ends(cell: str) -> tuple[Fraction, Fraction]:
        parts = [exact(part) for part in cell.strip().strip("[])").split(",")]
        return parts[0], parts[-1]

    def iloss(self, row: int, cell: str) -> Fraction:
        lo, hi = self.ends(cell)
        if not self.range:  # READINGS: a zero range costs 0
            return Fraction(0)
        return min((hi - lo) / self.range, Fraction(1))

    loss = iloss

    def iloss_rate(self, row: int, cell: str) -> Fraction:
        lo, hi = self.ends(cell)
        if lo == hi and not cell.endswith(")"):
            return Fraction(0)
        return min((hi - lo + self.unit) / (self.range + self.unit), Fraction(1))


@dataclass
class Category:
    """A categorical quasi-identifier: raw leaves and a child → parent map."""

    values: Sequence[str | None]
    parents: dict[str, str | None]
    weight: Fraction = Fraction(1)

    def way(self, label: str) -> list[str]:
        above = self.parents[label]
        return [label] if above is None else [label, *self.way(above)]

    def leaves(self, label: str) -> int:
        inner = set(self.parents.values())
        return sum(leaf not in inner and label in self.way(leaf) for leaf in self.parents)

    @property
    def root(self) -> str:
        return next(label for label, above in self.parents.items() if above is None)

    def iloss(self, row: int, cell: str) -> Fraction:
        way = self.way(str(self.values[row]))
        return Fraction(way.index(cell), len(way) - 1) if len(way) > 1 else Fraction(0)

    def iloss_rate(self, row: int, cell: str) -> Fraction:
        if cell == self.values[row]:
            return Fraction(0)
        return Fraction(self.leaves(cell), self.leaves(self.root))

    def loss(self, row: int, cell: str) -> Fraction:
        others = self.leaves(self.root) - 1
        return Fraction(self.leaves(cell) - 1, others) if others else Fraction(0)


@dataclass
class Measures:
    """All measures of a publication.

    ``published`` holds, per published row, the cells of the quasi-identifiers in order
    (``None`` is a star); ``rows`` the original row each one stands for.
    """

    columns: Sequence[Number | Category]
    published: Sequence[Sequence[str | None]]
    rows: Sequence[int]
    n: int

    def cost(self, measure: str, j: int) -> Fraction:
        """What column j lost, over all original rows."""
        column = self.columns[j]
        total = Fraction(self.n - len(self.rows))
        for row, cells in zip(self.rows, self.published, strict=True):
            cell = cells[j]
            if column.values[row] is None:
                continue
            if cell is None or cell == STAR:
                total += 1
            else:
                total += getattr(column, measure)(row, cell)
        return total

    @property
    def iloss(self) -> Fraction:
        return sum((self.cost("iloss", j) for j in range(len(self.columns))), Fraction(0))

    @property
    def iloss_rate(self) -> Fraction:
        m = len(self.columns)
        lost = sum((self.cost("iloss_rate", j) for j in range(m)), Fraction(0))
        return lost / (self.n * m)

    @property
    def suppression_loss_rate(self) -> Fraction:
        return Fraction(self.n - len(self.rows), self.n)

    @property
    def generalization_loss_rate(self) -> Fraction:
        published = Measures(self.columns, self.published, self.rows, len(self.rows))
        return published.iloss_rate * len(self.rows) / self.n

    def missing(self, j: int) -> list[bool]:
        return [self.columns[j].values[row] is None for row in range(self.n)]

    def starred(self, j: int) -> int:
        """Cells of column j that were known and show a star."""
        known = (self.columns[j].values[row] is not None for row in self.rows)
        stars = (cells[j] in (None, STAR) for cells in self.published)
        return sum(k and s for k, s in zip(known, stars, strict=True))

    @property
    def value_missing_rate(self) -> Fraction:
        m = len(self.columns)
        return Fraction(sum(sum(self.missing(j)) for j in range(m)), self.n * m)

    @property
    def record_missing_rate(self) -> Fraction:
        rows = zip(*(self.missing(j) for j in range(len(self.columns))), strict=True)
        return Fraction(sum(any(row) for row in rows), self.n)

    @property
    def starred_rate(self) -> Fraction:
        m = len(self.columns)
        return Fraction(sum(self.starred(j) for j in range(m)), self.n * m)

    def alone(self, j: int) -> Measures:
        """The same, as if column j were the only one."""
        return Measures([self.columns[j]], [[c[j]] for c in self.published], self.rows, self.n)

    @property
    def loss(self) -> Fraction:
        weights = sum((column.weight for column in self.columns), Fraction(0))
        means = (c.weight * self.cost("loss", j) / self.n for j, c in enumerate(self.columns))
        return sum(means, Fraction(0)) / weights

    @property
    def classes(self) -> list[int]:
        shown = [tuple(STAR if c is None else c for c in cells) for cells in self.published]
        return list(Counter(shown).values())

    @property
    def discernibility(self) -> Fraction:
        removed = self.n - len(self.rows)
        return Fraction(sum(size * size for size in self.classes) + removed * self.n)

    @property
    def average_class_size(self) -> Fraction:
        return Fraction(len(self.rows), len(self.classes))
