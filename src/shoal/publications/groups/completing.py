"""Requirements besides k, for methods that merge: merging goes on until they hold.

A group that fails a requirement is merged with another one: with the nearest that holds
together with it, if there is one among the nearest, otherwise with the nearest. Near means:
least added loss, each record losing the share of its domain that its cell covers.

Groups are judged many at once: all of them at the start, and then the unions of a group with its
nearest, so that what it has become is known already.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Bools, Floats, Ints
from shoal.models import GroupStatistics, Histogram, Requirement, holding
from shoal.publications.groups.counting import count_groups, judged_columns, one_group, statistics
from shoal.publications.groups.grouping import SUPPRESSED, Grouping
from shoal.table import CategoricalColumn, QuasiColumn, Table

NEAREST = 64
"""How many of the nearest groups are tried for a union that holds."""

MOST_COUNTS = 20_000_000
"""How many counts of values are kept at most; past it they are counted anew each time."""

MOST_SHARES = 1_000_000
"""Columns of at most so many pairs of codes have what each pair covers in a table."""


def least_size(require: Sequence[Requirement]) -> int:
    """Find the least size of a group that can hold every requirement."""
    return max((requirement.least_size for requirement in require), default=1)


def further_than_k(require: Sequence[Requirement]) -> list[Requirement]:
    """List the requirements that a method does not hold by its own counting."""
    return [each for each in require if not each.size_only]


def holds(require: Sequence[Requirement], table: Table, rows: npt.NDArray[Any]) -> bool:
    """Judge some rows of a table as one group."""
    group = one_group(table, require, rows)
    return all(requirement.judge(group).passed for requirement in require)


def rows_lacking(require: Sequence[Requirement], table: Table, rows: npt.NDArray[Any]) -> int:
    """Say how many rows, at least, must join some rows before they hold as one group; 0: none."""
    group = one_group(table, require, rows)
    return max((int(each.rows_lacking(group)[0]) for each in require), default=0)


class Judge:
    """Judges groups of rows, whichever they are, by all requirements.

    ``rows``: the rows that groups are made of, in an order; all of them if left out.
    """

    def __init__(
        self, table: Table, require: Sequence[Requirement], rows: Ints | None = None
    ) -> None:
        every = np.arange(table.n_rows) if rows is None else rows
        self.require = list(require)
        self.people = None if table.people is None else table.people[every]
        columns = judged_columns(table, require)
        self.columns = {name: column.take(every) for name, column in columns.items()}

    def count(self, places: Ints, labels: Ints, groups: int) -> GroupStatistics:
        """Count what groups hold; ``labels`` number the groups of the rows at ``places``.

        A row may stand in several.
        """
        people = None if self.people is None else self.people[places]
        columns = {name: column.take(places) for name, column in self.columns.items()}
        return count_groups(labels, groups, people, columns)

    def holding(self, places: Ints, labels: Ints, groups: int) -> Bools:
        """Say which groups hold."""
        return self.judge(self.count(places, labels, groups))

    def judge(self, groups: GroupStatistics) -> Bools:
        """Say which groups hold, by what was counted of them."""
        verdicts = [each.judge(groups).holds for each in self.require]
        return np.asarray(np.logical_and.reduce(verdicts))


def complete(
    table: Table, grouping: Grouping, require: Sequence[Requirement], columns: Sequence[QuasiColumn]
) -> Grouping:
    """Merge groups until every one holds the requirements besides k.

    Without such requirements nothing changes.

    ``columns``: the quasi-identifiers as the method publishes them.
    """
    further = further_than_k(require)
    return merge_failing(table, grouping, further, columns) if further else grouping


def merge_failing(
    table: Table, grouping: Grouping, require: Sequence[Requirement], columns: Sequence[QuasiColumn]
) -> Grouping:
    """Merge groups until every one holds the requirements.

    Groups are taken in order; a merged one keeps the lower number. One that fails with nothing
    left to merge with is suppressed. If all rows together hold, that never happens. Requirements
    that compare groups with others compare them with what they were told, or with all rows here:
    merging does not change these.
    """
    judged = judged_columns(table, require)
    groups = grouping.statistics(table.people, judged)
    require = [each if each.judges_alone else each.against(groups) for each in require]
    tally = _Tally(table, require, grouping)
    spans = [_Span(column, grouping) for column in columns]
    sizes = grouping.sizes.astype(np.float64)
    alive = np.ones(grouping.n_groups, dtype=np.bool_)
    held = holding(require, groups)
    for group in np.flatnonzero(~held).tolist():  # the others stay as they are, or take one in
        while alive[group] and not held[group]:
            other, together = _partner(tally, spans, sizes, alive, group)
            if other < 0:
                alive[group] = False
                break
            keep, gone = min(group, other), max(group, other)
            tally.join(keep, gone)
            sizes[keep] += sizes[gone]
            alive[gone] = False
            held[keep] = together
            for span in spans:
                span.join(keep, gone)
            group = keep
    labels = np.full(table.n_rows, SUPPRESSED, dtype=np.int32)
    for label, group in enumerate(np.flatnonzero(alive).tolist()):
        labels[tally.members[group]] = label
    return Grouping(labels)


def _partner(
    tally: _Tally, spans: Sequence[_Span], sizes: Floats, alive: Bools, group: int
) -> tuple[int, bool]:
    """Choose the group to merge a failing one with (−1 if there is none); do both hold then?"""
    others = np.flatnonzero(alive)
    others = others[others != group]
    if not len(others):
        return -1, False
    added = sum((span.added(group, others, sizes) for span in spans), np.zeros(len(others)))
    near = others[_first_of_least(np.round(added, 9), NEAREST)]
    good = np.flatnonzero(tally.holds_with(group, near))
    return (int(near[good[0]]), True) if len(good) else (int(near[0]), False)


def _first_of_least(values: Floats, most: int) -> npt.NDArray[np.intp]:
    """Find the places of the least values in order; equal ones as they come."""
    places = np.arange(len(values))
    if len(values) > most:  # sorting all of them would cost more than finding them
        places = np.flatnonzero(values <= np.partition(values, most - 1)[most - 1])
    return places[np.argsort(values[places], kind="stable")[:most]]


class _Tally:
    """The rows of each group and, where people are not counted, how often each value occurs."""

    def __init__(self, table: Table, require: Sequence[Requirement], grouping: Grouping) -> None:
        self.judge = Judge(table, require)
        ends = np.cumsum(grouping.sizes)[:-1]
        by_group = np.argsort(grouping.labels, kind="stable")[grouping.n_suppressed :]
        self.members = np.split(by_group, ends)
        self.columns = self.judge.columns
        cells = grouping.n_groups * sum(column.size for column in self.columns.values())
        self.counts: dict[str, Ints] | None = None
        if table.people is None and cells <= MOST_COUNTS:
            labels = grouping.labels[grouping.rows].astype(np.int64)
            self.counts = {
                name: np.bincount(
                    labels * column.size + column.codes[grouping.rows],
                    minlength=grouping.n_groups * column.size,
                ).reshape(grouping.n_groups, column.size)
                for name, column in self.columns.items()
            }
        self.sizes = grouping.sizes.copy()

    def holds_with(self, group: int, others: Ints) -> Bools:
        """Judge the unions of a group with each of others."""
        if self.counts is None:
            mine = self.members[group]
            unions = [np.concatenate((mine, self.members[other])) for other in others.tolist()]
            labels = np.repeat(np.arange(len(unions)), [len(union) for union in unions])
            return self.judge.holding(np.concatenate(unions), labels, len(unions))
        found = {}
        for name, counts in self.counts.items():
            both = counts[group] + counts[others]
            which, value = np.nonzero(both)
            found[name] = Histogram(which, value, both[which, value], self.columns[name].labels)
        sizes = self.sizes[group] + self.sizes[others]
        return self.judge.judge(statistics(sizes, None, found, self.columns))

    def join(self, keep: int, gone: int) -> None:
        """Put the rows of one group into another."""
        self.members[keep] = np.concatenate((self.members[keep], self.members[gone]))
        self.sizes[keep] += self.sizes[gone]
        for counts in (self.counts or {}).values():
            counts[keep] += counts[gone]


class _Span:
    """What each group covers of one quasi-identifier, and what that loses."""

    def __init__(self, column: QuasiColumn, grouping: Grouping) -> None:
        self.column = column
        self.lo = grouping.least(column.codes).astype(np.int64)
        self.hi = grouping.largest(column.codes).astype(np.int64)
        self.shares: Floats | None = None
        codes = column.size + 1
        if codes**2 <= MOST_SHARES:
            lo, hi = np.divmod(np.arange(codes**2), codes)
            self.shares = self._share(np.minimum(lo, hi), hi)
        self.now = self.share(self.lo, self.hi)

    def share(self, lo: Ints, hi: Ints) -> Floats:
        """Look up the share of the domain that cells from one code to another cover."""
        if self.shares is None:
            return self._share(lo, hi)
        return np.asarray(self.shares[lo * (self.column.size + 1) + hi])

    def _share(self, lo: Ints, hi: Ints) -> Floats:
        """The share of the domain that cells from one code to another cover; ``*`` all of it."""
        column = self.column
        known = np.minimum(hi, column.size - 1)
        if isinstance(column, CategoricalColumn):
            tree = column.hierarchy
            nodes = tree.lca_of_codes(np.minimum(lo, known), known)
            covered = (tree.leaf_counts[nodes] - 1) / max(tree.n_leaves - 1, 1)
        else:
            wide = column.values[known] - column.values[np.minimum(lo, known)]
            covered = wide / (column.range or np.inf)
        share = np.where((hi == column.size) & (lo < column.size), 1.0, covered)
        return np.asarray(column.weight * np.where(lo == column.size, 0.0, share))

    def added(self, group: int, others: Ints, sizes: Floats) -> Floats:
        """What all records lose more when a group is merged with each of others."""
        lo = np.minimum(self.lo[group], self.lo[others])
        hi = np.maximum(self.hi[group], self.hi[others])
        before = sizes[others] * self.now[others]
        own = sizes[group] * self.now[group]
        return np.asarray((sizes[group] + sizes[others]) * self.share(lo, hi) - before - own)

    def join(self, keep: int, gone: int) -> None:
        """Let one group cover what another does."""
        self.lo[keep] = min(self.lo[keep], self.lo[gone])
        self.hi[keep] = max(self.hi[keep], self.hi[gone])
        self.now[keep] = self.share(self.lo[keep : keep + 1], self.hi[keep : keep + 1])[0]
