"""What becomes of missing quasi-identifiers before grouping: kept, or rows or columns set aside."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from shoal.errors import InfeasibleError
from shoal.io.frames import Coded
from shoal.table import Table
from shoal.table.schema import Schema, is_missing

MissingPolicy: TypeAlias = Literal["keep", "drop", "suppress-column"]
"""Keep rows with missing cells, drop them, or suppress columns that have some."""

POLICIES: tuple[MissingPolicy, ...] = get_args(MissingPolicy)


def leaves_missing(policy: MissingPolicy) -> bool:
    """Say whether methods may meet missing cells under a policy."""
    return policy == "keep"


def complete_rows(table: Coded, schema: Schema) -> npt.NDArray[np.intp]:
    """Find the rows that miss no quasi-identifier, before anything is made of the others.

    >>> import polars as pl, shoal
    >>> table = Coded(pl.DataFrame({"age": [30, None, 45], "zip": ["1", "2", "?"]}))
    >>> schema = shoal.Schema({"age": "quasi", "zip": "quasi"}, missing=["?"])
    >>> complete_rows(table, schema).tolist()
    [0]
    """
    lacking = np.zeros(table.height, dtype=np.bool_)
    for name in schema.quasi:
        found = table[name]
        lacking |= is_missing(found.values, schema.missing_of(name)).to_numpy()[found.codes]
    if lacking.all():
        raise InfeasibleError(
            f"All {table.height} rows have a missing cell, so dropping them leaves nothing.",
            'Use missing = "keep" or "suppress-column".',
        )
    return np.flatnonzero(~lacking)


def apply_missing_policy(table: Table, policy: MissingPolicy) -> Table:
    """Set the columns aside that the policy for missing values suppresses, if any.

    Rows that it drops are not in the table any more: see `complete_rows`.
    """
    if policy == "suppress-column":
        names = tuple(name for name, count in table.missingness.columns.items() if count)
        if len(names) == len(table.quasi):
            raise InfeasibleError(
                f"All {len(names)} quasi-identifiers have missing cells, so suppressing those "
                "columns leaves nothing.",
                'Use missing = "keep" or "drop", or fill the cells of one column.',
            )
        return table.without(names)
    return table
