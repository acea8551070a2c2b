"""Whom of a population do the cells of each class fit? Recounted from published cells alone."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from shoal.base.arrays import Ints
from shoal.base.cells import STAR, parse_interval, parse_set, shown, texts
from shoal.base.plural import counted
from shoal.errors import InputError, ShoalError
from shoal.io.frames import Coded, Dictionary, number_rows
from shoal.judging.verification.dates import cell_days
from shoal.table.hierarchies import Hierarchy
from shoal.table.numbers import to_numbers
from shoal.table.population import population_of
from shoal.table.schema import Kind, Schema, is_missing
from shoal.table.table import resolve

NOBODY = -1


class Fitting(NamedTuple):
    """How many people fit each class, and how many fit none."""

    population: Ints
    elsewhere: int


def fitting(published: Coded, classes: Ints, schema: Schema, population: Any) -> Fitting:
    """Count for each class the people of a population whom its cells fit.

    A node fits the values below it, an interval its numbers, a set its values. ``*`` fits everyone
    where a column shows nothing else, and otherwise those whose cell is missing: a missing cell
    equals only another. Somebody who fits two cells of a column is refused, since no class is
    theirs (raises `InputError`).
    """
    people = population_of(population, schema)
    schema = resolve(people, schema)
    rows, fits = published.height, np.ones(people.height, dtype=np.bool_)
    columns = []
    for name in schema.quasi:
        cells = published[name].map(shown)
        found = _cells_of(cells.values.to_list(), people[name], schema, name)[people[name].codes]
        fits &= found != NOBODY
        columns.append((cells, found))
    joined = [
        Dictionary(cells.values, np.concatenate((cells.codes.astype(np.uint32), found[fits])))
        for cells, found in columns
    ]
    numbers, count = number_rows(joined)
    class_of = np.full(count, NOBODY, dtype=np.int64)
    class_of[numbers[:rows]] = classes
    theirs = class_of[numbers[rows:]]
    made = np.bincount(theirs[theirs != NOBODY], minlength=int(classes.max(initial=-1)) + 1)
    return Fitting(made.astype(np.int64), people.height - int(made.sum()))


def _cells_of(cells: Sequence[str], held: Dictionary, schema: Schema, name: str) -> Ints:
    """Find the published cell that each value of the population fits; `NOBODY` if none does."""
    mask = is_missing(held.values, schema.missing_of(name))
    made = np.full(len(held), NOBODY, dtype=np.int64)
    star = cells.index(STAR) if STAR in cells else NOBODY
    if set(cells) == {STAR}:
        made[:] = star
        return made
    if schema[name].kind is Kind.DATE:
        pairs = _inside(cells, held.values.set(mask, None), _days)
    elif schema[name].kind is Kind.NUMERIC:
        try:
            numbers = to_numbers(held.values, mask)
        except ShoalError as error:
            raise error.about("The population") from None
        pairs = _inside(cells, numbers, _floats if numbers.dtype.is_float() else parse_interval)
    else:
        tree = schema[name].hierarchy
        assert isinstance(tree, Hierarchy)
        pairs = _below_nodes(cells, texts(held.values).set(mask, None), tree)
    twice = np.zeros(len(held), dtype=np.bool_)
    for value, cell in pairs:
        twice[value] |= made[value] not in (NOBODY, cell)
        made[value] = cell
    if twice.any():
        several = counted(int(twice.sum()), "value fits", "values fit")
        raise InputError(
            f"Column '{name}' shows overlapping cells: {several} two of them in the population.",
            "People of a population can only be counted where each column has one level.",
        )
    made[mask.to_numpy()] = star
    return made


def _inside(
    cells: Sequence[str], values: pl.Series, read: Callable[[str], tuple[Any, Any, bool] | None]
) -> Iterator[tuple[int, int]]:
    """Pair values with the cells between whose ends they lie; ``read`` also says if one is open."""
    known = values.arg_sort(nulls_last=True)[: len(values) - values.null_count()]
    rising, at = values[known].to_list(), known.to_list()
    for cell, text in enumerate(cells):
        if (ends := read(text)) is not None:
            low, high, open_end = ends
            until = bisect_left if open_end else bisect_right
            for place in at[bisect_left(rising, low) : until(rising, high)]:
                yield place, cell


def _days(text: str) -> tuple[date, date, bool] | None:
    days = cell_days(text)
    return None if days is None else (*days, False)


def _floats(text: str) -> tuple[float, float, bool] | None:
    """Read ends as floats: the shortest text of a float need not be its exact value."""
    read = parse_interval(text)
    return None if read is None else (float(read.lo), float(read.hi), read.open_end)


def _below_nodes(
    cells: Sequence[str], values: pl.Series, tree: Hierarchy
) -> Iterator[tuple[int, int]]:
    """Pair values with the labels on their way to the root, and with sets that name them."""
    code = {text: cell for cell, text in enumerate(cells) if text != STAR}
    node = {label: number for number, label in enumerate(tree.labels)}
    named: dict[str, list[int]] = {}
    for text, cell in code.items():
        for value in () if text in node else parse_set(text) or ():
            named.setdefault(value, []).append(cell)
    for place, value in enumerate(values.to_list()):
        if value is None:
            continue
        for cell in named.get(value, ()):
            yield place, cell
        if value in code:
            yield place, code[value]
        above = node.get(value, NOBODY)
        while above >= 0:
            if tree.labels[above] in code:
                yield place, code[tree.labels[above]]
            above = int(tree.parent[above])
