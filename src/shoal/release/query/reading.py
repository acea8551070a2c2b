"""Published tables as readers have them, made ready to count in."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from shoal.base.arrays import Ints
from shoal.base.cells import (
    STAR,
    dates_text,
    number_text,
    parse_dates,
    parse_interval,
    parse_set,
    shown,
)
from shoal.errors import InputError, ParameterError
from shoal.io.frames import Coded
from shoal.models import Histogram
from shoal.publications.published import Published, Released, is_numeric
from shoal.publications.recoding import Recoded, parse
from shoal.release.query.where import require_column
from shoal.table import CategoricalColumn, QuasiColumn, Table
from shoal.table.hierarchies import CsvFile, Flat, Hierarchy, Tree
from shoal.table.schema import Column, Kind, Role, Schema, SchemaLike, as_schema, quasi
from shoal.table.sensitive import SensitiveColumn


@dataclass(frozen=True, eq=False)
class Reading:
    """Published tables and what is known about their columns: roles, kinds and hierarchies."""

    published: Published
    schema: Schema

    @property
    def exact(self) -> bool:
        """Whether quasi-identifiers are published as they are; of several tables, if unsaid."""
        ranges = self.published.exact
        return self.published.linked if ranges is None else ranges

    @property
    def columns(self) -> list[str]:
        """The columns that conditions may name."""
        return [*self.schema.quasi, *self.schema.sensitive]

    def encode(self, names: Collection[str]) -> tuple[Table, Recoded]:
        """Read the cells of some columns, and the sensitive values."""
        for name in names:
            require_column(name, self.columns)
        wanted = [name for name in self.schema.quasi if name in names]
        cells = {name: shown(self.published.frame[name]) for name in wanted}
        columns = tuple(self._column(name, cells[name]) for name in wanted)
        sensitive = [n for n in self.schema.sensitive if n in self.published.frame.columns]
        values = [self.published.frame[name] for name in sensitive]
        roles = {name: self.schema[name] for name in (*wanted, *sensitive)}
        schema = Schema(roles, missing=self.schema.missing)
        known = {
            each.name: SensitiveColumn.encode(each, schema.missing_of(each.name)) for each in values
        }
        table = Table(Coded(pl.DataFrame([*cells.values(), *values])), schema, columns, known)
        rows = np.arange(self.published.frame.height)
        made = parse(table, pl.DataFrame(cells), rows) if wanted else Recoded(rows, ())
        if not self.published.linked:
            return table, Recoded(rows, made.columns, None, self.exact)
        groups, found = self._by_group()
        # The values are not in the frame: nobody knows which row they belong to.
        unknown = np.zeros(len(rows), dtype=np.int64)
        by_class = {name: SensitiveColumn(unknown, each.labels) for name, each in found.items()}
        table = replace(table, sensitive=by_class)
        return table, Recoded(rows, made.columns, groups, self.exact, found)

    def _by_group(self) -> tuple[Ints, dict[str, Histogram]]:
        """Number the classes, and count the values that each of them shows."""
        groups, shown = self.published.by_class(self.schema)
        sizes = np.bincount(groups)
        added = self.published.counterfeits
        if added:
            ids = self.published.ids.unique().sort()
            sizes = sizes + np.array([added.get(each, 0) for each in ids])
        for found in shown.values():
            held = found.held(len(sizes))
            once = self.published.by_column and len(held) == len(sizes) and (held > 0).all()
            if not (once or np.array_equal(held, sizes)):
                raise InputError(
                    "The tables have different classes, or a class has more or fewer values "
                    "than rows.",
                    "Run `shoal verify` to see what is wrong.",
                )
        return groups, shown

    def _column(self, name: str, cells: pl.Series) -> QuasiColumn:
        """Find out what the cells of a column may stand for."""
        known = self.schema[name]
        distinct = cells.filter(cells != STAR).unique()
        if known.kind is Kind.DATE:
            return _domain(name, distinct, dates=True)
        if is_numeric(cells, self.schema, name):
            return _domain(name, distinct, dates=False)
        return CategoricalColumn(
            name, np.zeros(0, dtype=np.uint8), self._tree(name, known, distinct), known.weight
        )

    def _tree(self, name: str, known: Column, distinct: pl.Series) -> Hierarchy:
        hierarchy = known.hierarchy
        if isinstance(hierarchy, Hierarchy):
            return hierarchy
        if isinstance(hierarchy, CsvFile | Tree):  # the only builders that need no values
            return hierarchy.build(distinct)
        if self.exact or self.published.centres is not None or isinstance(hierarchy, Flat):
            held = {each for cell in distinct for each in parse_set(cell) or (cell,)}
            return Hierarchy.flat(sorted(held)) if held else Hierarchy([STAR], [-1])
        raise ParameterError(
            f"Column '{name}' is published in generalized cells, but no hierarchy says what "
            "they cover.",
            "Give its hierarchy: a schema in Python, --plan on the command line.",
        )


def read(
    published: Any,
    *,
    schema: SchemaLike | None = None,
    class_column: str | None = None,
    exact: bool | None = None,
) -> Reading:
    """Read a release, tables that share a class id, or one table.

    ``published``: as in `Published.read`.
    ``schema``: roles and hierarchies. A release brings its own; several tables do without, if their
        quasi-identifiers are exact.
    ``exact``: whether quasi-identifiers are published as they are; several tables are taken to be
        so unless this says otherwise.
    """
    if schema is None and isinstance(published, Released):
        schema = published.schema
    read = Published.read(published, schema, class_column=class_column, exact=exact)
    if schema is None:
        if not read.linked:
            raise ParameterError(
                "No quasi-identifiers were given.", "Give schema=…, with their hierarchies."
            )
        schema = Schema(
            {name: quasi() for name in read.columns}
            | {name: Column(Role.SENSITIVE) for name in read.value_tables}
        )
    schema = as_schema(schema)
    if schema.quasi:
        read.require_columns(schema.quasi, "Check the table and the schema.")
    return Reading(read, schema)


def columns(
    published: Any, *, schema: SchemaLike | None = None, class_column: str | None = None
) -> list[str]:
    """List the columns that conditions may name: quasi-identifiers and sensitive ones."""
    return read(published, schema=schema, class_column=class_column).columns


def _domain(name: str, cells: pl.Series, *, dates: bool) -> QuasiColumn:
    """Take what lies from the least to the largest published end for the domain."""
    parse = parse_dates if dates else parse_interval
    read = [interval for text in cells if (interval := parse(text)) is not None]
    if len(read) < len(cells):
        raise InputError(
            f"Column '{name}' shows {len(cells) - len(read)} distinct cells that are "
            + ("not date ranges." if dates else "neither numbers nor intervals."),
            f"{'They look like 1955 to 1964' if dates else 'Intervals look like [20, 30]'}; make "
            "the column categorical if it uses a hierarchy.",
        )
    every = [end for each in read for end in (each.lo, each.hi)]
    ends = [dates_text(int(end), int(end)) if dates else number_text(end) for end in every]
    frame = pl.DataFrame({name: pl.Series(ends or [None], dtype=pl.String)})
    kind = quasi(kind="date", format="%Y-%m-%d") if dates else quasi(kind="numeric")
    return Table.encode(frame, Schema({name: kind}), empty_columns=True).quasi[0]
