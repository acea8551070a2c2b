"""Distributions of columns and of pairs of them, slow and obvious: rows as lists of chances.

A row of the original is one value with chance 1, a published one all values that its cell covers.
Of two columns every pair of values is listed with the product of its chances.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import floor, sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.reference.measures import Category, Measures, Number

STAR = "*"
Chances = dict[Any, Fraction]
Column = list[Chances | None]
"""The chances of each row; ``None`` if it is missing, or says nothing."""
SECRET = -1
"""The place of the sensitive column."""


def is_number(column: object) -> bool:
    return hasattr(column, "unit")


def covered(column: Number | Category, cell: str | None) -> list[Any]:
    """List the values that a cell covers."""
    if not is_number(column):
        return sorted(column.below(cell))  # type: ignore[union-attr]
    if cell not in (None, STAR):
        lo, hi = column.ends(cell)  # type: ignore[union-attr]
        if lo == hi and not cell.endswith(")"):  # type: ignore[union-attr]
            return [lo]
    first, last = column.points(cell)  # type: ignore[union-attr]
    return [number * column.unit for number in range(first, last + 1)]  # type: ignore[union-attr]


def says_nothing(column: Number | Category, cell: str | None) -> bool:
    if cell in (None, STAR):
        return True
    if not is_number(column):
        every = column.below(None)  # type: ignore[union-attr]
        return len(every) > 1 and column.below(cell) == every  # type: ignore[union-attr]
    lo, hi = column.ends(cell)  # type: ignore[union-attr]
    least, largest = min(column.known), max(column.known)  # type: ignore[union-attr]
    return least < largest and lo <= least and (hi > largest or (hi == largest and cell[-1] != ")"))  # type: ignore[index]


def original(m: Measures, j: int, place: Callable[[Any], Any] = lambda value: value) -> Column:
    values = m.secrets if j == SECRET else m.columns[j].values
    assert values is not None
    number = j != SECRET and is_number(m.columns[j])
    return [
        None if value is None else even([place(Fraction(str(value)) if number else value)])
        for value in values
    ]


def published(
    m: Measures, j: int, place: Callable[[Any], Any] = lambda value: value, middle: bool = False
) -> Column:
    """Give the chances of each published row, of bins if asked; an interval may be its midpoint."""
    made: Column = []
    known: dict[str | None, Chances] = {}
    for i in range(len(m.rows)):
        if j == SECRET:
            around = m.values_around(i)
            made.append(even([place(value) for value in around if value is not None], len(around)))
            continue
        column, cell = m.columns[j], m.published[i][j]
        if not column_has_values(column):
            made.append(None)
            continue
        if cell not in known:
            values = covered(column, cell)
            if middle:
                values = [(values[0] + values[-1]) / 2]
            known[cell] = even([place(value) for value in values])
        made.append(known[cell])
    if j == SECRET:
        return [each or None for each in made]
    quiet = [says_nothing(m.columns[j], m.published[i][j]) for i in range(len(m.rows))]
    return made if all(quiet) else [None if q else e for q, e in zip(quiet, made, strict=True)]


def column_has_values(column: Number | Category) -> bool:
    return not is_number(column) or bool(column.known)  # type: ignore[union-attr]


def even(values: Sequence[Any], of: int | None = None) -> Chances:
    return {value: Fraction(n, of or len(values)) for value, n in Counter(values).items()}


def binning(m: Measures, j: int, bins: int = 10) -> Callable[[Any], Hashable]:
    """Say in which bin a value lies."""
    held = [value for row in original(m, j) for value in row or ()]
    if j == SECRET or not is_number(m.columns[j]):
        return lambda value: value if value in held else "(others)"
    distinct = sorted(set(held))
    if len(distinct) <= bins:
        places = {value: place for place, value in enumerate(distinct)}
    else:
        places = {
            value: floor(Fraction(bins * sum(other < value for other in held), len(held)))
            for value in distinct
        }

    @cache
    def place(value: Fraction) -> int:
        below = [places[other] for other in distinct if other <= value]
        return below[-1] if below else places[distinct[0]]

    return place


def joint(one: Column, two: Column) -> Chances:
    """Add up all pairs of values of all rows."""
    made: Chances = defaultdict(Fraction)
    for mine, theirs in zip(one, two, strict=True):
        for first, p in (mine or {}).items():
            for second, q in (theirs or {}).items():
                made[first, second] += p * q
    return made


def total_variation(before: Chances, after: Chances) -> Fraction:
    if not sum(before.values()):
        return Fraction(0)
    if not sum(after.values()):
        return Fraction(1)
    p, q = ({k: v / sum(d.values()) for k, v in d.items()} for d in (before, after))
    return sum((abs(p.get(k, Fraction(0)) - q.get(k, Fraction(0))) for k in p | q), Fraction(0)) / 2


def column_distance(m: Measures, j: int) -> Fraction:
    return pair_distance(m, j, None)


def pair_distance(m: Measures, one: int, two: int | None) -> Fraction:
    """Compare two columns, or one beside a column that is always the same."""
    ends = []
    for read in (original, published):
        mine = read(m, one, binning(m, one))  # type: ignore[operator]
        if two is None:
            theirs: Column = [even([0])] * len(mine)
        else:
            theirs = read(m, two, binning(m, two))  # type: ignore[operator]
        ends.append(joint(mine, theirs))
    return total_variation(*ends)


def earth_movers(m: Measures, j: int) -> Fraction:
    """Add up the area between the distribution functions, piece by piece between their bends."""
    column = m.columns[j]
    if not column.known:  # type: ignore[union-attr]
        return Fraction(0)
    half = column.unit / 2  # type: ignore[union-attr]
    size = column.range or Fraction(1)  # type: ignore[union-attr]
    quiet = [says_nothing(column, cells[j]) for cells in m.published]
    cells = [c[j] for c, q in zip(m.published, quiet, strict=True) if all(quiet) or not q]
    parts = [
        [(value - half, value + half) for value in column.known],  # type: ignore[union-attr]
        [(values[0] - half, values[-1] + half) for values in (covered(column, c) for c in cells)],
    ]

    def below(part: list[tuple[Fraction, Fraction]], x: Fraction) -> Fraction:
        """Which share lies below x, if a number stands for the unit around it?"""
        inside = [(min(max(x, left), right) - left) / (right - left) for left, right in part]
        return sum(inside, Fraction(0)) / len(part)

    bends = sorted({end for part in parts for ends in part for end in ends})
    area = Fraction(0)
    for left, right in pairwise(bends):
        start, end = (below(parts[0], x) - below(parts[1], x) for x in (left, right))
        if start * end < 0:
            area += (right - left) * (start**2 + end**2) / (2 * (abs(start) + abs(end)))
        else:
            area += (right - left) * (abs(start) + abs(end)) / 2
    return area / size


def association(m: Measures, one: int, two: int, ranked: bool) -> tuple[float, float] | None:
    """Say how strongly two columns go together, before and after; ``None`` if they never did."""
    before = joint(original(m, one), original(m, two))
    after = joint(*(published(m, j, middle=numeric(m, j)) for j in (one, two)))
    if numeric(m, one) and numeric(m, two):
        found = [pearson(each, ranked) for each in (before, after)]
    elif numeric(m, one):
        found = [ratio(binned(each, m, two, 1)) for each in (before, after)]
    elif numeric(m, two):
        turned = [{(b, a): p for (a, b), p in each.items()} for each in (before, after)]
        found = [ratio(binned(each, m, one, 1)) for each in turned]
    else:
        tables = [binned(binned(each, m, one, 0), m, two, 1) for each in (before, after)]
        least = min(len({key[side] for key in before}) for side in (0, 1)) - 1 if before else 0
        found = [cramers(each, least) for each in tables]
    return None if found[0] is None else (found[0], found[1] or 0.0)


def numeric(m: Measures, j: int) -> bool:
    return j != SECRET and is_number(m.columns[j])


def binned(pairs: Chances, m: Measures, j: int, side: int) -> Chances:
    place, made = binning(m, j), defaultdict(Fraction)
    for pair, chance in pairs.items():
        key = (place(pair[0]), pair[1]) if side == 0 else (pair[0], place(pair[1]))
        made[key] += chance
    return made


def pearson(pairs: Chances, ranked: bool) -> float | None:
    total = sum(pairs.values())
    if not total:
        return None
    moved = []
    for side in (0, 1):
        if not ranked:
            numbers = {pair: Fraction(pair[side]) for pair in pairs}
        else:
            numbers = {
                pair: sum(
                    (q * (Fraction(1) if other[side] < pair[side] else Fraction(1, 2))
                     for other, q in pairs.items() if other[side] <= pair[side]),
                    Fraction(0),
                )
                for pair in pairs
            }  # fmt: skip
        mean = sum(p * numbers[pair] for pair, p in pairs.items()) / total
        moved.append({pair: number - mean for pair, number in numbers.items()})
    x, y = moved
    spread = [sum(p * each[pair] ** 2 for pair, p in pairs.items()) for each in moved]
    if not all(spread):
        return None
    return float(sum(p * x[pair] * y[pair] for pair, p in pairs.items())) / sqrt(
        spread[0] * spread[1]
    )


def ratio(pairs: Chances) -> float | None:
    """Take numbers first, groups second."""
    total = sum(pairs.values())
    if not total:
        return None
    mean = sum(p * number for (number, _), p in pairs.items()) / total
    whole = sum(p * (number - mean) ** 2 for (number, _), p in pairs.items())
    between = Fraction(0)
    for group in {group for _, group in pairs}:
        mine = {number: p for (number, other), p in pairs.items() if other == group}
        rows = sum(mine.values())
        between += rows * (sum(n * p for n, p in mine.items()) / rows - mean) ** 2
    return sqrt(between / whole) if whole else None


def cramers(pairs: Chances, least: int) -> float | None:
    total = sum(pairs.values())
    if least < 1 or not total:
        return None
    rows, columns = defaultdict(Fraction), defaultdict(Fraction)
    for (first, second), p in pairs.items():
        rows[first] += p
        columns[second] += p
    square = Fraction(0)
    for first in rows:
        for second in columns:
            apart = rows[first] * columns[second] / total
            square += (pairs.get((first, second), Fraction(0)) - apart) ** 2 / apart
    return min(sqrt(square / (total * least)), 1.0)


def mean_error(m: Measures, queries: Sequence[tuple[int, Any]]) -> Fraction | None:
    """Average the relative errors of means; ``None`` if there is no column of numbers."""
    if not any(numeric(m, j) and m.columns[j].known for j in range(len(m.columns))):  # type: ignore[union-attr]
        return None
    errors = []
    for j, query in queries:
        column = m.columns[j]
        met = [
            Fraction(str(column.values[row]))
            for row in range(m.n)
            if column.values[row] is not None and m.met(row, query)
        ]
        if not met:
            continue
        true = sum(met) / len(met)
        shown = published(m, j, middle=True)
        quiet = [says_nothing(column, cells[j]) for cells in m.published]
        known = [(next(iter(e)), i) for i, e in enumerate(shown) if e and not quiet[i]]
        weights = [(x, m.chance(i, query)) for x, i in known]
        if not sum(w for _, w in weights):
            weights = [(x, Fraction(1)) for x, _ in known]
        if weights:
            guess = sum(x * w for x, w in weights) / sum(w for _, w in weights)
        else:
            guess = (min(column.known) + max(column.known)) / 2  # type: ignore[union-attr]
        size = sum(abs(x) for x in column.known) / len(column.known)  # type: ignore[union-attr]
        off = abs(guess - true)
        errors.append(off / (max(abs(true), size / 10) or off or 1))
    return sum(errors, Fraction(0)) / (len(errors) or 1)
