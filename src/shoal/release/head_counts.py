"""How many people stand behind each count of a release; rows where nobody tells people apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shoal.measures import Pair
from shoal.table.missingness import patterns

__all__ = ["HeadCounts"]

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class HeadCounts:
    """Heads behind the counts that public facts could show (private: exact).

    Parameters
    ----------
    noun
        What a head is: ``"people"`` where the table names an entity column, else ``"rows"``.
    dropped, suppressed
        Heads in rows that were dropped for a missing cell, and that the method could not place.
    missing
        Heads in rows that miss a quasi-identifier, by its name.
    differences
        Heads behind what exact counts would give away if one were taken from another.

    Examples
    --------
    Three rows of two people miss their age, and nothing else:

    >>> import polars as pl, shoal
    >>> from shoal.measures import pair
    >>> frame = pl.DataFrame({"id": [1, 1, 2, 3], "age": [None, None, None, 30]})
    >>> schema = shoal.Schema({"id": shoal.identifier(), "age": shoal.quasi()}, entity="id")
    >>> shown = pl.DataFrame({"age": ["*"] * 4})
    >>> found = HeadCounts.of(pair(frame, shown, schema), dropping=False)
    >>> found.noun, found.missing, found.smallest
    ('people', {'age': 2}, 1)
    """

    noun: str
    dropped: int
    suppressed: int
    missing: Mapping[str, int]
    differences: tuple[int, ...]

    @classmethod
    def of(cls, pair: Pair, *, dropping: bool, values_once: bool = False) -> HeadCounts:
        """Count the heads of a release.

        Parameters
        ----------
        dropping
            Whether rows with a missing cell were dropped.
        values_once
            Whether nobody can count in the publication how often a sensitive value occurs.
        """
        table, rows = pair.table, pair.recoded.rows
        published = np.zeros(table.n_rows, dtype=np.bool_)
        published[rows] = True
        stars = np.zeros_like(table.missing)
        for column, cells in enumerate(pair.recoded.columns):
            stars[:, column][rows] = cells.star.take(cells.index)
        secrets = [each.missing for each in table.sensitive.values()] if values_once else []
        return cls.count(
            {each.name: table.missing[:, i] for i, each in enumerate(table.quasi)},
            published,
            stars,
            dropping=dropping,
            people=table.people,
            secrets=secrets,
        )

    @classmethod
    def count(
        cls,
        missing: Mapping[str, Mask],
        published: Mask,
        stars: Mask,
        *,
        dropping: bool,
        people: npt.NDArray[np.int64] | None = None,
        secrets: Sequence[Mask] = (),
    ) -> HeadCounts:
        """Count heads from plain arrays over the rows of the original.

        Parameters
        ----------
        missing
            Which rows miss each quasi-identifier.
        published
            Which rows are published.
        stars
            Rows × columns: where ``*`` is published.
        secrets
            Which rows miss each sensitive column, where nobody can count that.
        """
        heads = _Heads(people)
        holes = np.stack(list(missing.values())).T
        dropped = np.asarray(holes.any(axis=1) & dropping)
        found = [heads(~published), *heads.apart(holes)]
        for column, absent in enumerate(missing.values()):
            found += [
                heads(~absent),
                heads(stars[:, column] & ~absent),
                heads(published & absent),
                heads(~published & absent),
                heads(~published & ~absent),
            ]
        for absent in secrets:
            found += [heads(published & absent), heads(published & ~absent)]
        return cls(
            noun="rows" if people is None else "people",
            dropped=heads(dropped),
            suppressed=heads(~published & ~dropped),
            missing={name: heads(absent) for name, absent in missing.items()},
            differences=tuple(found),
        )

    def __iter__(self) -> Iterator[int]:
        yield from (self.dropped, self.suppressed, *self.missing.values(), *self.differences)

    @property
    def smallest(self) -> int:
        """The least count that is not 0; 0 if all are."""
        return min((count for count in self if count), default=0)


class _Heads:
    """Counts the people, or rows, of some rows."""

    def __init__(self, people: npt.NDArray[np.int64] | None) -> None:
        self.people = people

    def __call__(self, rows: Mask) -> int:
        if self.people is None:
            return int(rows.sum())
        return len(np.unique(self.people[rows]))

    def apart(self, holes: Mask) -> list[int]:
        """Count the rows of each combination of missing columns."""
        first, _, pattern = patterns(holes)
        if self.people is not None:
            pattern = np.unique(pattern * (int(self.people.max()) + 1) + self.people)
            pattern = pattern // (int(self.people.max()) + 1)
        return [int(count) for count in np.bincount(pattern, minlength=len(first))]
