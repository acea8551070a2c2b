"""Does the order of published tables tell what belongs together?"""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.cells import texts
from shoal.io.frames import to_coded
from shoal.judging.verification import counting
from shoal.judging.verification.counting import CLASS
from shoal.judging.verification.preparing import prepared_anew
from shoal.judging.verification.result import Finding
from shoal.publications.published import Published, ValueTable
from shoal.table.schema import Schema
from shoal.table.sensitive import binned

_BEYOND_CHANCE = 8.0
"""Standard deviations; honest shuffles exceed them less than once in a million releases."""
_LEFT, _RIGHT = "left", "right"


class _Guess(NamedTuple):
    """How many guesses are right, and what orders that know nothing of each other give."""

    hits: int
    tries: int
    expected: float
    deviation: float

    @property
    def linked(self) -> bool:
        """Whether chance does not explain it; one lucky guess is none."""
        return self.hits > self.expected + _BEYOND_CHANCE * max(self.deviation, 1.0)


def row_order(
    tables: Any,
    schema: Schema,
    original: Any,
    rows: npt.ArrayLike,
    *,
    class_column: str | None = None,
) -> Finding:
    """Ask whether the order of tables tells which values and rows belong together.

    Only the original can tell. The j-th row of a class is set beside the j-th value of the
    class, and right guesses are counted; of several sensitive columns, the j-th values of each
    two are set beside each other, too, and a guess is right if a record of the class holds
    both. Where right guesses are more than 8 standard deviations above what orders that know
    nothing of each other give, the tables were not shuffled apart. Likewise, values that no
    row of the class holds (a method added them) must not stand before or after the others. So
    few rows may hide a link: a shuffle must be made, it cannot be proved.

    Parameters
    ----------
    rows
        For each row of the quasi table, the original row it stands for.

    Examples
    --------
    >>> import shoal
    >>> original = pl.DataFrame({"age": range(90), "ill": [f"illness {i}" for i in range(90)]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()})
    >>> ids = pl.Series("class", [i // 9 for i in range(90)])
    >>> tables = {"quasi": original.select("age", ids), "sensitive": original.select(ids, "ill")}
    >>> row_order(tables, schema, original, range(90)).detail
    'the order of the tables links 90 of 90 values to their rows, where chance gives about 10'
    """
    published = Published.read(tables, schema, class_column=class_column)
    source, schema = binned(*prepared_anew(to_coded(original), schema))
    order = np.asarray(rows)
    ordered = {n: t for n, t in published.value_tables.items() if t.count_column is None}
    if not ordered:
        return Finding("row order", True, "values are counted, so no order links them to rows")
    ids = published.ids.fill_null("")
    own = {n: counting.values_of(source[n].take(order).cells(), schema, n) for n in ordered}
    found = []
    for name, table in ordered.items():
        values = _values(table, schema)
        if set(values[CLASS]) != set(ids) or _uneven(published, table):
            which = "tables" if published.by_column else "two tables"
            return Finding("row order", False, f"the {which} hold different classes")
        found += _of_rows(published, name, values, ids, own[name])
        found += _of_added(name, values, ids, own[name])
    for one, other in combinations(ordered, 2):
        pairs = pl.DataFrame({CLASS: ids, _LEFT: own[one], _RIGHT: own[other]}).unique()
        guess = _guess(_values(ordered[one], schema), _values(ordered[other], schema), pairs)
        if guess.linked:
            found.append(
                f"the order of '{one}' and '{other}' links {guess.hits} of {guess.tries} values "
                f"to each other, where chance gives about {guess.expected:.0f}"
            )
    passed = "reveals no more than chance about which value belongs to which row"
    if len(ordered) > 1:
        passed += ", or which values belong together"
    return Finding("row order", not found, "; ".join(found) or passed)


def _uneven(published: Published, table: ValueTable) -> bool:
    """Say whether a table that has a value for each record has another number of them."""
    if published.by_column and table.once:
        return False
    if published.counterfeits:  # verification counts them
        return False
    return not published.ids.fill_null("").sort().equals(table.ids.fill_null("").sort())


def _values(table: ValueTable, schema: Schema) -> pl.DataFrame:
    """Give the values in their order, with their classes."""
    values = counting.values_of(table.values, schema, table.sensitive_column)
    return pl.DataFrame({CLASS: table.ids.fill_null(""), "item": values})


