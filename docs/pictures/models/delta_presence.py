"""δ-presence: the chance of being in the table lies between two bounds."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.models._cards import card, crowd, one_of_each, sized

SIZES, PEOPLE = (3, 4), (6, 5)


def draw() -> str:
    """Draw two classes with three of six and four of five people in the table."""
    picture = Picture(
        "δ-presence between 1/4 and 2/3",
        "Delta-presence bounds the chance that a person of the population is in the table at all: "
        "the published rows of a class over the people who fit it.",
        142,
    )
    holds = sized(shoal.DeltaPresence("1/4", "2/3"), SIZES, PEOPLE).holds.tolist()
    one_of_each(holds)
    for side in (0, 1):
        share = SIZES[side] / PEOPLE[side]
        note = f"{SIZES[side]} of {PEOPLE[side]} who fit are in the table: {share:.2f}"
        x, y = card(picture, side, holds[side], "from 0.25 to 0.67", note, height=118)
        crowd(picture, x, y + 14, PEOPLE[side], inside=SIZES[side], colour=f"class-{side + 1}")
    return picture.svg()
