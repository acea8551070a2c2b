"""β-likeness: no value gains more than β times its share."""

from __future__ import annotations

import math

import shoal
from docs.pictures.draw import Picture
from docs.pictures.models._compared import TABLE, draw_compared

BETA = 1.0


def draw() -> str:
    """Draw the shares of two groups beside the largest that β allows."""
    picture = Picture(
        "β-likeness, β = 1",
        "Beta-likeness bounds how much the share of each value may grow in a group, relative to "
        "its share in the whole table.",
        244,
    )
    draw_compared(picture, shoal.BetaLikeness(BETA), "β = 1", _note, _limits)
    return picture.svg()


def _limits(share: float) -> list[float]:
    return [share * (1 + min(BETA, -math.log(share)))]


def _note(group: list[str]) -> str:
    shares = {value: TABLE.count(value) / len(TABLE) for value in sorted(set(TABLE))}
    gains = {v: (group.count(v) / len(group) - share) / share for v, share in shares.items()}
    most = max(sorted(gains), key=gains.__getitem__)
    return f"{most} grows most, by {gains[most]:.2f} of its share"
