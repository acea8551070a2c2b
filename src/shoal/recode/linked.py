"""Tables that share only a group id: quasi-identifiers in one, sensitive values in others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.cells import texts
from shoal.errors import ParameterError
from shoal.grouping import Grouping
from shoal.models import Histogram
from shoal.recode.cells import CategoryCells, Cells, NumberCells, Recoded
from shoal.recode.generalized import generalize
from shoal.table import CategoricalColumn, QuasiColumn, Table

__all__ = ["LinkedTables", "free_name", "link", "sensitive_groups", "two_table"]

Values: TypeAlias = Literal["values", "rows", "counts"]


@dataclass(frozen=True, eq=False)
class LinkedTables:
    """What `two_table` and `sensitive_groups` make: tables that share a group id alone.

    Parameters
    ----------
    recoded
        The published quasi-identifiers; its groups are the ids less 1.
    quasi
        The table of quasi-identifiers, in input order, with the group id.
    secrets
        Per sensitive column its table, ordered by group id and value: an order that depends
        on its own content alone.
    class_column, count_column
        What the group id, and the count of a value if there is one, are called.
    by_column
        Whether each sensitive column is a table of its own by name (``sensitive-groups``), or
        there is just the one (``two-table``).
    """

    recoded: Recoded
    quasi: pl.DataFrame
    secrets: Mapping[str, pl.DataFrame]
    class_column: str
    count_column: str | None
    by_column: bool = False

    @property
    def sensitive(self) -> pl.DataFrame:
        """The table of sensitive values, where there is one."""
        (only,) = self.secrets.values()
        return only

    @property
    def tables(self) -> dict[str, Any]:
        """The tables as `shoal.verify` takes them."""
        secrets = dict(self.secrets) if self.by_column else self.sensitive
        return {"quasi": self.quasi, "sensitive": secrets}


def two_table(
    table: Table,
    grouping: Grouping,
    ids: npt.NDArray[np.integer[Any]],
    *,
    quasi: Literal["exact", "generalized"] = "exact",
    sensitive: Literal["rows", "counts"] = "rows",
    bounds: str = "rounded",
    numbers: Literal["intervals", "tree"] = "intervals",
    suppressed: Collection[str] = (),
) -> LinkedTables:
    """Publish quasi-identifiers and the sensitive value apart, so that their link is lost.

    Whoever finds a person in the first table learns the person's class, and in the second
    table the values of that class: which one belongs to the person is not said.

    Parameters
    ----------
    ids
        The id of each group: a random order of the numbers from 1 on. Labels of a grouping
        follow the input and must not be published.
    quasi
        ``"exact"``: every cell as it is (a missing one as ``*``); ``"generalized"``: as
        `generalize` publishes them.
    sensitive
        ``"rows"``: one row per record; ``"counts"``: one per value of a class, with its count.
    bounds, numbers
        As in `generalize`; only for ``quasi="generalized"``.
    suppressed
        Columns that show ``*`` in every row.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"age": [20, 29, 40], "ill": ["flu", "HIV", "flu"]})
    >>> table = Table.encode(
    ...     frame, shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()}))
    >>> grouping = Grouping(np.zeros(3, dtype=np.int32))
    >>> made = two_table(table, grouping, np.array([1]), sensitive="counts")
    >>> made.quasi.rows(), made.sensitive.rows()
    ([('20', 1), ('29', 1), ('40', 1)], [(1, 'HIV', 1), (1, 'flu', 2)])

    References
    ----------
    Wong, Liu, Yin, Huang, Fu, Pei: (α, k)-anonymity based privacy preservation by lossy join,
    2007; published so by "(αᵢ, k)-anonymity by graded sensitivity".
    """
    if len(table.schema.sensitive) != 1:
        raise ParameterError(
            f"Two tables need exactly one sensitive column, not {len(table.schema.sensitive)}.",
            "Give one column the role sensitive.",
        )
    if grouping.padding:
        raise ParameterError(
            "Groups hold values that a method added, and two tables have a row for each record.",
            "Publish them as sensitive-groups.",
        )
    recoded = _quasi(table, grouping, quasi, bounds, numbers, suppressed)
    return link(table, grouping, ids, recoded, sensitive, class_column="class")


def sensitive_groups(
    table: Table,
    grouping: Grouping,
    ids: npt.NDArray[np.integer[Any]],
    *,
    quasi: Literal["exact", "generalized"] = "exact",
    sensitive: Values = "values",
    bounds: str = "rounded",
    numbers: Literal["intervals", "tree"] = "intervals",
    suppressed: Collection[str] = (),
) -> LinkedTables:
    """Publish quasi-identifiers, and each sensitive column in a table of its own.

    Neither is it said which value of its group belongs to a row, nor which values of two
    columns belong together. Values that a method added are among the others, unmarked.

    Parameters
    ----------
    sensitive
        ``"values"``: the different values of a group, each once, as Zhang et al. (2014) do;
        ``"rows"`` and ``"counts"`` as in `two_table`. With added values only ``"values"`` will do:
        counts would show that a value held twice is no added one, and how many are.
    ids, quasi, bounds, numbers, suppressed
        As in `two_table`.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> from shoal.grouping import Padding
    >>> frame = pl.DataFrame({"age": [20, 29, 40, 41], "ill": ["flu", "flu", "HIV", "flu"],
    ...                       "pay": ["low", "high", "low", "high"]})
    >>> table = Table.encode(frame, shoal.Schema(
    ...     {"age": shoal.quasi(), "ill": shoal.sensitive(), "pay": shoal.sensitive()}))
    >>> added = {"ill": Padding(np.array([0]), np.array([0]))}  # HIV, to those who are 20 and 29
    >>> grouping = Grouping(np.array([0, 0, 1, 1], dtype=np.int32), added)
    >>> made = sensitive_groups(table, grouping, np.array([2, 1]))
    >>> made.secrets["ill"].rows()
    [(1, 'HIV'), (1, 'flu'), (2, 'HIV'), (2, 'flu')]

    References
    ----------
    Ye, Liu, Wang: Decomposition, DASFAA 2009; published so by Zhang et al. (2014).
    """
    if not table.schema.sensitive:
        raise ParameterError(
            "No column is sensitive, so there are no sensitive groups.",
            "Give a column the role sensitive, or publish one generalized table.",
        )
    if grouping.padding and sensitive != "values":
        raise ParameterError(
            "Groups hold values that a method added, and counts would tell them from the others.",
            'Publish each value once: sensitive = "values".',
        )
    recoded = _quasi(table, grouping, quasi, bounds, numbers, suppressed)
    made = link(table, grouping, ids, recoded, sensitive, class_column="group")
    return replace(made, by_column=True)


def link(
    table: Table,
    grouping: Grouping,
    ids: npt.NDArray[np.integer[Any]],
    recoded: Recoded,
    sensitive: Values,
    *,
    class_column: str,
) -> LinkedTables:
    """Take sensitive values away from published quasi-identifiers; leave a group id behind."""
    numbers = np.asarray(ids, dtype=np.int64)
    groups = numbers[grouping.labels[grouping.rows]]
    class_column = free_name(class_column, table.frame.columns)
    taken = [*table.frame.columns, class_column]
    count_column = free_name("count", taken) if sensitive == "counts" else None
    column = pl.Series(class_column, groups)
    shown: dict[str, Histogram] = {}
    secrets = {}
    for name in table.schema.sensitive:
        if sensitive == "values":
            shown[name] = _different(table, grouping, name, numbers)
            secrets[name] = _once(table, recoded.rows, name, shown[name], class_column)
        else:
            values = table.frame[name].gather(recoded.rows)
            secrets[name] = _counted(_sorted(column, values), count_column)
    return LinkedTables(
        replace(recoded, groups=groups - 1, shown=shown),
        recoded.decode(table).drop(table.schema.sensitive).with_columns(column),
        secrets,
        class_column,
        count_column,
    )


def free_name(name: str, taken: Collection[str]) -> str:
    """Find a name that no column has yet.

    Examples
    --------
    >>> free_name("class", ["age"]), free_name("class", ["class", "class_1"])
    ('class', 'class_2')
    """
    number, free = 0, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def _different(
    table: Table, grouping: Grouping, name: str, ids: npt.NDArray[np.int64]
) -> Histogram:
    """List the different values of each group, added ones included, each counted once."""
    column = table.sensitive[name]
    groups, codes = grouping.labels[grouping.rows], column.codes[grouping.rows]
    added = grouping.padding.get(name)
    if added is not None:
        groups, codes = np.append(groups, added.group), np.append(codes, added.value)
    found = Histogram.count(ids[groups] - 1, codes, column.labels)
    return replace(found, counts=np.ones_like(found.counts))


def _once(
    table: Table,
    rows: npt.NDArray[np.intp],
    name: str,
    shown: Histogram,
    class_column: str,
) -> pl.DataFrame:
    """Write values as published rows spell them; a value that none holds must not be added."""
    codes, first = np.unique(table.sensitive[name].codes[rows], return_index=True)
    place = np.full(table.sensitive[name].size, -1)
    place[codes] = rows[first]
    strange = int((place[shown.value] < 0).sum())
    if strange:
        raise ParameterError(
            f"{strange} values of '{name}' were added to groups that no published row holds.",
            "A method may add only values of rows that it places.",
        )
    values = table.frame[name].gather(place[shown.value])
    return _sorted(pl.Series(class_column, shown.group + 1), values)


def _sorted(groups: pl.Series, values: pl.Series) -> pl.DataFrame:
    """Order the values by group and text, so that nothing is left of the order of the rows."""
    words = texts(values).to_numpy()
    keys = np.array(["" if word is None else word for word in words], dtype=object)
    missing = values.is_null().to_numpy()
    _, rank = np.unique(keys, return_inverse=True)
    order = np.lexsort((rank, missing, groups.to_numpy()))
    return pl.DataFrame([groups.gather(order), values.gather(order)])


def _counted(made: pl.DataFrame, count_column: str | None) -> pl.DataFrame:
    if count_column is None:
        return made
    counted = made.group_by(made.columns, maintain_order=True)
    return counted.agg(pl.len().cast(pl.Int64).alias(count_column))


def _quasi(
    table: Table,
    grouping: Grouping,
    quasi: str,
    bounds: str,
    numbers: Literal["intervals", "tree"],
    suppressed: Collection[str],
) -> Recoded:
    if quasi == "exact":
        return _exact(table, grouping, suppressed)
    return generalize(table, grouping, bounds=bounds, numbers=numbers, suppressed=suppressed)


def _exact(table: Table, grouping: Grouping, suppressed: Collection[str]) -> Recoded:
    """Publish every cell as it is."""
    rows = grouping.rows
    columns = tuple(_cells(column, rows, column.name in suppressed) for column in table.quasi)
    return Recoded(rows, columns, exact=True)


def _cells(column: QuasiColumn, rows: npt.NDArray[np.intp], hidden: bool) -> Cells:
    """Give each published row the cell of its own value; a missing one is ``*``."""
    codes = np.full(len(rows), column.size) if hidden else column.codes[rows].astype(np.int64)
    shown, index = np.unique(codes, return_inverse=True)
    index = index.reshape(-1).astype(np.int64)
    star = shown == column.size
    if isinstance(column, CategoricalColumn):
        nodes = np.append(column.hierarchy.leaf_nodes, 0).astype(np.int64)[shown]
        return CategoryCells(index, nodes, star, column.hierarchy)
    numbers = np.append(column.values, column.values[:1] if column.size else [0])[shown]
    return NumberCells(index, numbers, numbers, star, np.zeros(len(shown), dtype=np.bool_))
