"""Counterfeits as published values: spelled like those that people hold."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.base.cells import texts
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table


def with_counterfeits(table: Table, grouping: Grouping, name: str, values: pl.Series) -> pl.Series:
    """Put counterfeits after the values of people, spelled as rows spell them.

    A row need not hold them: then they are spelled as an earlier release showed them.

    ``values``: the cells of the published rows in the sensitive column.

    >>> from shoal.publications.groups.grouping import Padding
    >>> frame = pl.DataFrame({"age": [30, 31], "ill": ["flu", "HIV"]})
    >>> table = Table.encode(frame, {"age": "quasi", "ill": "sensitive"})
    >>> added = Padding(np.array([0]), np.array([1]))
    >>> labels = np.zeros(2, dtype=np.int32)
    >>> with_counterfeits(table, Grouping(labels, {"ill": added}), "ill", frame["ill"]).to_list()
    ['flu', 'HIV', 'flu']
    """
    added, column = grouping.padding[name], table.sensitive[name]
    held, first = np.unique(column.codes, return_index=True)
    place = dict(zip(held.tolist(), first.tolist(), strict=True))
    cells = table.coded.cells(name)
    strange = [code for code in np.unique(added.value).tolist() if code not in place]
    labels = [column.labels[code] for code in strange]
    words = _of_type(pl.Series(name, labels, dtype=pl.String), cells.dtype)
    if words is None:  # a value of another type than the table's
        values, cells, words = texts(values), texts(cells), pl.Series(name, labels, dtype=pl.String)
    known = pl.concat([cells[[place[code] for code in held.tolist()]], words])
    at = {code: number for number, code in enumerate([*held.tolist(), *strange])}
    more: pl.Series = known[[at[code] for code in added.value.tolist()]]
    return pl.concat([values, more])


def _of_type(words: pl.Series, dtype: pl.DataType) -> pl.Series | None:
    """Read texts as values of a type; ``None`` if they are none, or are spelled otherwise."""
    try:
        made = words.cast(dtype, strict=False)
    except pl.exceptions.PolarsError:  # such as dates
        return None
    return made if texts(made).to_list() == words.to_list() else None
