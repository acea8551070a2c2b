"""A table whose columns are known as cells, or by their different values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.io.frames.dictionary import Dictionary

Rows: TypeAlias = npt.NDArray[np.integer[Any]]


class Coded:
    """A table whose columns are known as cells, as a `Dictionary`, or as both.

    Each form is made from the other when it is asked for.

    ``columns``: by name, in the table's order: plain columns, dictionaries, or ``None`` for a
        column that the table has and nobody read. It is not in `frame`, and must not be asked for.
    ``typed``: columns whose type follows from their cells: gives those of some rows, with their
        type.

    >>> coded = Coded(pl.DataFrame({"sex": ["f", "m", "f"]}))
    >>> coded["sex"].codes.tolist(), coded["sex"] is coded["sex"]
    ([0, 1, 0], True)
    >>> Coded({"sex": coded["sex"]}).frame["sex"].to_list()
    ['f', 'm', 'f']
    """

    def __init__(
        self,
        columns: pl.DataFrame | Mapping[str, pl.Series | Dictionary | None],
        rows: int | None = None,
        typed: Mapping[str, Callable[[Rows], pl.Series]] | None = None,
    ) -> None:
        self._frame: pl.DataFrame | None = None
        if isinstance(columns, pl.DataFrame):
            self._frame, rows = columns, columns.height
            columns = {column.name: column for column in columns.iter_columns()}
        self._columns = dict(columns)
        self._typed = dict(typed or {})
        if rows is None:
            read = [column for column in self._columns.values() if column is not None]
            rows = max((len(getattr(each, "codes", each)) for each in read), default=0)
        self.height = rows
        self._known = {
            name: found for name, found in self._columns.items() if isinstance(found, Dictionary)
        }

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    @property
    def frame(self) -> pl.DataFrame:
        """The table as plain columns."""
        if self._frame is None:
            self._frame = pl.DataFrame(
                [self.cells(name) for name, read in self._columns.items() if read is not None]
            )
        return self._frame

    def __getitem__(self, name: str) -> Dictionary:
        if name not in self._known:
            self._known[name] = Dictionary.of(self.cells(name))
        return self._known[name]

    def column(self, name: str) -> pl.Series | Dictionary | None:
        """Give one column in the form it is known in; ``None`` if nobody read it."""
        return self._known[name] if name in self._known else self._columns[name]

    def knows(self, name: str) -> bool:
        """Say whether the dictionary of a column is known already."""
        return name in self._known

    def holds(self, name: str) -> bool:
        """Say whether the cells of a column are here, and not only its name.

        >>> coded = Coded(pl.DataFrame({"sex": ["f"], "age": [3]})).only(["age"])
        >>> coded.holds("age"), coded.holds("sex"), coded.holds("zip")
        (True, False, False)
        """
        return self._columns.get(name) is not None

    def cells(self, name: str, rows: slice = slice(None)) -> pl.Series:
        """Give one column as cells, in all rows or some that follow each other."""
        column = self._columns[name]
        if column is None:
            raise LookupError("a column that was not read was asked for")
        if isinstance(column, Dictionary):
            return column.values[column.codes[rows]].alias(name)
        return column[rows]

    def with_columns(self, changed: Mapping[str, pl.Series | Dictionary]) -> Coded:
        """Replace some columns, in their places; what is known of the others stays known.

        >>> coded = Coded(pl.DataFrame({"sex": ["f", "m"], "age": [3, 4]}))
        >>> made = coded.with_columns({"sex": Dictionary.of(pl.Series(["m", "m"]))})
        >>> made.frame.rows()
        [('m', 3), ('m', 4)]
        """
        if not changed:
            return self
        made = Coded({**self._columns, **changed}, self.height, self._typed_but(changed))
        made._known |= {name: known for name, known in self._known.items() if name not in changed}
        return made

    def only(self, names: Collection[str]) -> Coded:
        """Forget the cells of all other columns, which stay named."""
        kept = {name: each if name in names else None for name, each in self._columns.items()}
        gone = [name for name in self._columns if name not in names]
        made = Coded(kept, self.height, self._typed_but(gone))
        made._known = {name: known for name, known in self._known.items() if name in names}
        return made

    def take(self, rows: Rows) -> Coded:
        """Take some of the rows; dictionaries that are known stay so.

        >>> cells = pl.Series("age", ["3", "4", "?"])
        >>> typed = {"age": lambda rows: cells[rows].cast(pl.Int64)}
        >>> Coded(cells.to_frame(), typed=typed).take(np.array([1, 0])).frame.rows()
        [(4,), (3,)]
        """

        def taken(name: str) -> pl.Series | Dictionary | None:
            if name in self._typed:
                return self._typed[name](rows).alias(name)
            if name in self._known:
                return self._known[name].take(rows)
            return None if self._columns[name] is None else self.cells(name)[rows]

        return Coded({name: taken(name) for name in self._columns}, len(rows))

    def _typed_but(self, names: Collection[str]) -> dict[str, Callable[[Rows], pl.Series]]:
        return {name: each for name, each in self._typed.items() if name not in names}
