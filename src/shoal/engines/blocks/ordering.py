"""One order of rows, whatever order they came in: by all that is known of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.cells import texts
from shoal.kernels.collapse import collapse
from shoal.table import Table


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
    return np.argsort(collapse(keys, [int(key.max(initial=0)) + 1 for key in keys]), kind="stable")
