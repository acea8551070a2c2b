"""discernibility: each record pays the size of its class."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.measures._sizes import SIZES, draw_squares, measured


def draw() -> str:
    """Draw each class as a square: as many rows, each paying as much."""
    picture = Picture(
        "discernibility of three classes",
        "discernibility lets each record pay the size of its class, so a class costs the square of "
        "its size, and large classes cost most.",
        200,
    )
    value = measured(shoal.measures.discernibility)
    base, x = 156.0, 24.0
    for label, size in enumerate(SIZES):
        draw_squares(picture, label, x, base, size, size)
        picture.text(
            x + 23 * size / 2,
            base + 20,
            f"{size} × {size} = {size * size}",
            size=12,
            anchor="middle",
        )
        x += 23 * size + 50
    picture.text(16, 24, "A row pays the size of its class", bold=True)
    picture.text(440, 80, " + ".join(str(size * size) for size in SIZES))
    picture.text(440, 106, f"discernibility = {value:g}", bold=True)
    return picture.svg()
