"""One order of rows, whatever order they came in: by all that is known of them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.cells import texts
from shoal.table import Table

__all__ = ["canonical_order"]


def canonical_order(table: Table) -> npt.NDArray[np.intp]:
    """Put rows in order: by quasi-identifiers, people, sensitive values and other published cells.

    Rows that are equal in all of these are published alike, so which comes first does not matter:
    the release of a table does not depend on the order of its rows, wherever they lie.

    Examples
    --------
    >>> table = Table.encode(pl.DataFrame({"a": [7, 3, 4]}), {"a": "quasi"})
    >>> canonical_order(table).tolist()
    [1, 2, 0]
    """
    keys = [pl.Series(f"q{at}", column.codes) for at, column in enumerate(table.quasi)]
    if table.people is not None:
        keys.append(pl.Series("people", table.people))
    judged = [*table.sensitive.values(), *table.private.values()]
    keys += [pl.Series(f"s{at}", column.codes) for at, column in enumerate(judged)]
    others = [name for name in table.schema.untouched if name not in table.schema.sensitive]
    for at, name in enumerate(others):
        if name in table.coded.columns:
            found = table.coded[name]
            ranks = texts(found.values).rank("dense").fill_null(0).to_numpy()
            keys.append(pl.Series(f"o{at}", ranks[found.codes]))
    keys.append(pl.Series("row", np.arange(table.n_rows)))
    frame = pl.DataFrame(keys)
    order = frame.select(pl.arg_sort_by([key.name for key in keys])).to_series()
    return order.cast(pl.Int64).to_numpy().astype(np.intp)
