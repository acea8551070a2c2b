"""Cells as numbers to learn from: the same rule for original and published ones.

A number is itself, an interval its midpoint; or both say which intervals of the training rows
cover them, if that is asked for. A category says of each node that the training
rows show whether it covers the cell: the node itself, or one above it. An original value so
stands for every published cell it could be behind, and for a table whose cells do not overlap
this is one-hot coding. ``*`` is covered by no node; of a number it is the mean of the training
rows, with a feature of its own that says so.

A table to learn from has a bounded width, whatever a column holds. Categories of more than
`MANY` cells that are dates or numbers become the middle of their ranges; not their width, too:
it is 0 in every original row, which models of a release have never seen. Of others the nodes that
cover most keep features of their own, and the rest share some by a hash of their names. Nothing
here looks at the label.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias
from zlib import crc32

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Bools, Floats, Ints
from shoal.errors import InputError
from shoal.judging.utility.ranges import NodeRanges, ranges_of
from shoal.publications.recoding import CategoryCells, Recoded
from shoal.table import CategoricalColumn, NumericColumn, Table
from shoal.table.hierarchies import Hierarchy

Rows: TypeAlias = npt.NDArray[np.intp]

Intervals: TypeAlias = Literal["midpoint", "one-hot"]
"""What becomes of an interval."""

INTERVALS: tuple[Intervals, ...] = ("midpoint", "one-hot")

WIDE = 1000
"""The most different intervals of a column that become a feature each."""

MANY = 256
"""The most features that the cells of a category become."""

HASHED = 128
"""How many of them are shared, where there are more cells."""


@dataclass(frozen=True, eq=False)
class Numbers:
    """A number per row; NaN where it is not known."""

    name: str
    values: Floats


@dataclass(frozen=True, eq=False)
class Ranges:
    """An interval per row; its ends are NaN where nothing is known."""

    name: str
    lo: Floats
    hi: Floats
    open_end: Bools
    """Whether the upper end is outside."""


@dataclass(frozen=True, eq=False)
class Nodes:
    """A node of the hierarchy per row; the root where nothing is known."""

    name: str
    nodes: Ints
    hierarchy: Hierarchy


Column: TypeAlias = Numbers | Ranges | Nodes


def large_columns(table: Table, recoded: Recoded) -> dict[str, NodeRanges]:
    """Find the categories to read as ranges: dates and numbers of more than `MANY` cells.

    Both tables are looked at, all rows of them, so that both are read alike.
    """
    found = {}
    for column, cells in zip(table.quasi, recoded.columns, strict=True):
        if isinstance(column, CategoricalColumn):
            most = max(len(np.unique(column.codes)), len(cells))
            ranges = ranges_of(column.hierarchy) if most > MANY else None
            if ranges is not None:
                found[column.name] = ranges
    return found


def original_cells(
    table: Table, intervals: Intervals = "midpoint", large: Mapping[str, NodeRanges] | None = None
) -> list[Column]:
    """Read the quasi-identifiers of all rows as they are, `large_columns` as middles."""
    made: list[Column] = []
    for column in table.quasi:
        if isinstance(column, NumericColumn):
            values = np.append(column.values.astype(np.float64), np.nan)
            numbers = values[column.codes]
            if intervals == "midpoint":
                made.append(Numbers(column.name, numbers))
            else:
                closed = np.zeros(len(numbers), dtype=np.bool_)
                made.append(Ranges(column.name, numbers, numbers, closed))
        else:
            leaves = np.append(column.hierarchy.leaf_nodes, 0).astype(np.int64)
            if (ranges := (large or {}).get(column.name)) is None:
                made.append(Nodes(column.name, leaves[column.codes], column.hierarchy))
            else:
                middle = np.append(ranges.middle[leaves[:-1]], np.nan)
                made.append(Numbers(column.name, middle[column.codes]))
    return made


def published_cells(
    table: Table,
    recoded: Recoded,
    intervals: Intervals = "midpoint",
    large: Mapping[str, NodeRanges] | None = None,
) -> list[Column]:
    """Read the quasi-identifiers of the published rows; `large` as for the original."""
    made: list[Column] = []
    for column, cells in zip(table.quasi, recoded.columns, strict=True):
        if isinstance(cells, CategoryCells) and column.name in (large or {}):
            assert large is not None
            made.append(Numbers(column.name, _middles(cells, large[column.name])[cells.index]))
        elif isinstance(cells, CategoryCells):
            nodes = np.where(cells.star, 0, cells.nodes)
            made.append(Nodes(column.name, nodes[cells.index], cells.hierarchy))
        elif intervals == "midpoint":
            middle = cells.lo / 2 + cells.hi / 2  # halves first: sums of large ends overflow
            made.append(Numbers(column.name, np.where(cells.star, np.nan, middle)[cells.index]))
        else:
            lo, hi = (np.where(cells.star, np.nan, end) for end in (cells.lo, cells.hi))
            index = cells.index
            made.append(Ranges(column.name, lo[index], hi[index], cells.open_end[index]))
    return made


def _middles(cells: CategoryCells, ranges: NodeRanges) -> Floats:
    """Find the middle of each distinct cell: of its node, or of the values that it lists.

    The root says as little as ``*``, whatever it is called.
    """
    middle = np.where(cells.star | (cells.nodes == 0), np.nan, ranges.middle[cells.nodes])
    for cell, codes in enumerate(cells.sets or ()):
        if codes is not None:
            leaves = cells.hierarchy.leaf_nodes[codes]
            middle[cell] = ranges.lo[leaves].min() / 2 + ranges.hi[leaves].max() / 2
    return middle


_Read: TypeAlias = Callable[[Any, Rows], Floats]
"""Gives features of some rows of a column."""


class _Feature(NamedTuple):
    """How a column is read: as a scaled number, where it is one that varies, and as marks."""

    scaled: _Read | None
    marks: _Read


@dataclass(frozen=True, eq=False)
class Space:
    """The features that training rows span; what does not vary among them is left out.

    Numbers come first (`n_numbers` of them), scaled to mean 0 and deviation 1 by the training
    rows; features that are 0 or 1 follow.
    """

    features: tuple[_Feature, ...]

    @property
    def n_numbers(self) -> int:
        """How many of the features are scaled numbers."""
        return sum(each.scaled is not None for each in self.features)

    @classmethod
    def span(cls, columns: Sequence[Column], rows: Rows) -> Space:
        """Look at the training rows."""
        made = []
        for column in columns:
            if isinstance(column, Numbers):
                made.append(_of_numbers(column.values[rows]))
            elif isinstance(column, Ranges):
                made.append(_of_ranges(column, rows))
            else:
                made.append(_of_nodes(column, rows))
        return cls(tuple(made))

    def read(self, columns: Sequence[Column], rows: Rows) -> Floats:
        """Give the features of some rows: of the training table, or of the original."""
        pairs = list(zip(self.features, columns, strict=True))
        blocks = [each.scaled(column, rows) for each, column in pairs if each.scaled is not None]
        blocks += [each.marks(column, rows) for each, column in pairs]
        made = np.concatenate(blocks, axis=1)
        # Models refuse a table without columns; one that never varies tells as little.
        return made if made.shape[1] else np.zeros((len(rows), 1))


def _of_numbers(values: Floats) -> _Feature:
    known = values[~np.isnan(values)]
    varies = len(known) > 0 and known.min() < known.max()
    mean, spread = (float(known.mean()), float(known.std())) if varies else (0.0, 0.0)

    def scaled(column: Numbers, rows: Rows) -> Floats:
        values = column.values[rows]
        return ((np.where(np.isnan(values), mean, values) - mean) / spread).reshape(-1, 1)

    def marks(column: Numbers, rows: Rows) -> Floats:
        absent = np.isnan(column.values[rows]).astype(np.float64)
        return absent.reshape(-1, 1)[:, : int(0 < len(known) < len(values))]

    return _Feature(scaled if spread > 0 else None, marks)


def _of_ranges(column: Ranges, rows: Rows) -> _Feature:
    """Say which intervals cover a cell; none covers one that is not known."""
    known = rows[~np.isnan(column.lo[rows])]
    ends = np.stack([column.lo[known], column.hi[known], column.open_end[known]], axis=1)
    shown = np.unique(ends, axis=0)
    if len(shown) > WIDE:
        raise InputError(
            f"Column '{column.name}' shows {len(shown):,} different intervals or numbers, too many "
            f"for one feature each (at most {WIDE:,}).",
            'Use intervals = "midpoint".',
        )

    def covered(shown: Floats, column: Ranges, rows: Rows) -> Floats:
        first, last, open_last = shown[:, 0], shown[:, 1], shown[:, 2] > 0
        lo, hi, open_end = column.lo[rows, None], column.hi[rows, None], column.open_end[rows, None]
        below = (hi < last) | ((hi == last) & (open_end | ~open_last))
        return np.asarray((first <= lo) & below, dtype=np.float64)

    share = covered(shown, column, rows).mean(axis=0)
    return _Feature(None, partial(covered, shown[(share > 0) & (share < 1)]))


def _of_nodes(column: Nodes, rows: Rows) -> _Feature:
    tree = column.hierarchy
    shown = np.unique(column.nodes[rows])
    first, last = tree.first_leaf, tree.last_leaf
    # Two nodes over the same leaves say the same, and one over all leaves says nothing.
    spans, place = np.unique(
        np.stack([first[shown], last[shown]], axis=1), axis=0, return_index=True
    )
    if len(spans) <= MANY:
        covers = (spans[:, 0] <= first[:, None]) & (last[:, None] <= spans[:, 1])
    else:
        covers = _shared(tree, shown[place])
    among = covers[column.nodes[rows]]
    kept = covers[:, among.any(axis=0) & ~among.all(axis=0)]
    return _Feature(None, lambda column, rows: kept[column.nodes[rows]].astype(np.float64))


def _shared(tree: Hierarchy, shown: Ints) -> Bools:
    """Say which nodes the features of a large column cover.

    The nodes over most leaves have a feature each. The rest share features by a hash of their
    labels, so that it depends on no other value, nor on the run.
    """
    last = tree.last_leaf
    order = np.argsort(-tree.leaf_counts[shown], kind="stable")
    covers = np.zeros((tree.n_nodes, MANY), dtype=np.bool_)
    for rank, node in enumerate(shown[order].tolist()):
        alone = rank < MANY - HASHED
        name = tree.labels[node].encode("utf-8", "surrogatepass")
        feature = rank if alone else MANY - 1 - crc32(name) % HASHED
        while (above := int(tree.parent[node])) >= 0 and (
            tree.leaf_counts[above] == tree.leaf_counts[node]
        ):
            node = above  # an only child says the same as its parent
        below = int(tree.leaf_nodes[last[node]]) + 1
        covers[node:below, feature] = True
    return covers
