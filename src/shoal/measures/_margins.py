"""Columns in a few bins: what the original holds of each, and what readers rebuild of it.

A reader who knows only the publication takes every value that a cell covers for equally likely,
and columns for independent of each other within a row. A cell that covers every value of its
column says nothing, whatever it is called: ``*``, a root, or the range of all. Readers leave it
out, as they do missing cells; only where all cells of a column are such it counts as its values,
equally likely. Sensitive values that are published per group are any of their group's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Bools, Floats, Ints, runs
from shoal.base.cells import interval_text
from shoal.measures._pairs import Pair
from shoal.models import Histogram
from shoal.publications.groups.counting import count_pairs
from shoal.publications.recoding import CategoryCells, NumberCells, Recoded
from shoal.publications.recoding.counts import cell_shares
from shoal.table import CategoricalColumn, NumericColumn, Table
from shoal.table.hierarchies.values import as_number
from shoal.table.sensitive import SensitiveColumn

BINS = 10
"""Numbers are compared in this many bins of about equally many original rows."""

VALUES = 100
"""The most values of a category that are told apart; rare ones are joined."""

MANY = 20
"""A sensitive column of more numbers than this is one of numbers; of fewer, they may be codes."""

OTHERS = "(others)"
"""What joined values are called."""

CHUNK = 1 << 14
"""The number of things that are written as a matrix at once."""


@dataclass(frozen=True, eq=False)
class Spread:
    """How different things, such as published cells, are spread over bins.

    Thing i has the entries from ``start[i]`` to ``start[i + 1]``: per entry a ``bin``, each at most
    once for a thing, and the ``share`` that lies in it.
    """

    start: Ints
    bin: Ints
    share: Floats

    @classmethod
    def of(cls, thing: Ints, bins: Ints, share: Floats, things: int) -> Spread:
        """Sort entries by thing, and add up those of the same bin."""
        width = int(bins.max(initial=0)) + 1
        keys, place = np.unique(thing * width + bins, return_inverse=True)
        total = np.bincount(place.reshape(-1), share, minlength=len(keys))
        start = np.searchsorted(keys // width, np.arange(things + 1))
        return cls(start.astype(np.int64), keys % width, np.asarray(total, dtype=np.float64))

    @classmethod
    def of_matrix(cls, shares: Floats) -> Spread:
        """Read a matrix, things × bins."""
        thing, bins = np.nonzero(shares)
        start = np.searchsorted(thing, np.arange(len(shares) + 1)).astype(np.int64)
        return cls(start, bins.astype(np.int64), shares[thing, bins])

    @classmethod
    def of_values(cls, bins: int) -> Spread:
        """Let each thing be a bin; a missing value is the last thing, which lies nowhere."""
        each = np.arange(bins)
        return cls.of(each, each, np.ones(bins), bins + 1)

    @classmethod
    def of_groups(cls, found: Histogram, bin_of: Ints, missing: int, groups: int) -> Spread:
        """Spread groups over the bins of their values, as often as each is shown."""
        known = bin_of[found.value] < missing
        share = found.counts / np.bincount(found.group, found.counts)[found.group]
        return cls.of(found.group[known], bin_of[found.value[known]], share[known], groups)

    def entries(self, things: Ints) -> tuple[Ints, Ints]:
        """List the entries of some things: which of the things, and which entry."""
        return runs(self.start[things], self.start[things + 1] - self.start[things])

    def block(self, things: Ints, bins: int) -> Floats:
        """Write the shares of some things as a matrix, things × bins."""
        made = np.zeros((len(things), bins))
        owner, entry = self.entries(things)
        made[owner, self.bin[entry]] = self.share[entry]
        return made


@dataclass(frozen=True, eq=False)
class Margin:
    """A column in bins, which ``labels`` call by name, before and after.

    Before: ``codes`` has the code of each original row, ``bin_of`` the bin of each code,
    ``len(labels)`` if it is missing, and ``held`` how many original rows hold it. After: ``shows``
    says what each published row shows, a number from 0 on, ``thing_of`` which thing of the
    ``spread`` that is, and ``says`` whether a thing says something: see the head of this file.
    """

    name: str
    kind: Literal["numeric", "categorical"]
    labels: tuple[str, ...]
    codes: npt.NDArray[np.integer[Any]]
    bin_of: Ints
    held: Ints
    shows: npt.NDArray[np.integer[Any]]
    thing_of: Ints
    spread: Spread
    says: Bools
    weights: Ints | None = None
    """How many published rows each of ``shows`` stands for, where it is not one."""
    points: Floats | None = None
    """The number of each bin, where every number has a bin of its own: then they are not called."""

    @property
    def size(self) -> int:
        """How many bins there are."""
        return len(self.labels) if self.points is None else len(self.points)

    @cached_property
    def bins(self) -> Ints:
        """The bin of each original row."""
        return np.asarray(self.bin_of[self.codes])

    @cached_property
    def things(self) -> Ints:
        """The thing that each published row shows."""
        return np.asarray(self.thing_of[self.shows])

    @cached_property
    def counts(self) -> Ints:
        """How many published rows show each thing."""
        shown = np.bincount(self.shows, self.weights, minlength=len(self.thing_of))
        made = np.zeros(len(self.says), dtype=np.int64)
        np.add.at(made, self.thing_of, shown.astype(np.int64))
        return made

    @cached_property
    def used(self) -> Bools:
        """Which things readers use: those that say something, or all if none of them does."""
        return self.says if self.counts[self.says].any() else np.ones_like(self.says)

    @property
    def before(self) -> Floats:
        """Count the original rows in each bin; missing cells are in none."""
        every = np.bincount(self.bin_of, self.held, minlength=self.size + 1)[: self.size]
        return np.asarray(every, dtype=np.float64)

    @property
    def after(self) -> Floats:
        """Count the published rows in each bin, as readers spread them."""
        owner = np.repeat(np.arange(len(self.says)), np.diff(self.spread.start))
        rows = np.where(self.used, self.counts, 0)[owner]
        shares = rows * self.spread.share
        every = np.bincount(self.spread.bin, shares, minlength=self.size)
        return np.asarray(every, dtype=np.float64)

    def before_with(self, other: Margin) -> Floats:
        """Count the original rows in each pair of bins, where neither cell is missing."""
        one, two, counts = self.bins_with(other)
        made = np.zeros((self.size, other.size))
        made[one, two] = counts
        return made

    def bins_with(self, other: Margin) -> tuple[Ints, Ints, Ints]:
        """List the pairs of bins of original rows, neither cell missing, with their rows."""
        one, two, counts = count_pairs(self.bins, other.bins)
        known = (one < self.size) & (two < other.size)
        return one[known], two[known], counts[known]

    def after_with(self, other: Margin) -> Floats:
        """Count the published rows in each pair of bins, as readers spread them."""
        made = np.zeros((self.size, other.size))
        one, two, counts = self.paired_with(other)
        for at in range(0, len(one), CHUNK):
            some = slice(at, at + CHUNK)
            mine = self.spread.block(one[some], self.size) * counts[some, None]
            made += mine.T @ other.spread.block(two[some], other.size)
        return made

    def paired_with(self, other: Margin) -> tuple[Ints, Ints, Ints]:
        """List the different pairs of things that readers use, with the rows that show them."""
        mine, theirs, counts = count_pairs(self.things, other.things)
        used = self.used[mine] & other.used[theirs]
        return mine[used], theirs[used], counts[used]


def margin_of(pair: Pair, name: str, *, bins: int = BINS, values: int = VALUES) -> Margin:
    """Put a quasi-identifier or a sensitive column in bins."""
    for column, cells in zip(pair.table.quasi, pair.recoded.columns, strict=True):
        if column.name == name:
            return cells_margin(column, cells, column.counts, bins=bins, values=values)
    return _sensitive_margin(pair.table, pair.recoded, name, bins, values)


def cells_margin(
    column: NumericColumn | CategoricalColumn,
    cells: NumberCells | CategoryCells,
    held: Ints,
    weights: Ints | None = None,
    *,
    bins: int = BINS,
    values: int = VALUES,
) -> Margin:
    """Put a quasi-identifier in bins: original rows as ``held``, ``weights`` as in `Margin`."""
    if isinstance(column, NumericColumn):
        assert isinstance(cells, NumberCells)
        made = _number_margin(column, cells, held, bins)
    else:
        assert isinstance(cells, CategoryCells)
        made = _category_margin(column, cells, held, values)
    return replace(made, weights=weights)


def values_margin(
    name: str,
    column: SensitiveColumn,
    held: Ints,
    shows: Ints,
    weights: Ints | None = None,
    *,
    bins: int = BINS,
    values: int = VALUES,
) -> Margin:
    """Put a sensitive column in bins of which published rows show their own values."""
    kind, labels, bin_of = _sensitive_bins(column, held, bins, values)
    spread = Spread.of_values(len(labels))
    says = np.append(np.ones(len(labels), dtype=np.bool_), False)
    return Margin(
        name, kind, labels, column.codes, bin_of, held, shows, bin_of, spread, says, weights
    )


def says_nothing(column: NumericColumn | CategoricalColumn, cells: Any) -> Bools:
    """Mark the distinct cells that cover every value of their column, of which there are two."""
    if isinstance(cells, CategoryCells):
        return np.asarray(cells.star | ((cells.leaf_counts >= column.size) & (column.size > 1)))
    if not isinstance(column, NumericColumn) or column.size < 2:
        return np.asarray(cells.star)
    least, largest = column.values[0], column.values[-1]
    above = np.where(cells.open_end, cells.hi > largest, cells.hi >= largest)
    return np.asarray(cells.star | ((cells.lo <= least) & above))


def label_numbers(column: SensitiveColumn) -> Floats | None:
    """Read the values of a sensitive column as numbers, NaN if missing; ``None`` if it has few."""
    known = [label for label in column.labels if label is not None]
    read = [as_number(label) for label in known]
    numbers = [float(each) for each in read if each is not None]
    if len(numbers) < len(known) or len(set(numbers)) <= MANY:
        return None
    return np.array(numbers + [np.nan] * (len(column.labels) - len(known)))


def _number_margin(column: NumericColumn, cells: NumberCells, held: Ints, bins: int) -> Margin:
    bin_of, first, last = _quantiles(held[:-1], bins)
    ends = zip(column.values[first].tolist(), column.values[last].tolist(), strict=True)
    # What lies above the start of each bin, less what lies above that of the next one.
    above = np.zeros((len(cells), len(first) + 1))
    above[:, : min(1, len(first))] = 1.0
    for place, code in enumerate(first[1:].tolist(), start=1):
        above[:, place] = cell_shares(column, cells, (column.values[code].item(), np.inf))
    shares = above[:, :-1] - above[:, 1:]
    return _quasi(
        column,
        cells,
        "numeric",
        tuple(column.range_text(lo, hi) for lo, hi in ends),
        np.append(bin_of, len(first)),
        held,
        Spread.of_matrix(shares),
    )


def _quantiles(counts: Ints, bins: int) -> tuple[Ints, Ints, Ints]:
    """Cut sorted values into bins: by the share of rows below each, if there are more than bins.

    Gives the bin of each value, and the first and the last value of each bin.
    """
    if np.count_nonzero(counts) <= bins:
        kept = counts > 0
        place = np.maximum(np.cumsum(kept) - 1, 0)
    else:
        below = np.cumsum(counts) - counts
        place = below * bins // max(int(counts.sum()), 1)
    _, first, bin_of = np.unique(place, return_index=True, return_inverse=True)
    last = np.append(first[1:], len(counts))[: len(first)] - 1
    return bin_of.reshape(-1).astype(np.int64), first.astype(np.int64), last.astype(np.int64)


def _category_margin(
    column: CategoricalColumn, cells: CategoryCells, held: Ints, values: int
) -> Margin:
    tree = column.hierarchy
    kept, bin_of, joined = _most_frequent(held[:-1], values)
    labels = (*(tree.leaves[code] for code in kept), *([OTHERS] if joined else []))
    listed = np.zeros(len(cells), dtype=np.bool_)
    thing, bins = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    share = [np.zeros(0)]
    for cell, codes in enumerate(cells.sets or ()):
        if codes is not None:
            listed[cell] = True
            thing.append(np.full(len(codes), cell))
            bins.append(bin_of[codes])
            share.append(np.full(len(codes), 1 / len(codes)))
    nodes = np.flatnonzero(~listed)
    for at in range(0, len(nodes), CHUNK):
        some = nodes[at : at + CHUNK]
        low, high = tree.first_leaf[cells.nodes[some]], tree.last_leaf[cells.nodes[some]]
        covers = (low[:, None] <= kept) & (kept <= high[:, None])
        size = high - low + 1
        rest = size - covers.sum(axis=1)
        owner, bin_ = np.nonzero(covers)
        more = np.flatnonzero(rest)
        thing += [some[owner], some[more]]
        bins += [bin_, np.full(len(more), len(kept))]
        share += [1 / size[owner], rest[more] / size[more]]
    spread = Spread.of(
        np.concatenate(thing), np.concatenate(bins), np.concatenate(share), len(cells)
    )
    return _quasi(
        column, cells, "categorical", labels, np.append(bin_of, len(labels)), held, spread
    )


def _most_frequent(counts: Ints, values: int) -> tuple[Ints, Ints, bool]:
    """Choose the values with a bin each; say the bin of each value, and if others are joined."""
    order = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)]
    kept = np.sort(order if len(order) <= values else order[: values - 1]).astype(np.int64)
    bin_of = np.full(len(counts), len(kept), dtype=np.int64)
    bin_of[kept] = np.arange(len(kept))
    return kept, bin_of, len(kept) < len(counts)


def _quasi(
    column: NumericColumn | CategoricalColumn,
    cells: NumberCells | CategoryCells,
    kind: Literal["numeric", "categorical"],
    labels: tuple[str, ...],
    bin_of: Ints,
    held: Ints,
    spread: Spread,
) -> Margin:
    """Unite cells within one bin: exact tables have many cells, and few things to pair."""
    says = ~says_nothing(column, cells)
    sizes = np.diff(spread.start)
    alone = (sizes == 1) & says
    places = len(labels)
    thing_of = np.empty(len(cells), dtype=np.int64)
    thing_of[alone] = spread.bin[spread.start[:-1][alone]]
    wide = np.flatnonzero(~alone)
    thing_of[wide] = places + np.arange(len(wide))
    _, entry = spread.entries(wide)
    made = Spread(
        np.concatenate([np.arange(places), places + np.append(0, np.cumsum(sizes[wide]))]),
        np.concatenate([np.arange(places), spread.bin[entry]]),
        np.concatenate([np.ones(places), spread.share[entry]]),
    )
    known = np.concatenate([np.ones(places, dtype=np.bool_), says[wide]])
    return Margin(
        column.name, kind, labels, column.codes, bin_of, held, cells.index, thing_of, made, known
    )


def _sensitive_margin(table: Table, recoded: Recoded, name: str, bins: int, values: int) -> Margin:
    column = table.sensitive[name]
    if recoded.groups is None:
        shows = column.codes[recoded.rows]
        return values_margin(name, column, column.counts, shows, bins=bins, values=values)
    kind, labels, bin_of = _sensitive_bins(column, column.counts, bins, values)
    groups = int(recoded.groups.max(initial=-1)) + 1
    spread = Spread.of_groups(recoded.values(table, name), bin_of, len(labels), groups)
    return Margin(
        name,
        kind,
        labels,
        column.codes,
        bin_of,
        column.counts,
        recoded.groups,
        np.arange(groups),
        spread,
        np.diff(spread.start) > 0,
    )


def _sensitive_bins(
    column: SensitiveColumn, held: Ints, bins: int, values: int
) -> tuple[Literal["numeric", "categorical"], tuple[str, ...], Ints]:
    """Choose bins for sensitive values; the missing one is in none."""
    numbers = label_numbers(column)
    missing = np.array([label is None for label in column.labels], dtype=np.bool_)
    if numbers is None:
        counts = np.where(missing, 0, held)
        kept, bin_of, _ = _most_frequent(counts, values)
        joined = bool(((bin_of == len(kept)) & ~missing).any())
        labels = (
            *(column.labels[code] or "" for code in kept.tolist()),
            *([OTHERS] if joined else []),
        )
        return "categorical", labels, np.where(missing, len(labels), bin_of)
    distinct, place = np.unique(numbers[~missing], return_inverse=True)
    rows = np.bincount(place, held[~missing], minlength=len(distinct)).astype(np.int64)
    of_number, first, last = _quantiles(rows, bins)
    ends = zip(distinct[first].tolist(), distinct[last].tolist(), strict=True)
    bin_of = np.full(len(missing), len(first), dtype=np.int64)
    bin_of[~missing] = of_number[place]
    return "numeric", tuple(interval_text(lo, hi) for lo, hi in ends), bin_of
