"""Does a hierarchy know every value of its column? Asked at load, before any work."""

from __future__ import annotations

import polars as pl

from shoal.errors import HierarchyError
from shoal.table.hierarchies.tree import Hierarchy


def check(hierarchy: Hierarchy, values: pl.Series, column: str) -> None:
    """Refuse a hierarchy that misses values of its column.

    Parameters
    ----------
    hierarchy
        The hierarchy.
    values
        The column; nulls stand at the root and are always covered.
    column
        Its name, for the message.

    Raises
    ------
    HierarchyError
        With the column and the number of values, never the values.

    Examples
    --------
    >>> check(Hierarchy.flat(["a"]), pl.Series(["a", "b", None]), "letter")
    Traceback (most recent call last):
    shoal.errors.HierarchyError: The hierarchy of column 'letter' misses 1 of 2 values. ...
    """
    if missing := hierarchy.uncovered(values):
        raise HierarchyError(
            f"The hierarchy of column '{column}' misses {missing} of "
            f"{values.drop_nulls().n_unique()} values.",
            "Add them to the hierarchy as leaves, or let a builder make it from the column.",
        )
