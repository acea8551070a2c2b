"""A column as its different values and a small number per cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arrays import Ints

Codes = npt.NDArray[np.unsignedinteger[Any]]

_SMALL_TABLE = 1 << 16
"""A table of at most this many possible keys is always made; see `_countable`."""

_HEAD = 1 << 12
"""Common values are first looked for among this many cells; see `_by_first`."""


@dataclass(frozen=True, eq=False)
class Dictionary:
    """The different values of a column, and for each cell which of them it holds.

    What is true of a value is found once for each value, not once for each cell, and cells are
    compared as small integers.

    ``values``: the values in order of first appearance, each once; a null is one of them.
    ``codes``: for each cell the place of its value.

    >>> found = Dictionary.of(pl.Series(["b", "a", None, "b"]))
    >>> found.values.to_list(), found.codes.tolist()
    (['b', 'a', None], [0, 1, 2, 0])
    """

    values: pl.Series
    codes: Codes

    @classmethod
    def of(cls, cells: pl.Series) -> Dictionary:
        """Find the different values of a column."""
        numbers, size = _numbers(cells)
        codes, first = _by_first(numbers, size)
        return cls(cells[first], codes)

    @classmethod
    def by(cls, values: pl.Series, numbers: npt.NDArray[np.integer[Any]]) -> Dictionary:
        """Make one of values, which may be there twice or not used, and the place of each cell's.

        >>> found = Dictionary.by(pl.Series(["a", "b", "c"]), np.array([2, 0, 2]))
        >>> found.values.to_list(), found.codes.tolist()
        (['c', 'a'], [0, 1, 0])
        """
        codes, first = _by_first(numbers, len(values))
        return cls(values[numbers[first]], codes).map(lambda used: used)

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def counts(self) -> Ints:
        """How many cells hold each value."""
        return np.bincount(self.codes, minlength=len(self)).astype(np.int64)

    def map(self, change: Callable[[pl.Series], pl.Series]) -> Dictionary:
        """Change every cell by changing each value; values that become equal are one then.

        >>> Dictionary.of(pl.Series(["b", "B", "a"])).map(lambda s: s.str.to_lowercase()).codes
        array([0, 0, 1], dtype=uint8)
        """
        changed = Dictionary.of(change(self.values))
        if len(changed) == len(self):
            return Dictionary(changed.values, self.codes)
        return Dictionary(changed.values, changed.codes.take(self.codes))

    def take(self, rows: npt.NDArray[np.integer[Any]]) -> Dictionary:
        """Take some of the cells, with the values that they hold."""
        codes, first = _by_first(self.codes[rows], len(self))
        return Dictionary(self.values[self.codes[rows[first]]], codes)

    def cells(self) -> pl.Series:
        """Write the column out."""
        return self.values[self.codes]

    def enum(self) -> pl.Series:
        """Write a column of texts out as an Enum, which holds each text once."""
        return self.values.cast(pl.Enum(self.values.drop_nulls()))[self.codes]


def number_rows(columns: Sequence[Dictionary]) -> tuple[Ints, int]:
    """Number rows by equal cells in all columns, in order of first appearance; also count them.

    >>> a, b = (Dictionary.of(pl.Series(cells)) for cells in (["x", "y", "x"], [1, 1, 1]))
    >>> number_rows([a, b])
    (array([0, 1, 0]), 2)
    """
    keys = np.zeros(len(columns[0].codes), dtype=np.int64)
    span = 1
    for column in columns:
        if span > 1 and not _countable(span * len(column), len(keys)):
            keys, span = _dense(keys, span)
        keys = keys * len(column) + column.codes
        span *= len(column)
    keys, span = _dense(keys, span)
    codes, _ = _by_first(keys, span)
    return codes.astype(np.int64), span


def count_pairs(
    one: npt.NDArray[np.integer[Any]], other: npt.NDArray[np.integer[Any]], size: int
) -> tuple[Ints, Ints, Ints]:
    """Count how often two codes meet, for each pair that does; the second is below ``size``.

    >>> count_pairs(np.array([0, 0, 1, 0]), np.array([2, 1, 2, 2]), 3)
    (array([0, 0, 1]), array([1, 2, 2]), array([1, 2, 1]))
    """
    keys = one.astype(np.int64) * size + other
    span = (int(one.max()) + 1) * size if len(one) else 0
    if _countable(span, len(keys)):
        every = np.bincount(keys, minlength=span)
        met = np.flatnonzero(every)
        counts = every[met]
    else:
        met, counts = np.unique(keys, return_counts=True)
    return met // size, met % size, counts.astype(np.int64)


def _numbers(cells: pl.Series) -> tuple[npt.NDArray[Any], int]:
    """Give equal cells equal numbers from 0 on, below a size; a null is equal to a null."""
    dtype = cells.dtype
    if dtype == pl.String:
        cells = cells.cast(pl.Categorical)
    elif dtype == pl.Boolean:
        cells = cells.cast(pl.UInt8)
    elif dtype.is_float():
        below = (cells == 0) & (1 / cells < 0)  # -0.0 stays apart from 0.0, as it is published
        cells = cells.rank("dense").cast(pl.Int64) * 2 - below.cast(pl.Int64)
    elif dtype.is_decimal():
        cells = cells.cast(pl.String).cast(pl.Categorical)
    whole = cells if cells.dtype.is_integer() else cells.to_physical()
    nulls = whole.null_count()
    if nulls == len(whole):
        return np.zeros(len(whole), dtype=np.uint8), 1
    least, largest = int(whole.min()), int(whole.max())  # type: ignore[arg-type]
    size = largest - least + 1
    if not _countable(size, len(whole)):
        distinct, numbers = np.unique(whole.drop_nulls().to_numpy(), return_inverse=True)
        if not nulls:
            return numbers, len(distinct)
        every = np.full(len(whole), len(distinct), dtype=np.int64)
        every[whole.is_not_null().to_numpy()] = numbers
        return every, len(distinct) + 1
    found = (whole.fill_null(least) if nulls else whole).to_numpy()
    if found.dtype.kind == "i":  # the ends of small integers lie farther apart than they hold
        found = found.astype(np.int64)
    found = found - found.dtype.type(least)
    if nulls:
        found = found.astype(np.int64)
        found[whole.is_null().to_numpy()] = size
    return found, size + bool(nulls)


def _countable(keys: int, rows: int) -> bool:
    """Say whether a table of all possible keys takes less time than sorting those of the rows."""
    return keys <= max(_SMALL_TABLE, 4 * rows)


def _dense(keys: Ints, span: int) -> tuple[Ints, int]:
    """Number the keys that occur from 0 on."""
    if _countable(span, len(keys)):
        occurs = np.zeros(span, dtype=np.bool_)
        occurs[keys] = True
        held = np.flatnonzero(occurs)
        numbers = np.empty(span, dtype=np.int64)  # what does not occur is not asked for
        numbers[held] = np.arange(len(held))
        return numbers.take(keys), len(held)
    distinct, numbered = np.unique(keys, return_inverse=True)
    return numbered.astype(np.int64), len(distinct)


def _by_first(numbers: npt.NDArray[Any], size: int) -> tuple[Codes, Ints]:
    """Number values by their first cell; also say which cell that is."""
    rows = len(numbers)
    first = np.full(size, rows, dtype=np.int64)
    if size > _HEAD or rows <= _HEAD:
        first[numbers[::-1]] = np.arange(rows - 1, -1, -1)
        order, places = _places(first, rows)
        return places.take(numbers), first[order]
    # Of few values, most are among the first cells; then only cells of others are looked at.
    first[numbers[:_HEAD][::-1]] = np.arange(_HEAD - 1, -1, -1)
    order, places = _places(first, rows)
    codes = places.take(numbers)
    later = np.flatnonzero(codes == len(order))
    if len(later):
        others = numbers[later]
        first[others[::-1]] = later[::-1]
        order, places = _places(first, rows)
        codes = codes.astype(places.dtype, copy=False)
        codes[later] = places[others]
    return codes, first[order]


def _places(first: Ints, rows: int) -> tuple[npt.NDArray[np.intp], Codes]:
    """Order the values that have a first cell by it; those without one come after all of them."""
    held = np.flatnonzero(first < rows)
    order = held[np.argsort(first[held])]
    places = np.full(len(first), len(order), dtype=smallest(len(order)))
    places[order] = np.arange(len(order))
    return order, places


def smallest(size: int) -> type[np.unsignedinteger[Any]]:
    """Choose the smallest integers that number so many values, and one more thing.

    >>> smallest(255).__name__, smallest(256).__name__
    ('uint8', 'uint16')
    """
    kinds: Sequence[type[np.unsignedinteger[Any]]] = (np.uint8, np.uint16, np.uint32)
    return next(kind for kind in kinds if size <= np.iinfo(kind).max)
