"""Sets of values instead of nodes: what they save, and what they give away."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

import shoal
from benchmarks.timing import Figures
from shoal.measures import Pair, measure_all
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import CategoryCells, NumberCells, Recoded, generalize
from shoal.table import NumericColumn, QuasiColumn, Table

__all__ = ["sets"]

Bounds = Literal["rounded", "observed"]
Categories = Literal["nodes", "sets"]

BLOCK = 1_000
"""So many people are looked for at once."""


def sets() -> Figures:
    """Complete Adult, 8 QIs, GAA-CP: the same groups published as nodes and as sets of values."""
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    table = Table.encode(shoal.datasets.adult(complete=True), plan.schema_())
    figures: Figures = {}
    for k in (5, 10, 25):
        grouping = shoal.GAACP(picks="first").group(
            table, [shoal.KAnonymity(k)], rng=np.random.default_rng(0)
        )
        for categories in get_args(Categories):
            for bounds in get_args(Bounds):
                recoded = generalize(table, grouping, bounds=bounds, categories=categories)
                case = f"k = {k}, {bounds} bounds, {categories}"
                made = _found(table, recoded)
                if bounds == "observed":
                    made |= _lost(table, recoded)
                figures |= {f"{case}: {name}": value for name, value in made.items()}
        figures |= {f"k = {k}: {name}": value for name, value in _alone(table, grouping).items()}
    return figures


def _lost(table: Table, recoded: Recoded) -> Figures:
    both = Pair(table, recoded)
    measured = measure_all(both)
    made: Figures = {name: measured[name] for name in ("loss", "count_query_error")}
    for attack in (shoal.risk.homogeneity, shoal.risk.probability, shoal.risk.sensitivity):
        made[f"people, {attack.name}"] = attack(both).people
    return made


def _found(table: Table, recoded: Recoded) -> Figures:
    """Look for everyone by their quasi-identifiers: which classes cover them, and how many rows."""
    shown = np.stack([cells.index for cells in recoded.columns], axis=1)
    classes, sizes = np.unique(shown, axis=0, return_counts=True)
    covers = [_covers(*each) for each in zip(table.quasi, recoded.columns, strict=True)]
    once, chance = 0, 0.0
    for begin in range(0, table.n_rows, BLOCK):
        people = slice(begin, begin + BLOCK)
        inside: npt.NDArray[np.bool_] = np.ones((1, len(classes)), dtype=np.bool_)
        for at, column in enumerate(table.quasi):
            inside = inside & covers[at][:, classes[:, at]][column.codes[people]]
        once += int((inside.sum(axis=1) == 1).sum())
        rows = inside.astype(np.float32) @ sizes.astype(np.float32)  # exact below 2**24
        chance += float((1 / rows.astype(np.float64)).sum())
    return {
        "covered by one class only (%)": 100 * once / table.n_rows,
        "mean chance to pick the right row (%)": 100 * chance / table.n_rows,
    }


def _covers(column: QuasiColumn, cells: NumberCells | CategoryCells) -> npt.NDArray[np.bool_]:
    """Say for each value of a column and each distinct cell whether the cell covers it."""
    if isinstance(cells, CategoryCells):
        code, cell = np.indices((column.size, len(cells)))
        return cells.cover(cell.ravel(), code.ravel()).reshape(code.shape)
    assert isinstance(column, NumericColumn)
    value = column.values[:, None]
    return np.asarray(((cells.lo <= value) & (value <= cells.hi)) | cells.star)


def _alone(table: Table, grouping: Grouping) -> Figures:
    """Count sets with a value that one record of the class has, and the people who have it."""
    n_sets = n_telling = 0
    alone: npt.NDArray[np.bool_] = np.zeros(table.n_rows, dtype=np.bool_)
    recoded = generalize(table, grouping, bounds="observed", categories="sets")
    labels = grouping.labels.astype(np.int64)
    for column, cells in zip(table.quasi, recoded.columns, strict=True):
        if not isinstance(cells, CategoryCells) or cells.sets is None:
            continue
        is_set = np.array([codes is not None for codes in cells.sets])[cells.index]
        held = labels * column.size + column.codes
        _, index, counts = np.unique(held, return_inverse=True, return_counts=True)
        single = is_set & (counts[index] == 1)
        n_sets += len(np.unique(labels[is_set]))
        n_telling += len(np.unique(labels[single]))
        alone |= single
    return {
        "sets with a value of one record (%)": 100 * n_telling / n_sets,
        "people with such a value (%)": 100 * float(alone.mean()),
    }
