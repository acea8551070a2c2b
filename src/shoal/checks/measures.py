"""What every measure must keep."""

from __future__ import annotations

import math

import numpy as np
import polars as pl

from shoal import measures as measures_
from shoal.checks.contract import require
from shoal.checks.tables import SCHEMA, mixed
from shoal.grouping import Grouping
from shoal.measures import Measure, Pair
from shoal.recode import generalize
from shoal.table import Table

__all__ = ["MEASURE_CHECKS"]


def is_registered(measure: Measure) -> None:
    """It can be named, says what it is, and which way is better."""
    require(measures_.MEASURES.get(measure.name) is measure, "it is not in MEASURES")
    require(measure.summary, "it has no documentation")
    require(measure.better in ("lower", "higher"), "it does not say which way is better")


def same_from_cells(measure: Measure) -> None:
    """It measures anyone's table: the published cells give what our release gave."""
    table = Table.encode(mixed(40, missing=0.1), SCHEMA)
    both = _pair(table, 8)
    published = both.recoded.decode(table)
    again = measure(table.frame, published, SCHEMA, rows=both.recoded.rows)
    require(math.isclose(measure.of(both), again), "cells and codes measure differently")


def columns_fit(measure: Measure) -> None:
    """Its values per column, where it has them, are finite and one per column."""
    both = _pair(Table.encode(mixed(40, missing=0.1), SCHEMA), 5, 3)
    if measure.columns is not None:
        values = measure.by_column_of(both)
        require(list(values) == SCHEMA.quasi, "there is not one value per column")
        require(all(math.isfinite(v) and v >= 0 for v in values.values()), "one is no number")


def empty_column(measure: Measure) -> None:
    """It copes with a column that is missing everywhere."""
    for name in SCHEMA.quasi:
        frame = mixed(40, missing=0.1)
        frame = frame.with_columns(pl.lit(None, dtype=frame[name].dtype).alias(name))
        both = _pair(Table.encode(frame, SCHEMA, empty_columns=True), 5)
        value = measure.of(both)
        require(math.isfinite(value) and value >= 0, "it gives no number")


def finite(measure: Measure) -> None:
    """It gives a number, also when nothing or everything was generalized."""
    for groups in (1, 5, 40):
        for lost in (0, 3):
            pair = _pair(Table.encode(mixed(40, missing=0.1), SCHEMA), groups, lost)
            value = measure.of(pair)
            require(isinstance(value, float) and math.isfinite(value), "it is not a finite float")
            require(value >= 0, "it is negative")


def coarser_is_not_better(measure: Measure) -> None:
    """Publishing everything in one group is not better than in eight."""
    table = Table.encode(mixed(40, missing=0.1), SCHEMA)
    sign = 1 if measure.better == "lower" else -1
    fine, coarse = measure.of(_pair(table, 8)), measure.of(_pair(table, 1))
    require(sign * fine <= sign * coarse + 1e-9, "a coarser table measures better")


def _pair(table: Table, groups: int, lost: int = 0) -> Pair:
    labels = (np.arange(table.n_rows) % groups).astype(np.int32)
    order = np.argsort(table.quasi[0].codes, kind="stable")
    labels[order] = np.sort(labels)
    if lost:
        labels[labels == 0] = np.where(np.arange((labels == 0).sum()) < lost, -1, 0)
        _, dense = np.unique(labels[labels >= 0], return_inverse=True)
        labels[labels >= 0] = dense
    return Pair(table, generalize(table, Grouping(labels)))


MEASURE_CHECKS = (
    is_registered,
    same_from_cells,
    columns_fit,
    empty_column,
    finite,
    coarser_is_not_better,
)
"""Every check of a measure; each takes it and raises `ContractError`."""
