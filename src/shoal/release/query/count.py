"""COUNT queries: how many records meet some conditions?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.errors import ParameterError, a_type
from shoal.publications import recoding as recode
from shoal.release.query.reading import read
from shoal.release.query.where import Where, alternatives
from shoal.table import Table
from shoal.table.schema import SchemaLike


def count(
    published: Any,
    where: Where,
    *,
    schema: SchemaLike | None = None,
    class_column: str | None = None,
    exact: bool | None = None,
) -> float:
    """Estimate from published tables how many records meet all conditions.

    Parameters
    ----------
    published
        A `Release`; tables ``{"quasi": …, "sensitive": …}``, the latter a frame or one per
        sensitive column; or one frame.
    where
        Per column a value, a list or set of values, or a range of numbers as a tuple
        ``(lo, hi)`` with both ends inside. A category may be named by a group of its
        hierarchy.
    schema
        Roles and hierarchies; a release brings its own. Without it, several tables are read as
        exact, and one table is refused.
    class_column
        The column of class ids; found by itself if it is the only one all tables have.
    exact
        Whether quasi-identifiers are published as they are (several tables: the default).

    Notes
    -----
    Every value that a cell covers is taken for equally likely: an interval counts by the share
    of its numbers that are asked for, a node by its share of leaves, a set by its share of
    values, ``*`` as the whole domain
    (from the least to the largest published number). In several tables a row counts by the
    share of its class that holds the sensitive value (where a class shows each value once, by
    the share of its values; of several columns, by the product), and among exact cells ``*``
    is a missing cell, which meets no condition. A sensitive value that nobody has counts 0.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> quasi = pl.DataFrame({"age": [30, 41, 50, 62], "class": [1, 1, 2, 2]})
    >>> sensitive = pl.DataFrame({"class": [1, 1, 2, 2], "ill": ["flu", "HIV", "flu", "flu"]})
    >>> tables = {"quasi": quasi, "sensitive": sensitive}
    >>> shoal.query.count(tables, {"age": (40, 60), "ill": "flu"})
    1.5
    """
    reading = read(published, schema=schema, class_column=class_column, exact=exact)
    if not isinstance(where, Mapping):
        raise ParameterError(
            f"Conditions name a value per column, not {a_type(where)}.",
            'Such as {"sex": "female"}.',
        )
    table, recoded = reading.encode(list(where))
    return sum(
        recode.expected_count(table, recoded, cells, values)
        for cells, values in alternatives(table, where)
    )


def true_count(original: Any, schema: SchemaLike, where: Where) -> int:
    """Count how many records of the original meet all conditions; the result is private.

    Parameters
    ----------
    where
        As in `count`; a missing cell meets no condition.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> schema = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()})
    >>> original = pl.DataFrame({"age": [30, 41, 50], "ill": ["flu", "HIV", "flu"]})
    >>> shoal.query.true_count(original, schema, {"age": (40, 60), "ill": "flu"})
    1
    """
    table = Table.encode(original, schema, empty_columns=True)
    return sum(
        recode.true_count(table, cells, values) for cells, values in alternatives(table, where)
    )
