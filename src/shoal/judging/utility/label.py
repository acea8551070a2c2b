"""The column to predict: classes or numbers, in the original and in the release."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arrays import Bools, Floats, Ints
from shoal.base.cells import texts, texts_beside
from shoal.base.plural import counted
from shoal.errors import InputError, ParameterError, did_you_mean
from shoal.measures._margins import says_nothing
from shoal.measures._transport import cell_ends
from shoal.publications.recoding import CategoryCells, NumberCells, Recoded
from shoal.table import CategoricalColumn, NumericColumn, Table
from shoal.table.schema import Role, is_missing

DISTINCT = 20
"""A numeric label with at most this many values is treated as classes."""


@dataclass(frozen=True, eq=False)
class Label:
    """What is to be predicted, per original row and per published one.

    ``known`` marks the rows that have a label, and ``values`` holds the number, or the number of
    the class; ``published_known`` and ``published`` are the same of the published rows.
    """

    is_number: bool
    known: Bools
    values: npt.NDArray[Any]
    published_known: Bools
    published: npt.NDArray[Any]


def read_label(table: Table, published: pl.DataFrame, name: str, folds: int) -> Label:
    """Read the label of both tables, and refuse one that cannot be learnt.

    A column that does not exist or is removed raises `ParameterError`; one that is missing in most
    rows, has one value or too few rows of one, or is not published, `InputError`.
    """
    require_role(table, name)
    if name not in published.columns:
        raise InputError(
            f"The published table has no column '{name}', so models cannot learn to predict it.",
            "Values published in a separate table cannot be a label.",
        )
    missing = table.schema.missing_of(name)
    mine, theirs = table.frame[name], published[name]
    known = (~is_missing(mine, missing)).to_numpy()
    theirs_known = (~is_missing(theirs, missing)).to_numpy()
    require_mostly_known(name, known)
    distinct = mine.filter(pl.Series(known)).n_unique()
    require_several(name, distinct)
    numbers = _numbers(mine, known)
    if numbers is not None and distinct > DISTINCT:
        known = known & np.isfinite(numbers)
        require_numbers(known, folds)
        read = _numbers(theirs, theirs_known)
        if read is None:
            raise InputError(
                f"The label '{name}' is a number, but the published table shows text.",
                "Give the original that the table was made from.",
            )
        return Label(True, known, numbers, theirs_known & np.isfinite(read), read)
    return _classes(name, mine, known, theirs, theirs_known, folds)


def _classes(
    name: str, mine: pl.Series, known: Bools, theirs: pl.Series, theirs_known: Bools, folds: int
) -> Label:
    words = texts(mine)
    classes = words.filter(pl.Series(known)).unique().sort()
    codes = _codes(words, classes)
    counts = np.bincount(codes[known], minlength=len(classes))
    require_frequent(name, counts, folds)
    read = _codes(texts_beside(theirs, mine.dtype), classes)
    if strange := int(((read < 0) & theirs_known).sum()):
        raise InputError(
            f"{counted(strange, 'published row shows', 'published rows show')} a value of "
            f"'{name}' that the original does not have.",
            "Give the original that the table was made from.",
        )
    return Label(False, known, codes, theirs_known, read)


def _numbers(values: pl.Series, known: Bools) -> Floats | None:
    """Read numbers, NaN where missing; CSV files bring them as text. ``None`` if one is none."""
    if values.dtype != pl.String and not values.dtype.is_numeric():
        return None
    read = values.cast(pl.Float64, strict=False)
    if (read.is_null() & pl.Series(known)).any():
        return None
    return np.where(known, read.fill_null(float("nan")).to_numpy(), np.nan)


def _codes(words: pl.Series, classes: pl.Series) -> Ints:
    numbers = pl.Series(range(len(classes)), dtype=pl.Int64)
    found = words.replace_strict(classes, numbers, default=-1, return_dtype=pl.Int64)
    return np.asarray(found.fill_null(-1).to_numpy())


def require_role(table: Table, name: str) -> None:
    """Refuse a column that does not exist, or that no release shows."""
    if name not in table.schema or name not in table.frame.columns:
        raise ParameterError(
            f"The table has no column '{name}'.", did_you_mean(name, table.frame.columns)
        )
    if table.schema[name].role is Role.IDENTIFIER:
        raise ParameterError(
            f"The label '{name}' is an identifier, which no release shows.",
            "Choose a column of another role.",
        )


def require_mostly_known(name: str, known: Bools) -> None:
    """Refuse a label that is missing in most rows."""
    absent = int((~known).sum())
    if 2 * absent > len(known):
        raise InputError(
            f"The label '{name}' is missing in {absent} of {len(known)} rows.",
            "Choose another label, or fill it.",
        )


def require_several(name: str, distinct: int) -> None:
    """Refuse a label of one value."""
    if distinct < 2:
        raise InputError(f"The label '{name}' has one value.", "There is nothing to predict.")


def require_numbers(known: Bools, folds: int) -> None:
    """Refuse fewer rows with a number than folds need."""
    if int(known.sum()) < 2 * folds:
        raise InputError(
            f"{counted(int(known.sum()), 'row has', 'rows have')} a label, too few for "
            f"{folds} folds.",
            "Each fold needs two.",
        )


def require_frequent(name: str, counts: npt.NDArray[np.integer[Any]], folds: int) -> None:
    """Refuse values that cannot be in every fold."""
    if few := int((counts < folds).sum()):
        raise InputError(
            f"{few} of the {len(counts)} values of the label '{name}' occur in fewer than "
            f"{folds} rows, so some folds cannot hold them.",
            "Merge rare values, or choose a label with fewer values.",
        )


SAMPLE = 50_000
"""Default number of rows in the sample: scores differ less than folds do."""


def sample_rows(target: Label, people: Ints | None, most: int, folds: int, seed: int) -> Bools:
    """Mark rows that have a label; all of them, if there are no more than asked for.

    Of each class as many rows as there are folds are drawn first, so that rare classes stay. A
    person, whom ``people`` tells apart, comes with all rows, so that a few more may be chosen than
    asked for.
    """
    rows = np.flatnonzero(target.known)
    chosen = target.known.copy()
    if len(rows) <= most:
        return chosen
    drawn = np.random.default_rng(seed).permutation(rows)
    if not target.is_number:
        drawn = drawn[np.argsort(_turns(target.values[drawn]) >= folds, kind="stable")]
    chosen[:] = False
    if people is None:
        chosen[drawn[:most]] = True
        return chosen
    who = people[drawn]
    persons, first, counts = np.unique(who, return_index=True, return_counts=True)
    order = np.argsort(first)
    before = np.cumsum(counts[order]) - counts[order]
    chosen[rows] = np.isin(people[rows], persons[order[before < most]])
    return chosen


def _turns(classes: Ints) -> Ints:
    """Number the rows of each class in the order in which they come."""
    order = np.argsort(classes, kind="stable")
    counts = np.bincount(classes)
    turns = np.empty(len(classes), dtype=np.int64)
    turns[order] = np.arange(len(classes)) - np.repeat(np.cumsum(counts) - counts, counts)
    return turns


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
