"""What an attacker could still do: attacks that a page can wait for, the worst first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from shoal.errors import ShoalError
from shoal.release.report.numbers import share

if TYPE_CHECKING:
    from shoal.judging.risk import Attack
    from shoal.judging.risk.sight import Sight
    from shoal.release import Release

MOST_ROWS = 50_000
"""In larger tables, classes with about this many rows are attacked, without the original."""
DRAW = 103
"""Distinguishes this draw from others with the same seed."""
MOST_COLUMNS = 4
"""The most sensitive columns that are attacked."""


@dataclass(frozen=True)
class Attempt:
    """An attack, as the page shows it."""

    name: str
    column: str
    share: str
    people: str
    control: str
    meaning: str


@dataclass(frozen=True)
class Attempts:
    """What attacks get.

    ``made``: those that get something, what goes farthest beyond its control first.
    ``nothing``: the names of those that get nothing.
    ``left_out``: the names of those that would take too long here.
    ``refused``: the names of those that make no sense of this release after all.
    ``columns_left_out``: how many sensitive columns were not attacked.
    ``sampled``: how many rows, in whole classes, were attacked; ``None`` if all were.
    ``skipped``: whether classes of more rows than are attacked were left out of that.
    """

    made: tuple[Attempt, ...]
    nothing: tuple[str, ...]
    left_out: tuple[str, ...]
    refused: tuple[str, ...]
    columns_left_out: int
    sampled: int | None
    skipped: bool = False

    @classmethod
    def of(cls, release: Release) -> Attempts:
        """Attack a release with all that its steward knows."""
        from shoal.judging.risk.sight import sight  # only for those who write a release

        linked = release.published.linked
        require = tuple(each if linked else each.of_equal_cells() for each in release.require)
        seen = replace(sight(release.pair), require=require)
        large = len(seen.classes) > MOST_ROWS
        if large:
            seen = _some_classes(seen, np.random.default_rng([release.seed, DRAW]))
        return cls.against(seen, large=large)

    @classmethod
    def against(cls, seen: Sight, *, large: bool) -> Attempts:
        """Attack what is seen; of a large table that is a sample."""
        from shoal.judging.risk.base import ATTACKS  # only for those who write a release

        columns = list(seen.histograms)
        found: list[Attack] = []
        left_out: dict[str, None] = {}
        refused: dict[str, None] = {}
        for name in (*columns[:MOST_COLUMNS], None):
            for attack in ATTACKS.values():
                if large and attack.needs:  # they go row by row, or look at all rows of a person
                    left_out[attack.name] = None
                elif attack.applies(seen, name):
                    try:
                        found.append(attack(seen, column=name, **dict.fromkeys(attack.options)))
                    except ShoalError:  # no page is worth a release that is not written
                        refused[attack.name] = None
        several = len(columns) > 1
        shown = sorted((each for each in found if each.people), key=lambda each: -each.excess)
        return cls(
            tuple(map(_attempt, shown)),
            tuple(_named(each, several) for each in found if not each.people),
            tuple(left_out),
            tuple(refused),
            max(len(columns) - MOST_COLUMNS, 0),
            len(seen.classes) if large else None,
        )


def _some_classes(seen: Sight, rng: np.random.Generator) -> Sight:
    """Draw classes, each with all its rows, of about `MOST_ROWS` rows in all."""
    sizes = np.bincount(seen.classes, minlength=seen.n_classes)
    order = rng.permutation(len(sizes))
    drawn = np.zeros(len(sizes), dtype=np.bool_)
    drawn[order[: max(int(np.searchsorted(np.cumsum(sizes[order]), MOST_ROWS)), 1)]] = True
    rows = drawn[seen.classes]
    number = np.cumsum(drawn) - 1
    people = seen.people
    if people is not None:
        people = np.unique(people[rows], return_inverse=True)[1].reshape(-1).astype(np.int64)
    return replace(
        seen,
        classes=number[seen.classes[rows]],
        histograms={name: each.only(drawn) for name, each in seen.histograms.items()},
        totals={name: each[drawn] for name, each in seen.totals.items()},
        people=people,
        cells=None if seen.cells is None else seen.cells[rows],
        values=None if seen.values is None else {n: v[rows] for n, v in seen.values.items()},
        origin=None,
    )


def _attempt(found: Attack) -> Attempt:
    promised = "" if found.promise is None else f" Promised: at most {share(found.promise)}."
    return Attempt(
        found.name.replace("_", " "),
        found.column or "",
        share(found.share),
        f"{found.people:,} of {found.total:,} {found.unit}",
        "" if found.control is None else share(found.control),
        f"{found.meaning[:1].upper()}{found.meaning[1:]}.{promised}",
    )


def _named(found: Attack, several: bool) -> str:
    name = found.name.replace("_", " ")
    return f"{name} of '{found.column}'" if several and found.column is not None else name
