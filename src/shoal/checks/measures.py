"""What every measure must keep."""

from __future__ import annotations

import math
import tempfile
from dataclasses import replace
from typing import Literal

import numpy as np
import polars as pl

from shoal.checks.contract import checks_of, require
from shoal.checks.non_interference import (
    measure_forgets_removed_rows as measure_forgets_removed_rows,
)
from shoal.checks.tables import SCHEMA, mixed
from shoal.engines.pipeline import anonymize
from shoal.errors import ParameterError
from shoal.measures import Measure, Pair
from shoal.methods import GAACP
from shoal.models import KAnonymity
from shoal.publications import FORMS
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import generalize, represent
from shoal.release import open_release
from shoal.release.claims import measure_public
from shoal.table import Table
from shoal.table.schema import Role

GRADED = SCHEMA.with_column(
    "illness", levels={"i0": 1, "i1": 1, "i2": 2, "i3": 3, "i4": 4, "i5": 5}
)
"""The checks' table with levels, so that every measure makes sense of it."""


def describes_itself(measure: Measure) -> None:
    """It says what it is, and which way is better."""
    require(measure.summary, "it has no documentation")
    require(measure.better in ("lower", "higher"), "it does not say which way is better")


def same_from_cells(measure: Measure) -> None:
    """It measures anyone's table: the published cells give what our release gave."""
    table = _table()
    both = _pair_for(measure, table, 8)
    if not measure.applies(both):
        return
    published, rows = both.recoded.decode(table), both.recoded.rows
    again = measure(table.frame, published, GRADED, rows=rows, centres=both.recoded.centres)
    require(math.isclose(measure.of(both), again), "cells and codes measure differently")
    if both.recoded.centres is not None:
        return
    apart = _per_group(both)
    again = measure(table.frame, published, GRADED, rows=rows, groups=apart.recoded.groups)
    require(math.isclose(measure.of(apart), again), "groups measure differently")


def columns_fit(measure: Measure) -> None:
    """Its values per column, where it has them, are finite and one per column."""
    both = _pair_for(measure, _table(), 5, 3)
    if measure.columns is not None:
        values = measure.by_column_of(both)
        require(list(values) == GRADED.quasi, "there is not one value per column")
        require(all(math.isfinite(v) and v >= 0 for v in values.values()), "one is no number")


def empty_column(measure: Measure) -> None:
    """It copes with a column that is missing everywhere."""
    for name in GRADED.quasi:
        frame = mixed(40, missing=0.1)
        frame = frame.with_columns(pl.lit(None, dtype=frame[name].dtype).alias(name))
        table = Table.encode(frame, GRADED, empty_columns=True)
        _require_number(measure, _pair(table, 5))
        _require_number(measure, _pair(table, 5, centres="median"))


def finite(measure: Measure) -> None:
    """It gives a number, also when nothing or everything was generalized."""
    for groups in (1, 5, 40):
        for lost in (0, 3):
            both = _pair(_table(), groups, lost)
            _require_number(measure, both)
            _require_number(measure, _pair(_table(), groups, lost, centres="mean"))
            _require_number(measure, _per_group(both))


def says_where_it_applies(measure: Measure) -> None:
    """Where it makes no sense it is left out, and refuses with the way out."""
    frame = mixed(40, missing=0.1)
    several = GRADED.with_column("note", role=Role.SENSITIVE)
    none = GRADED.with_column("illness", role=Role.OTHER, levels=None)
    for schema in (GRADED, SCHEMA, several, none):
        both = _pair(Table.encode(frame, schema), 5)
        central = _pair(Table.encode(frame, schema), 5, centres="mean")
        for each in (both, _per_group(both), central):
            _require_number(measure, each)
            if measure.applies(each):
                continue
            try:
                measure.of(each)
            except ParameterError as error:
                require(error.hint, "it refuses without a way out")
            else:
                require(False, "it gives a number where it says that it makes no sense")


