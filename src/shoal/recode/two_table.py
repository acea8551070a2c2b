"""Two tables: quasi-identifiers in one, sensitive values in the other, a class id in both."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.cells import texts
from shoal.errors import ParameterError
from shoal.grouping import Grouping
from shoal.recode.cells import CategoryCells, Cells, NumberCells, Recoded
from shoal.recode.generalized import generalize
from shoal.table import CategoricalColumn, QuasiColumn, Table

__all__ = ["TwoTables", "free_name", "two_table"]


@dataclass(frozen=True, eq=False)
class TwoTables:
    """What `two_table` makes.

    Parameters
    ----------
    recoded
        The published quasi-identifiers; its groups are the class ids less 1.
    quasi
        The table of quasi-identifiers, in input order, with the class id.
    sensitive
        The table of sensitive values, ordered by class id and value: an order that depends
        on its own content alone.
    class_column, count_column
        What the class id, and the count of a value if there is one, are called.
    """

    recoded: Recoded
    quasi: pl.DataFrame
    sensitive: pl.DataFrame
    class_column: str
    count_column: str | None


def two_table(
    table: Table,
    grouping: Grouping,
    ids: npt.NDArray[np.integer[Any]],
    *,
    quasi: Literal["exact", "generalized"] = "exact",
    sensitive: Literal["rows", "counts"] = "rows",
    bounds: str = "observed",
    numbers: Literal["intervals", "tree"] = "intervals",
    suppressed: Collection[str] = (),
) -> TwoTables:
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
    2007; publication of paper 3.
    """
    if len(table.schema.sensitive) != 1:
        raise ParameterError(
            f"Two tables need exactly one sensitive column, not {len(table.schema.sensitive)}.",
            "Give one column the role sensitive.",
        )
    recoded = (
        _exact(table, grouping, suppressed)
        if quasi == "exact"
        else generalize(table, grouping, bounds=bounds, numbers=numbers, suppressed=suppressed)
    )
    classes = np.asarray(ids, dtype=np.int64)[grouping.labels[grouping.rows]]
    recoded = replace(recoded, groups=classes - 1)
    (secret,) = table.schema.sensitive
    class_column = free_name("class", table.frame.columns)
    taken = [*table.frame.columns, class_column]
    count_column = free_name("count", taken) if sensitive == "counts" else None
    column = pl.Series(class_column, classes)
    return TwoTables(
        recoded,
        recoded.decode(table).drop(secret).with_columns(column),
        _secrets(column, table.frame[secret].gather(recoded.rows), count_column),
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


def _secrets(classes: pl.Series, values: pl.Series, count_column: str | None) -> pl.DataFrame:
    """Order the values by class and text, so that nothing is left of the order of the rows."""
    words = texts(values).to_numpy()
    keys = np.array(["" if word is None else word for word in words], dtype=object)
    missing = values.is_null().to_numpy()
    _, rank = np.unique(keys, return_inverse=True)
    order = np.lexsort((rank, missing, classes.to_numpy()))
    made = pl.DataFrame([classes.gather(order), values.gather(order)])
    if count_column is None:
        return made
    counted = made.group_by(classes.name, values.name, maintain_order=True)
    return counted.agg(pl.len().cast(pl.Int64).alias(count_column))


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
