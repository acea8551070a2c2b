"""A published table in encoded form: which cell each row shows in each column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arrays import Bools, Floats, Ints
from shoal.base.cells import STAR, Interval, dates_text, interval_text, set_text
from shoal.io.frames import Coded, Dictionary, smallest
from shoal.kernels.collapse import collapse
from shoal.models import Histogram
from shoal.table import Table
from shoal.table.hierarchies import Hierarchy

Ends: TypeAlias = npt.NDArray[Any]
"""Where ranges begin, or end: whole numbers, or floats."""
Index: TypeAlias = npt.NDArray[np.integer[Any]]
"""For each row, which of the distinct cells it shows, or which group it is in."""
Mask: TypeAlias = Bools


@dataclass(frozen=True, eq=False)
class NumberCells:
    """The distinct cells of a numeric column, and which one each published row shows.

    ``star`` marks the cell ``*``, whose ends mean nothing; ``open_end`` a range ``[lo, hi)``.
    ``words`` are the cells as a tree names them: its ends may be past what ``lo`` and ``hi``,
    which are measured with, hold exactly. With ``dates``, numbers are days of the calendar.
    """

    index: Index
    lo: Ends
    hi: Ends
    star: Mask
    open_end: Mask
    words: Sequence[str] | None = None
    dates: bool = False

    @classmethod
    def of(
        cls,
        index: Index,
        ends: Sequence[Interval],
        star: Mask,
        words: Sequence[str] | None = None,
        *,
        dates: bool,
    ) -> NumberCells:
        """Make cells of intervals, exact where they are whole and 64 bits hold them all."""
        lo, hi = (number_ends([each[at] for each in ends]) for at in (0, 1))
        open_end = np.array([each.open_end for each in ends], dtype=np.bool_)
        return cls(index, lo, hi, star, open_end, words, dates)

    def __len__(self) -> int:
        return len(self.star)

    @cached_property
    def widths(self) -> Floats:
        """How wide each distinct cell is."""
        hi, lo = self.hi.astype(np.float64), self.lo.astype(np.float64)
        return np.asarray(np.where(hi == lo, self.hi - self.lo, hi - lo))

    def texts(self) -> list[str]:
        """Write the distinct cells."""
        if self.words is not None:
            return list(self.words)
        ends = zip(self.lo.tolist(), self.hi.tolist(), self.star, self.open_end, strict=True)
        if self.dates:
            return [STAR if star else dates_text(lo, hi) for lo, hi, star, _ in ends]
        return [STAR if star else interval_text(lo, hi, open_end=o) for lo, hi, star, o in ends]


@dataclass(frozen=True, eq=False)
class CategoryCells:
    """The distinct cells of a categorical column, and which one each published row shows.

    A cell is a node of the hierarchy. ``star`` marks the cell ``*`` of a group with a
    missing value; its node is the root. Where ``sets`` are given, they hold the codes of each cell
    that is shown as a set of values, rising; its node is the lowest above them. They are ``None``
    for cells that are nodes.
    """

    index: Index
    nodes: Ints
    star: Mask
    hierarchy: Hierarchy
    sets: Sequence[Ints | None] | None = None

    def __len__(self) -> int:
        return len(self.star)

    def texts(self) -> list[str]:
        """Write the distinct cells."""
        leaves = self.hierarchy.leaves
        made = [
            STAR if star else self.hierarchy.labels[node]
            for node, star in zip(self.nodes.tolist(), self.star, strict=True)
        ]
        for cell, codes in enumerate(self.sets or ()):
            if codes is not None:
                made[cell] = set_text([leaves[code] for code in codes.tolist()])
        return made

    @cached_property
    def leaf_counts(self) -> Ints:
        """How many values each distinct cell covers."""
        made = self.hierarchy.leaf_counts[self.nodes].astype(np.int64)
        for cell, codes in enumerate(self.sets or ()):
            made[cell] = made[cell] if codes is None else len(codes)
        return made

    def cover(self, cell: Ints, code: Ints) -> Mask:
        """Say, pair by pair, whether a distinct cell covers a value."""
        tree = self.hierarchy
        node = self.nodes[cell]
        inside = np.asarray((tree.first_leaf[node] <= code) & (code <= tree.last_leaf[node]))
        if self.sets is None:
            return inside
        listed = np.array([codes is not None for codes in self.sets], dtype=np.bool_)
        held = [
            at * tree.n_leaves + codes for at, codes in enumerate(self.sets) if codes is not None
        ]
        keys = np.concatenate([*held, np.zeros(0, dtype=np.int64)])
        return np.where(listed[cell], np.isin(cell * tree.n_leaves + code, keys) & inside, inside)


Cells: TypeAlias = NumberCells | CategoryCells


@dataclass(frozen=True, eq=False)
class Recoded:
    """The published quasi-identifiers of a table.

    ``rows``: for each published row, the row of the original table it stands for.
    ``columns``: the cells of each quasi-identifier, in the table's order.
    ``groups``: the group of each published row, where sensitive values are published per group and
        not beside the row they belong to; ``None`` where each row shows its own. Numbered from 0.
    ``exact``: whether cells are the original ones, so that ``*`` can only be a missing cell (or a
        column that is not shown at all).
    ``shown``: per sensitive column the values that each group publishes, where they are not simply
        those of its rows: each of them once, and with them values that a method added. Codes are
        those of the table's column. Read them with `values`, which knows both cases.
    ``centres``: whether cells are centres of their groups, with the mean or the median of numbers,
        which do not cover the original ones; ``None`` where cells cover them.
    """

    rows: npt.NDArray[np.intp]
    columns: tuple[Cells, ...]
    groups: Ints | None = None
    exact: bool = False
    shown: Mapping[str, Histogram] = field(default_factory=dict)
    centres: Literal["mean", "median"] | None = None

    def values(self, table: Table, name: str) -> Histogram:
        """Count the values of a sensitive column that each of the `groups` publishes."""
        assert self.groups is not None, "each row shows its own value"
        if name in self.shown:
            return self.shown[name]
        column = table.sensitive[name]
        return Histogram.count(self.groups, column.codes[self.rows], column.labels)

    @cached_property
    def classes(self) -> Ints:
        """Number the published rows by equal cells: the classes an outsider sees."""
        return collapse([c.index for c in self.columns], [len(c) for c in self.columns])

    def decode(self, table: Table) -> pl.DataFrame:
        """Write the published table, in the column order of the original."""
        return self.coded(table).frame

    def coded(self, table: Table) -> Coded:
        """Give the published table, in the column order of the original, as dictionaries."""
        cells = dict(zip((column.name for column in table.quasi), self.columns, strict=True))
        untouched = set(table.schema.untouched)
        published: dict[str, pl.Series | Dictionary] = {}
        for name in table.coded.columns:
            if name in cells:
                words = pl.Series(name, cells[name].texts(), dtype=pl.String)
                published[name] = Dictionary.by(words, cells[name].index)
            elif table.coded.knows(name) and name in untouched:
                published[name] = table.coded[name].take(self.rows)
            elif name in untouched:
                published[name] = table.coded.cells(name)[self.rows]
        return Coded(published, len(self.rows))


def shown_by(index: Index, labels: Index) -> Index:
    """Say which cell each row shows, given that of its group; rows are many, and cells few."""
    return np.asarray(index.reshape(-1).astype(smallest(int(index.max(initial=0)))).take(labels))


def number_ends(values: list[float | int]) -> Ends:
    """Keep ends of intervals exact where they are whole and 64 bits hold them all."""
    if all(isinstance(v, int) and -(2**63) <= v < 2**63 for v in values):
        return np.array(values, dtype=np.int64)
    return np.array(values, dtype=np.float64)
