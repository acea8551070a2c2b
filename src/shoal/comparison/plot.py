"""Risk against loss as a picture: where each point lies, and the frontier through the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from shoal.comparison.point import Point
from shoal.comparison.result import Comparison

__all__ = ["Mark", "Plot", "plot"]

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 60, 20, 20, 50
TICKS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


@dataclass(frozen=True)
class Mark:
    """Where something lies in the picture, and what is written there."""

    x: float
    y: float
    text: str
    kind: str = ""
    """``best``, ``frontier`` or nothing."""
    shape: int = 0
    """Which method, by its place."""


@dataclass(frozen=True)
class Plot:
    """The picture as places: marks, the line through the frontier, and the ticks of both axes."""

    marks: tuple[Mark, ...]
    line: str
    across: tuple[Mark, ...]
    up: tuple[Mark, ...]
    width: int = WIDTH
    height: int = HEIGHT


def plot(found: Comparison) -> Plot:
    """Place the points: the risk across, by its logarithm, and the loss upwards."""
    points = found.made
    risks = [point.highest for point in points]
    least, most = min(risks, default=0.1) / 1.2, max(risks, default=1.0) * 1.2
    top = max([0.05, *(point.loss for point in points)]) * 1.1

    def x(risk: float) -> float:
        share = log(risk / least) / log(most / least)
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(loss: float) -> float:
        return round(HEIGHT - BOTTOM - loss / top * (HEIGHT - TOP - BOTTOM), 1)

    methods = list(dict.fromkeys(point.setting.method for point in points))
    marks = [
        Mark(
            x(point.highest),
            y(point.loss),
            f"k = {point.setting.k} by {point.setting.method}: {point.loss:.1%} lost, risk "
            f"{point.highest:.1%}",
            _kind(found, point),
            methods.index(point.setting.method),
        )
        for point in points
    ]
    way = sorted(found.frontier, key=lambda each: each.highest)
    step = next(each for each in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if top / each <= 6)
    return Plot(
        tuple(sorted(marks, key=lambda each: ("", "frontier", "best").index(each.kind))),
        " ".join(f"{x(point.highest)},{y(point.loss)}" for point in way),
        tuple(Mark(x(t), HEIGHT - BOTTOM, f"{t:.1%}") for t in _between(TICKS, least, most)),
        tuple(Mark(LEFT, y(i * step), f"{i * step:.0%}") for i in range(int(top / step) + 1)),
    )


def _kind(found: Comparison, point: Point) -> str:
    if point is found.recommended:
        return "best"
    return "frontier" if point in found.frontier else ""


def _between(ticks: Sequence[float], least: float, most: float) -> list[float]:
    return [tick for tick in ticks if least <= tick <= most]
