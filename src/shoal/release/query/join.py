"""The lossy join: every row beside all the values it may have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from shoal.errors import ParameterError, did_you_mean
from shoal.io.frames import like
from shoal.io.frames.names import free_name
from shoal.publications.published import Published, ValueTable
from shoal.release.query.reading import read
from shoal.table.schema import SchemaLike

PROBABILITY = "probability"


def join(
    published: Any,
    *,
    schema: SchemaLike | None = None,
    class_column: str | None = None,
    columns: Sequence[str] | None = None,
) -> Any:
    """Set every row beside each value of its class, with the share of the class that holds it.

    This is what tables that share a class id tell: not which value a row has, but how likely
    each one is. Where a class shows each of its values once, they are equally likely. The
    probabilities of a row sum to 1, so summed over some rows they are expected counts. A row of
    a generalized table stands beside its own value, with probability 1.

    Parameters
    ----------
    published
        A `Release`, or tables ``{"quasi": …, "sensitive": …}`` of any frame type, the latter a
        frame or one per sensitive column, or one frame.
    schema
        The roles of the columns; a release brings its own, several tables do without.
    class_column
        The column of class ids; found by itself if it is the only one all tables have.
    columns
        The sensitive columns to join, of several; all if left out. A row then stands beside
        every combination of their values, which can be many.

    Returns
    -------
    A frame of the type that came in: the columns of the quasi table, the sensitive columns and
    ``probability``.

    Examples
    --------
    >>> quasi = pl.DataFrame({"age": [30, 41], "class": [1, 1]})
    >>> sensitive = pl.DataFrame({"class": [1, 1], "ill": ["flu", "HIV"]})
    >>> join({"quasi": quasi, "sensitive": sensitive}).rows()
    [(30, 1, 'HIV', 0.5), (30, 1, 'flu', 0.5), (41, 1, 'HIV', 0.5), (41, 1, 'flu', 0.5)]
    """
    tables = read(published, schema=schema, class_column=class_column).published
    if not tables.linked:
        name = free_name(PROBABILITY, tables.frame.columns)
        made = tables.frame.with_columns(pl.lit(1.0).alias(name))
    else:
        wanted = list(tables.value_tables) if columns is None else list(columns)
        for name in wanted:
            if name not in tables.value_tables:
                raise ParameterError(
                    f"There is no sensitive column '{name}'.",
                    did_you_mean(name, tables.value_tables),
                )
        made = _joined(tables, wanted)
    return like(made, tables.given)


def _joined(tables: Published, sensitive: Sequence[str]) -> pl.DataFrame:
    taken = [*tables.frame.columns, *sensitive]
    chance = free_name(PROBABILITY, taken)
    row, ids, share = (free_name(name, [*taken, chance]) for name in ("row", "ids", "share"))
    made = tables.frame.with_columns(tables.ids.alias(ids)).with_row_index(row)
    made = made.with_columns(pl.lit(1.0).alias(chance))
    for name in sensitive:
        values = _shares(tables.value_tables[name], ids, share)
        made = made.join(values, on=ids, how="inner").with_columns(pl.col(chance) * pl.col(share))
        made = made.drop(share)
    return made.sort(row, *sensitive, nulls_last=True)[[*tables.frame.columns, *sensitive, chance]]


def _shares(table: ValueTable, ids: str, share: str) -> pl.DataFrame:
    """Say which share of its class each value has."""
    many = free_name("many", [ids, share, table.sensitive_column])
    return (
        pl.DataFrame([table.ids.alias(ids), table.values])
        .with_columns(table.counts.alias(many))
        .group_by(ids, table.sensitive_column)
        .agg(pl.col(many).sum())
        .with_columns((pl.col(many) / pl.col(many).sum().over(ids)).alias(share))
        .drop(many)
    )
