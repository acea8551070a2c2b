"""Group statistics, counted in one place: rows, people and sensitive values of each group.

Methods, measures and the pipeline count here. Verification has a count of its own, so that a
mistake here is found there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Ints
from shoal.base.cells import STAR
from shoal.models import GroupStatistics, Histogram, Private, Requirement
from shoal.table import Table
from shoal.table.sensitive import SensitiveColumn

_SMALL_TABLE = 1 << 16
"""A table of at most this many possible pairs is always made; a larger one for many rows."""


@dataclass(frozen=True, eq=False)
class Padding:
    """Values that no row of a group holds, published with it all the same.

    ``group``, ``value``: for each added value, its group and its code in the sensitive column.
    """

    group: Ints
    value: Ints

    def __len__(self) -> int:
        return len(self.group)


def count_pairs(
    group: npt.NDArray[Any], thing: npt.NDArray[Any], multiplicity: Ints | None = None
) -> tuple[Ints, Ints, Ints]:
    """List each thing that occurs in a group once, by group, with the number of its rows.

    ``group``, ``thing``: numbers of 0 or more, row by row.
    ``multiplicity``: how many equal rows each row stands for.

    >>> [part.tolist() for part in count_pairs(np.array([1, 0, 1, 1]), np.array([5, 5, 2, 5]))]
    [[0, 1, 1], [5, 2, 5], [1, 1, 2]]
    """
    width = int(thing.max(initial=0)) + 1
    pairs = group.astype(np.int64) * width + thing
    if (int(group.max(initial=0)) + 1) * width <= max(_SMALL_TABLE, 4 * len(pairs)):
        every = np.bincount(pairs, multiplicity)
        keys = np.flatnonzero(every)
        counts = every[keys]
    elif multiplicity is None:
        keys, counts = np.unique(pairs, return_counts=True)
    else:
        keys, which = np.unique(pairs, return_inverse=True)
        counts = np.bincount(which, multiplicity)
    return keys // width, keys % width, counts.astype(np.int64)


def count_distinct(group: npt.NDArray[Any], thing: npt.NDArray[Any], n_groups: int) -> Ints:
    """Count the different things of each group.

    >>> count_distinct(np.array([0, 0, 2]), np.array([-7, -7, 2**62]), 3).tolist()
    [1, 0, 1]
    """
    _, numbers = np.unique(thing, return_inverse=True)  # things may be large or negative
    owners, _, _ = count_pairs(group, numbers)
    return np.bincount(owners, minlength=n_groups).astype(np.int64)


def count_groups(
    labels: npt.NDArray[Any],
    n_groups: int,
    people: Ints | None = None,
    sensitive: Mapping[str, SensitiveColumn] | None = None,
    padding: Mapping[str, Padding] | None = None,
) -> GroupStatistics:
    """Count what requirements judge.

    ``labels``: the group of each row; a row of a negative one is not counted.
    ``people``: tells persons apart, row by row.
    ``sensitive``: the columns to count the values of, sensitive ones and private ones.
    ``padding``: values added to groups, by column. Nobody real holds them.

    >>> groups = count_groups(np.array([0, 0, -1, 1]), 2, people=np.array([4, 4, 5, 4]))
    >>> groups.sizes.tolist(), groups.people.tolist()
    ([2, 1], [1, 1])
    """
    rows = np.flatnonzero(labels >= 0)
    group = labels[rows].astype(np.int64)
    mine = None if people is None else people[rows]

    def histogram(name: str, column: SensitiveColumn) -> Histogram:
        codes, added = column.codes[rows], (padding or {}).get(name)
        if added is None:
            return Histogram.count(group, codes, column.labels, mine)
        who = mine
        if who is not None:
            who = np.append(who, int(who.max(initial=-1)) + 1 + np.arange(len(added)))
        owners, values = np.append(group, added.group), np.append(codes, added.value)
        return Histogram.count(owners, values, column.labels, who)

    columns = sensitive or {}
    return statistics(
        np.bincount(group, minlength=n_groups).astype(np.int64),
        None if mine is None else count_distinct(group, mine, n_groups),
        {name: histogram(name, column) for name, column in columns.items()},
        columns,
    )


def statistics(
    sizes: Ints,
    people: Ints | None,
    found: Mapping[str, Histogram],
    columns: Mapping[str, SensitiveColumn],
    population: Ints | None = None,
    elsewhere: int = 0,
) -> GroupStatistics:
    """Put what was counted together; private columns stay apart from the sensitive ones."""
    private = [name for name, column in columns.items() if column.private]
    return GroupStatistics(
        sizes,
        people,
        {name: each for name, each in found.items() if name not in private},
        {name: found[name] for name in private},
        population,
        elsewhere,
    )


def judged_columns(table: Table, require: Sequence[Requirement]) -> Mapping[str, SensitiveColumn]:
    """List the columns whose values must be counted, sensitive and private; often none."""
    shown = table.sensitive if any("histograms" in each.needs for each in require) else {}
    if not any(each.private_columns for each in require):
        return shown
    return {**shown, **_private_columns(table, require)}


def with_private(table: Table, require: Sequence[Requirement]) -> Table:
    """Encode the columns that requirements read and no release holds.

    Of a person with several rows, the highest value counts in all of them if the requirement ranks
    values.

    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"who": ["ann", "ann", "bob"], "age": [1, 2, 3], "wish": [2, 5, None]})
    >>> roles = {"who": "identifier", "age": "quasi", "wish": "identifier"}
    >>> table = Table.encode(frame, shoal.Schema(roles, entity="who"))
    >>> found = with_private(table, [shoal.PersonalK("wish")]).private["wish"]
    >>> [found.labels[code] for code in found.codes]
    ['5', '5', None]
    """
    found = _private_columns(table, require)
    return replace(table, private={**table.private, **found}) if found else table


def _private_columns(table: Table, require: Sequence[Requirement]) -> dict[str, SensitiveColumn]:
    made = dict(table.private)
    asked = [(name, each) for each in require for name in each.private_columns]
    for name, each in asked:
        if isinstance(each, Private) and name not in made:
            made[name] = _private_column(table, each, name)
    return made


def _private_column(table: Table, requirement: Private, name: str) -> SensitiveColumn:
    # A star is a text here: it is the root of many trees, and no empty cell.
    missing = [token for token in table.schema.missing_of(name) if token != STAR]
    column = SensitiveColumn.of(table.coded[name], missing)
    ranks = requirement.ranks(name, column.labels, column.counts)
    codes = column.codes
    if ranks is not None and table.people is not None:
        order = np.lexsort((codes, ranks[codes], table.people))
        last = np.append(np.diff(table.people[order]) > 0, True)
        codes = codes[order[last]][table.people]
    return replace(column, codes=codes, private=True)


def one_group(
    table: Table, require: Sequence[Requirement], rows: npt.NDArray[Any] | None = None
) -> GroupStatistics:
    """Count some rows of a table, or all, as one group: what the requirements need of it."""
    return _counted_once(table, judged_columns(table, require), rows)


def whole_group(table: Table) -> GroupStatistics:
    """Count all rows as one group, whatever is required: every sensitive and private column.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"age": [1, 2, 3], "ill": ["flu", "HIV", "flu"]})
    >>> found = whole_group(Table.encode(frame, {"age": "quasi", "ill": "sensitive"}))
    >>> found.sizes.tolist(), found.histograms["ill"].counts.tolist()
    ([3], [1, 2])
    """
    return _counted_once(table, {**table.sensitive, **table.private}, None)


def _counted_once(
    table: Table, columns: Mapping[str, SensitiveColumn], rows: npt.NDArray[Any] | None
) -> GroupStatistics:
    chosen = np.arange(table.n_rows) if rows is None else rows
    people = None if table.people is None else table.people[chosen]
    each = None if table.multiplicity is None else table.multiplicity[chosen]
    return statistics(
        np.array([len(chosen) if each is None else int(each.sum())]),
        None if people is None else np.array([np.count_nonzero(np.bincount(people))]),
        {
            name: Histogram.of_one(column.codes[chosen], column.labels, people, each)
            for name, column in columns.items()
        },
        columns,
        None if table.population is None else np.array([table.population.n_rows]),
    )
