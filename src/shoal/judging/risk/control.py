"""What an attack gets by chance: the same attack on values that were drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from shoal.base.arrays import Bools, Ints
from shoal.io.frames import smallest
from shoal.judging.risk.base import Attack
from shoal.judging.risk.sight import Sight
from shoal.models import Histogram
from shoal.publications.recoding import CategoryCells, Cells
from shoal.table import NumericColumn, QuasiColumn

SEED = 20090629
"""What controls are drawn with, so that the same attack gives the same answer twice."""

_ENOUGH = 20_000
"""Small tables are dealt out again until so many values were."""

_MOST_DRAWS = 50


def of_classes(
    name: str,
    seen: Sight,
    column: str,
    mark: Callable[[Sight], Bools],
    meaning: str,
    *,
    first: Mapping[str, Any] | None = None,
    then: Mapping[str, Any] | None = None,
    remark: str = "",
) -> Attack:
    """Attack the people of the classes that ``mark`` marks.

    The control is what it gets on average if the values of the column say nothing of the classes.
    ``first`` and ``then`` are details before and after the numbers of classes.
    """
    exposed = mark(seen)
    people = seen.people_in(exposed)
    classes = {"classes": int(exposed.sum()), "of_classes": seen.n_classes}
    return Attack(
        name,
        column,
        people / seen.n_people,
        people,
        seen.n_people,
        meaning,
        {**(first or {}), **classes, **(then or {})},
        remark,
        control=float(np.mean([each.share_in(mark(each)) for each in shuffled(seen, column)])),
    )


def shuffled(seen: Sight, name: str) -> Iterator[Sight]:
    """Deal the values of a column out at random over classes of the same sizes, some times.

    Classes and values are put in an order that does not depend on their numbers, so that the
    same publication, read in another way, has the same control.
    """
    found = seen.histograms[name]
    sizes = np.stack([found.held(seen.n_classes), seen.crowds, seen.totals[name]], axis=1)
    held, crowds, totals = sizes[np.lexsort(sizes.T)].T
    ranked = [(label is None, label or "") for label in found.labels]
    named = sorted(range(len(ranked)), key=ranked.__getitem__)
    labels = tuple(found.labels[code] for code in named)
    few = np.arange(len(named), dtype=smallest(len(named)))  # small ones are dealt out sooner
    values = np.repeat(few, found.totals[named])
    owners = np.repeat(np.arange(seen.n_classes), held)
    classes = np.repeat(np.arange(seen.n_classes), crowds)
    rng = np.random.default_rng(SEED)
    for _ in range(min(_MOST_DRAWS, 1 + _ENOUGH // len(values))):
        dealt = Histogram.count(owners, rng.permutation(values), labels)
        yield replace(
            seen,
            classes=classes,
            histograms={name: dealt},
            totals={name: totals},
            people=None,
            cells=None,
            values=None,
            origin=None,
        )


def redrawn(column: QuasiColumn, cells: Cells, codes: Ints, rng: np.random.Generator) -> Ints:
    """Draw for each row a value that its cell covers, as frequent as it is in the table.

    What is known of the ends or the parts of a class then holds by chance alone. Missing cells stay
    missing. ``codes`` are the original ones of the published rows.
    """
    low, high = _covered(column, cells)
    counts = np.bincount(codes, minlength=column.size + 1)[: column.size]
    before = np.append(0, np.cumsum(counts))
    first, last = before[low[cells.index]], before[high[cells.index]]
    picked = first + (rng.random(len(codes)) * (last - first)).astype(np.int64)
    drawn = np.searchsorted(before, picked, side="right") - 1
    return np.asarray(np.where((codes == column.size) | (last == first), codes, drawn))


def _covered(column: QuasiColumn, cells: Cells) -> tuple[Ints, Ints]:
    """Say from which code on, and up to before which, each distinct cell covers."""
    if isinstance(cells, CategoryCells):
        tree = cells.hierarchy
        low = tree.first_leaf[cells.nodes].astype(np.int64)
        high = tree.last_leaf[cells.nodes].astype(np.int64) + 1
    else:
        assert isinstance(column, NumericColumn), "numbers are published of numbers"
        low = np.searchsorted(column.values, cells.lo, side="left").astype(np.int64)
        ends = np.searchsorted(column.values, cells.hi, side="right")
        open_ends = np.searchsorted(column.values, cells.hi, side="left")
        high = np.where(cells.open_end, open_ends, ends).astype(np.int64)
    return np.where(cells.star, 0, low), np.where(cells.star, column.size, high)
