"""What a method must keep that says it needs only different rows and their numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arrays import Ints
from shoal.checks.contract import require
from shoal.checks.tables import SCHEMA, mixed
from shoal.errors import InfeasibleError
from shoal.kernels.collapse import collapse
from shoal.methods import Method
from shoal.models import MODELS, Requirement
from shoal.table import Table
from shoal.table.schema import Schema


def points_are_enough(method: Method) -> None:
    """If it says that points are enough, it groups equal rows that are given once as it does all.

    Asked for is what can be judged of classes whose rows come in no order: see `shoal.spark`.
    """
    if not method.by_points:
        return
    small = mixed(40, missing=0.1).with_columns(id=pl.int_range(40) // 2)
    rows = small[np.repeat(np.arange(40), np.arange(40) % 8 + 1)]
    names = MODELS if method.carries is None else method.carries
    needs = [MODELS[name].example() for name in sorted(names)]
    needs = [each for each in needs if not (each.private_columns or each.across_releases)]
    needs = [each for each in needs if not (each.of_table or "population" in each.needs)]
    for schema in (SCHEMA, Schema(dict(SCHEMA), entity="id")):
        table = Table.encode(rows, schema)
        points, which = collapsed(table)
        for each in needs:
            required = [each.bind(table.schema)]
            same = _grouped(method, points, required, which) == _grouped(method, table, required)
            require(same, f"it groups points otherwise than rows, under '{each.name}'")


def _grouped(
    method: Method, table: Table, required: list[Requirement], rows: slice | Ints = slice(None)
) -> Any:
    """Group a table, and say all that was found; or give the words of a refusal."""
    try:
        found = method.group(table, required, rng=np.random.default_rng(0))
    except InfeasibleError as error:
        return str(error)
    return found.labels[rows].tolist(), found.levels, found.search


def collapsed(table: Table) -> tuple[Table, Ints]:
    """Give equal rows once, with how many there are of each; also the point of each row.

    Rows are equal where quasi-identifiers, sensitive values and people are.
    """
    columns: list[npt.NDArray[Any]] = [column.codes for column in table.quasi]
    columns += [column.codes for column in table.sensitive.values()]
    columns += [] if table.people is None else [table.people]
    which = collapse(columns, [int(codes.max()) + 1 for codes in columns])
    _, first, counts = np.unique(which, return_index=True, return_counts=True)
    return replace(table.select(first), multiplicity=counts.astype(np.int64)), which
