"""Requirements as plain numbers, for kernels: k people, and largest shares of kinds of values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from shoal.base.arrays import Ints
from shoal.kernels.partition.tally import ShareLimits
from shoal.models import Requirement, ShareBounds
from shoal.models.exact.shares import below
from shoal.publications.groups.counting import judged_columns, one_group
from shoal.publications.groups.grouping import SUPPRESSED, Grouping
from shoal.table import Table


def share_limits(table: Table, require: Sequence[Requirement]) -> list[ShareBounds]:
    """Ask the requirements which shares they limit, in fractions that do not overflow.

    Shortened fractions judge groups of up to as many rows as the table has exactly alike.
    """
    whole = one_group(table, require)
    made = []
    for each in [limits for requirement in require for limits in requirement.shares(whole)]:
        short = {share: below(share, table.n_rows) for share in set(each.largest)}
        made.append(replace(each, largest=tuple(short[share] for share in each.largest)))
    return made


def required_size(require: Sequence[Requirement]) -> int:
    """Find the largest size that is asked of a group: k."""
    return max((each.required_size for each in require), default=1)


def limits_of(table: Table, require: Sequence[Requirement]) -> tuple[ShareLimits, bool]:
    """Write requirements as limits; also say whether the limits are all that is required."""
    complete = [each for each in require if each.complete]
    kinds: list[Ints] = []
    units: list[Ints] = [] if table.people is None else [_dense(table.people)]
    shares: list[Fraction] = []
    for each in share_limits(table, require):
        codes = table.sensitive[each.column].codes
        kinds.append(each.sets[codes] + len(shares))
        shares += each.largest
        if table.people is not None:  # a person counts once per value
            units.append(_pairs(codes, table.people) + (int(units[-1].max()) + 1))
    limits = ShareLimits(
        k=required_size(complete),
        kind=np.array(kinds, dtype=np.int64).reshape(len(kinds), table.n_rows),
        unit=np.array(units, dtype=np.int64).reshape(len(units), table.n_rows),
        above=np.array([share.numerator for share in shares], dtype=np.int64),
        below=np.array([share.denominator for share in shares], dtype=np.int64),
    )
    return limits, len(complete) == len(require)


def fitting(limits: ShareLimits, rows: Ints) -> Ints:
    """Leave out the last rows of values that are too frequent even in all rows together.

    Four of five are alike, and at most two thirds may be:

    >>> none = np.zeros((0, 5), dtype=np.int64)
    >>> alike = np.array([[0, 0, 1, 0, 0]])
    >>> two_thirds = ShareLimits(2, alike, none, np.array([2, 1]), np.array([3, 1]))
    >>> fitting(two_thirds, np.arange(5)).tolist()
    [0, 1, 2]
    """
    while True:
        before = len(rows)
        for column in range(len(limits.kind)):
            people = limits.unit[0] if len(limits.unit) else None
            units = rows if people is None else limits.unit[column + 1, rows]
            total = len(rows if people is None else np.unique(people[rows]))
            most = total * limits.above // limits.below
            rows = _first_of_each(rows, units, limits.kind[column], most, people)
        if len(rows) == before:
            return rows


def _first_of_each(
    rows: Ints, units: Ints, kinds: Ints, most: Ints, people: Ints | None = None
) -> Ints:
    """List rows, less those of the last units of kinds that have more units than may be.

    Units of few rows go first; if people are given, those whose people keep another unit.
    """
    held, first, unit = np.unique(units, return_index=True, return_inverse=True)
    kind = kinds[rows[first]]
    counts = np.bincount(kind, minlength=len(most))
    # The r-th unit of its kind, in the order of their first rows.
    stays = np.zeros(len(held), dtype=np.bool_)
    if people is not None:
        who = np.unique(people[rows[first]], return_inverse=True)[1]
        stays = np.bincount(who, (counts <= most)[kind])[who] > 0
    order = np.lexsort((first, -np.bincount(unit), stays, kind))
    rank = np.empty(len(held), dtype=np.int64)
    rank[order] = np.arange(len(held)) - (np.cumsum(counts) - counts)[kind[order]]
    return rows[(rank < most[kind])[unit]]


def publishable(table: Table, require: Sequence[Requirement], rows: Ints | None = None) -> Ints:
    """List rows, or all, less the last ones of values that are too frequent in them together.

    Of one column, as few go as can. Where values of several columns are too frequent, rows go first
    that hold several of them; of people, further rows go first.

    ``rows``: some rows, in an order.
    """
    every = np.arange(table.n_rows) if rows is None else rows
    limits, _ = limits_of(table, require)
    kept = _worst_last(table, require, limits, every)
    before = -1
    while len(kept) != before:
        before = len(kept)
        kept = fitting(limits, kept) if len(limits.kind) else kept
        for each in require:
            whole = one_group(table, require, kept)
            for name, most in each.most_of_each(whole).items():
                codes = table.sensitive[name].codes
                units = kept if table.people is None else _pairs(codes, table.people)[kept]
                kept = _first_of_each(kept, units, codes, most)
    return np.sort(kept if len(kept) else every)


def _worst_last(
    table: Table, require: Sequence[Requirement], limits: ShareLimits, rows: Ints
) -> Ints:
    """Order rows: those with values that are too frequent in several columns last.

    So are the further rows of a person: without them, nobody need be left out. Among other rows
    those come first that hold a rare value of some column, which another requirement may need.
    """
    over = np.zeros(len(rows), dtype=np.int64)
    for kinds in limits.kind[:, rows] if len(limits.kind) > 1 else ():
        counts = np.bincount(kinds, minlength=len(limits.above))
        over += (counts > len(rows) * limits.above // limits.below)[kinds]
    further = np.zeros(len(rows), dtype=np.int64)
    if table.people is not None:
        by_person = np.argsort(table.people[rows], kind="stable")
        _, count = np.unique(table.people[rows], return_counts=True)
        further[by_person] = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
    judged = [column.codes[rows] for column in judged_columns(table, require).values()]
    rare = [np.bincount(codes)[codes] for codes in judged] if len(judged) > 1 else [over]
    return rows[np.lexsort((np.min(rare, axis=0), over, further))]


def without_surplus(
    table: Table, require: Sequence[Requirement], group: Callable[[Table], Grouping]
) -> Grouping:
    """Group a table less the rows that are left out because their value is too frequent.

    A method that only merges cannot leave out single rows: with them, no union would hold.
    """
    kept = publishable(table, require)
    if len(kept) == table.n_rows:
        return group(table)
    labels = np.full(table.n_rows, SUPPRESSED, dtype=np.int32)
    labels[kept] = group(table.select(kept)).labels
    return Grouping(labels)


def _pairs(codes: Ints, people: Ints) -> Ints:
    """Number the pairs of a value and a person who holds it."""
    return _dense(codes * (int(people.max()) + 1) + people)


def _dense(values: Ints) -> Ints:
    return np.unique(values, return_inverse=True)[1].astype(np.int64)