def _of_rows(
    published: Published, name: str, values: pl.DataFrame, ids: pl.Series, own: pl.Series
) -> list[str]:
    """Set rows beside values; every row is a thing of its own."""
    numbers = texts(pl.int_range(len(ids), eager=True))
    lines = pl.DataFrame({CLASS: ids, "item": numbers})
    guess = _guess(lines, values, pl.DataFrame({CLASS: ids, _LEFT: numbers, _RIGHT: own}))
    if not guess.linked:
        return []
    of = f" of '{name}'" if published.by_column else ""
    return [
        f"the order of the tables links {guess.hits} of {guess.tries} values{of} to their rows, "
        f"where chance gives about {guess.expected:.0f}"
    ]


def _guess(left: pl.DataFrame, right: pl.DataFrame, pairs: pl.DataFrame) -> _Guess:
    """Set the j-th item of a class beside the j-th of its other table, and count true pairs.

    Chance is a random order of the class: with N places, T true pairs of places in all, and
    rᵢ and sⱼ of them in row i and column j, hits have the mean T/N and, by Hoeffding's theorem,
    the variance (T − Σr²/N − Σs²/N + T²/N²) / (N − 1).
    """
    lines = [each.with_columns(place=pl.int_range(pl.len()).over(CLASS)) for each in (left, right)]
    beside = lines[0].join(lines[1], on=[CLASS, "place"], how="inner")
    beside = beside.rename({"item": _LEFT, "item_right": _RIGHT})
    hits = beside.join(pairs, on=[CLASS, _LEFT, _RIGHT], how="semi", nulls_equal=True).height
    held = [
        each.group_by(CLASS, "item").agg(pl.len().cast(pl.Float64).alias(f"n_{side}"))
        for each, side in zip((left, right), (_LEFT, _RIGHT), strict=True)
    ]
    true = pairs
    for side, each in zip((_LEFT, _RIGHT), held, strict=True):
        true = true.join(
            each, left_on=[CLASS, side], right_on=[CLASS, "item"], how="inner", nulls_equal=True
        )
    ones, others = pl.col(f"n_{_LEFT}"), pl.col(f"n_{_RIGHT}")
    by_left = true.group_by(CLASS, _LEFT).agg(ones.first(), others.sum())
    by_right = true.group_by(CLASS, _RIGHT).agg(others.first(), ones.sum())
    sums = (
        true.group_by(CLASS)
        .agg((ones * others).sum().alias("true"))
        .join(by_left.group_by(CLASS).agg((ones * others**2).sum().alias("r")), on=CLASS)
        .join(by_right.group_by(CLASS).agg((others * ones**2).sum().alias("s")), on=CLASS)
        .join(_places(left, right), on=CLASS)
    )
    t, r, s, n = (sums[name].cast(pl.Float64).to_numpy() for name in ("true", "r", "s", "places"))
    spread = t - r / n - s / n + t**2 / n**2
    variance = np.where(n > 1, np.maximum(spread, 0.0) / np.maximum(n - 1, 1), 0.0)
    return _Guess(hits, beside.height, float((t / n).sum()), float(np.sqrt(variance.sum())))


def _places(left: pl.DataFrame, right: pl.DataFrame) -> pl.DataFrame:
    """Count the places of each class: those of the longer table."""
    both = left.group_by(CLASS).len("l").join(right.group_by(CLASS).len("r"), on=CLASS)
    return both.select(CLASS, pl.max_horizontal("l", "r").alias("places"))


def _of_added(name: str, values: pl.DataFrame, ids: pl.Series, own: pl.Series) -> list[str]:
    """Compare the places of values that no row of the class holds with those of the others.

    The sum of their ranks is Wilcoxon's: w added ones among m values have the mean w(m + 1)/2
    and the variance w(m − w)(m + 1)/12.
    """
    held = pl.DataFrame({CLASS: ids, "item": own}).unique().with_columns(own=pl.lit(True))
    ranked = (
        values.with_columns(rank=pl.int_range(1, pl.len() + 1).over(CLASS))
        .join(held, on=[CLASS, "item"], how="left", nulls_equal=True)
        .with_columns(added=pl.col("own").is_null())
    )
    sums = ranked.group_by(CLASS).agg(
        pl.len().cast(pl.Float64).alias("m"),
        pl.col("added").sum().cast(pl.Float64).alias("w"),
        pl.col("rank").filter("added").sum().cast(pl.Float64).alias("ranks"),
    )
    m, w, ranks = (sums[each].to_numpy() for each in ("m", "w", "ranks"))
    strays = abs(float((ranks - w * (m + 1) / 2).sum()))
    deviation = float(np.sqrt((w * (m - w) * (m + 1) / 12).sum()))
    if strays <= _BEYOND_CHANCE * max(deviation, 1.0):
        return []
    return [f"added values of '{name}' can be distinguished from the others by their position"]
