"""An original and what was published of it, set side by side: what measures are taken of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arguments import one_of, require_kind
from shoal.base.arrays import Bools, Floats, Ints, numbered
from shoal.base.cells import texts, texts_beside
from shoal.base.plural import counted
from shoal.errors import ParameterError, did_you_mean
from shoal.io.frames import to_coded, to_polars
from shoal.models import Histogram
from shoal.publications.groups.counting import count_pairs
from shoal.publications.published import Published, original_rows
from shoal.publications.recoding import CategoryCells, NumberCells, Recoded, parse
from shoal.table import CategoricalColumn, NumericColumn, QuasiColumn, Table
from shoal.table.schema import Schema, is_missing
from shoal.table.sensitive import SensitiveColumn


@dataclass(frozen=True, eq=False)
class Pair:
    """An original table and what was published of it.

    Parameters
    ----------
    table
        The original. Of a release, it holds the published rows alone: ranges, trees and shares
        that a measure divides by are theirs.
    removed
        How many rows of the original are not in ``table``, because they were not published.
    published_only
        Look at the published rows alone, and count each ``*`` as a cell that was known. Then
        nothing depends on how many rows were removed, or how many cells were missing.
    """

    table: Table
    recoded: Recoded
    removed: int = 0
    published_only: bool = False

    @property
    def n_rows(self) -> int:
        """Rows of the original."""
        if self.published_only:
            return len(self.recoded.rows)
        return self.table.n_rows + self.removed

    @property
    def n_removed(self) -> int:
        """Rows of the original that were not published."""
        return self.n_rows - len(self.recoded.rows)

    @cached_property
    def class_sizes(self) -> Ints:
        """Rows per class: of equal published cells, or with the same published group."""
        return np.bincount(self.sensitive_classes).astype(np.int64)

    @cached_property
    def sensitive_classes(self) -> Ints:
        """Number the published rows by what hides their sensitive values, from 0 on.

        These are the published groups where sensitive values are shown per group, else the
        classes of equal cells.
        """
        groups = self.recoded.groups
        if groups is None:
            return self.recoded.classes
        return numbered(groups)

    @cached_property
    def shown(self) -> Mapping[str, Histogram]:
        """Count the sensitive values that each of `sensitive_classes` shows, by column.

        Values that a method added to a group are among them; nothing marks them.
        """
        recoded = self.recoded
        if recoded.groups is None:
            return {
                name: Histogram.count(
                    self.sensitive_classes, column.codes[recoded.rows], column.labels
                )
                for name, column in self.table.sensitive.items()
            }
        known = np.unique(recoded.groups)
        found = {name: recoded.values(self.table, name) for name in self.table.sensitive}
        return {
            name: replace(each, group=np.searchsorted(known, each.group).astype(np.int64))
            for name, each in found.items()
        }

    @cached_property
    def columns(self) -> tuple[NumberPair | CategoryPair, ...]:
        """Each quasi-identifier's original and published cells, by distinct pairs."""
        rows = self.recoded.rows
        made: list[NumberPair | CategoryPair] = []
        for column, cells in zip(self.table.quasi, self.recoded.columns, strict=True):
            cell, code, counts = count_pairs(cells.index, column.codes[rows])
            missing_cells = (code == column.size) & (not self.published_only)
            if isinstance(column, NumericColumn) and isinstance(cells, NumberCells):
                made.append(NumberPair(column, cells, code, cell, counts, missing_cells))
            elif isinstance(column, CategoricalColumn) and isinstance(cells, CategoryCells):
                made.append(CategoryPair(column, cells, code, cell, counts, missing_cells))
        return tuple(made)

    def total(self, cost: Callable[[NumberPair | CategoryPair], Floats]) -> Floats:
        """Sum a cost over the published rows, per column; missing cells cost nothing."""
        return np.array(
            [
                np.where(c.missing, 0.0, np.where(c.star, 1.0, cost(c))) @ c.counts
                for c in self.columns
            ]
        )


