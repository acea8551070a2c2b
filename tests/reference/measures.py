"""The measures, slow and obvious: raw cells against published cells, in fractions.

Nothing of Shoal is used: cells are read by splitting text, hierarchies are child → parent
maps, classes are counted with a dictionary.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from math import ceil, floor, log, prod, sqrt
from typing import Any

from tests.reference.distributions import SECRET, column_distance, mean_error, pair_distance

STAR = "*"


@lru_cache(maxsize=10_000, typed=True)
def exact(value: int | float | str | Decimal) -> Fraction:
    """Take a number as it is written: 0.1 is one tenth."""
    return Fraction(repr(value) if isinstance(value, float) else str(value).strip())


@dataclass
class Number:
    """A numeric quasi-identifier: raw numbers, ``None`` where missing."""

    values: Sequence[int | float | Decimal | None]
    weight: Fraction = Fraction(1)

    @cached_property
    def known(self) -> list[Fraction]:
        return [exact(v) for v in self.values if v is not None]

    @property
    def range(self) -> Fraction:
        return max(self.known) - min(self.known)

    @cached_property
    def unit(self) -> Fraction:
        """One of the last decimal place that any value needs."""
        places = 0
        while any((v * 10**places).denominator != 1 for v in self.known):
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

    def points(self, cell: str | None) -> tuple[int, int]:
        """The first and last number a cell covers, counted in units; a star covers all."""
        if cell is None or cell == STAR:
            return (ceil(min(self.known) / self.unit), floor(max(self.known) / self.unit))
        lo, hi = self.ends(cell)
        last = floor(hi / self.unit)
        if cell.endswith(")") and last * self.unit == hi:
            last -= 1
        return ceil(lo / self.unit), last

    def covers(self, cell: str | None) -> int:
        first, last = self.points(cell)
        return last - first + 1

    def asked(self, cell: str | None, wanted: tuple[Fraction, Fraction]) -> Fraction:
        """Which share of a cell's numbers lies in a range."""
        first, last = self.points(cell)
        inside = min(last, floor(wanted[1] / self.unit)) - max(first, ceil(wanted[0] / self.unit))
        return Fraction(max(inside + 1, 0), last - first + 1)

    def meets(self, row: int, wanted: tuple[Fraction, Fraction]) -> bool:
        value = self.values[row]
        return value is not None and wanted[0] <= exact(value) <= wanted[1]

    def square(self, row: int, cell: str) -> Fraction:
        return (exact(self.values[row]) - exact(cell)) ** 2  # type: ignore[arg-type]

    @cached_property
    def variance(self) -> Fraction:
        n = len(self.known)
        pairs = sum(((x - y) ** 2 for x in self.known for y in self.known), Fraction(0))
        return pairs / (2 * n * n) if n else Fraction(0)

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
        return len(self.below(label))

    def listed(self, cell: str) -> list[str]:
        """The values of a cell that is a set; none if it is a node."""
        return [] if cell in self.parents or cell[0] != "{" else cell[1:-1].split(", ")

    def node(self, cell: str) -> str:
        """The node of a cell, of a set the lowest above its values."""
        values = self.listed(cell)
        if not values:
            return cell
        return next(n for n in self.way(values[0]) if all(n in self.way(v) for v in values))

    def square(self, row: int, cell: str) -> Fraction:
        """The length of the path between two leaves."""
        return Fraction(len(set(self.way(str(self.values[row]))) ^ set(self.way(cell))))

    @cached_property
    def variance(self) -> Fraction:
        rows = [row for row, value in enumerate(self.values) if value is not None]
        pairs = [self.square(row, str(self.values[other])) for row in rows for other in rows]
        return sum(pairs, Fraction(0)) / (2 * len(pairs)) if pairs else Fraction(0)

    @cached_property
    def ways(self) -> dict[str, list[str]]:
        """The way of each leaf to the root."""
        inner = set(self.parents.values())
        return {leaf: self.way(leaf) for leaf in self.parents if leaf not in inner}

    def below(self, cell: str | None) -> set[str]:
        """The leaves a cell covers; a star covers all."""
        if cell is not None and self.listed(cell):
            return set(self.listed(cell))
        node = self.root if cell is None or cell == STAR else cell
        return {leaf for leaf, way in self.ways.items() if node in way}

    def covers(self, cell: str | None) -> int:
        return len(self.below(cell))

    def asked(self, cell: str | None, wanted: set[str]) -> Fraction:
        """Which share of a cell's leaves is in a set."""
        below = self.below(cell)
        return Fraction(len(below & wanted), len(below))

    def meets(self, row: int, wanted: set[str]) -> bool:
        return self.values[row] in wanted

    @property
    def root(self) -> str:
        return next(label for label, above in self.parents.items() if above is None)

    def iloss(self, row: int, cell: str) -> Fraction:
        way = self.way(str(self.values[row]))
        return Fraction(way.index(self.node(cell)), len(way) - 1) if len(way) > 1 else Fraction(0)

    def iloss_rate(self, row: int, cell: str) -> Fraction:
        if cell == self.values[row]:
            return Fraction(0)
        return Fraction(self.leaves(cell), self.leaves(self.root))

    def loss(self, row: int, cell: str) -> Fraction:
        others = self.leaves(self.root) - 1
        return Fraction(self.leaves(cell) - 1, others) if others else Fraction(0)


