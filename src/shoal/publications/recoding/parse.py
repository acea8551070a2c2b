"""Read anyone's published table back into cells, to measure it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arrays import Ints
from shoal.base.cells import STAR, Interval, parse_dates, parse_interval, parse_set, shown
from shoal.base.plural import counted
from shoal.errors import InputError
from shoal.io.frames import Coded
from shoal.publications.published import original_rows
from shoal.publications.recoding.cells import CategoryCells, Cells, Index, NumberCells, Recoded
from shoal.table import CategoricalColumn, NumericColumn, QuasiColumn, Table


def parse(
    table: Table, published: pl.DataFrame | Coded, rows: npt.ArrayLike | None = None
) -> Recoded:
    """Read published cells against the original table's hierarchies and numbers.

    ``rows``: for each published row, the original row it comes from. Without it, row i stands for
        row i, and the two tables must be equally long.
    """
    rows = original_rows(rows, published=published.height, original=table.n_rows)
    coded = published if isinstance(published, Coded) else Coded(published)
    columns: list[Cells] = []
    for column in table.quasi:
        if column.name not in coded.columns:
            raise InputError(
                f"The published table has no column '{column.name}'.",
                "Measures need every quasi-identifier.",
            )
        words = coded[column.name].map(shown)
        columns.append(parse_column(column, words.values, words.codes))
    return Recoded(rows, tuple(columns))


def parse_column(column: QuasiColumn, distinct: pl.Series, index: Index) -> Cells:
    """Read the distinct cells of one column, and which one each published row shows."""
    if isinstance(column, CategoricalColumn):
        return _categories(column, distinct, index)
    return _numbers(column, distinct, index)


def _categories(column: CategoricalColumn, distinct: pl.Series, index: Index) -> CategoryCells:
    star = (distinct == STAR).to_numpy()
    tree = column.hierarchy
    nodes = tree.nodes(distinct).astype(np.int64)
    sets: list[Ints | None] = [None] * len(distinct)
    for cell in np.flatnonzero((nodes < 0) & ~star).tolist():
        values = parse_set(distinct[cell])
        if values is None:
            continue
        codes = np.sort(tree.codes(pl.Series(values, dtype=pl.String)).astype(np.int64))
        if codes[0] >= 0:
            sets[cell], nodes[cell] = codes, tree.lca_of_codes(int(codes[0]), int(codes[-1]))
    unknown = int(((nodes < 0) & ~star).sum())
    if unknown:
        raise InputError(
            f"Column '{column.name}' of the published table shows "
            f"{counted(unknown, 'distinct cell')} that "
            "its hierarchy does not have.",
            "Give the hierarchy that the table was published with.",
        )
    listed = sets if any(codes is not None for codes in sets) else None
    return CategoryCells(index, np.where(star, 0, nodes), star, tree, listed)


def _numbers(column: NumericColumn, distinct: pl.Series, index: Index) -> NumberCells:
    star = (distinct == STAR).to_numpy()
    of = parse_dates if column.dates else parse_interval
    read = [Interval(0, 0) if s else of(w) for w, s in zip(distinct, star, strict=True)]
    unknown = sum(interval is None for interval in read)
    if unknown:
        raise InputError(
            f"Column '{column.name}' of the published table shows "
            + counted(unknown, "distinct cell that is", "distinct cells that are")
            + (" no range of dates." if column.dates else " neither a number nor an interval."),
            f"They look like {'1955 to 1964' if column.dates else '[20, 30]'}; make the column "
            "categorical if it uses a hierarchy.",
        )
    known = [interval for interval in read if interval is not None]
    return NumberCells.of(index, known, star, dates=column.dates)
