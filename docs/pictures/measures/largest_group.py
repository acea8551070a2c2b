"""largest_group: how many rows the largest group has."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.measures._sizes import SIZES, draw_squares, measured


def draw() -> str:
    """Draw three groups, the largest with a line around it."""
    picture = Picture(
        "largest_group of three groups",
        "largest_group is the number of rows of the largest group, here the highest column.",
        190,
    )
    value = measured(shoal.measures.largest_group)
    base = 150.0
    for label, size in enumerate(SIZES):
        x = 60 + 70 * label
        draw_squares(picture, label, x, base, 1, size)
        picture.text(x + 10, base + 20, f"{size}", size=12, anchor="middle")
        if size == value:
            picture.box(x - 6, base - 23 * size - 3, 32, 23 * size + 6, line="ink", thick=2)
    picture.text(390, 70, f"{len(SIZES)} groups")
    picture.text(390, 96, f"largest_group = {value:g}", bold=True)
    picture.text(16, 24, "Groups by their number of rows", bold=True)
    return picture.svg()
