"""The lossy join: every row beside all the values it may have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from shoal.frames import like
from shoal.publish.reading import read
from shoal.recode.two_table import free_name
from shoal.release import Release
from shoal.schema import Schema
from shoal.verification import PublishedPair

__all__ = ["join"]

PROBABILITY = "probability"


def join(published: Any, *, schema: Schema | None = None, class_column: str | None = None) -> Any:
    """Set every row beside each value of its class, with the share of the class that holds it.

    This is what two published tables tell: not which value a row has, but how likely each one
    is. The probabilities of a row sum to 1, so summed over some rows they are expected counts.
    A row of a generalized table stands beside its own value, with probability 1.

    Parameters
    ----------
    published
        A `Release`, or two tables ``{"quasi": …, "sensitive": …}`` of any frame type, or one
        frame.
    schema
        The roles of the columns; a release brings its own, two tables do without.
    class_column
        The column of class ids; found by itself if it is the only one both tables have.

    Returns
    -------
    A frame of the type that came in: the columns of the quasi table, the sensitive column and
    ``probability``.

    Examples
    --------
    >>> quasi = pl.DataFrame({"age": [30, 41], "class": [1, 1]})
    >>> sensitive = pl.DataFrame({"class": [1, 1], "ill": ["flu", "HIV"]})
    >>> join({"quasi": quasi, "sensitive": sensitive}).rows()
    [(30, 1, 'HIV', 0.5), (30, 1, 'flu', 0.5), (41, 1, 'HIV', 0.5), (41, 1, 'flu', 0.5)]
    """
    reading = read(published, schema=schema, class_column=class_column)
    pair = reading.pair
    if pair is None:
        name = free_name(PROBABILITY, reading.frame.columns)
        made = reading.frame.with_columns(pl.lit(1.0).alias(name))
    else:
        made = _joined(pair)
    if isinstance(published, Release):
        return like(made, published.original)
    return like(made, published["quasi"] if isinstance(published, Mapping) else published)


def _joined(pair: PublishedPair) -> pl.DataFrame:
    taken = [*pair.quasi.columns, pair.secret]
    chance = free_name(PROBABILITY, taken)
    row, ids, many = (free_name(name, [*taken, chance]) for name in ("row", "ids", "many"))
    values = (
        pl.DataFrame([pair.ids("sensitive").alias(ids), pair.sensitive[pair.secret]])
        .with_columns(pair.counts.alias(many))
        .group_by(ids, pair.secret)
        .agg(pl.col(many).sum())
        .with_columns((pl.col(many) / pl.col(many).sum().over(ids)).alias(chance))
        .drop(many)
    )
    return (
        pair.quasi.with_columns(pair.ids("quasi").alias(ids))
        .with_row_index(row)
        .join(values, on=ids, how="inner")
        .sort(row, pair.secret, nulls_last=True)
        .drop(row, ids)
    )
