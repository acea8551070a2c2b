"""Which rows can be published at all: what no group could hold goes before rows are grouped.

These are rows of people who ask for more than the table has, and the surplus: rows of values that
are too frequent even in all rows together. With them, whether a method finds groups would be a
matter of luck, since the groups that it finds first leave the surplus to the last ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Ints
from shoal.models import Private, Requirement
from shoal.publications.groups.counting import judged_columns, one_group
from shoal.publications.groups.share_limits import publishable
from shoal.table import Table


def rows_without_surplus(
    table: Table, require: Sequence[Requirement], order: Callable[[Table], Ints] | None = None
) -> Ints:
    """List the rows less the surplus; all of them where there is none, or nothing else.

    Where people have rows in several groups, these may hold the surplus though all rows together do
    not; so who finds no groups without it tries with it.

    ``order``: puts rows in order: the last ones of a value go first. Left out, as they come.
    """
    kept = publishable(table, require, None if order is None else order(table))
    if table.schema.linkage == "all-rows":
        kept = _of_whole_people(table, require, kept)
    return kept if len(kept) else np.arange(table.n_rows)


def possible_rows(table: Table, require: Sequence[Requirement]) -> npt.NDArray[np.intp]:
    """Leave out the rows that ask for what no group can give, unless all do."""
    private, rows = [each for each in require if isinstance(each, Private)], np.arange(table.n_rows)
    while private:
        whole, out = one_group(table, private), np.zeros(table.n_rows, dtype=np.bool_)
        columns = judged_columns(table, private)
        for each in private:
            for name, values in each.impossible(whole).items():
                out |= values[columns[name].codes]
        if not out.any() or out.all():
            break
        table, rows = table.select(np.flatnonzero(~out)), rows[~out]
    return rows


def _of_whole_people(table: Table, require: Sequence[Requirement], kept: Ints) -> Ints:
    """Leave people out with all their rows, until the others fit."""
    assert table.people is not None, "a schema with several rows per person names an entity"
    before = -1
    while len(kept) != before:
        before = len(kept)
        gone = np.setdiff1d(np.arange(table.n_rows), kept)
        kept = kept[~np.isin(table.people[kept], table.people[gone])]
        kept = publishable(table, require, kept)
    return kept
