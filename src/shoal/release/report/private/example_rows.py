"""A few rows, before and after: drawn by the release's seed, without identifiers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from shoal.cells import texts
from shoal.frames import Coded

if TYPE_CHECKING:
    from shoal.release import Release

__all__ = ["ExampleRows"]

MOST = 10
DRAW = 101
"""Tells this draw from others of the same seed."""
WIDTH = 40
"""Characters of a cell."""
MISSING = "(missing)"


@dataclass(frozen=True)
class ExampleRows:
    """Rows as they were, each beside what is published of it.

    Parameters
    ----------
    names
        The columns; no identifier is among them.
    rows
        Per row and column the cell before and after; after is empty where another table has it.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[tuple[str, str], ...], ...]

    @classmethod
    def of(cls, release: Release) -> ExampleRows:
        """Draw some published rows of people."""
        stands_for = release.stands_for
        people = np.flatnonzero(stands_for >= 0)
        rng = np.random.default_rng([release.seed, DRAW])
        places = people[np.sort(rng.choice(len(people), min(MOST, len(people)), replace=False))]
        schema, published = release.schema, release.published.coded
        names = [*schema.quasi, *schema.untouched]
        before = _taken(release.pair.table.coded, names, stands_for[places])
        after = _taken(published, [n for n in names if n in published.columns], places)
        if release.published.linked:
            ids = texts(release.published.ids).gather(places)
            classes = pl.Series([f"a value of class {each}" for each in ids])
            after |= dict.fromkeys(schema.sensitive, classes)
        return cls.beside(before, after)

    @classmethod
    def beside(cls, before: Mapping[str, pl.Series], after: Mapping[str, pl.Series]) -> ExampleRows:
        """Show rows as they were beside what is published of them, in the columns of before."""
        sides = []
        for name, cells in before.items():
            shown = _texts(after[name]) if name in after else [""] * len(cells)
            sides.append(zip(_texts(cells), shown, strict=True))
        return cls(tuple(before), tuple(zip(*sides, strict=True)))


def _taken(coded: Coded, names: list[str], rows: np.ndarray) -> dict[str, pl.Series]:
    """Take some rows of some columns."""
    taken = coded.only(names).take(rows)
    return {name: taken.cells(name) for name in names}


def _texts(cells: pl.Series) -> list[str]:
    return [_short(each) for each in texts(cells)]


def _short(cell: str | None) -> str:
    if cell is None or not cell:
        return MISSING
    return cell if len(cell) <= WIDTH else cell[: WIDTH - 1] + "…"
