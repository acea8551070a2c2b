"""Random queries for a mean, the same for every publication of a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.arguments import require_share, require_whole
from shoal.base.arrays import Floats, Ints
from shoal.errors import ParameterError
from shoal.measures._margins import label_numbers, says_nothing
from shoal.measures._pairs import Pair, require_pair
from shoal.measures._queries import Condensed, CountQuery, workload
from shoal.measures._transport import cell_ends
from shoal.publications.recoding import NumberCells, Recoded
from shoal.publications.recoding.counts import row_chances, rows_meeting
from shoal.table import NumericColumn, Table

FLOOR = 0.1
"""Means below this share of their column's mean size are measured as if they were that large."""


@dataclass(frozen=True)
class MeanQuery:
    """What is the mean of a column, among the rows in all of some sets?

    Parameters
    ----------
    column
        A numeric quasi-identifier, or a sensitive column of numbers.
    among
        The sets, which ask for nothing of that column.
    """

    column: str
    among: CountQuery

    def true(self, table: Table, alike: Ints | None = None) -> float | None:
        """Average the original; ``None`` if no row with a number is in the sets."""
        return _Numbers.of(table, self.column).mean(table, self.among, alike)

    def estimate(self, table: Table, recoded: Recoded, alike: Ints | None = None) -> float:
        """Estimate from a publication, each cell standing for all its values equally.

        A cell that covers every value, such as ``*``, is left out. Where none is left, the
        mean of all rows is the best guess; where none says anything, the middle of the column.
        """
        return _Shown.of(table, recoded, self.column).mean(table, recoded, self.among, alike)


@dataclass(frozen=True)
class MeanError:
    """How far off the means of a column are.

    Parameters
    ----------
    queries
        How many there were an answer to: a mean of nobody is none.
    relative
        |estimate − mean| / max(|mean|, floor · the mean of the column's absolute values), on
        average.
    absolute
        |estimate − mean| on average, in the column's unit.
    """

    column: str
    queries: int
    relative: float
    absolute: float

    def to_dict(self) -> dict[str, Any]:
        """Write the result for programs."""
        return asdict(self)


