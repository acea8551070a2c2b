"""One table: every group shows the narrowest cells that cover all its members."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from shoal.cells import STAR, Interval, parse_interval
from shoal.errors import ParameterError
from shoal.grouping import Grouping
from shoal.recode.cells import CategoryCells, Cells, NumberCells, Recoded, number_ends
from shoal.table import CategoricalColumn, NumericColumn, QuasiColumn, Table

__all__ = ["BOUNDS", "generalize", "grid_step"]

BOUNDS = ("observed", "rounded")
"""Where intervals end: at values of the group, or on a grid of round numbers."""


def generalize(
    table: Table,
    grouping: Grouping,
    *,
    bounds: str = "observed",
    numbers: Literal["intervals", "tree"] = "intervals",
    suppressed: Collection[str] = (),
) -> Recoded:
    """Publish numbers as minimal intervals, categories as lowest common ancestors.

    Parameters
    ----------
    bounds
        ``"observed"``: an interval ends at the least and largest value of its group, which
        are values of real people. ``"rounded"``: it ends at the next round numbers outside
        (multiples of `grid_step`), at the price of slightly wider intervals.
    numbers
        ``"intervals"``: minimal ones. ``"tree"``: nodes of each number's hierarchy, whose ends
        are fixed, so that ``bounds`` plays no part.
    suppressed
        Columns that show ``*`` in every row.

    Notes
    -----
    A group in which a cell is missing shows ``*`` in that column, in all its rows. Where the
    grouping names levels, cells are those of its level in every row.
    """
    if bounds not in BOUNDS:
        raise ParameterError(
            f"bounds must be 'observed' or 'rounded', not {bounds!r}.", "Choose one of the two."
        )
    labels = grouping.labels[grouping.rows].astype(np.int64)
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
            cells = _categories(shown, lo, hi, star, labels, level)
            columns.append(_as_numbers(cells) if by_tree else cells)
        else:
            columns.append(_numbers(shown, lo, hi, star, labels, bounds))
    return Recoded(grouping.rows, tuple(columns))


def grid_step(column: NumericColumn) -> float:
    """Choose the grid of rounded intervals: 1, 2 or 5 times a power of ten, about range/20.

    Examples
    --------
    Ages from 17 to 90 get a step of 5, incomes up to 100,000 a step of 5,000.
    """
    target = column.range / 20
    if target == 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(target))
    step = next((m * power for m in (1, 2, 5) if m * power >= target), 10 * power)
    finest = 10.0**-column.decimals if column.exact else 0.0
    return float(max(step, finest))


def _stars(column: QuasiColumn, rows: int) -> Cells:
    """Show nothing of a column."""
    index, star = np.zeros(rows, dtype=np.int64), np.ones(1, dtype=np.bool_)
    nothing = np.zeros(1, dtype=np.int64)
    if isinstance(column, CategoricalColumn):
        return CategoryCells(index, nothing, star, column.hierarchy)
    return NumberCells(index, nothing, nothing, star, ~star)


def _categories(
    column: CategoricalColumn,
    lo: npt.NDArray[Any],
    hi: npt.NDArray[Any],
    star: npt.NDArray[np.bool_],
    labels: npt.NDArray[np.int64],
    level: int | None = None,
) -> CategoryCells:
    tree = column.hierarchy
    nodes = np.zeros(len(lo), dtype=np.int64)
    if level is None:
        nodes[~star] = tree.lca_of_codes(lo[~star].astype(np.int64), hi[~star].astype(np.int64))
    else:  # all members show the same cell at this level
        leaves = tree.leaf_nodes[lo[~star].astype(np.int64)]
        nodes[~star] = tree.ancestors[leaves, tree.height - level]
    if tree.labels[0] == STAR:  # an outsider cannot tell the root from a missing cell
        star = star | (nodes == 0)
    keys, index = np.unique(np.where(star, -1, nodes), return_inverse=True)
    return CategoryCells(index[labels], np.maximum(keys, 0), keys < 0, tree)


def _as_numbers(cells: CategoryCells) -> NumberCells:
    """Read nodes of a tree over numbers as the intervals they are named after."""
    words = cells.texts()
    read = [parse_interval(text) or Interval(0, 0) for text in words]
    return NumberCells(
        cells.index,
        number_ends([interval.lo for interval in read]),
        number_ends([interval.hi for interval in read]),
        cells.star,
        np.array([interval.open_end for interval in read], dtype=np.bool_),
        words,
    )


def _numbers(
    column: NumericColumn,
    lo: npt.NDArray[Any],
    hi: npt.NDArray[Any],
    star: npt.NDArray[np.bool_],
    labels: npt.NDArray[np.int64],
    bounds: str,
) -> NumberCells:
    lo = np.where(star, 0, lo).astype(np.int64)
    hi = np.where(star, 0, hi).astype(np.int64)
    least, largest = column.values[lo], column.values[hi]
    if bounds == "rounded":
        step = grid_step(column)
        least, largest = _round(np.floor, least, step), _round(np.ceil, largest, step)
    ends = np.stack([least, largest, np.where(star, 1, 0)], axis=1)
    cells, index = np.unique(ends, axis=0, return_inverse=True)
    index = index.reshape(-1)
    shown = cells[:, 2] == 1
    return NumberCells(
        index[labels], cells[:, 0], cells[:, 1], shown, np.zeros(len(cells), dtype=np.bool_)
    )


def _round(direction: Any, values: npt.NDArray[Any], step: float) -> npt.NDArray[np.float64]:
    """Move values to multiples of the step, without leaving float dust behind."""
    if step >= 1:
        if values.dtype == np.int64:  # exact, also past 2**53
            whole = int(step)
            low = [v // whole * whole for v in values.tolist()]
            high = [-(-v // whole) * whole for v in values.tolist()]
            ends = low if direction is np.floor else high
            if all(-(2**63) <= v < 2**63 for v in ends):
                return np.array(ends, dtype=np.int64)
            return np.array(ends, dtype=np.float64)
        return np.asarray(direction(values / step) * step)
    per_unit = round(1 / step)
    return np.asarray(direction(values * per_unit) / per_unit)
