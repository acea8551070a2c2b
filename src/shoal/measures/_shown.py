"""The sensitive values that groups show, read from a published table of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arrays import Ints
from shoal.base.cells import texts, texts_beside
from shoal.base.plural import counted
from shoal.errors import ParameterError, did_you_mean
from shoal.io.frames import to_polars
from shoal.models import Histogram
from shoal.table import Table
from shoal.table.schema import is_missing


def read_shown(
    table: Table,
    rows: npt.NDArray[np.intp],
    groups: npt.ArrayLike | None,
    values: Mapping[str, Any],
) -> dict[str, Histogram]:
    """Count the values that groups show; groups are numbered in the order of their names.

    ``rows`` and ``groups`` give for each published row its row of the table and the name of its
    group; ``values`` per sensitive column a frame of two columns, group and value. Refused if a
    group shows what the original does not hold, or hides what its rows hold (raises
    `ParameterError`).
    """
    if groups is None:
        raise ParameterError(
            "values say what groups show, but no groups are given.",
            "Name the group of each published row with groups.",
        )
    names, own = np.unique(np.asarray(groups), return_inverse=True)
    number_of = {name: number for number, name in enumerate(texts(pl.Series(names)))}
    made = {}
    for name, given in values.items():
        if name not in table.sensitive:
            raise ParameterError(
                f"There is no sensitive column '{name}'.", did_you_mean(name, table.sensitive)
            )
        column, shown = table.sensitive[name], to_polars(given)
        if shown.width != 2:
            raise ParameterError(
                f"The values of '{name}' must be a frame of two columns, not {shown.width}.",
                "Give each group and the value it shows.",
            )
        group = _codes(texts(shown.to_series(0)), number_of, name, "a group without rows")
        value = shown.to_series(1)
        like = table.coded[name].values.dtype if table.coded.holds(name) else value.dtype
        known = texts_beside(value, like).set(is_missing(value, table.schema.missing_of(name)), "")
        code_of = {label or "": code for code, label in enumerate(column.labels)}
        what = "a value that the original does not hold"
        code = _codes(known.fill_null(""), code_of, name, what)
        found = Histogram.count(group, code, column.labels)
        width = max(column.size, 1)
        held = np.unique(own.reshape(-1) * width + column.codes[rows])
        hidden = int((~np.isin(held, found.group * width + found.value)).sum())
        if hidden:
            raise ParameterError(
                counted(hidden, f"value of '{name}' is", f"values of '{name}' are")
                + " in a group that does not show it.",
                "Give the values of the same publication.",
            )
        made[name] = found
    return made


def _codes(names: pl.Series, known: Mapping[str, int], column: str, what: str) -> Ints:
    read = names.replace_strict(
        pl.Series(list(known), dtype=pl.String),
        pl.Series(list(known.values()), dtype=pl.Int64),
        default=None,
        return_dtype=pl.Int64,
    )
    if read.null_count():
        raise ParameterError(
            f"{read.null_count()} rows of the values of '{column}' are of {what}.",
            "Give the values of the same publication.",
        )
    return np.asarray(read.to_numpy(), dtype=np.int64)
