"""Which points no other beats in risk and loss, and which of them to begin with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from typing import Protocol, TypeVar

COSTLY = 0.5
"""A release that loses more than this is not recommended while another one loses less."""


class Measured(Protocol):
    """Something of which the loss and the highest risk are known."""

    @property
    def loss(self) -> float:
        """The share of the information that is lost."""

    @property
    def highest(self) -> float:
        """How likely a person is found, at most."""


MeasuredT = TypeVar("MeasuredT", bound=Measured)


def frontier(points: Iterable[MeasuredT]) -> tuple[MeasuredT, ...]:
    """Find the points that no other beats in both loss and highest risk, the safest last."""
    kept: list[MeasuredT] = []
    for point in sorted(points, key=lambda each: (each.highest, each.loss)):
        if not kept or point.loss < kept[-1].loss:
            kept.append(point)
    return tuple(reversed(kept))


def recommended(best: Sequence[MeasuredT]) -> MeasuredT | None:
    """Find the point of a frontier after which more protection becomes dear.

    It lies farthest below the line from the cheapest to the safest point, with the risk taken by
    its logarithm: halving it is worth the same everywhere. Points that lose more than half of the
    information take part only if there is no other.

    `best`: points that no other beats, the safest last: see `frontier`.
    """
    points = [point for point in best if point.loss <= COSTLY] or list(best)
    if len(points) < 3:
        return points[-1] if points else None
    first, last = points[0], points[-1]
    wide = log(first.highest / last.highest)
    high = last.loss - first.loss

    def below(point: MeasuredT) -> float:
        return log(first.highest / point.highest) / wide - (point.loss - first.loss) / high

    return max(points, key=below)