@dataclass(frozen=True, eq=False)
class _ColumnPair:
    """Distinct (original code, published cell) pairs of a column, with their counts."""

    column: QuasiColumn
    cells: NumberCells | CategoryCells
    code: Ints
    cell: Ints
    counts: Ints
    missing: Bools
    """Where the original is missing: anonymization took nothing from it."""

    @property
    def star(self) -> Bools:
        """Where ``*`` is published."""
        return np.asarray(self.cells.star[self.cell])


class NumberPair(_ColumnPair):
    """A numeric column's pairs."""

    column: NumericColumn
    cells: NumberCells

    @property
    def width(self) -> Floats:
        """How wide the published interval is."""
        return np.asarray(self.cells.widths[self.cell])

    @property
    def share(self) -> Floats:
        """How wide it is, as a share of the column's range."""
        return np.minimum(self.width / (self.column.range or np.inf), 1.0)

    @property
    def value(self) -> npt.NDArray[Any]:
        """The original number (0 where it is missing)."""
        return np.asarray(np.append(self.column.values, self.column.values[:0].sum())[self.code])

    @property
    def unchanged(self) -> Bools:
        """Where the very number is published."""
        point = (self.cells.hi == self.cells.lo) & ~self.cells.open_end
        return np.asarray(point[self.cell] & (self.cells.lo[self.cell] == self.value))


class CategoryPair(_ColumnPair):
    """A categorical column's pairs."""

    column: CategoricalColumn
    cells: CategoryCells

    @property
    def leaf(self) -> Ints:
        """The leaf node of the original value (the root where it is missing)."""
        nodes = np.append(self.column.hierarchy.leaf_nodes, 0).astype(np.int64)
        return np.asarray(nodes[self.code])

    @property
    def node(self) -> Ints:
        """The published node; of a set the lowest node above its values."""
        return self.cells.nodes[self.cell]

    @property
    def unchanged(self) -> Bools:
        """Where the very value is published."""
        return np.asarray(self.node == self.leaf)

    @property
    def leaf_counts(self) -> Ints:
        """How many values the published cell covers."""
        return np.asarray(self.cells.leaf_counts[self.cell])


def require_pair(given: object) -> None:
    """Refuse what is not a `Pair` (raises `ParameterError`)."""
    require_kind("pair", given, Pair, "a Pair", "Make one with shoal.measures.pair.")


def pair(
    original: Any,
    published: Any,
    schema: Schema,
    *,
    rows: npt.ArrayLike | None = None,
    groups: npt.ArrayLike | None = None,
    values: Mapping[str, Any] | None = None,
    centres: Literal["mean", "median"] | None = None,
) -> Pair:
    """Set a published table beside its original; refuses a publication of something else.

    Parameters
    ----------
    published
        One frame; a release, fresh or opened; or tables that share a class id:
        ``{"quasi": …, "sensitive": …}``, which say themselves what groups there are and what
        they show.
    rows
        For each published row, the original row it comes from. Without it, row i stands for row i.
    groups
        For each published row its group, where sensitive values are published per group and
        not beside their row.
    values
        Per sensitive column a frame of two columns, group and value: what the groups show.
        Needed only where that is not a value for each of their rows, because each one is shown
        once, or some were added.
    centres
        What numbers show, ``"mean"`` or ``"median"``, where cells are centres of their class
        (``microaggregated``). Then cells need not cover the original ones. A release says it by
        itself.
    """
    if centres is not None:
        one_of("centres", centres, ("mean", "median"))
    read = Published.read(published, schema, centres=centres)
    table = Table.encode(original, schema, empty_columns=True)
    if groups is None and (read.linked or read.counterfeit_rows is not None):
        table, groups, values = _shown_groups(table, read)
    recoded = replace(parse(table, read.held, rows), centres=read.centres)
    if groups is not None:
        problem = f"groups must name a group for each of the {len(recoded.rows)} published rows."
        numbered, same = numbered_rows(groups, len(recoded.rows), problem), read.exact
        if same is None:
            same = all(c.star.all() or _shows_all(c) for c in Pair(table, recoded).columns)
        recoded = replace(recoded, groups=numbered, exact=same)
    if values is not None:
        recoded = replace(recoded, shown=read_shown(table, recoded.rows, groups, values))
    made = Pair(table, recoded)
    if recoded.centres is not None:
        _require_points(made)
        return made
    strangers = sum(int(c.counts[~_covered(c)].sum()) for c in made.columns)
    if strangers:
        raise ParameterError(
            counted(strangers, "published cell does", "published cells do")
            + " not cover the original cell of their row.",
            "Rows may have been shuffled: say which original row each one comes from "
            "(rows=…, or the release's private manifest).",
        )
    return made


