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
from shoal.publish.where import require_column
from shoal.recode import Recoded, parse
from shoal.release import Release
from shoal.schema import Column, Kind, Role, Schema, quasi
from shoal.table import CategoricalColumn, QuasiColumn, Table
from shoal.verification import PublishedPair

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
    pair
        The two tables, where there are two.
    exact
        Whether quasi-identifiers are published as they are.
    """

    frame: pl.DataFrame
    schema: Schema
    pair: PublishedPair | None
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
        values = self.frame.select(n for n in self.schema.sensitive if n in self.frame.columns)
        groups = None
        if self.pair is not None:
            groups, secret = _values_by_row(self.pair)
            values = pl.DataFrame([secret])
        roles = {name: self.schema[name] for name in (*asked, *values.columns)}
        schema = Schema(roles, missing=self.schema.missing)
        table = Table(pl.DataFrame([*cells.values(), *values.iter_columns()]), schema, columns)
        rows = np.arange(self.frame.height)
        published = pl.DataFrame(cells)
        made = parse(table, published, rows) if asked else Recoded(rows, ())
        return table, Recoded(rows, made.columns, groups, self.exact)

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
    """Read a release, two tables, or one.

    Parameters
    ----------
    published
        A `Release`; ``{"quasi": …, "sensitive": …}``; or a frame.
    schema
        Roles and hierarchies. A release brings its own; two tables do without, if their
        quasi-identifiers are exact.
    exact
        Whether quasi-identifiers are published as they are; two tables are taken to be so
        unless this says otherwise.
    """
    if isinstance(published, Release):
        if published.second is None:
            return Reading(published.frame, published.schema, None, exact=False)
        two = published.second
        pair = PublishedPair(
            two.quasi,
            two.sensitive,
            two.class_column,
            published.schema.sensitive[0],
            two.count_column,
        )
        exact = published.plan.publication.exact
        return Reading(pair.quasi, published.schema, pair, exact=exact)
    if isinstance(published, Mapping):
        secrets = [] if schema is None else schema.sensitive
        pair = PublishedPair.read(
            published,
            secret=secrets[0] if len(secrets) == 1 else None,
            known=[] if schema is None else list(schema),
            class_column=class_column,
        )
        if schema is None:
            names = [name for name in pair.quasi.columns if name != pair.class_column]
            schema = Schema(
                {name: quasi() for name in names} | {pair.secret: Column(Role.SENSITIVE)}
            )
        reading = Reading(pair.quasi, schema, pair, exact=exact is not False)
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


def _values_by_row(pair: PublishedPair) -> tuple[npt.NDArray[np.int64], pl.Series]:
    """Number the classes, and deal their values out to their rows.

    Which row of a class gets which value means nothing: only shares of classes are used.
    """
    every = pl.int_range(pair.sensitive.height, eager=True).repeat_by(pair.counts).explode()
    ids = pair.ids("sensitive").gather(every)
    left, right = pair.ids("quasi").arg_sort(), ids.arg_sort()
    if not pair.ids("quasi").gather(left).equals(ids.gather(right), null_equal=True):
        raise InputError(
            "The two tables do not have the same classes, or not as many values as rows.",
            "Verify them first: `shoal verify` says what is wrong.",
        )
    values = pair.sensitive[pair.secret].gather(every).gather(right).gather(left.arg_sort())
    groups = pair.ids("quasi").rank("dense").cast(pl.Int64).to_numpy() - 1
    return groups, values