@dataclass
class Query:
    """A COUNT query: a set per asked column, and one of sensitive values, if it is asked."""

    where: Mapping[int, Any]
    secrets: set[str | None] | None


@dataclass
class Measures:
    """All measures of a publication; one that makes no sense is ``None``.

    ``published`` holds, per published row, the cells of the quasi-identifiers in order
    (``None`` is a star); ``rows`` the original row each one stands for; ``groups`` its group,
    where sensitive values are published per group. ``secrets`` is the sensitive column of the
    original, ``levels`` the level of each of its values, ``degrees`` the degrees that are given.
    ``shown`` holds, per group, the values that it shows, where these are not its rows'.
    ``centres`` says that cells are numbers and values that stand for their class.
    """

    columns: Sequence[Number | Category]
    published: Sequence[Sequence[str | None]]
    rows: Sequence[int]
    n: int
    secrets: Sequence[str | None] | None = None
    levels: Mapping[str | None, int] | None = None
    groups: Sequence[int] | None = None
    exact: bool = False
    queries: Sequence[Query] = ()
    mean_queries: Sequence[tuple[int, Query]] = ()
    degrees: Mapping[str | None, float] | None = None
    shown: Mapping[int, Sequence[str | None]] | None = None
    centres: bool = False

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
        cells = [[c[j]] for c in self.published]
        return Measures([self.columns[j]], cells, self.rows, self.n, centres=self.centres)

    @property
    def sse(self) -> Fraction | None:
        if not self.centres:
            return None
        total = Fraction(0)
        for j, column in enumerate(self.columns):
            part = Fraction(self.n - len(self.rows) + self.starred(j))
            for row, cells in zip(self.rows, self.published, strict=True):
                if column.values[row] is not None and cells[j] != STAR and column.variance:
                    part += column.square(row, str(cells[j])) / column.variance
            total += column.weight * part / self.n
        return total / sum(column.weight for column in self.columns)

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
        return Fraction(sum(len(each) ** 2 for each in self.members) + removed * self.n)

    @property
    def average_class_size(self) -> Fraction:
        return Fraction(len(self.rows), len(self.members))

    @property
    def members(self) -> list[list[int]]:
        """The published rows of each group, or of each class of equal cells, by position."""
        found: dict[object, list[int]] = defaultdict(list)
        for i, cells in enumerate(self.published):
            shown = tuple(STAR if c is None else c for c in cells)
            found[shown if self.groups is None else self.groups[i]].append(i)
        return list(found.values())

    def secret(self, i: int) -> str | None:
        assert self.secrets is not None
        return self.secrets[self.rows[i]]

    @property
    def sensitivity_distance(self) -> Fraction | None:
        if self.secrets is None or self.levels is None:
            return None
        levels = max(self.levels.values())
        weight = {
            k: max(1 - Fraction(levels - k, 20), Fraction(1, 20)) for k in range(1, levels + 1)
        }
        distances = []
        for members in self.members:
            own = [self.levels[self.secret(i)] for i in members]
            if min(own) > 2:
                continue
            apart = [weight[max(a, b)] * abs(a - b) for a, b in combinations(own, 2)]
            mean = sum(apart, Fraction(0)) / max(len(apart), 1)
            distances.append(mean / max(levels - 1, 1))
        return sum(distances, Fraction(0)) / len(distances) if distances else None

    def values_around(self, i: int) -> list[str | None]:
        """The sensitive values published for row i: those of its group, or its own."""
        if self.groups is None:
            return [None if self.secrets is None else self.secret(i)]
        if self.shown is not None:
            return list(self.shown[self.groups[i]])
        return [self.secret(j) for j in range(len(self.rows)) if self.groups[j] == self.groups[i]]

    def different(self, members: Sequence[int]) -> set[str | None]:
        """The different sensitive values that a group shows."""
        if self.groups is not None:
            return set(self.values_around(members[0]))
        return {self.secret(i) for i in members}

    def degree(self, value: str | None) -> float:
        assert self.secrets is not None
        if self.degrees is not None and value in self.degrees:
            return self.degrees[value]
        return log(self.n / self.secrets.count(value))

    @property
    def noise_ratio(self) -> Fraction | None:
        if self.groups is None or self.secrets is None:
            return None
        noise = 0
        for members in self.members:
            held = {self.secret(i) for i in members}
            noise += sum(value not in held for value in self.values_around(members[0]))
        return Fraction(noise, self.n)

    @property
    def vulnerability(self) -> Fraction | None:
        if self.secrets is None:
            return None
        domain = sorted(set(self.secrets), key=lambda value: (value is None, value or ""))
        ranked = sorted(domain, key=lambda value: -self.degree(value))
        high = set(ranked[: (3 * len(domain) + 5) // 10])
        vulnerable = 0
        for members in self.members:
            shown = self.different(members)
            vulnerable += 10 * len(shown & high) >= 7 * len(shown)
        return Fraction(vulnerable, len(self.members))

    @property
    def degree_spread(self) -> float | None:
        if self.secrets is None:
            return None
        spreads = []
        for members in self.members:
            degrees = [self.degree(value) for value in self.different(members)]
            mean = sum(degrees) / len(degrees)
            spreads.append(sqrt(sum((d - mean) ** 2 for d in degrees) / len(degrees)))
        return sum(spreads) / len(spreads)

    @property
    def largest_group(self) -> Fraction:
        return Fraction(max(len(members) for members in self.members))

    @property
    def reconstruction_distance(self) -> Fraction | None:
        if self.groups is not None and self.secrets is None:
            return None
        total = Fraction(self.n - len(self.rows))
        for i, (row, cells) in enumerate(zip(self.rows, self.published, strict=True)):
            spread = prod(
                min(column.covers(cell), column.covers(STAR))
                for column, cell in zip(self.columns, cells, strict=True)
                if column.values[row] is not None
            )
            around = self.values_around(i)
            own = None if self.secrets is None else self.secret(i)
            # Every point of the space, but all that lie beside no value of the group.
            for value, count in Counter(around).items():
                density = Fraction(count, len(around) * spread)
                at_home = (1 - density) ** 2 if value == own else density**2
                total += at_home + density**2 * (spread - 1)
        return total / self.n

    @property
    def count_query_error(self) -> Fraction:
        total = Fraction(0)
        for query in self.queries:
            true = sum(self.met(row, query) for row in range(self.n))
            guess = sum((self.chance(i, query) for i in range(len(self.rows))), Fraction(0))
            total += abs(guess - true) / max(Fraction(true), Fraction(self.n, 1000))
        return total / len(self.queries)

    def met(self, row: int, query: Query) -> bool:
        """Whether an original row is in all sets."""
        return all(self.columns[j].meets(row, wanted) for j, wanted in query.where.items()) and (
            query.secrets is None or self.secrets[row] in query.secrets  # type: ignore[index]
        )

    @property
    def marginal_distance(self) -> Fraction:
        places = range(len(self.columns))
        return sum((column_distance(self, j) for j in places), Fraction(0)) / len(places)

    @property
    def pair_distance(self) -> Fraction | None:
        pairs = list(combinations(self.places, 2))
        if not pairs:
            return None
        return sum((pair_distance(self, *pair) for pair in pairs), Fraction(0)) / len(pairs)

    @property
    def places(self) -> list[int]:
        """The columns that are compared: quasi-identifiers, and the sensitive one."""
        return [*range(len(self.columns)), *([] if self.secrets is None else [SECRET])]

    @property
    def mean_query_error(self) -> Fraction | None:
        return mean_error(self, self.mean_queries)

    def chance(self, i: int, query: Query) -> Fraction:
        """How likely it is, for who knows only the publication, that row i is counted."""
        chance = Fraction(1)
        for j, wanted in query.where.items():
            cell = self.published[i][j]
            missing = cell is None or cell == STAR
            if self.exact and missing and any(c[j] not in (None, STAR) for c in self.published):
                return Fraction(0)
            chance *= self.columns[j].asked(cell, wanted)
        if query.secrets is not None:
            around = self.values_around(i)
            chance *= Fraction(sum(v in query.secrets for v in around), len(around))
        return chance