def pair_of_release(original: Any, published: Any, schema: Schema, *, rows: npt.ArrayLike) -> Pair:
    """Set a release beside its published rows: ranges, trees and shares are theirs.

    That is how a release is measured: of rows that were not published only their number counts.

    Parameters
    ----------
    rows
        For each published row, the original row it comes from.

    Examples
    --------
    >>> import shoal
    >>> original = pl.DataFrame({"age": [20, 30, 90]})
    >>> shown = pl.DataFrame({"age": ["[20, 30]"] * 2})
    >>> schema = shoal.Schema({"age": shoal.quasi()})
    >>> both = (pair(original, shown, schema, rows=[0, 1]),
    ...         pair_of_release(original, shown, schema, rows=[0, 1]))
    >>> [round(shoal.measures.loss.of(each), 2) for each in both]
    [0.43, 1.0]
    """
    coded, own = to_coded(original), np.asarray(rows)
    own = original_rows(own, published=len(own), original=coded.height)
    kept = np.sort(own)
    made = pair(coded.take(kept), published, schema, rows=kept.searchsorted(own))
    return replace(made, removed=coded.height - len(kept))


def _shown_groups(
    table: Table, read: Published
) -> tuple[Table, npt.NDArray[Any], dict[str, pl.DataFrame] | None]:
    """Name the groups that show values apart from their rows, and values that rows do not hold.

    The table is given back with the values of all counterfeits, which none of its rows may hold.
    """
    shown = {}
    if read.linked:
        groups = read.ids.to_numpy()
        for name, each in read.value_tables.items():
            if read.counterfeits or (read.by_column and each.once):
                rows = np.repeat(np.arange(each.frame.height), each.counts.to_numpy())
                shown[name] = pl.DataFrame([each.ids, each.values])[rows]
    else:  # rows of equal cells are a group, which shows the values of people and counterfeits
        (name,), ids = table.sensitive, texts(read.equal_cells(table.schema.quasi))
        groups = ids.filter(pl.Series(~np.asarray(read.counterfeit_rows))).to_numpy()
        shown[name] = pl.DataFrame([ids, read.frame[name].alias("value")])
    if read.counterfeits or not read.linked:
        for name, values in shown.items():
            column = SensitiveColumn.encode(values.to_series(1), table.schema.missing_of(name))
            table = table.with_values(name, column.labels)
    return table, groups, shown or None


def require_covering(pair: Pair) -> None:
    """Refuse cells that are centres of their class: they cover no values that could be counted."""
    if pair.recoded.centres is not None:
        raise ParameterError(
            "Cells are centres of their class, so they have no width.",
            "Use sse, which measures how far they are from the original values.",
        )


def require_sensitive(pair: Pair) -> None:
    """Refuse a table without a sensitive column."""
    if not pair.table.sensitive:
        raise ParameterError("No column is sensitive.", "Give a column the role sensitive.")


def _require_points(pair: Pair) -> None:
    """Refuse ranges and groups of values where cells are said to be centres."""
    for column in pair.columns:
        if isinstance(column, NumberPair):
            wide = (column.cells.lo != column.cells.hi) | column.cells.open_end
        else:
            wide = column.cells.leaf_counts > 1
        coarse = int((wide & ~column.cells.star).sum())
        if coarse:
            raise ParameterError(
                f"Column '{column.column.name}' shows {counted(coarse, 'different cell')} "
                "that cannot be a centre, but is a range or a group of values.",
                "Leave centres out.",
            )


