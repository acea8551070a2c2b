"""Risk against loss as a picture: where each point lies, and the frontier through the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from shoal.steward.comparison.frontier import Measured, frontier, recommended

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
    """Which shape it has: those of a method have the same."""
    place: int = 0
    """Which of the points it is, by its place among them."""


@dataclass(frozen=True)
class Plot:
    """The picture as places: marks, the line through the frontier, and the ticks of both axes."""

    marks: tuple[Mark, ...]
    line: str
    across: tuple[Mark, ...]
    up: tuple[Mark, ...]
    width: int = WIDTH
    height: int = HEIGHT


def plot(points: Sequence[Measured], texts: Sequence[str], shapes: Sequence[int]) -> Plot:
    """Place points: the risk across, by its logarithm, and the loss upwards.

    `texts`, `shapes`: what is written at each point, and its shape.
    """
    best = frontier(points)
    first = recommended(best)
    risks = [point.highest for point in points]
    least, most = min(risks, default=0.1) / 1.2, max(risks, default=1.0) * 1.2
    top = max([0.05, *(point.loss for point in points)]) * 1.1

    def x(risk: float) -> float:
        share = log(risk / least) / log(most / least)
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(loss: float) -> float:
        return round(HEIGHT - BOTTOM - loss / top * (HEIGHT - TOP - BOTTOM), 1)

    def kind(point: Measured) -> str:
        if point is first:
            return "best"
        return "frontier" if any(point is each for each in best) else ""

    marks = [
        Mark(x(point.highest), y(point.loss), text, kind(point), shape, place)
        for place, (point, text, shape) in enumerate(zip(points, texts, shapes, strict=True))
    ]
    line = sorted(best, key=lambda each: each.highest)
    step = next(each for each in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if top / each <= 6)
    return Plot(
        tuple(sorted(marks, key=lambda each: ("", "frontier", "best").index(each.kind))),
        " ".join(f"{x(point.highest)},{y(point.loss)}" for point in line),
        tuple(Mark(x(t), HEIGHT - BOTTOM, f"{t:.1%}") for t in TICKS if least <= t <= most),
        tuple(Mark(LEFT, y(i * step), f"{i * step:.0%}") for i in range(int(top / step) + 1)),
    )
