"""How far distributions of columns, and of pairs of columns, are from the original's."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
import polars as pl

from shoal.base.arguments import require_whole
from shoal.base.arrays import Floats
from shoal.errors import ParameterError, did_you_mean
from shoal.measures._margins import BINS, Margin, margin_of
from shoal.measures._pairs import Pair, require_pair
from shoal.measures._transport import earth_movers
from shoal.table import NumericColumn


@dataclass(frozen=True)
class ColumnDistance:
    """How far a column is, as readers rebuild it, from the original.

    Parameters
    ----------
    column, kind
        The column, and whether it holds numbers or categories.
    total_variation
        The share of the rows that would have to change their bin.
    earth_movers
        Of a numeric quasi-identifier, how far numbers would have to move on average, as a share
        of the column's range; ``None`` of others.
    """

    column: str
    kind: Literal["numeric", "categorical"]
    total_variation: float
    earth_movers: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Write the result for programs."""
        return asdict(self)


@dataclass(frozen=True)
class PairDistance:
    """How far two columns together are, as readers rebuild them, from the original."""

    columns: tuple[str, str]
    total_variation: float

    def to_dict(self) -> dict[str, Any]:
        """Write the result for programs."""
        return asdict(self)


def column_distances(pair: Pair, *, bins: int = BINS) -> list[ColumnDistance]:
    """Compare each quasi-identifier and sensitive column with what readers rebuild of it.

    A published cell is spread evenly over what it covers: an interval over the numbers with the
    column's decimals, a node over its leaves, a set over its values. Cells that cover every
    value say nothing; they are left out, as missing ones are in the original. Rows that are not
    published are missing from the rebuilt distribution. Of the 100 most frequent values each
    is a bin; rare ones are joined.

    Parameters
    ----------
    pair
        See `shoal.measures.pair`; of a release, ``release.pair``.
    bins
        Numbers are compared in this many bins with about equally many original rows each.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> original = pl.DataFrame({"age": [20, 20, 20, 22]})
    >>> published = pl.DataFrame({"age": ["[20, 21]"] * 3 + ["22"]})
    >>> both = shoal.measures.pair(original, published, shoal.Schema({"age": shoal.quasi()}))
    >>> [found] = column_distances(both)  # bins: 20 to 21, and 22
    >>> found.total_variation, found.earth_movers  # three of four move by half a year of two
    (0.0, 0.1875)
    """
    made = []
    for margin in all_margins(pair, bins=bins):
        moved = None
        for column, cells in zip(pair.table.quasi, pair.recoded.columns, strict=True):
            if column.name == margin.name and isinstance(column, NumericColumn):
                moved = earth_movers(column, cells)
        far = total_variation(margin.before, margin.after)
        made.append(ColumnDistance(margin.name, margin.kind, far, moved))
    return made


def pair_distances(pair: Pair, *, bins: int = BINS) -> list[PairDistance]:
    """Compare each two columns together with what readers rebuild of them, the worst first.

    Columns are independent within a published row, for a reader who knows nothing else. The
    arguments are those of `column_distances`. Of sensitive values that are published per group, any
    of the group's is a row's own: this is what two exact tables lose.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"sex": ["F", "M"], "ill": ["flu", "HIV"]})
    >>> schema = shoal.Schema({"sex": shoal.quasi(), "ill": shoal.sensitive()})
    >>> pair_distances(shoal.measures.pair(frame, frame, schema, groups=[1, 1]))
    [PairDistance(columns=('sex', 'ill'), total_variation=0.5)]
    """
    made = [
        PairDistance(
            (one.name, two.name), total_variation(one.before_with(two), one.after_with(two))
        )
        for one, two in combinations(all_margins(pair, bins=bins), 2)
    ]
    return sorted(made, key=lambda each: -each.total_variation)


def all_margins(
    pair: Pair, *, bins: int = BINS, columns: Collection[str] | None = None
) -> list[Margin]:
    """Put every quasi-identifier and sensitive column in bins, or some of them."""
    require_pair(pair)
    require_whole("bins", bins, 2)
    names = [column.name for column in pair.table.quasi] + list(pair.table.sensitive)
    return [
        margin_of(pair, name, bins=bins) for name in names if columns is None or name in columns
    ]


def total_variation(before: Floats, after: Floats) -> float:
    """Halve the sum of differences of shares; 0 if there was nothing, 1 if nothing is left."""
    if not before.sum():
        return 0.0
    if not after.sum():
        return 1.0
    return float(np.abs(before / before.sum() - after / after.sum()).sum() / 2)


def contingency(pair: Pair, one: str, two: str, *, values: int = BINS) -> pl.DataFrame:
    """Count the rows in each pair of values of two columns, before and after.

    After are expected counts: a published cell is spread evenly over what it covers, and
    sensitive values that are published per group over the group's rows. Missing cells, and
    published ones that cover every value, are left out, as in `pair_distances`.

    Parameters
    ----------
    pair
        See `shoal.measures.pair`; of a release, ``release.pair``.
    one, two
        Quasi-identifiers or sensitive columns.
    values
        The most values of each: numbers are put in bins, rare categories grouped.

    Returns
    -------
    polars.DataFrame
        A row for each pair of values: the two values, ``before`` and ``after``.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"sex": ["F", "M"], "ill": ["flu", "HIV"]})
    >>> schema = shoal.Schema({"sex": shoal.quasi(), "ill": shoal.sensitive()})
    >>> both = shoal.measures.pair(frame, frame, schema, groups=[1, 1])
    >>> contingency(both, "sex", "ill").rows()
    [('F', 'HIV', 0, 0.5), ('F', 'flu', 1, 0.5), ('M', 'HIV', 1, 0.5), ('M', 'flu', 0, 0.5)]
    """
    require_pair(pair)
    require_whole("values", values, 2)
    names = [column.name for column in pair.table.quasi] + list(pair.table.sensitive)
    for name in (one, two):
        if name not in names:
            raise ParameterError(
                f"Column '{name}' is neither a quasi-identifier nor sensitive.",
                did_you_mean(name, names),
            )
    if one == two:
        raise ParameterError(
            f"Both columns are '{one}'.", "Name two different columns, whose rows are counted."
        )
    first, second = (margin_of(pair, name, bins=values, values=values) for name in (one, two))
    taken = {one, two}
    before, after = (
        next(word for word in (title, f"{title} (rows)", f"{title} (count)") if word not in taken)
        for title in ("before", "after")
    )
    return pl.DataFrame(
        {
            one: np.repeat(np.array(first.labels, dtype=object), second.size).tolist(),
            two: list(second.labels) * first.size,
            before: first.before_with(second).ravel().astype(np.int64),
            after: first.after_with(second).ravel(),
        },
        schema={one: pl.String, two: pl.String, before: pl.Int64, after: pl.Float64},
    )
