"""δ-disclosure: shares neither much larger nor much smaller."""

from __future__ import annotations

import math

import shoal
from docs.pictures.draw import Picture
from docs.pictures.models._compared import TABLE, draw_compared

DELTA = 0.7


def draw() -> str:
    """Draw the shares of two groups between the least and the largest that δ allows."""
    picture = Picture(
        "δ-disclosure privacy, δ = 0.7",
        "Delta-disclosure asks that the share of each value in a group is neither much larger nor "
        "much smaller than in the whole table.",
        244,
    )
    draw_compared(picture, shoal.DeltaDisclosure(DELTA), "δ = 0.7", _note, _limits)
    return picture.svg()


def _limits(share: float) -> list[float]:
    return [share * math.exp(-DELTA), share * math.exp(DELTA)]


def _note(group: list[str]) -> str:
    shares = {value: TABLE.count(value) / len(TABLE) for value in sorted(set(TABLE))}
    moved = {v: math.log(group.count(v) / len(group) / share) for v, share in shares.items()}
    most = max(sorted(moved), key=lambda v: abs(moved[v]))
    return f"{most} moves most: ln of the ratio is {moved[most]:.2f}".replace("-", "−")