def input_untouched(measure: Measure) -> None:
    """It leaves the tables as they are, and gives the same again."""
    both = _pair_for(measure, _table(), 5, 3)
    if not measure.applies(both):
        return
    before = [column.codes.copy() for column in both.table.quasi]
    shown = [cells.index.copy() for cells in both.recoded.columns]
    first = measure.of(both)
    require(measure.of(both) == first, "the second time it measures something else")
    require(
        all(map(np.array_equal, before, (column.codes for column in both.table.quasi)))
        and all(map(np.array_equal, shown, (cells.index for cells in both.recoded.columns))),
        "it writes into the tables",
    )


def coarser_is_not_better(measure: Measure) -> None:
    """Publishing everything in one group is not better than in eight.

    A measure of protection is free of this: that is what coarser cells are for.
    """
    table = _table()
    sign = 1 if measure.better == "lower" else -1
    fine, coarse = _pair_for(measure, table, 8), _pair_for(measure, table, 1)
    if measure.protection or not (measure.applies(fine) and measure.applies(coarse)):
        return
    better = sign * measure.of(fine) <= sign * measure.of(coarse) + 1e-9
    require(better, "a coarser table measures better")


def public_means_it(measure: Measure) -> None:
    """If it says that anyone can recompute it, the written public folder alone gives it."""
    require(measure.public in ("recomputable", "rounded", "never"), "public is not as allowed")
    if measure.public != "recomputable":
        return
    for publication in FORMS:
        with tempfile.TemporaryDirectory() as place:
            made = anonymize(
                mixed(90, missing=0.1),
                GRADED,
                require=[KAnonymity(3)],
                method=GAACP(seed=1),
                publication=publication,
                missing="drop",
                suppression_limit=0.9,
            )
            exact, again = (
                measure.of(made.pair),
                measure_public(open_release(made.write(f"{place}/out")), measure),
            )
        require(math.isclose(exact, again), "the public folder alone does not give it")


def published_rows_are_enough(measure: Measure) -> None:
    """If it can be taken of the published rows alone, missing cells and other rows are nothing."""
    if not measure.of_published:
        return
    table = _table()
    both = _pair_for(measure, table, 5, 3)
    filled = [
        replace(column, codes=np.where(column.codes == column.size, 0, column.codes))
        for column in table.quasi
    ]
    known = replace(table, quasi=tuple(filled))
    seen = {
        round(measure.of(Pair(each, both.recoded, published_only=True)), 9)
        for each in (table, known)
    }
    require(len(seen) == 1, "it tells missing cells from hidden ones")


def _require_number(measure: Measure, both: Pair) -> None:
    """Insist on a finite float of 0 or more, wherever the measure makes sense."""
    if not measure.applies(both):
        return
    value = measure.of(both)
    require(isinstance(value, float) and math.isfinite(value), "it is not a finite float")
    require(value >= 0, "it is negative")


def _table() -> Table:
    return Table.encode(mixed(40, missing=0.1), GRADED)


def _per_group(both: Pair) -> Pair:
    """Publish the same cells, but sensitive values per group."""
    groups = np.arange(len(both.recoded.rows)) % 7
    return Pair(both.table, replace(both.recoded, groups=groups))


def _pair_for(measure: Measure, table: Table, groups: int, lost: int = 0) -> Pair:
    """Publish cells that the measure makes sense of: coarse ones, or else centres."""
    both = _pair(table, groups, lost)
    return both if measure.applies(both) else _pair(table, groups, lost, centres="mean")


def _pair(
    table: Table, groups: int, lost: int = 0, centres: Literal["mean", "median"] | None = None
) -> Pair:
    labels = (np.arange(table.n_rows) % groups).astype(np.int32)
    order = np.argsort(table.quasi[0].codes, kind="stable")
    labels[order] = np.sort(labels)
    if lost:
        labels[labels == 0] = np.where(np.arange((labels == 0).sum()) < lost, -1, 0)
        _, dense = np.unique(labels[labels >= 0], return_inverse=True)
        labels[labels >= 0] = dense
    if centres is not None:
        return Pair(table, represent(table, Grouping(labels), centre=centres))
    return Pair(table, generalize(table, Grouping(labels)))


MEASURE_CHECKS = checks_of(globals(), "Measure")
"""Every check of a measure; each takes it and raises `ContractError`."""
