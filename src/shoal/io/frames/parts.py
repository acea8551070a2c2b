"""A column that comes in parts, such as the row groups of a file."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.io.frames.coded import Coded
from shoal.io.frames.dictionary import Dictionary, smallest
from shoal.io.frames.plain import require_no_nul


class Parts:
    """Joins the parts of a column; a value is kept once, not once in each part.

    Parts are kept as dictionaries, whose codes take little space, or as cells. All parts of a
    column must be given in one form.

    ``repeats``: whether cells become dictionaries if those of the first part repeat twice or more.

    >>> parts = Parts()
    >>> for cells in (["b", "a"], ["c", "b"]):
    ...     parts.add(Dictionary.of(pl.Series(cells)))
    >>> whole = parts.whole()
    >>> whole.values.to_list(), whole.codes.tolist()
    (['b', 'a', 'c'], [0, 1, 2, 0])
    """

    def __init__(self, *, repeats: bool = False) -> None:
        self._repeats = repeats
        self._coded: list[Dictionary] = []
        self._cells: list[pl.Series] = []

    def add(self, part: pl.Series | Dictionary) -> None:
        """Take the next part."""
        if self._repeats and not isinstance(part, Dictionary):
            found = Dictionary.of(part)
            self._repeats = bool(self._coded) or 2 * len(found) <= len(part)
            part = found if self._repeats else part
        if isinstance(part, Dictionary):
            self._coded.append(part)
        else:
            self._cells.append(part)

    def whole(self) -> pl.Series | Dictionary:
        """Join the parts, and forget them one by one, so that the column is not there twice."""
        if self._cells:
            made = pl.concat(self._cells, rechunk=True)
            self._cells = []
            return made
        every = Dictionary.of(pl.concat([part.values for part in self._coded]))
        codes = np.empty(sum(len(part.codes) for part in self._coded), dtype=smallest(len(every)))
        row = value = 0
        while self._coded:
            part = self._coded.pop(0)
            codes[row : row + len(part.codes)] = every.codes[value : value + len(part)][part.codes]
            row, value = row + len(part.codes), value + len(part)
        return Dictionary(every.values, codes)


def joined(columns: dict[str, Parts], rows: int, source: str) -> Coded:
    """Join the parts of each column, which are forgotten; refuse texts that hold NUL."""
    made: dict[str, pl.Series | Dictionary | None] = {}
    for name in list(columns):
        found = columns.pop(name).whole()
        require_no_nul(found, name, source)
        made[name] = found
    return Coded(made, rows)
