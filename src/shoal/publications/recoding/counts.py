"""How many people are there …? Answered from published cells, and from the original."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import reduce
from operator import and_
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Floats, Ints
from shoal.errors import ParameterError, did_you_mean
from shoal.models import Histogram
from shoal.publications.recoding.cells import CategoryCells, Cells, Ends, Mask, NumberCells, Recoded
from shoal.table import NumericColumn, QuasiColumn, Table

Wanted: TypeAlias = "Collection[int] | tuple[float, float]"
"""What is asked of a quasi-identifier: codes of its column, or a range of numbers.

A tuple of two is a range with both ends inside; every other collection (a set, an array) holds
codes.
"""

Values: TypeAlias = "Collection[int] | Mapping[str, Collection[int]] | None"
"""What is asked of the sensitive value: codes, by column where there are several of them."""

_DUST = 1e-6
"""A decimal times a power of ten is not always whole; this much of a step is forgiven."""


def expected_count(
    table: Table,
    recoded: Recoded,
    where: Mapping[str, Wanted],
    value_codes: Values = None,
    *,
    alike: Ints | None = None,
) -> float:
    """Estimate from published cells how many rows meet all conditions.

    Every value that a cell covers is taken for equally likely, and columns for independent of
    each other, as a reader must who knows nothing else.

    ``table``: gives codes, hierarchies and the sensitive column. Its rows are looked at only for
        the sensitive values.
    ``where``: per quasi-identifier the codes, or the range ``(lo, hi)``, that are asked for.
    ``value_codes``: the codes of the sensitive value that are asked for; ``None`` asks for nothing.
    ``alike``: how many rows each published row stands for; 1 if left out.

    Cells and groups count as `shoal.query.count` says. The numbers of an interval are those with
    the column's decimals (``[20, 39]`` holds 20 whole numbers); where the column has no such
    decimals, lengths are compared.

    >>> import polars as pl, shoal
    >>> from shoal.publications.recoding import generalize
    >>> frame = pl.DataFrame({"age": [20, 29, 40, 44], "ill": ["flu", "HIV", "flu", "flu"]})
    >>> table = Table.encode(
    ...     frame, shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()}))
    >>> grouping = shoal.Grouping(np.array([0, 0, 1, 1], dtype=np.int32))
    >>> recoded = generalize(table, grouping, bounds="observed")  # [20, 29], [40, 44], each twice
    >>> expected_count(table, recoded, {"age": (25, 40)}), true_count(table, {"age": (25, 40)})
    (1.4, 2)
    >>> expected_count(table, recoded, {"age": (25, 44)}, {1})  # code 1 is "flu"
    2.5
    """
    chances = row_chances(table, recoded, where, value_codes)
    return float((chances if alike is None else chances * alike).sum())


def row_chances(
    table: Table, recoded: Recoded, where: Mapping[str, Wanted], value_codes: Values = None
) -> Floats:
    """Say of each published row how likely it meets all conditions: see `expected_count`."""
    chances = np.ones(len(recoded.rows))
    cells = {c.name: (c, cells) for c, cells in zip(table.quasi, recoded.columns, strict=True)}
    for name, wanted in where.items():
        _require_known(name, cells)
        column, published = cells[name]
        shares = cell_shares(column, published, wanted, exact=recoded.exact)
        chances *= shares.take(published.index)
    for name, codes in _by_column(table, value_codes).items():
        mask = _mask(table.sensitive[name].size, codes)
        if recoded.groups is None:
            chances *= mask.take(table.sensitive[name].codes[recoded.rows])
        else:
            chances *= _group_shares(recoded.values(table, name), mask)[recoded.groups]
    return chances


def true_count(
    table: Table,
    where: Mapping[str, Wanted],
    value_codes: Values = None,
    *,
    alike: Ints | None = None,
) -> int:
    """Count the rows of the original that meet all conditions; a missing cell meets none.

    The arguments are those of `expected_count`.
    """
    rows = rows_meeting(table, where, value_codes)
    if rows is None:
        return int(table.n_rows if alike is None else alike.sum())
    return int(len(rows) if alike is None else alike[rows].sum())


def rows_meeting(
    table: Table, where: Mapping[str, Wanted], value_codes: Values = None
) -> npt.NDArray[np.intp] | None:
    """List the rows of the original that meet all conditions; ``None`` if nothing is asked."""
    columns = {column.name: column for column in table.quasi}
    conditions = []
    for name, wanted in where.items():
        _require_known(name, columns)
        conditions.append((np.append(_met(columns[name], wanted), False), columns[name].codes))
    for name, codes in _by_column(table, value_codes).items():
        column = table.sensitive[name]
        conditions.append((_mask(column.size, codes), column.codes))
    if not conditions:
        return None
    return np.flatnonzero(reduce(and_, (met.take(held) for met, held in conditions)))


def _require_known(name: str, known: Collection[str]) -> None:
    if name not in known:
        raise ParameterError(
            f"There is no quasi-identifier '{name}'.", did_you_mean(name, list(known))
        )


def _by_column(table: Table, codes: Values) -> Mapping[str, Collection[int]]:
    """Name the sensitive column where there is but one."""
    if codes is None:
        return {}
    if not isinstance(codes, Mapping):
        if len(table.sensitive) != 1:
            raise ParameterError(
                f"The table has {len(table.sensitive)} sensitive columns.",
                "Name one of them: {column: codes}.",
            )
        codes = dict.fromkeys(table.sensitive, codes)
    for name in codes:
        if name not in table.sensitive:
            raise ParameterError(
                f"There is no sensitive column '{name}'.", did_you_mean(name, table.sensitive)
            )
    return codes


def _mask(size: int, codes: Collection[int]) -> Mask:
    """Mark the codes that are asked for."""
    mask = np.zeros(size, dtype=np.bool_)
    mask[np.fromiter(codes, dtype=np.int64, count=len(codes))] = True
    return mask


def _group_shares(found: Histogram, mask: Mask) -> Floats:
    """Say of each group which share of its values is asked for."""
    every = np.bincount(found.group, found.counts)
    met = np.bincount(found.group, found.counts * mask[found.value])
    return np.asarray(met / np.maximum(every, 1))


def _met(column: QuasiColumn, wanted: Wanted) -> Mask:
    """Mark the codes of a column that meet a condition."""
    if not isinstance(wanted, tuple):
        return _mask(column.size, wanted)
    if not isinstance(column, NumericColumn):
        raise ParameterError(
            f"Column '{column.name}' holds categories, so a range makes no sense.",
            "List the values.",
        )
    return np.asarray((wanted[0] <= column.values) & (column.values <= wanted[1]))


def cell_shares(
    column: QuasiColumn, cells: Cells, wanted: Wanted, *, exact: bool = False
) -> Floats:
    """Say of each distinct cell which share of what it covers is asked for.

    ``exact``: whether ``*`` can only be a missing cell, which meets no condition.
    """
    met = _met(column, wanted)
    if isinstance(cells, NumberCells):
        assert isinstance(column, NumericColumn)
        shares = _number_shares(column, cells, wanted, met)
    else:
        shares = _category_shares(cells, met)
    if exact and not cells.star.all():
        shares[cells.star] = 0.0
    return shares


def _category_shares(cells: CategoryCells, met: Mask) -> Floats:
    tree = cells.hierarchy
    before = np.concatenate([[0], np.cumsum(met)])
    first, last = tree.first_leaf[cells.nodes], tree.last_leaf[cells.nodes]
    shares = np.asarray((before[last + 1] - before[first]) / (last - first + 1), dtype=np.float64)
    for cell, codes in enumerate(cells.sets or ()):
        if codes is not None:
            shares[cell] = met[codes].mean()
    return shares


def _number_shares(column: NumericColumn, cells: NumberCells, wanted: Wanted, met: Mask) -> Floats:
    if not column.size:
        return np.zeros(len(cells))
    least, largest = column.values[0], column.values[-1]
    lo = np.where(cells.star, least, cells.lo)
    hi = np.where(cells.star, largest, cells.hi)
    open_end = cells.open_end & ~cells.star
    point = (lo == hi) & ~open_end
    if isinstance(wanted, tuple):
        shares = _range_shares(column, lo, hi, open_end, wanted)
        inside = (wanted[0] <= lo) & (lo <= wanted[1])
    else:
        shares = _value_shares(column, lo, hi, open_end, met)
        inside = np.isin(lo, column.values[met])
    return np.where(point, inside, shares)


def _range_shares(
    column: NumericColumn, lo: Ends, hi: Ends, open_end: Mask, wanted: tuple[float, float]
) -> Floats:
    """Compare intervals with a range: by the numbers in both, or by length."""
    left, right = np.maximum(lo, wanted[0]), np.minimum(hi, wanted[1])
    if column.exact:
        both = _numbers(column, left, right, open_end & (hi <= wanted[1]))
        every = _numbers(column, lo, hi, open_end)
    else:
        # Halves: the difference of two floats may be infinite.
        both = np.maximum(right / 2 - left / 2, 0.0)
        every = hi / 2 - lo / 2
    return np.divide(both, every, out=np.zeros(len(both)), where=every > 0)


def _numbers(column: NumericColumn, lo: Ends, hi: Ends, open_end: Mask) -> Floats:
    """Count the numbers with the column's decimals from ``lo`` to ``hi``."""
    first, last = numbers_between(column, lo, hi, open_end)
    return np.asarray(np.maximum(last - first + 1, 0.0), dtype=np.float64)


def numbers_between(
    column: NumericColumn, lo: Ends, hi: Ends, open_end: Mask
) -> tuple[Floats, Floats]:
    """Find the first and the last number with the column's decimals, in its units."""
    scale = 10.0**column.decimals
    first = np.ceil(lo * scale - _DUST)
    last = np.where(open_end, np.ceil(hi * scale - _DUST) - 1, np.floor(hi * scale + _DUST))
    return np.asarray(first), np.asarray(last)


def _value_shares(column: NumericColumn, lo: Ends, hi: Ends, open_end: Mask, met: Mask) -> Floats:
    """Count the values asked for that lie in each interval, of all numbers in it."""
    before = np.concatenate([[0], np.cumsum(met)])
    first = np.searchsorted(column.values, lo, side="left")
    left, right = (np.searchsorted(column.values, hi, side=side) for side in ("left", "right"))
    last = np.where(open_end, left, right)
    both = (before[last] - before[first]).astype(np.float64)
    every = _numbers(column, lo, hi, open_end) if column.exact else (last - first).astype(float)
    return np.asarray(np.divide(both, every, out=np.zeros(len(both)), where=every > 0))
