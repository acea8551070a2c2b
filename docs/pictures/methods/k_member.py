"""k-member: the record joins that adds least loss; the next seed is far from the last one."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.methods._growth import draw_growth
from docs.pictures.people import plane


def draw() -> str:
    """Draw the steps of the first class, then all classes."""
    picture = Picture(
        "k-member on twelve people, k = 3",
        "k-member begins far from a first record, lets the record in that adds least loss until "
        "the class holds k, and begins the next class far from the last record that joined.",
        310,
    )
    draw_growth(
        picture,
        plane(),
        shoal.KMember(picks="first"),
        3,
        note="dashed: from here, the farthest begins",
        begin=0,
        far_from_class=False,
    )
    return picture.svg()
