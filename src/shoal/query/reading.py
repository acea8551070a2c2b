"""Published tables as readers have them, made ready to count in."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.cells import STAR, number_text, parse_interval, shown
from shoal.errors import InputError, ParameterError
from shoal.frames import to_polars
from shoal.hierarchies import CsvFile, Flat, Hierarchy, Tree
from shoal.models import Histogram
from shoal.query.where import require_column
from shoal.recode import Recoded, parse
from shoal.release import Release
from shoal.schema import Column, Kind, Role, Schema, quasi
from shoal.table import CategoricalColumn, QuasiColumn, Table
from shoal.table.sensitive import SensitiveColumn
from shoal.verification import PublishedTables, ValueTable

__all__ = ["Reading", "columns", "read"]


@dataclass(frozen=True, eq=False)
class Reading:
    """Published tables and what is known about their columns.

    Parameters
    ----------
    frame
        The table of quasi-identifiers, with the sensitive values where it holds them.
    schema
        Roles, kinds and hierarchies, as far as anyone said.
    linked
        The tables that share a class id, where there are several.
    exact
        Whether quasi-identifiers are published as they are.
    """

    frame: pl.DataFrame
    schema: Schema
    linked: PublishedTables | None
    exact: bool

    @property
    def columns(self) -> list[str]:
        """The columns that conditions may name."""
        return [*self.schema.quasi, *self.schema.sensitive]

    def encode(self, names: Collection[str]) -> tuple[Table, Recoded]:
        """Read the cells of some columns, and the sensitive values."""
        for name in names:
            require_column(name, self.columns)
        asked = [name for name in self.schema.quasi if name in names]
        cells = {name: shown(self.frame[name]) for name in asked}
        columns = tuple(self._column(name, cells[name]) for name in asked)
        secrets = [n for n in self.schema.sensitive if n in self.frame.columns]
        values = [self.frame[name] for name in secrets]
        roles = {name: self.schema[name] for name in (*asked, *secrets)}
        schema = Schema(roles, missing=self.schema.missing)
        table = Table(pl.DataFrame([*cells.values(), *values]), schema, columns)
        rows = np.arange(self.frame.height)
        published = pl.DataFrame(cells)
        made = parse(table, published, rows) if asked else Recoded(rows, ())
        if self.linked is None:
            return table, Recoded(rows, made.columns, None, self.exact)
        groups, found = _by_group(self.linked, self.schema)
        # The values are not in the frame: nobody knows which row they belong to.
        unknown = np.zeros(len(rows), dtype=np.int64)
        vars(table)["sensitive"] = {
            name: SensitiveColumn(unknown, each.labels) for name, each in found.items()
        }
        return table, Recoded(rows, made.columns, groups, self.exact, found)

    def _column(self, name: str, cells: pl.Series) -> QuasiColumn:
        """Find out what the cells of a column may stand for."""
        known = self.schema[name]
        distinct = cells.filter(cells != STAR).unique()
        kind = known.kind
        if kind is None:
            numeric = known.hierarchy is None and all(_is_number(text) for text in distinct)
            kind = Kind.NUMERIC if numeric and len(distinct) else Kind.CATEGORICAL
        if kind is Kind.NUMERIC:
            return _numbers(name, distinct)
        return CategoricalColumn(
            name, np.zeros(0, dtype=np.uint8), self._tree(name, known, distinct), known.weight
        )

    def _tree(self, name: str, known: Column, distinct: pl.Series) -> Hierarchy:
        hierarchy = known.hierarchy
        if isinstance(hierarchy, Hierarchy):
            return hierarchy
        if isinstance(hierarchy, CsvFile | Tree):  # the only builders that need no values
            return hierarchy.build(distinct)
        if self.exact or isinstance(hierarchy, Flat):
            return Hierarchy.flat(distinct.sort()) if len(distinct) else Hierarchy([STAR], [-1])
        raise ParameterError(
            f"Column '{name}' is published in generalized cells, and nobody said what they cover.",
            "Give its hierarchy: a schema in Python, --plan at the command line.",
        )


def read(
    published: Any,
    *,
    schema: Schema | None = None,
    class_column: str | None = None,
    exact: bool | None = None,
) -> Reading:
    """Read a release, tables that share a class id, or one table.

    Parameters
    ----------
    published
        A `Release`; ``{"quasi": …, "sensitive": …}``, the latter a frame or one per sensitive
        column; or a frame.
    schema
        Roles and hierarchies. A release brings its own; several tables do without, if their
        quasi-identifiers are exact.
    exact
        Whether quasi-identifiers are published as they are; several tables are taken to be so
        unless this says otherwise.
    """
    if isinstance(published, Release):
        made = published.linked
        if made is None:
            return Reading(published.frame, published.schema, None, exact=False)
        linked = PublishedTables(
            made.quasi,
            made.class_column,
            {
                name: ValueTable(frame, name, made.class_column, name, made.count_column)
                for name, frame in made.secrets.items()
            },
            made.by_column,
        )
        exact = published.plan.publication.exact
        return Reading(linked.quasi, published.schema, linked, exact=exact)
    if isinstance(published, Mapping):
        by_column = isinstance(published.get("sensitive"), Mapping)
        known = schema is not None and (by_column or len(schema.sensitive) == 1)
        linked = PublishedTables.read(
            published,
            secrets=schema.sensitive if schema is not None and known else None,
            known=[] if schema is None else list(schema),
            class_column=class_column,
        )
        if schema is None:
            schema = Schema(
                {name: quasi() for name in linked.columns}
                | {name: Column(Role.SENSITIVE) for name in linked.secrets}
            )
        reading = Reading(linked.quasi, schema, linked, exact=exact is not False)
    else:
        if schema is None:
            raise ParameterError(
                "Nobody said which columns of the table are quasi-identifiers.",
                "Give schema=…, with their hierarchies.",
            )
        reading = Reading(to_polars(published), schema, None, exact=bool(exact))
    absent = [name for name in reading.schema.quasi if name not in reading.frame.columns]
    if absent:
        raise InputError(
            f"The published table has no column '{absent[0]}'.", "Check the table and the schema."
        )
    return reading


def columns(
    published: Any, *, schema: Schema | None = None, class_column: str | None = None
) -> list[str]:
    """List the columns that conditions may name: quasi-identifiers and sensitive ones."""
    return read(published, schema=schema, class_column=class_column).columns


def _is_number(text: str) -> bool:
    """Say whether a cell is a number or an interval; 01234 is a code."""
    found = parse_interval(text)
    return found is not None and (found.lo != found.hi or number_text(found.lo) == text)


def _numbers(name: str, cells: pl.Series) -> QuasiColumn:
    """Take the numbers from the least to the largest published end for the domain."""
    read = [interval for text in cells if (interval := parse_interval(text)) is not None]
    if len(read) < len(cells):
        raise InputError(
            f"Column '{name}' shows {len(cells) - len(read)} distinct cells that are neither "
            "numbers nor intervals.",
            "Intervals look like [20, 30]; make the column categorical if it uses a hierarchy.",
        )
    ends = [number_text(end) for each in read for end in (each.lo, each.hi)]
    frame = pl.DataFrame({name: pl.Series(ends or [None], dtype=pl.String)})
    schema = Schema({name: quasi(kind="numeric")})
    return Table.encode(frame, schema, empty_columns=True).quasi[0]


def _by_group(
    linked: PublishedTables, schema: Schema
) -> tuple[npt.NDArray[np.int64], dict[str, Histogram]]:
    """Number the classes, and count the values that each of them shows."""
    names = linked.ids.unique().sort()
    numbers = pl.Series(range(len(names)), dtype=pl.Int64)

    def number(ids: pl.Series) -> npt.NDArray[np.int64]:
        found = ids.replace_strict(names, numbers, default=-1, return_dtype=pl.Int64)
        return np.asarray(found.to_numpy(), dtype=np.int64)

    groups = number(linked.ids)
    sizes = np.bincount(groups)
    shown = {}
    for name, table in linked.secrets.items():
        counts = np.asarray(table.counts.to_numpy())
        missing = schema.missing_of(name) if name in schema else schema.missing
        column = SensitiveColumn.encode(table.values, missing)
        owner, code = np.repeat(number(table.ids), counts), np.repeat(column.codes, counts)
        held = np.bincount(owner[owner >= 0], minlength=len(sizes))
        even = bool((held > 0).all()) if linked.by_column else np.array_equal(held, sizes)
        if not even or (owner < 0).any():
            raise InputError(
                "The tables do not have the same classes, or not as many values as rows.",
                "Verify them first: `shoal verify` says what is wrong.",
            )
        shown[name] = Histogram.count(owner, code, column.labels)
    return groups, shown