def mean_workload(
    table: Table,
    *,
    queries: int = 100,
    columns: int = 3,
    secrets: int = 1,
    selectivity: float = 0.1,
    seed: int = 0,
) -> Iterator[MeanQuery]:
    """Draw queries for means; the same seed gives the same ones.

    Columns of numbers take turns. The conditions of each are drawn among the other columns as
    `workload` does; the arguments are its.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> schema = shoal.Schema({"age": shoal.quasi(), "sex": shoal.quasi()})
    >>> frame = pl.DataFrame({"age": [20, 25, 30], "sex": ["F", "M", "F"]})
    >>> [query] = mean_workload(shoal.table.Table.encode(frame, schema), queries=1)
    >>> query.column, [*query.among.where]
    ('age', ['sex'])
    """
    require_whole("queries", queries, 1)
    require_whole("seed", seed, 0)
    names = require_numbers(table)
    drawn = [
        workload(
            table.without([name]),
            queries=-(-queries // len(names)),
            columns=columns,
            secrets=secrets,
            selectivity=selectivity,
            seed=seed,
        )
        for name in names
    ]
    for place in range(queries):
        turn = place % len(names)
        yield MeanQuery(names[turn], next(drawn[turn]))


def mean_query_errors(
    pair: Pair,
    *,
    queries: int = 100,
    columns: int = 3,
    secrets: int = 1,
    selectivity: float = 0.1,
    seed: int = 0,
    floor: float = FLOOR,
) -> list[MeanError]:
    """Measure the error of queried means of a publication, for each column of numbers.

    Parameters
    ----------
    queries, columns, secrets, selectivity, seed
        Which queries are drawn: see `mean_workload`.
    floor
        A mean near 0 would make any error large: none counts as smaller than this share of the
        mean of the column's absolute values.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> original = pl.DataFrame({"age": [20, 21, 22, 39], "sex": ["F", "F", "M", "M"]})
    >>> published = original.with_columns(age=pl.Series(["[20, 21]"] * 2 + ["[22, 39]"] * 2))
    >>> schema = shoal.Schema({"age": shoal.quasi(), "sex": shoal.quasi()})
    >>> mean_query_errors(shoal.measures.pair(original, published, schema))
    [MeanError(column='age', queries=100, relative=0.0, absolute=0.0)]
    """
    require_pair(pair)
    require_share("floor", floor, "Such as 0.1.")
    table = pair.table
    drawn = mean_workload(
        table, queries=queries, columns=columns, secrets=secrets, selectivity=selectivity, seed=seed
    )
    both, names = Condensed.of(table, pair.recoded), number_columns(table)
    held = {name: _Numbers.of(both.table, name) for name in names}
    shown = {name: _Shown.of(both.shown, both.recoded, name) for name in names}
    least = {name: floor * held[name].size(both.alike) for name in names}
    errors: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for query in drawn:
        name, among = query.column, query.among
        true = held[name].mean(both.table, among, both.alike)
        if true is None:
            continue
        off = abs(shown[name].mean(both.shown, both.recoded, among, both.shown_alike) - true)
        size = max(abs(true), least[name])
        # Of a column of zeros any error is the whole of what is said.
        errors[name].append((off / (size or off) if off else 0.0, off))
    made = []
    for name, found in errors.items():
        relative, absolute = np.mean(found, axis=0).tolist() if found else (0.0, 0.0)
        made.append(MeanError(name, len(found), relative, absolute))
    return made


def number_columns(table: Table) -> list[str]:
    """Name the columns of numbers: quasi-identifiers that hold one, and sensitive ones."""
    names = [c.name for c in table.quasi if isinstance(c, NumericColumn) and c.size]
    return names + [n for n, c in table.sensitive.items() if label_numbers(c) is not None]


def require_numbers(table: Table) -> list[str]:
    """Name the columns of numbers; refuse a table without any (raises `ParameterError`)."""
    names = number_columns(table)
    if not names:
        raise ParameterError(
            "The table has no numeric column, so there is no mean to query.",
            "Use count_query_error, or declare numbers as numeric quasi-identifiers.",
        )
    return names


def _column(table: Table, name: str) -> tuple[int, NumericColumn] | None:
    for place, column in enumerate(table.quasi):
        if column.name == name and isinstance(column, NumericColumn):
            return place, column
    return None


@dataclass(frozen=True, eq=False)
class _Numbers:
    """The number of each code of a column, and the code of each original row."""

    numbers: Floats
    codes: npt.NDArray[np.integer[Any]]

    @classmethod
    def of(cls, table: Table, name: str) -> _Numbers:
        if (found := _column(table, name)) is not None:
            column = found[1]
            return cls(np.append(column.values.astype(np.float64), np.nan), column.codes)
        numbers = label_numbers(table.sensitive[name])
        assert numbers is not None
        return cls(numbers, table.sensitive[name].codes)

    def mean(self, table: Table, among: CountQuery, alike: Ints | None) -> float | None:
        rows = rows_meeting(table, among.where, among.values)
        some: Any = slice(None) if rows is None else rows
        numbers = self.numbers[self.codes[some]]
        return _mean(numbers, np.ones(len(numbers)) if alike is None else alike[some])

    def size(self, alike: Ints) -> float:
        """Average the absolute values."""
        return _mean(np.abs(self.numbers)[self.codes], alike) or 0.0


@dataclass(frozen=True, eq=False)
class _Shown:
    """The number that readers expect of each published row, and the share that is known of it."""

    numbers: Floats
    known: Floats
    middle: float
    """What they expect where they know nothing."""

    @classmethod
    def of(cls, table: Table, recoded: Recoded, name: str) -> _Shown:
        if (found := _column(table, name)) is not None:
            place, column = found
            cells = recoded.columns[place]
            assert isinstance(cells, NumberCells)
            lo, hi = cell_ends(column, cells)
            middle = np.where(says_nothing(column, cells), np.nan, lo / 2 + hi / 2)
            ends = column.values[[0, -1]].astype(np.float64) / 2
            return cls(middle[cells.index], np.ones(len(cells.index)), float(ends.sum()))
        attribute = table.sensitive[name]
        numbers = label_numbers(attribute)
        assert numbers is not None
        half = float(np.nanmin(numbers) / 2 + np.nanmax(numbers) / 2)
        if recoded.groups is None:
            return cls(numbers[attribute.codes[recoded.rows]], np.ones(len(recoded.rows)), half)
        shown = recoded.values(table, name)
        groups = int(recoded.groups.max(initial=-1)) + 1
        counts = np.where(np.isnan(numbers[shown.value]), 0, shown.counts)
        added = np.where(counts > 0, numbers[shown.value], 0.0) * counts
        held = np.bincount(shown.group, counts, minlength=groups)
        every = np.bincount(shown.group, shown.counts, minlength=groups)
        means = np.bincount(shown.group, added, minlength=groups) / np.where(held > 0, held, np.nan)
        return cls(means[recoded.groups], (held / np.maximum(every, 1))[recoded.groups], half)

    def mean(self, table: Table, recoded: Recoded, among: CountQuery, alike: Ints | None) -> float:
        weights = self.known if alike is None else self.known * alike
        chances = row_chances(table, recoded, among.where, among.values) * weights
        rows = np.flatnonzero(chances)
        found = _mean(self.numbers[rows], chances[rows])
        if found is None:
            found = _mean(self.numbers, weights)
        return self.middle if found is None else found


def _mean(numbers: Floats, weights: npt.NDArray[Any]) -> float | None:
    """Average the numbers that are known; ``None`` if none of them counts."""
    known = ~np.isnan(numbers) & (weights > 0)
    weights = weights[known].astype(np.float64)
    return float(weights @ numbers[known] / weights.sum()) if len(weights) else None
