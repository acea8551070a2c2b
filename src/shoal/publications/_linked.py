"""What forms have in common whose tables share only a group id."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Unpack

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arguments import one_of
from shoal.base.arrays import Ints
from shoal.base.cells import texts
from shoal.errors import ParameterError
from shoal.io.frames import free_name, smallest
from shoal.models import Histogram
from shoal.publications._counterfeits import with_counterfeits
from shoal.publications.base import BOUNDS_HELP, Ids, Made, Publication, Shown, fitting, option
from shoal.publications.groups.grouping import Grouping
from shoal.publications.published import Published, ValueTable
from shoal.publications.recoding import CategoryCells, NumberCells, Recoded
from shoal.publications.recoding.cells import Cells
from shoal.table import CategoricalColumn, QuasiColumn, Table

ROLES = {
    "exact": "published exactly, in the table without sensitive values",
    "generalized": "generalized, in the table without sensitive values",
    "rows": "published unchanged in a separate table that names the class, not the row",
    "counts": "published as counts per class in a separate table",
    "values": "published in a separate table: each distinct value of a class once",
}
"""What the options do to a column, for people."""
SENSITIVE_HELP = (
    "Several tables: the different values of a group (the default of sensitive-groups), a value "
    "per record (the default of two tables), or each value with its count."
)


@dataclass(frozen=True)
class Linked(Publication):
    """Quasi-identifiers in one table and sensitive values in others, by group."""

    quasi_cells: Literal["exact", "generalized"] = option(
        "exact", "Several tables: quasi-identifiers as they are (the default), or generalized."
    )
    sensitive_cells: Literal["values", "rows", "counts"] = option("rows", SENSITIVE_HELP)
    bounds: Literal["rounded", "observed"] | None = option(None, BOUNDS_HELP)

    names_groups: ClassVar[bool] = True
    lost = "of the quasi-identifiers' information"
    by_column: ClassVar[bool]
    class_column: ClassVar[str]
    cells_allowed: ClassVar[Sequence[str]] = ("rows", "counts")

    @property
    def exact(self) -> bool:
        return self.quasi_cells == "exact"

    @property
    def cells(self) -> str:
        how = "exact" if self.exact else "generalized"
        return (
            f"{how}, and the link to the sensitive values is lost, because these are published "
            "separately"
        )

    @property
    def company(self) -> str:
        return "shares its class, and so its sensitive values, with" if self.exact else "looks like"

    @property
    def gaps(self) -> tuple[str, ...]:
        return (
            "does not hide who is in the table or which row is whose, since the cells are exact",
        ) * self.exact

    def finds(self, size: int | None, counts: str) -> str:
        who = "An attacker who knows these columns for a person"
        if not self.exact:
            return f"{who} {fitting(size, counts)}; sensitive values are published per class only."
        of = "" if size is None else f" of at least {size} {counts}"
        unless = " (unless there is only one)" if size is None else ""
        return (
            f"{who} can find the person's own row, because its cells are exact, and learns "
            f"the sensitive values of its class{of}, but not which of them are the person's"
            f"{unless}."
        )

    @property
    def unbounded(self) -> str | None:
        return "quasi-identifiers are published unchanged and lose nothing" if self.exact else None

    @property
    def shows_counts(self) -> bool:
        return self.sensitive_cells != "values"

    def validate(self) -> None:
        one_of("quasi_cells", self.quasi_cells, ("exact", "generalized"))
        one_of("sensitive_cells", self.sensitive_cells, self.cells_allowed)
        if self.bounds is not None:
            super().validate()
            if self.exact:
                raise ParameterError(
                    "Exact quasi-identifiers have no bounds.",
                    f'Add form = "{self.name}" and quasi_cells = "generalized", or leave bounds '
                    "out.",
                )

    def completed(self) -> Linked:
        return self if self.exact else replace(self, bounds=self.bounds or "rounded")

    def make(self, table: Table, grouping: Grouping, ids: Ids, **shown: Unpack[Shown]) -> Made:
        """Take sensitive values away from published quasi-identifiers; leave a group id behind.

        The first table keeps the input order; a table of values is ordered by group id and
        value, which depends on its own content alone.
        """
        self.require_publishable(table, grouping)
        if self.exact:
            recoded = _exact(table, grouping, shown.get("suppressed", ()))
        else:
            recoded = self.recode(table, grouping, **shown)
        order = np.asarray(ids, dtype=np.int64)
        groups = order[grouping.labels[grouping.rows]]
        class_column = free_name(self.class_column, table.coded.columns)
        counted = self.sensitive_cells == "counts"
        counts = free_name("count", [*table.coded.columns, class_column]) if counted else None
        column = pl.Series(class_column, groups)
        held: dict[str, Histogram] = {}
        value_tables = {}
        for name in table.schema.sensitive:
            if self.sensitive_cells == "values":
                every = _with_added(table, grouping, name, order)
                held[name] = replace(every, counts=np.ones_like(every.counts))  # each once
                frame = _once(table, recoded.rows, name, held[name], class_column)
            else:
                values, owners = table.coded.cells(name)[recoded.rows], column
                if name in grouping.padding:
                    held[name] = _with_added(table, grouping, name, order)
                    values = with_counterfeits(table, grouping, name, values)
                    more = pl.Series(class_column, order[grouping.padding[name].group])
                    owners = pl.concat([column, more])
                frame = _sorted(owners, values)
                if counts is not None:
                    equal = frame.group_by(frame.columns, maintain_order=True)
                    frame = equal.agg(pl.len().cast(pl.Int64).alias(counts))
            value_tables[name] = ValueTable(frame, name, class_column, name, counts)
        cells = recoded.decode(table)
        kept = [name for name in cells.columns if name not in table.schema.sensitive]
        first = cells[kept].with_columns(column)  # by name: a column may be called "*"
        published = Published(first, class_column, value_tables, self.by_column, self.exact)
        if grouping.counterfeits:
            published = replace(published, counterfeits=_counterfeits(grouping, order))
        return Made(replace(recoded, groups=groups - 1, shown=held), published)

    def facts(self, published: Published) -> dict[str, Any]:
        made: dict[str, Any] = {
            "class_column": published.class_column,
            "quasi_cells": self.quasi_cells,
            "sensitive_cells": self.sensitive_cells,
        }
        counts = next(iter(published.value_tables.values())).count_column
        if counts is not None:
            made["count_column"] = counts
        if published.counterfeits:
            made["counterfeits"] = dict(published.counterfeits)
        return made

    @property
    def roles(self) -> dict[str, str]:
        return {"quasi": ROLES[self.quasi_cells], "sensitive": ROLES[self.sensitive_cells]}


def _with_added(table: Table, grouping: Grouping, name: str, ids: Ints) -> Histogram:
    """Count the values of each group, added ones included."""
    column = table.sensitive[name]
    groups, codes = grouping.labels[grouping.rows], column.codes[grouping.rows]
    added = grouping.padding.get(name)
    if added is not None:
        groups, codes = np.append(groups, added.group), np.append(codes, added.value)
    return Histogram.count(ids[groups] - 1, codes, column.labels)


def _counterfeits(grouping: Grouping, ids: Ints) -> dict[str, int]:
    """Say how many counterfeits each group has that has any, by its id in their order."""
    (added,) = grouping.padding.values()
    groups, counts = np.unique(ids[added.group], return_counts=True)
    return {str(group): count for group, count in zip(groups, counts.tolist(), strict=True)}


def _once(
    table: Table, rows: npt.NDArray[np.intp], name: str, shown: Histogram, class_column: str
) -> pl.DataFrame:
    """Write values as published rows spell them; a value that none holds must not be added."""
    codes, first = np.unique(table.sensitive[name].codes[rows], return_index=True)
    place = np.full(table.sensitive[name].size, -1)
    place[codes] = rows[first]
    strange = int((place[shown.value] < 0).sum())
    if strange:
        raise ParameterError(
            f"The method added {strange} values of '{name}' that no published row holds.",
            "A method may add only values of the rows it places.",
        )
    values = table.coded.cells(name)[place[shown.value]]
    return _sorted(pl.Series(class_column, shown.group + 1), values)


def _sorted(groups: pl.Series, values: pl.Series) -> pl.DataFrame:
    """Order the values by group and text, so that nothing is left of the order of the rows."""
    words = texts(values).to_numpy()
    keys = np.array(["" if word is None else word for word in words], dtype=object)
    missing = values.is_null().to_numpy()
    _, rank = np.unique(keys, return_inverse=True)
    order = np.lexsort((rank, missing, groups.to_numpy()))
    return pl.DataFrame([groups[order], values[order]])


def _exact(table: Table, grouping: Grouping, suppressed: Collection[str]) -> Recoded:
    """Publish every cell as it is."""
    rows = grouping.rows
    columns = tuple(_cells(column, rows, column.name in suppressed) for column in table.quasi)
    return Recoded(rows, columns, exact=True)


def _cells(column: QuasiColumn, rows: npt.NDArray[np.intp], hidden: bool) -> Cells:
    """Give each published row the cell of its own value; a missing one is ``*``."""
    codes = np.full(len(rows), column.size) if hidden else column.codes[rows].astype(np.int64)
    shown, index = np.unique(codes, return_inverse=True)
    index = index.reshape(-1).astype(smallest(len(shown)))
    star = shown == column.size
    if isinstance(column, CategoricalColumn):
        nodes = np.append(column.hierarchy.leaf_nodes, 0).astype(np.int64)[shown]
        return CategoryCells(index, nodes, star, column.hierarchy)
    numbers = np.append(column.values, column.values[:1] if column.size else [0])[shown]
    closed = np.zeros(len(shown), dtype=np.bool_)
    return NumberCells(index, numbers, numbers, star, closed, dates=column.dates)
