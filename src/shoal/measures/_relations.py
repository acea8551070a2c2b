"""How strongly columns go together, in the original and in a publication."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, TypeAlias

import numpy as np

from shoal.base.arguments import one_of
from shoal.base.arrays import Floats, Ints
from shoal.measures._distances import all_margins
from shoal.measures._margins import CHUNK, Margin, Spread, label_numbers, says_nothing
from shoal.measures._pairs import Pair
from shoal.measures._transport import cell_ends
from shoal.publications.recoding import NumberCells
from shoal.table import NumericColumn

AssociationKind: TypeAlias = Literal["pearson", "spearman", "correlation-ratio", "cramers-v"]


@dataclass(frozen=True)
class Association:
    """How strongly two columns go together, before and after.

    Parameters
    ----------
    kind
        ``"pearson"`` or ``"spearman"`` of two columns of numbers, ``"correlation-ratio"`` of
        numbers and categories, ``"cramers-v"`` of two columns of categories.
    """

    columns: tuple[str, str]
    kind: AssociationKind
    before: float
    after: float

    @property
    def change(self) -> float:
        """The absolute difference."""
        return abs(self.after - self.before)

    def to_dict(self) -> dict[str, Any]:
        """Write the result for programs."""
        return asdict(self) | {"change": self.change}


def associations(
    pair: Pair,
    *,
    numbers: Literal["pearson", "spearman"] = "pearson",
    columns: Collection[str] | None = None,
) -> list[Association]:
    """Say how strongly each two columns go together, what changed most first.

    Of a publication, an interval is its midpoint, and a category is spread evenly over what its
    cell covers. A sensitive number that is published per group is any of the group's. Missing
    cells, and published ones that cover every value, are left out pair by pair. Where nothing
    varies among what readers see, they see no relation: 0. Two columns of which one is
    constant in the original have none that could change, and are left out.

    Parameters
    ----------
    pair
        See `shoal.measures.pair`; of a release, ``release.pair``.
    numbers
        Which correlation to take of two columns of numbers: of values, or of their ranks.
    columns
        Which quasi-identifiers and sensitive columns; all of them, if nothing is said.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> original = pl.DataFrame({"age": [20, 30, 40, 50], "pay": [2, 4, 6, 8]})
    >>> published = pl.DataFrame({"age": ["[20, 30]"] * 2 + ["[40, 50]"] * 2, "pay": [2, 4, 6, 8]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "pay": shoal.quasi()})
    >>> [found] = associations(shoal.measures.pair(original, published, schema))
    >>> found.kind, round(found.before, 3), round(found.after, 3)
    ('pearson', 1.0, 0.894)
    """
    one_of("numbers", numbers, ["pearson", "spearman"])
    margins = [_pointed(pair, margin) for margin in all_margins(pair, columns=columns)]
    made = []
    for one, two in combinations(margins, 2):
        kind: AssociationKind
        if one.kind == two.kind == "numeric":
            kind, both = numbers, _correlations(one, two, ranked=numbers == "spearman")
        elif one.kind == two.kind:
            kind, both = "cramers-v", _cramers(one, two)
        elif one.kind == "numeric":
            kind, both = "correlation-ratio", _ratios(one, two)
        else:
            kind, both = "correlation-ratio", _ratios(two, one)
        if both[0] is not None:
            made.append(Association((one.name, two.name), kind, both[0], both[1] or 0.0))
    return sorted(made, key=lambda each: -each.change)


def correlation_change(pair: Pair, *, numbers: Literal["pearson", "spearman"] = "pearson") -> float:
    """Average the change of how strongly two columns go together: see `associations`.

    It is no measure: cells of a few rows each can make columns seem closer than they are, so that
    a coarser table may come out better.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"age": [20, 30], "sex": ["F", "M"]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "sex": shoal.quasi()})
    >>> correlation_change(shoal.measures.pair(frame, frame, schema))
    0.0
    """
    changes = [each.change for each in associations(pair, numbers=numbers)]
    return sum(changes) / len(changes) if changes else 0.0


_Both: TypeAlias = tuple[float | None, float | None]


def _pointed(pair: Pair, margin: Margin) -> Margin:
    """Give every number, and every midpoint, a bin of its own."""
    for column, cells in zip(pair.table.quasi, pair.recoded.columns, strict=True):
        if column.name == margin.name and isinstance(column, NumericColumn):
            assert isinstance(cells, NumberCells)
            return _midpoints(margin, column, cells)
    if margin.kind == "categorical":
        return margin
    numbers = label_numbers(pair.table.sensitive[margin.name])
    assert numbers is not None
    points = np.unique(numbers[~np.isnan(numbers)])
    place = np.where(np.isnan(numbers), len(points), np.searchsorted(points, numbers))
    if pair.recoded.groups is None:
        return replace(
            margin,
            points=points,
            bin_of=place,
            thing_of=place,
            spread=Spread.of_values(len(points)),
            says=np.append(np.ones(len(points), dtype=np.bool_), False),
        )
    found = pair.recoded.values(pair.table, margin.name)
    spread = Spread.of_groups(found, place, len(points), len(margin.says))
    return replace(margin, points=points, bin_of=place, spread=spread)


def _midpoints(margin: Margin, column: NumericColumn, cells: NumberCells) -> Margin:
    if not column.size:
        return replace(margin, points=np.zeros(0))
    lo, hi = cell_ends(column, cells)
    values = column.values.astype(np.float64)
    points, place = np.unique(np.concatenate([values, lo / 2 + hi / 2]), return_inverse=True)
    place = place.reshape(-1).astype(np.int64)
    middle = place[len(values) :]
    return replace(
        margin,
        points=points,
        bin_of=np.append(place[: len(values)], len(points)),
        thing_of=np.arange(len(cells)),
        spread=Spread(np.arange(len(cells) + 1), middle, np.ones(len(cells))),
        says=~says_nothing(column, cells),
    )


def _correlations(one: Margin, two: Margin, *, ranked: bool) -> _Both:
    sides = zip(_sides(one), _sides(two), _met(one, two), strict=True)
    before, after = (_correlation(a, b, *pairs, ranked=ranked) for a, b, pairs in sides)
    return before, after


def _sides(margin: Margin) -> tuple[_Side, _Side]:
    """Read a column before and after by the same rules: before, every bin stands for itself."""
    places = np.arange(margin.size + 1)
    each = Spread(places, places[:-1], np.ones(margin.size))
    return _Side(margin, each), _Side(margin, margin.spread)


def _met(one: Margin, two: Margin) -> tuple[tuple[Ints, Ints, Ints], tuple[Ints, Ints, Ints]]:
    """List the pairs of bins before, and of things after, with their rows."""
    return one.bins_with(two), one.paired_with(two)


@dataclass(frozen=True, eq=False)
class _Side:
    """A column of numbers, of which a thing may hold several."""

    margin: Margin
    spread: Spread

    @cached_property
    def owner(self) -> Ints:
        """The thing of each entry."""
        return np.repeat(np.arange(len(self.spread.start) - 1), np.diff(self.spread.start))

    @cached_property
    def known(self) -> Floats:
        """Which share of a thing is no missing value."""
        things = len(self.spread.start) - 1
        summed = np.bincount(self.owner, self.spread.share, minlength=things)
        return np.asarray(summed, dtype=np.float64)

    def points(self, things: Ints, weights: Floats, *, ranked: bool) -> Floats:
        """Give the number of each entry, or its rank among all rows, between 0 and 1."""
        points = self.margin.points
        assert points is not None
        if not ranked:
            low, high = points[0], points[-1]
            return np.asarray((points / 2 - low / 2) / ((high / 2 - low / 2) or 1.0))[
                self.spread.bin
            ]
        rows = np.bincount(things, weights, minlength=len(self.known))[self.owner]
        inside = self.spread.share / np.where(self.known > 0, self.known, 1.0)[self.owner]
        held = np.bincount(self.spread.bin, rows * inside, minlength=len(points))
        return np.asarray((np.cumsum(held) - held / 2) / weights.sum())[self.spread.bin]

    def mean(self, numbers: Floats) -> Floats:
        """Average the numbers of each thing."""
        summed = np.bincount(self.owner, self.spread.share * numbers, minlength=len(self.known))
        return np.asarray(summed / np.where(self.known > 0, self.known, 1.0))


def _correlation(
    one: _Side, two: _Side, first: Ints, second: Ints, counts: Ints, *, ranked: bool
) -> float | None:
    """Correlate things' means; the spread within a thing counts for the variances alone."""
    weights = counts * one.known[first] * two.known[second]
    if not weights.sum():
        return None
    weights = weights / weights.sum()
    centred, variances = [], []
    for side, things in ((one, first), (two, second)):
        numbers = side.points(things, weights, ranked=ranked)
        centre = float(weights @ side.mean(numbers)[things])
        centred.append(side.mean(numbers - centre)[things])
        variances.append(float(weights @ side.mean((numbers - centre) ** 2)[things]))
    if min(variances) <= _DUST:
        return None
    covariance = float((weights * centred[0]) @ centred[1])
    return float(np.clip(covariance / np.sqrt(variances[0] * variances[1]), -1.0, 1.0))


