"""What the whole table says of its columns: values, codes, trees and ranges. Rows stay in Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.cells import texts
from shoal.base.plural import counted
from shoal.engines.spark.columns import Layout, collected, functions as f, is_missing_cell, quoted
from shoal.errors import InputError
from shoal.io.frames import Coded, Dictionary
from shoal.judging.remarks import counted_remarks
from shoal.judging.remarks.seen import Seen
from shoal.table import QuasiColumn, Table
from shoal.table.hierarchies import Auto
from shoal.table.numbers import to_numbers
from shoal.table.preparing import is_prepared, prepared, with_formats, with_preparation_of
from shoal.table.schema import Kind, Schema, is_missing
from shoal.table.sensitive import SensitiveColumn

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST_VALUES = 5_000_000
"""So many different values of a column at most are held in one place."""

NO_ROWS: npt.NDArray[np.intp] = np.zeros(0, dtype=np.intp)

Codes = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Domain:
    """Columns as the whole table has them, for rows that lie anywhere."""

    schema: Schema
    """With the kinds and trees that the table settled."""
    requested: Schema
    """The same, with what is required of cells as they come in."""
    quasi: tuple[QuasiColumn, ...]
    """Quasi-identifiers without rows."""
    values: Mapping[str, pl.Series]
    codes: Mapping[str, npt.NDArray[np.int32]]
    """By column: its different values, and the code of each."""
    labels: Mapping[str, tuple[str | None, ...]]
    """The texts of the codes of each sensitive column."""
    shown: Mapping[str, pl.Series]
    """Of columns that are prepared or, being sensitive, have a hierarchy: what is published for
    each value."""
    rows: int
    remarks: tuple[str, ...] = ()

    @classmethod
    def collect(cls, frame: DataFrame, schema: Schema) -> Domain:
        """Find the different values of each column in Spark, and encode them as one machine does.

        Raises `InputError` if a column has more different values than one place can hold.
        """
        rows = frame.count()
        changed = [name for name in schema.other if is_prepared(schema[name])]
        found = {n: _values(frame, n) for n in (*schema.quasi, *schema.sensitive, *changed)}
        columns: dict[str, Any] = dict.fromkeys(schema)
        for name, each in found.items():
            columns[name] = Dictionary(each[name], np.arange(each.height, dtype=np.uint32))
        if schema.entity is not None:  # rows without one are refused elsewhere
            columns[schema.entity] = Dictionary(pl.Series(["someone"]), np.zeros(1, dtype=np.uint8))
        given = Coded(columns, rows)
        wanted = with_formats(given, schema)
        made, schema = prepared(given, wanted)
        for name in (*schema.quasi, *schema.sensitive):
            schema = _counted(schema, name, made[name], found[name]["count"])
        table = Table.encode(made, schema)
        codes = {column.name: column.codes for column in table.quasi}
        codes |= {name: each.codes for name, each in table.sensitive.items()}
        shown = [n for n in schema.sensitive if table.schema[n].hierarchy is not None]
        shown += [n for n in schema.untouched if is_prepared(wanted[n])]
        return cls(
            table.schema,
            with_preparation_of(table.schema, wanted),
            tuple(column.select(NO_ROWS, ranges="whole") for column in table.quasi),
            {name: each[name] for name, each in found.items()},
            {name: each.astype(np.int32) for name, each in codes.items()},
            {name: each.labels for name, each in table.sensitive.items()},
            {name: table.coded.cells(name) for name in shown},
            rows,
            _remarks_on(frame, table, {name: each["count"] for name, each in found.items()}),
        )

    @property
    def layout(self) -> Layout:
        """Where things stand in a row."""
        return Layout.of(self.schema)

    def places_of(self, name: str, cells: pl.Series) -> npt.NDArray[np.int64]:
        """Find the place of each cell among the different values of its column."""
        values = self.values[name]
        known = pl.DataFrame({"cell": values.rename("cell"), "at": np.arange(len(values))})
        sought = pl.DataFrame({"cell": cells.cast(values.dtype)})
        found = sought.join(known, on="cell", how="left", nulls_equal=True, maintain_order="left")
        return found["at"].to_numpy()

    def published(self, name: str, cells: pl.Series) -> pl.Series:
        """Say what is published of cells of a column that is not generalized."""
        if name not in self.shown:
            return cells
        return self.shown[name][self.places_of(name, cells)].alias(name)

    def table(
        self,
        quasi: Sequence[Codes],
        sensitive: Mapping[str, Codes] | None = None,
        people: npt.NDArray[np.int64] | None = None,
        others: pl.DataFrame | None = None,
        multiplicity: npt.NDArray[np.int64] | None = None,
    ) -> Table:
        """Make a table of some rows, with the whole table's ranges and trees.

        `others`: published columns besides.
        `multiplicity`: how many equal rows each row stands for.
        """
        columns = tuple(
            replace(column, codes=codes) for column, codes in zip(self.quasi, quasi, strict=True)
        )
        coded = Coded({}, len(quasi[0])) if others is None else Coded(others)
        known = {
            name: SensitiveColumn(codes.astype(np.int64), self.labels[name])
            for name, codes in (sensitive or {}).items()
        }
        return Table(coded, self.schema, columns, known, people, multiplicity=multiplicity)


def _values(frame: DataFrame, name: str) -> pl.DataFrame:
    """Collect the different values of a column, and how many rows hold each, in a fixed order."""
    made = collected(frame.groupBy(quoted(name)).count().limit(MOST_VALUES + 1))
    if made.height > MOST_VALUES:
        raise InputError(
            f"Column '{name}' has more than {counted(MOST_VALUES, 'different value')}.",
            "Round or shorten its values first, or leave the column out.",
        )
    made.columns = [name, "count"]
    order = texts(made[name]).fill_null("").arg_sort()
    return made[order]


def _counted(schema: Schema, name: str, found: Dictionary, rows: pl.Series) -> Schema:
    """Tell a builder that asks how often values occur; so many rows hold each that came in."""
    hierarchy = schema[name].hierarchy
    if not isinstance(hierarchy, Auto) or hierarchy.counts is not None:
        return schema
    values, missing = found.values, is_missing(found.values, schema.missing_of(name))
    if schema[name].kind is Kind.NUMERIC:
        values = to_numbers(values, missing)
    words = texts(values).set(missing, None)[found.codes]
    by_word: dict[str, int] = {}
    for word, count in zip(words, rows, strict=True):
        if word is not None:
            by_word[word] = by_word.get(word, 0) + count
    return schema.with_column(name, hierarchy=replace(hierarchy, counts=by_word))


def _remarks_on(frame: DataFrame, table: Table, counts: Mapping[str, pl.Series]) -> tuple[str, ...]:
    """Say which columns look dangerous, by what can be counted in Spark.

    `table`: the different values of columns, as they are published.
    `counts`: how many rows hold each of them.
    """
    schema = table.schema.without([n for n in table.schema if n not in frame.columns])
    seen = {}
    for name in schema:
        missing = schema.missing_of(name)
        if name in counts:
            found = table.coded[name]
            held = np.bincount(found.codes, counts[name].to_numpy(), minlength=len(found))
            seen[name] = Seen.counted(found.values, held.astype(np.int64), missing)
        elif name in schema.other or not (schema.entity or schema.one_row_each):
            seen[name] = _seen(frame, name, missing)
    return tuple(counted_remarks(table.coded, schema, seen))


def _seen(frame: DataFrame, name: str, missing: tuple[str, ...]) -> Seen:
    """Count a column whose values stay in Spark."""
    known = ~is_missing_cell(f.col("value"), missing)
    counted = frame.groupBy(f.col(quoted(name)).alias("value")).count()
    own = f.when(known, f.col("count"))
    aggregates = (f.sum("count"), f.sum(own), f.count(own), f.var_samp(own))
    rows, cells, values, variance = counted.agg(*aggregates).collect()[0]
    return Seen(int(rows), int(cells or 0), int(values), float(variance or 0.0))
