"""k-anonymity: at least k rows alike."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.models._cards import card, one_of_each, sized
from docs.pictures.tables import draw_table

GROUPS = ((("[30, 42]", "male", "232**"), 3), (("[45, 55]", "female", "230**"), 2))


def draw() -> str:
    """Draw a group of three equal rows and one of two, with k = 3."""
    picture = Picture(
        "k-anonymity, k = 3",
        "k-anonymity asks that each row shares its published quasi-identifiers with at least k − 1 "
        "others.",
        186,
    )
    need = shoal.KAnonymity(3)
    holds = sized(need, [count for _, count in GROUPS]).holds.tolist()
    one_of_each(holds)
    for side, (row, count) in enumerate(GROUPS):
        word = "enough" if holds[side] else "too few"
        x, y = card(
            picture, side, holds[side], "k = 3", f"{count} rows look alike: {word}", height=162
        )
        draw_table(picture, x, y - 4, ("age", "sex", "zip"), [row] * count, labels=[side] * count)
    return picture.svg()
