"""One order of rows, whatever order they came in: by all that is known of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.cells import texts
from shoal.table import Table

__all__ = ["canonical_order"]

WORD = 2**62
"""Keys are put together into numbers below it: one of them is sorted sooner than many columns."""


def canonical_order(table: Table) -> npt.NDArray[np.intp]:
    """Put rows in order: by quasi-identifiers, people, sensitive values and other published cells.

    Rows that are equal in all of these are published alike, so which comes first does not matter:
    the release of a table does not depend on the order of its rows, wherever they lie.

    Examples
    --------
    >>> import polars as pl
    >>> table = Table.encode(pl.DataFrame({"a": [7, 3, 4]}), {"a": "quasi"})
    >>> canonical_order(table).tolist()
    [1, 2, 0]
    """
    keys: list[npt.NDArray[Any]] = [column.codes for column in table.quasi]
    if table.people is not None:
        keys.append(table.people)
    keys += [column.codes for column in (*table.sensitive.values(), *table.private.values())]
    for name in table.schema.untouched:
        if name not in table.schema.sensitive and name in table.coded.columns:
            found = table.coded[name]
            ranks = texts(found.values).rank("dense").fill_null(0).to_numpy()
            keys.append(ranks[found.codes])
    words = _words(keys)
    if len(words) == 1:
        return np.argsort(words[0], kind="stable")
    return np.lexsort(words[::-1])


def _words(keys: list[npt.NDArray[Any]]) -> list[npt.NDArray[np.int64]]:
    """Put keys of small numbers together into as few large ones as hold them, in their order."""
    words: list[npt.NDArray[np.int64]] = []
    span = WORD
    for key in keys:
        size = int(key.max(initial=0)) + 1
        if span * size >= WORD:
            words.append(key.astype(np.int64))
            span = size
        else:
            words[-1] = words[-1] * size + key
            span *= size
    return words
