"""One table: every group shows the narrowest cells that cover all its members."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

import numpy as np

from shoal.base.arguments import one_of
from shoal.base.arrays import Ints
from shoal.base.cells import STAR, Interval, set_text
from shoal.errors import ParameterError
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding.cells import (
    CategoryCells,
    Cells,
    Ends,
    Index,
    Mask,
    NumberCells,
    Recoded,
    shown_by,
)
from shoal.publications.recoding.rounding import Step, outward_of
from shoal.table import CategoricalColumn, NumericColumn, QuasiColumn, Table
from shoal.table.hierarchies import Hierarchy

BOUNDS = ("rounded", "observed")
"""Where intervals end: on a grid of round numbers, or at values of the group."""


CATEGORIES = ("nodes", "sets")
"""What categories show: nodes of their tree, or sets of values where these are fewer."""


def generalize(
    table: Table,
    grouping: Grouping,
    *,
    bounds: Literal["rounded", "observed"] = "rounded",
    numbers: Literal["intervals", "tree"] = "intervals",
    suppressed: Collection[str] = (),
    categories: Literal["nodes", "sets"] = "nodes",
    steps: Mapping[str, Step] | None = None,
) -> Recoded:
    """Publish numbers as minimal intervals, categories as lowest common ancestors.

    ``bounds``: ``"rounded"``: an interval ends at the next round numbers outside the values of its
        group (see `grid`), a range of dates with a month, a year or several (see `calendar`).
        ``"observed"``: it ends at the least and the largest of them, which is narrower, and gives
        away exact values of real people. Either way a group that shares one number shows it.
    ``numbers``: ``"intervals"``: minimal ones. ``"tree"``: nodes of each number's hierarchy, whose
        ends are fixed, so that ``bounds`` plays no part.
    ``suppressed``: columns that show ``*`` in every row.
    ``categories``: ``"nodes"``: the lowest node above the values of a group. ``"sets"``: these
        values as a set, where they are fewer than the leaves under the node.
    ``steps``: the grid of rounded ends, by column, where the table is a part of a larger one; left
        out, it follows from the values that the table's own ranges cover.

    A group in which a cell is missing shows ``*`` in that column, in all its rows. Where the
    grouping names levels, cells are those of its level in every row.
    """
    one_of("bounds", bounds, BOUNDS)
    one_of("categories", categories, CATEGORIES)
    if categories == "sets" and grouping.levels is not None:
        raise ParameterError(
            "The method chose one level per column, which sets of values would break.",
            'Use categories = "nodes", or a method that generalizes each class separately.',
        )
    labels = grouping.labels[grouping.rows]
    columns: list[Cells] = []
    for column in table.quasi:
        if column.name in suppressed or bool((column.codes == column.size).all()):
            columns.append(_stars(column, len(labels)))
            continue
        level = None if grouping.levels is None else grouping.levels[column.name]
        by_tree = isinstance(column, NumericColumn) and (numbers == "tree" or level is not None)
        shown = column.tree if isinstance(column, NumericColumn) and by_tree else column
        lo, hi = grouping.least(shown.codes), grouping.largest(shown.codes)
        star = hi == shown.size
        if isinstance(shown, CategoricalColumn):
            if categories == "sets" and not by_tree:
                held = shown.codes[grouping.rows].astype(np.int64)
                columns.append(_sets(shown, lo, hi, star, labels, held))
                continue
            cells = _categories(shown, lo, hi, star, labels, level)
            columns.append(_as_numbers(cells, column) if by_tree else cells)
        else:
            codes = shown.codes[grouping.rows]
            step = None if steps is None else steps[column.name]
            columns.append(_numbers(shown, lo, hi, star, labels, codes, bounds, step))
    return Recoded(grouping.rows, tuple(columns))


def _stars(column: QuasiColumn, rows: int) -> Cells:
    """Show nothing of a column."""
    index, star = np.zeros(rows, dtype=np.uint8), np.ones(1, dtype=np.bool_)
    nothing = np.zeros(1, dtype=np.int64)
    if isinstance(column, CategoricalColumn):
        return CategoryCells(index, nothing, star, column.hierarchy)
    return NumberCells(index, nothing, nothing, star, ~star, dates=column.dates)


def _categories(
    column: CategoricalColumn,
    lo: Ends,
    hi: Ends,
    star: Mask,
    labels: Index,
    level: int | None = None,
) -> CategoryCells:
    tree = column.hierarchy
    nodes = _lowest(tree, lo, hi, star)
    if level is not None:  # all members show the same cell at this level
        nodes[~star] = tree.at_level(level)[lo[~star].astype(np.int64)]
    if tree.labels[0] == STAR:  # an outsider cannot tell the root from a missing cell
        star = star | (nodes == 0)
    shown = np.where(star, 0, nodes + 1)
    used = np.bincount(shown, minlength=1) > 0
    keys = np.flatnonzero(used) - 1
    index = (np.cumsum(used) - 1)[shown]
    return CategoryCells(shown_by(index, labels), np.maximum(keys, 0), keys < 0, tree)


def _lowest(tree: Hierarchy, lo: Ends, hi: Ends, star: Mask) -> Ints:
    """Find the lowest node above the values of each group; the root where one is missing."""
    nodes = np.zeros(len(lo), dtype=np.int64)
    nodes[~star] = tree.lca_of_codes(lo[~star].astype(np.int64), hi[~star].astype(np.int64))
    return nodes


def _sets(
    column: CategoricalColumn, lo: Ends, hi: Ends, star: Mask, labels: Index, codes: Ints
) -> CategoryCells:
    """Show the values of a group as a set, where they are fewer than those under their node."""
    tree = column.hierarchy
    nodes = _lowest(tree, lo, hi, star)
    group, code = np.divmod(
        np.unique(labels.astype(np.int64) * (tree.n_leaves + 1) + codes), tree.n_leaves + 1
    )
    held = np.bincount(group, minlength=len(lo))
    listed = ~star & (held > 1) & (held < tree.leaf_counts[nodes])
    members = np.split(code, np.cumsum(held)[:-1])
    hidden = star | ((nodes == 0) if tree.labels[0] == STAR else False)
    names = set(tree.labels)
    keys: dict[object, int] = {}  # of distinct cells
    index = np.zeros(len(lo), dtype=np.int64)
    for at in range(len(lo)):
        key: object = -1 if hidden[at] else int(nodes[at])
        if listed[at]:
            text = set_text([tree.leaves[each] for each in members[at].tolist()])
            # A set that reads like a name of the tree would be taken for it.
            key = key if text in names else members[at].tobytes()
        index[at] = keys.setdefault(key, len(keys))
    first = np.zeros(len(keys), dtype=np.int64)
    first[index[::-1]] = np.arange(len(lo))[::-1]
    sets = [
        members[at] if isinstance(k, bytes) else None for k, at in zip(keys, first, strict=True)
    ]
    shown = np.array([key == -1 for key in keys], dtype=np.bool_)
    return CategoryCells(
        shown_by(index, labels), np.where(shown, 0, nodes[first]), shown, tree, sets
    )


def _as_numbers(cells: CategoryCells, column: QuasiColumn) -> NumberCells:
    """Read nodes of a tree over numbers as the intervals they are named after."""
    assert isinstance(column, NumericColumn)
    nodes = np.where(cells.star, -1, cells.nodes).tolist()
    read = [cells.hierarchy.intervals[node] if node >= 0 else None for node in nodes]
    ends = [found or Interval(0, 0) for found in read]
    return NumberCells.of(cells.index, ends, cells.star, cells.texts(), dates=column.dates)


def _numbers(
    column: NumericColumn,
    lo: Ends,
    hi: Ends,
    star: Mask,
    labels: Index,
    codes: Ends,
    bounds: str,
    step: Step | None,
) -> NumberCells:
    # Groups are many, and their different ends few.
    size = column.size
    ends_of = np.where(star, size * size, lo.astype(np.int64) * size + hi)
    different, which = np.unique(ends_of, return_inverse=True)
    hidden = different == size * size
    lo, hi = np.divmod(np.where(hidden, 0, different), size)
    least, largest = column.values[lo], column.values[hi]
    if bounds == "rounded":
        # What is not published leaves no trace.
        covered = np.unique(codes[~star[labels]]) if step is None else None
        least, largest = outward_of(column, covered, step)(least, largest)
    ends = np.stack([least, largest, np.where(hidden, 1, 0)], axis=1)
    cells, index = np.unique(ends, axis=0, return_inverse=True)
    index = index.reshape(-1)[which.reshape(-1)]
    return NumberCells(
        shown_by(index, labels),
        cells[:, 0],
        cells[:, 1],
        cells[:, 2] == 1,
        np.zeros(len(cells), dtype=np.bool_),
        dates=column.dates,
    )
