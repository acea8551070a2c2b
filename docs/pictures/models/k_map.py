"""k-map: alike at least k people of the population."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.models._cards import card, crowd, one_of_each, sized

SIZES, PEOPLE = (1, 1), (4, 2)


def draw() -> str:
    """Draw two classes of one row, like four and like two people of the population."""
    picture = Picture(
        "k-map, k = 3",
        "k-map asks that each record is like at least k people of the population, whether or not "
        "they are in the table.",
        142,
    )
    holds = sized(shoal.KMap(3), SIZES, PEOPLE).holds.tolist()
    one_of_each(holds)
    for side in (0, 1):
        note = f"{SIZES[side]} in the table (full), {PEOPLE[side]} in the population"
        x, y = card(picture, side, holds[side], "k = 3 in the population", note, height=118)
        crowd(picture, x, y + 14, PEOPLE[side], inside=SIZES[side], colour=f"class-{side + 1}")
    return picture.svg()
