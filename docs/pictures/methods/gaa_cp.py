"""GAA-CP: a class grows by the nearest record; the farthest one begins the next."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.methods._growth import draw_growth
from docs.pictures.people import plane


def draw() -> str:
    """Draw the steps of the first class, then all classes."""
    picture = Picture(
        "GAA-CP on twelve people, k = 3",
        "GAA-CP grows a class from a seed by the nearest record until it holds k, and begins the "
        "next class at the record farthest from it.",
        310,
    )
    draw_growth(
        picture,
        plane(),
        shoal.GAACP(picks="first"),
        3,
        note="1 seed, 2 and 3 nearest; next: the farthest",
    )
    return picture.svg()
