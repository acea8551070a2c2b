"""A few rows, before and after: drawn by the release's seed, without identifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from shoal.base.arrays import Bools
from shoal.base.cells import texts
from shoal.io.frames import Coded

if TYPE_CHECKING:
    from shoal.release import Release

MOST = 10
DRAW = 101
"""Distinguishes this draw from others with the same seed."""
WIDTH = 40
"""Characters of a cell."""
MISSING = "(missing)"
LEFT_OUT = "(left out)"


@dataclass(frozen=True)
class ExampleRows:
    """Rows as they were, each beside what is published of it.

    ``names``: the columns; no identifier is among them.
    ``rows``: per row and column the cell before and after; after is empty where another table has
        it.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[tuple[str, str], ...], ...]

    @classmethod
    def of(cls, release: Release, rows: Sequence[int] | None = None) -> ExampleRows:
        """Draw some published rows of people, or take rows of the input.

        ``rows``: which rows of the input, so that those of several releases are the same ones.
        """
        stands_for = release.stands_for
        people = np.flatnonzero(stands_for >= 0)
        if rows is None:
            rng = np.random.default_rng([release.seed, DRAW])
            drawn = np.sort(rng.choice(len(people), min(MOST, len(people)), replace=False))
            chosen = stands_for[people[drawn]]
        else:
            chosen = np.asarray(rows, dtype=np.int64)
        place = np.full(release.input_rows, -1, dtype=np.int64)
        place[stands_for[people]] = people
        places = place[chosen]
        shown = places >= 0
        schema, published = release.schema, release.published.coded
        names = [*schema.quasi, *schema.untouched]
        before = _taken(release.whole.coded, names, chosen)
        after = _taken(published, [n for n in names if n in published.columns], places[shown])
        if release.published.linked:
            ids = texts(release.published.ids).gather(places[shown])
            classes = pl.Series([f"a value of class {each}" for each in ids])
            after |= dict.fromkeys(schema.sensitive, classes)
        return cls.beside(before, after, shown)

    @classmethod
    def beside(
        cls,
        before: Mapping[str, pl.Series],
        after: Mapping[str, pl.Series],
        shown: Bools | None = None,
    ) -> ExampleRows:
        """Show rows as they were beside what is published of them, in the columns of before.

        ``shown``: which rows are published, where some are not: ``after`` has these alone.
        """
        sides = []
        for name, cells in before.items():
            held = np.ones(len(cells), dtype=np.bool_) if shown is None else shown
            made = _texts(after[name]) if name in after else [""] * int(held.sum())
            sides.append(zip(_texts(cells), _spread(made, held), strict=True))
        return cls(tuple(before), tuple(zip(*sides, strict=True)))


def _taken(coded: Coded, names: list[str], rows: np.ndarray) -> dict[str, pl.Series]:
    """Take some rows of some columns."""
    taken = coded.only(names).take(rows)
    return {name: taken.cells(name) for name in names}


def _spread(cells: list[str], shown: Bools) -> list[str]:
    """Put published cells where their rows are; other rows were left out."""
    left = iter(cells)
    return [next(left) if each else LEFT_OUT for each in shown]


def _texts(cells: pl.Series) -> list[str]:
    shown = (cell or MISSING for cell in texts(cells))
    return [cell if len(cell) <= WIDTH else cell[: WIDTH - 1] + "…" for cell in shown]
