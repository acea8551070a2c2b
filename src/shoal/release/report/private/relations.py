"""How strongly columns go together, before and after, as a table of shades."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from shoal.measures import Pair

MOST_COLUMNS = 10
MOST_ROWS = 50_000
"""In larger tables, a sample of this many rows is used."""
DRAW = 102
"""Distinguishes this draw from others with the same seed."""


@dataclass(frozen=True)
class Shade:
    """A cell of the table: what it says, and how dark it is."""

    text: str
    dark: float
    words: str


@dataclass(frozen=True)
class Relations:
    """A square of columns: below the diagonal as it was, above it as it is.

    ``left_out``: how many columns are not in it, because there are too many.
    ``sampled``: how many rows were looked at; ``None`` if all were.
    ``change``: by how much relations changed on average.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Shade | None, ...]], ...]
    left_out: int
    sampled: int | None
    change: float

    @classmethod
    def of(cls, pair: Pair, seed: int) -> Relations | None:
        """Relate the columns of a release; ``None`` if there is nothing to relate."""
        if pair.table.n_rows > MOST_ROWS:
            return cls.between(_sample(pair, seed), sampled=MOST_ROWS)
        return cls.between(pair)

    @classmethod
    def between(cls, pair: Pair, *, sampled: int | None = None) -> Relations | None:
        """Relate the columns over all rows, or over a sample."""
        from shoal.measures._relations import associations

        every = [column.name for column in pair.table.quasi] + list(pair.table.sensitive)
        names = every[:MOST_COLUMNS]
        found = associations(pair, columns=names)
        if not found:
            return None
        shades: dict[tuple[str, str], Shade] = {}
        for each in found:
            one, two = each.columns  # in the order of the columns
            shades[two, one] = _shade(one, two, "before", each.before)
            shades[one, two] = _shade(one, two, "after", each.after)
        rows = [(row, tuple(shades.get((row, column)) for column in names)) for row in names]
        change = sum(each.change for each in found) / len(found)
        return cls(tuple(names), tuple(rows), len(every) - len(names), sampled, change)


def _shade(one: str, two: str, when: str, number: float) -> Shade:
    return Shade(
        f"{number:.2f}", round(0.6 * abs(number), 3), f"{one} and {two} {when}: {number:.2f}"
    )


def _sample(pair: Pair, seed: int) -> Pair:
    """Draw rows of the original, and what is published of them."""
    table, recoded = pair.table, pair.recoded
    rng = np.random.default_rng([seed, DRAW])
    rows = np.sort(rng.choice(table.n_rows, MOST_ROWS, replace=False))
    place = np.searchsorted(rows, recoded.rows)
    drawn = rows[np.minimum(place, MOST_ROWS - 1)] == recoded.rows
    groups = recoded.groups
    made = replace(
        recoded,
        rows=place[drawn].astype(np.intp),
        columns=tuple(replace(each, index=each.index[drawn]) for each in recoded.columns),
        groups=None if groups is None else groups[drawn],
        # A group shows the values of all its rows, drawn or not.
        shown={}
        if groups is None
        else {name: recoded.values(table, name) for name in table.sensitive},
    )
    return replace(pair, table=table.select(rows, ranges="whole"), recoded=made)
