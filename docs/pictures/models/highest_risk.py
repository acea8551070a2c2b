"""Highest risk: nobody is found among those alike too easily."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.models._cards import card, crowd, one_of_each, sized

SIZES = (5, 3)


def draw() -> str:
    """Draw one person among five alike and among three, with a risk of 0.2."""
    picture = Picture(
        "Highest risk of 0.2",
        "Highest risk asks that nobody is found among the records that look alike with a "
        "probability above the risk, which is one over their number.",
        130,
    )
    holds = sized(shoal.HighestRisk(0.2), SIZES).holds.tolist()
    one_of_each(holds)
    for side, size in enumerate(SIZES):
        note = f"one of {size}: found with probability {1 / size:.2f}"
        x, y = card(picture, side, holds[side], "risk at most 0.2", note, height=106)
        crowd(picture, x, y + 12, size, ring=True, colour=f"class-{side + 1}")
    return picture.svg()