def numbered_rows(names: npt.ArrayLike, rows: int, problem: str) -> Ints:
    """Number what each row names from 0 on; refuse another number of names with the problem."""
    named = np.asarray(names)
    if named.shape != (rows,):
        raise ParameterError(problem, f"It has the shape {named.shape}.")
    return numbered(named)


def _shows_all(column: NumberPair | CategoryPair) -> bool:
    """Say whether every cell is the original one."""
    return bool(np.where(column.missing, column.star, column.unchanged & ~column.star).all())


def _covered(column: NumberPair | CategoryPair) -> Bools:
    if isinstance(column, NumberPair):
        value = column.value
        lo, hi = column.cells.lo[column.cell], column.cells.hi[column.cell]
        inside = (lo <= value) & np.where(
            column.cells.open_end[column.cell], value < hi, value <= hi
        )
    else:
        inside = column.cells.cover(column.cell, column.code)
    return np.asarray(column.star | (inside & ~column.missing))


def read_shown(
    table: Table,
    rows: npt.NDArray[np.intp],
    groups: npt.ArrayLike | None,
    values: Mapping[str, Any],
) -> dict[str, Histogram]:
    """Count the values that groups show; groups are numbered in the order of their names.

    ``rows`` and ``groups`` give for each published row its row of the table and the name of its
    group; ``values`` per sensitive column a frame of two columns, group and value. Refused if a
    group shows what the original does not hold, or hides what its rows hold (raises
    `ParameterError`).
    """
    if groups is None:
        raise ParameterError(
            "values say what groups show, but no groups are given.",
            "Name the group of each published row with groups.",
        )
    names, own = np.unique(np.asarray(groups), return_inverse=True)
    number_of = {name: number for number, name in enumerate(texts(pl.Series(names)))}
    made = {}
    for name, given in values.items():
        if name not in table.sensitive:
            raise ParameterError(
                f"There is no sensitive column '{name}'.", did_you_mean(name, table.sensitive)
            )
        column, shown = table.sensitive[name], to_polars(given)
        if shown.width != 2:
            raise ParameterError(
                f"The values of '{name}' must be a frame of two columns, not {shown.width}.",
                "Give each group and the value it shows.",
            )
        group = _codes(texts(shown.to_series(0)), number_of, name, "a group without rows")
        value = shown.to_series(1)
        like = table.coded[name].values.dtype if table.coded.holds(name) else value.dtype
        known = texts_beside(value, like).set(is_missing(value, table.schema.missing_of(name)), "")
        code_of = {label or "": code for code, label in enumerate(column.labels)}
        what = "a value that the original does not hold"
        code = _codes(known.fill_null(""), code_of, name, what)
        found = Histogram.count(group, code, column.labels)
        width = max(column.size, 1)
        held = np.unique(own.reshape(-1) * width + column.codes[rows])
        hidden = int((~np.isin(held, found.group * width + found.value)).sum())
        if hidden:
            raise ParameterError(
                counted(hidden, f"value of '{name}' is", f"values of '{name}' are")
                + " in a group that does not show it.",
                "Give the values of the same publication.",
            )
        made[name] = found
    return made


def _codes(names: pl.Series, known: Mapping[str, int], column: str, what: str) -> Ints:
    read = names.replace_strict(
        pl.Series(list(known), dtype=pl.String),
        pl.Series(list(known.values()), dtype=pl.Int64),
        default=None,
        return_dtype=pl.Int64,
    )
    if read.null_count():
        raise ParameterError(
            f"{read.null_count()} rows of the values of '{column}' are of {what}.",
            "Give the values of the same publication.",
        )
    return np.asarray(read.to_numpy(), dtype=np.int64)
