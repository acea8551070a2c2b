"""How many people stand behind each count of a release; rows where nobody tells people apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from shoal.base.arrays import Bools, Ints
from shoal.measures import Pair
from shoal.table.missingness import patterns


class Removed(NamedTuple):
    """Heads in rows that were not published: whose rows they are, and nothing else of them.

    ``dropped``, ``suppressed``: in rows that were dropped for a missing cell, and that the method
        could not place.
    ``outside``: in both.
    """

    dropped: int = 0
    suppressed: int = 0
    outside: int = 0

    @classmethod
    def of(cls, dropped: Bools, suppressed: Bools, people: Ints | None = None) -> Removed:
        """Count the heads of rows of the input.

        >>> out, none = np.array([True, True, False]), np.zeros(3, dtype=bool)
        >>> Removed.of(none, out, np.array([7, 7, 8]))
        Removed(dropped=0, suppressed=1, outside=1)
        """
        heads = _Heads(people, None)
        return cls(heads(dropped), heads(suppressed), heads(dropped | suppressed))


@dataclass(frozen=True)
class HeadCounts:
    """Heads behind the counts that public facts could show (private: exact).

    ``noun``: what a head is: ``"people"`` where the table names an entity column, else ``"rows"``.
    ``dropped``, ``suppressed``: heads in rows that were dropped for a missing cell, and that the
        method could not place. All other counts are of published rows.
    ``missing``: heads in rows that miss a quasi-identifier, by its name.
    ``columns``: per quasi-identifier, heads behind what exact counts of it would give away if one
        were taken from another.
    ``together``: heads in rows of each combination of missing columns.
    ``sensitive_missing``: heads in rows that miss a sensitive column or do not, where nobody can
        count that.
    ``outside``: heads in rows that are not published.
    ``beside``: heads behind known cells that are ``*`` because others are missing, and behind those
        that are for other reasons, per column. Only what is told of them depends on these: they are
        not among the counts that this lists.

    Three rows of two people miss their age, and nothing else:

    >>> import polars as pl, shoal
    >>> from shoal.measures import pair
    >>> frame = pl.DataFrame({"id": [1, 1, 2, 3], "age": [None, None, None, 30]})
    >>> schema = shoal.Schema({"id": shoal.identifier(), "age": shoal.quasi()}, entity="id")
    >>> shown = pl.DataFrame({"age": ["*"] * 4})
    >>> found = HeadCounts.of(pair(frame, shown, schema))
    >>> found.noun, found.missing, found.smallest
    ('people', {'age': 2}, 1)
    """

    noun: str
    dropped: int
    suppressed: int
    missing: Mapping[str, int]
    columns: Mapping[str, tuple[int, ...]]
    together: tuple[int, ...]
    sensitive_missing: tuple[int, ...]
    outside: int
    beside: tuple[int, ...]
    _missing: Bools = field(repr=False)
    _heads: _Heads = field(repr=False)

    @classmethod
    def of(
        cls,
        pair: Pair,
        *,
        removed: Removed | None = None,
        values_once: bool = False,
        beside: Bools | None = None,
    ) -> HeadCounts:
        """Count the heads of a release.

        ``pair``: the published rows beside what was published of them.
        ``removed``: heads in rows that were not published.
        ``values_once``: whether nobody can count in the publication how often a sensitive value
            occurs.
        ``beside``: which known cells are ``*`` because others are missing
            (`starred_beside_missing`).
        """
        table, rows = pair.table, pair.recoded.rows
        stars = np.zeros_like(table.missing)
        for column, cells in enumerate(pair.recoded.columns):
            stars[:, column][rows] = cells.star.take(cells.index)
        return cls.count(
            {each.name: table.missing[:, i] for i, each in enumerate(table.quasi)},
            stars,
            removed=removed,
            people=table.people,
            sensitive_missing=[each.missing for each in table.sensitive.values() if values_once],
            beside=beside,
        )

    @classmethod
    def count(
        cls,
        missing: Mapping[str, Bools],
        stars: Bools,
        *,
        removed: Removed | None = None,
        people: Ints | None = None,
        sensitive_missing: Sequence[Bools] = (),
        beside: Bools | None = None,
        weights: Ints | None = None,
    ) -> HeadCounts:
        """Count heads from plain arrays over the published rows.

        ``missing``: which rows miss each quasi-identifier.
        ``stars``: rows × columns: where ``*`` is published.
        ``sensitive_missing``: which rows miss each sensitive column, where nobody can count that.
        ``beside``: rows × columns: which known cells are ``*`` because others are missing.
        ``weights``: how many people each of ``people`` stands for, or rows each row; one if left
            out.
        """
        heads = _Heads(people, weights)
        unknown = np.stack(list(missing.values())).T
        gone = removed or Removed()
        columns, starred_so = {}, []
        for column, (name, absent) in enumerate(missing.items()):
            starred = stars[:, column] & ~absent
            columns[name] = heads(~absent), heads(starred)
            if beside is not None:
                because = beside[:, column]
                starred_so += [heads(because), heads(starred & ~because)]
        return cls(
            noun="rows" if people is None else "people",
            dropped=gone.dropped,
            suppressed=gone.suppressed,
            missing={name: heads(absent) for name, absent in missing.items()},
            columns=columns,
            together=tuple(heads.apart(unknown)),
            sensitive_missing=tuple(
                heads(which) for absent in sensitive_missing for which in (absent, ~absent)
            ),
            outside=gone.outside,
            beside=tuple(starred_so),
            _missing=unknown,
            _heads=heads,
        )

    def __iter__(self) -> Iterator[int]:
        yield from (self.dropped, self.suppressed, self.outside, *self.missing.values())
        for each in self.columns.values():
            yield from each
        yield from (*self.together, *self.sensitive_missing)

    def clear(self, least: int) -> list[str]:
        """Name the columns of which all may be told although counts of others are hidden.

        None of their own counts is below ``least``, nor is one of the rows that miss some of them
        together. Which cells of one column are missing says nothing about another one: any rows
        of classes that show ``*`` may miss it. So a hidden count of other columns stays as open as
        it is.

        >>> age = np.array([True] * 3 + [False] * 27)
        >>> zip_code = np.array([False] * 10 + [True] * 20)
        >>> stars = np.ones((30, 2), dtype=bool)
        >>> found = HeadCounts.count({"age": age, "zip": zip_code}, stars)
        >>> found.clear(5)
        ['zip']
        """

        def small(heads: int) -> bool:
            return 0 < heads < least

        clear = [
            name
            for name, counted in self.columns.items()
            if not any(map(small, (self.missing[name], *counted)))
        ]
        if len(clear) == len(self.columns):
            together: Sequence[int] = self.together
        else:
            places = [place for place, name in enumerate(self.columns) if name in clear]
            together = self._heads.apart(self._missing[:, places]) if clear else []
        return [] if any(map(small, together)) else clear

    @property
    def smallest(self) -> int:
        """The least count that is not 0; 0 if all are."""
        return min((count for count in self if count), default=0)


class _Heads:
    """Counts the people, or rows, of some rows."""

    def __init__(self, people: Ints | None, weights: Ints | None) -> None:
        self.people, self.weights = people, weights

    def __call__(self, rows: Bools) -> int:
        if self.people is None:
            return int(rows.sum() if self.weights is None else self.weights[rows].sum())
        held = np.unique(self.people[rows])
        return len(held) if self.weights is None else int(self.weights[held].sum())

    def apart(self, unknown: Bools) -> list[int]:
        """Count the rows of each combination of missing columns."""
        first, _, pattern = patterns(unknown)
        weights = self.weights
        if self.people is not None:
            every = int(self.people.max()) + 1
            pattern, person = np.divmod(np.unique(pattern * every + self.people), every)
            weights = None if weights is None else weights[person]
        return [int(count) for count in np.bincount(pattern, weights, minlength=len(first))]