_DUST = 1e-24
"""Variances, of numbers between 0 and 1, that are float dust."""


def _cramers(one: Margin, two: Margin) -> _Both:
    before = one.before_with(two)
    least = int(min((before.sum(axis=1) > 0).sum(), (before.sum(axis=0) > 0).sum())) - 1
    if least < 1:
        return None, None
    return _cramers_v(before, least), _cramers_v(one.after_with(two), least)


def _cramers_v(counts: Floats, least: int) -> float | None:
    if not counts.sum():
        return None
    shares = counts / counts.sum()
    apart = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    held = apart > 0
    squares = float(((shares - apart)[held] ** 2 / apart[held]).sum())
    return float(min(np.sqrt(squares / least), 1.0))


def _ratios(numbers: Margin, groups: Margin) -> _Both:
    sides = zip(_sides(numbers), _sides(groups), _met(numbers, groups), strict=True)
    before, after = (_ratio(a, b.spread, groups.size, *pairs) for a, b, pairs in sides)
    return before, after


def _ratio(
    side: _Side, spread: Spread, size: int, first: Ints, second: Ints, counts: Ints
) -> float | None:
    """Give the root of the share of the variance that lies between groups."""
    weights = counts * side.known[first]
    if not weights.sum():
        return None
    weights = weights / weights.sum()
    numbers = side.points(first, weights, ranked=False)
    numbers = numbers - float(weights @ side.mean(numbers)[first])
    means, squares = side.mean(numbers)[first], side.mean(numbers**2)[first]
    each = np.stack([weights, weights * means, weights * squares], axis=1)
    sums = np.zeros((size, 3))
    for at in range(0, len(first), CHUNK):
        some = slice(at, at + CHUNK)
        sums += spread.block(second[some], size).T @ each[some]
    rows, added, squared = sums[sums[:, 0] > 0].T
    if len(rows) < 1:
        return None
    shift = added.sum() ** 2 / rows.sum()
    whole = float(squared.sum() - shift)
    if whole <= _DUST:
        return None
    between = float((added**2 / rows).sum() - shift)
    return float(np.sqrt(np.clip(between / whole, 0.0, 1.0)))
