"""A quasi-identifier as the column to predict: the release shows it generalized."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.base.arrays import Ints
from shoal.errors import ParameterError
from shoal.judging.utility.label import (
    Label,
    require_frequent,
    require_mostly_known,
    require_numbers,
    require_several,
)
from shoal.measures._margins import says_nothing
from shoal.measures._transport import cell_ends
from shoal.publications.recoding import CategoryCells, NumberCells, Recoded
from shoal.table import CategoricalColumn, NumericColumn, Table


def read_quasi_label(table: Table, recoded: Recoded, name: str, folds: int, seed: int) -> Label:
    """Read a quasi-identifier of both tables as a label, and refuse one that cannot be learnt.

    Numbers are predicted as numbers, however few there are: who learns from the release takes
    the middle of an interval. A category that covers several values stands for one of them,
    drawn evenly with the seed among those that occur. A cell that covers every value says
    nothing, and its row is not learnt from.
    """
    place = next(at for at, column in enumerate(table.quasi) if column.name == name)
    column, cells = table.quasi[place], recoded.columns[place]
    if len(table.quasi) < 2:
        raise ParameterError(
            f"The label '{name}' is the only quasi-identifier, so there is nothing to learn from.",
            "Choose a sensitive column or one of role other.",
        )
    known = np.asarray(column.codes < column.size)
    require_mostly_known(name, known)
    counts = column.counts[: column.size]
    require_several(name, int(np.count_nonzero(counts)))
    informative = ~says_nothing(column, cells)
    if isinstance(column, NumericColumn):
        assert isinstance(cells, NumberCells)
        require_numbers(known, folds)
        lo, hi = cell_ends(column, cells)
        values = np.append(column.values.astype(np.float64), np.nan)
        middle = lo / 2 + hi / 2
        return Label(
            True, known, values[column.codes], informative[cells.index], middle[cells.index]
        )
    assert isinstance(cells, CategoryCells)
    held = np.flatnonzero(counts)
    require_frequent(name, counts[held], folds)
    class_of = np.full(column.size + 1, -1, dtype=np.int64)
    class_of[held] = np.arange(len(held))
    drawn = _drawn(column, cells, class_of[:-1], seed)
    informative_rows = informative[cells.index] & (drawn >= 0)
    return Label(False, known, class_of[column.codes], informative_rows, drawn)


def without_label(table: Table, recoded: Recoded, name: str) -> tuple[Table, Recoded]:
    """Leave the label out of what is learnt from."""
    kept = [at for at, column in enumerate(table.quasi) if column.name != name]
    columns = tuple(recoded.columns[at] for at in kept)
    return table.without([name]), replace(recoded, columns=columns)


def _drawn(column: CategoricalColumn, cells: CategoryCells, class_of: Ints, seed: int) -> Ints:
    """Draw a class that occurs among the values of each published cell; -1 if none does."""
    tree = column.hierarchy
    before = np.concatenate([[0], np.cumsum(class_of >= 0)])  # classes below each leaf
    first, last = tree.first_leaf[cells.nodes], tree.last_leaf[cells.nodes]
    start, size = before[first], before[last + 1] - before[first]
    classes, listed_so_far = [np.arange(before[-1])], int(before[-1])
    for cell, codes in enumerate(cells.sets or ()):
        if codes is not None:
            listed = class_of[codes][class_of[codes] >= 0]
            start[cell], size[cell] = listed_so_far, len(listed)
            listed_so_far += len(listed)
            classes.append(listed)
    every = np.append(np.concatenate(classes), -1)
    many = size[cells.index]
    turn = np.floor(np.random.default_rng(seed).random(len(many)) * many).astype(np.int64)
    return np.asarray(
        np.where(many > 0, every[start[cells.index] + np.minimum(turn, many - 1)], -1)
    )
