"""How a hierarchy fits its column: which values it covers, and how many rows each node holds.

For people who make a hierarchy: a table is encoded only with one that covers every value, and this
says what is missing before.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arrays import Ints
from shoal.io.frames import Coded
from shoal.table.hierarchies import Builder, Hierarchy
from shoal.table.hierarchies.values import positions_of
from shoal.table.numbers import column_texts
from shoal.table.preparing import prepared, with_formats
from shoal.table.schema import Kind, Schema
from shoal.table.table import Table, resolve


@dataclass(frozen=True, eq=False)
class ColumnValues:
    """The values of a quasi-identifier as its hierarchy must know them.

    ``name``: of the column.
    ``kind``: what its cells are.
    ``values``: the different texts, as they are prepared; numbers in their one form.
    ``rows``: how many rows hold each.
    ``missing``: how many rows have no value; they stand at the root.

    >>> import shoal
    >>> table = Coded(pl.DataFrame({"age": ["30", "4.50", "?", "4.5"]}))
    >>> schema = Schema({"age": shoal.quasi(kind="numeric")}, missing=["?"])
    >>> found = ColumnValues.of(table, schema, "age")
    >>> found.values.to_list(), found.rows.tolist(), found.missing
    (['30', '4.5'], [1, 2], 1)
    """

    name: str
    kind: Kind
    values: pl.Series
    rows: Ints
    missing: int
    _table: Coded
    _schema: Schema

    @classmethod
    def of(cls, table: Coded, schema: Schema, name: str) -> ColumnValues:
        """Find the values of a column, as `Table.encode` does.

        Raises `ShoalError` if the column cannot be prepared, such as numbers that are none.
        """
        alone = Coded({name: table[name]}, table.height)
        only = with_formats(alone, Schema({name: schema[name]}, missing=schema.missing))
        alone, only = prepared(alone, only)
        found = alone[name]
        numeric = found.values.dtype.is_numeric() and only[name].hierarchy is None
        kind = only[name].kind or (Kind.NUMERIC if numeric else Kind.CATEGORICAL)
        known = column_texts(alone, only.with_column(name, kind=kind), name)
        frame = pl.DataFrame({"value": known.cast(pl.String), "rows": found.counts})
        every = frame.group_by("value", maintain_order=True).sum()
        held = every.filter(pl.col("value").is_not_null())
        rows = held["rows"].to_numpy().astype(np.int64)
        absent = int(found.counts.sum() - rows.sum())
        return cls(name, kind, held["value"], rows, absent, alone, only)

    def __len__(self) -> int:
        return len(self.values)

    def build(self, builder: Builder) -> Hierarchy:
        """Build the hierarchy that a release would get of the column.

        Raises `ShoalError` if the values do not fit the builder.

        >>> import shoal
        >>> table = Coded(pl.DataFrame({"zip": ["23208", "23219"]}))
        >>> found = ColumnValues.of(table, Schema({"zip": shoal.quasi()}), "zip")
        >>> found.build(shoal.hierarchies.Prefixes(keep=3)).labels[1]
        '232**'
        """
        schema = self._schema.with_column(self.name, kind=self.kind, hierarchy=builder)
        made = resolve(self._table, schema)[self.name].hierarchy
        assert isinstance(made, Hierarchy)
        return made

    def require_fit(self, tree: Hierarchy) -> None:
        """Refuse a hierarchy that a release of the column would refuse (raises `ShoalError`).

        >>> import shoal
        >>> table = Coded(pl.DataFrame({"age": [30, 41]}))
        >>> found = ColumnValues.of(table, Schema({"age": shoal.quasi(kind="numeric")}), "age")
        >>> found.require_fit(Hierarchy.from_dict({"young": ["30"], "[40, 50)": ["41"]}))
        Traceback (most recent call last):
        shoal.errors.HierarchyError: The hierarchy of the numeric column 'age' has 1 nodes that are
        not intervals. ...
        """
        schema = self._schema.with_column(self.name, kind=self.kind, hierarchy=tree)
        Table.encode(self._table, schema, empty_columns=True)


@dataclass(frozen=True, eq=False)
class Coverage:
    """Which values of a column a tree has, and how many rows each of its nodes holds.

    >>> import shoal
    >>> table = Coded(pl.DataFrame({"town": ["Oslo", "Bergen", "Rome", "Oslo", None]}))
    >>> found = ColumnValues.of(table, Schema({"town": shoal.quasi()}), "town")
    >>> tree = Hierarchy.from_dict({"Norway": ["Oslo", "Bergen"], "Paris": None})
    >>> made = Coverage(tree, found)
    >>> made.uncovered, made.uncovered_rows, made.unused
    (('Rome',), 1, 1)
    >>> dict(zip(tree.labels, made.rows.tolist(), strict=True))
    {'*': 4, 'Norway': 3, 'Oslo': 2, 'Bergen': 1, 'Paris': 0}
    >>> made.levels
    (2, 1, 1)
    """

    tree: Hierarchy
    values: ColumnValues

    @cached_property
    def _codes(self) -> npt.NDArray[np.int32]:
        """The leaf of each value; -2 where the tree has none."""
        leaves = self.tree.leaves if self.tree.n_nodes > 1 else ()
        return positions_of(self.values.values, leaves)

    @cached_property
    def uncovered(self) -> tuple[str, ...]:
        """The values that the tree misses (private)."""
        return tuple(self.values.values.filter(pl.Series(self._codes < 0)))

    @property
    def uncovered_rows(self) -> int:
        """How many rows hold a value that the tree misses."""
        return int(self.values.rows[self._codes < 0].sum())

    @cached_property
    def _leaf_rows(self) -> Ints:
        held = self._codes >= 0
        counted = np.zeros(self.tree.n_leaves, dtype=np.int64)
        np.add.at(counted, self._codes[held], self.values.rows[held])
        return counted

    @property
    def unused(self) -> int:
        """How many leaves are no value of the column."""
        return int((self._leaf_rows == 0).sum()) if self.tree.n_nodes > 1 else 0

    @cached_property
    def rows(self) -> Ints:
        """How many rows stand at each node or below it; cells without a value count at the root."""
        sums = np.append(0, np.cumsum(self._leaf_rows))
        made: Ints = sums[self.tree.last_leaf + 1] - sums[self.tree.first_leaf]
        made[0] += self.values.missing
        return made

    def held_at(self, level: int) -> npt.NDArray[Any]:
        """Give the nodes that values of the column become at a level, 0 being themselves."""
        nodes = self.tree.at_level(level)[:-1][self._leaf_rows > 0]
        # Nodes are numbered as their leaves are, so equal ones stand together.
        first: npt.NDArray[Any] = nodes[np.diff(nodes, prepend=-1) != 0]
        return first

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """How many different values remain at each level, from the values to the root."""
        return tuple(len(self.held_at(level)) for level in range(self.tree.height + 1))
