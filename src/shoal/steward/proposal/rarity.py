"""Draft the levels of a sensitive column from how rare its values are.

Rarity is not sensitivity. Rare illnesses are often the ones that people hide, but a common one
may be as bad, and a rare one harmless: only a person can tell. A draft saves typing, no more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from shoal.models import Histogram
from shoal.table.sensitive import SensitiveColumn

MOST_LEVELS = 5
"""As many levels as the paper on (αᵢ, k)-anonymity has."""

WARNING = (
    "Rarity is not sensitivity: a common value may be the worst to reveal, and a rare one "
    "harmless. A person must check every level."
)


@dataclass(frozen=True)
class DraftLevels:
    """Levels of one column, for a person to check."""

    column: str
    file: str
    """The column, and where the levels are written, relative to the plan."""
    levels: Mapping[str, int]
    """The level of each value, 1 for the rarest. They hold cells of the table."""
    alphas: tuple[float, ...]
    """For each level a share that a requirement could allow: feasible for this table."""


def levels_by_rarity(counts: Mapping[str, int]) -> dict[str, int]:
    """Cut values, the rarest first, into up to five levels of about equally many values.

    Values that are equally frequent get the same level, the more sensitive one in doubt. With
    five different frequencies or fewer, each makes a level. If all values are equally frequent,
    rarity says nothing, and there are no levels.

    Examples
    --------
    >>> levels_by_rarity({"HIV": 1, "flu": 9, "cold": 5, "fever": 5})
    {'HIV': 1, 'cold': 2, 'fever': 2, 'flu': 3}
    >>> levels_by_rarity({"a": 3, "b": 3})
    {}
    """
    ordered = sorted(counts, key=lambda value: (counts[value], value))
    sizes = [counts[value] for value in ordered]
    rarer = {size: place for place, size in reversed(list(enumerate(sizes)))}
    if len(rarer) < 2:
        return {}
    step = {
        size: place if len(rarer) <= MOST_LEVELS else place * MOST_LEVELS // len(sizes)
        for size, place in rarer.items()
    }
    number = {level: i for i, level in enumerate(sorted(set(step.values())), start=1)}
    return {value: number[step[counts[value]]] for value in ordered}


def draft_levels(
    name: str,
    file: str,
    values: SensitiveColumn,
    *,
    k: int,
    people: npt.NDArray[np.int64] | None = None,
) -> DraftLevels | None:
    """Draft levels for a column and shares for them; ``None`` if rarity says nothing.

    The share of a level is twice that of its most frequent value in the whole table, and at
    least 1/k, so that one holder in a group of k is allowed; never below that of the level
    before.
    """
    found = Histogram.of_one(values.codes, values.labels, people)
    held = [found.labels[code] or "" for code in found.value.tolist()]
    counts = dict(zip(held, found.counts.tolist(), strict=True))
    levels = levels_by_rarity(counts)
    if not levels:
        return None
    total = len(values.codes) if people is None else len(np.unique(people))
    return DraftLevels(name, file, levels, _alphas(counts, levels, total, k))


def _alphas(
    counts: Mapping[str, int], levels: Mapping[str, int], total: int, k: int
) -> tuple[float, ...]:
    made: list[Fraction] = []
    for level in range(1, max(levels.values()) + 1):
        most = max(counts[value] for value, each in levels.items() if each == level)
        wanted = max(Fraction(2 * most, total), Fraction(1, k), *made[-1:])
        made.append(min(Fraction(1), Fraction(-(-100 * wanted // 1), 100)))
    return tuple(float(share) for share in made)
