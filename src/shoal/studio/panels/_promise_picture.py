"""A shoal, drawn: the smallest group that a requirement allows, and how its values are spread."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, sqrt

from shoal.errors import ShoalError
from shoal.models import Requirement
from shoal.plan.feasibility import WholeTable

MOST_DRAWN = 60
COLOURS = 6
WIDTH, HEIGHT = 17.0, 11.0
MOST_VALUES = 10_000


@dataclass(frozen=True)
class Fish:
    """One of a group: where it swims, and which value it has."""

    x: float
    y: float
    colour: int


@dataclass(frozen=True)
class Shoal:
    """The smallest group."""

    size: int
    """How many it has; not all are drawn if there are very many."""
    values: int
    """How many different values are among them; 0 if that does not matter."""
    alike: int
    """How many may share a value; 0 if that does not matter."""
    fish: tuple[Fish, ...]
    width: float
    height: float


def shoal_of(requirement: Requirement, whole: WholeTable | None) -> Shoal | None:
    """Draw the smallest group that holds a requirement; ``None`` if it asks for no size."""
    size, values, alike = requirement.least_size, 0, 0
    if whole is not None:
        try:
            made = whole.bind(requirement)
            size = made.least_size
            values = max(made.least_values(whole.group).values(), default=0)
            alike = _alike(made, whole, size)
        except ShoalError:
            pass
    size = max(size, values)
    if size < 2:
        return None
    drawn = min(size, MOST_DRAWN)
    across = max(ceil(sqrt(drawn * 2.2)), 2)
    fish = tuple(
        Fish(
            round((at % across) * WIDTH + (at // across % 2) * WIDTH / 2, 1),
            round(at // across * HEIGHT + (at % across % 3) * 1.5, 1),
            _colour(at, values, alike),
        )
        for at in range(drawn)
    )
    rows = ceil(drawn / across)
    return Shoal(size, values, alike, fish, across * WIDTH + WIDTH / 2, rows * HEIGHT + 4)


def _alike(made: Requirement, whole: WholeTable, size: int) -> int:
    """Say how many of a group may share the value that is bounded most; 0 if none is."""
    few = all(len(each.labels) <= MOST_VALUES for each in whole.group.histograms.values())
    shares = made.shares(whole.group) if few else ()
    least = min((share for each in shares for share in each.largest), default=Fraction(1))
    return floor(least * size) if least < 1 else 0


def _colour(at: int, values: int, alike: int) -> int:
    """Give the first ones different values, or as many the same one as may share it."""
    if values:
        return at % min(values, COLOURS)
    return 1 if alike and at < alike else 0
