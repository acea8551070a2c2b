"""MICD: groups whose secrets are as unlike as possible."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.methods._buckets import draw_pairs, several
from shoal.base.plural import counted


def draw() -> str:
    """Draw the groups of MICD beside those of decomposition, and what each had to add."""
    picture = Picture(
        "MICD beside decomposition, three illnesses and two pays per group",
        "MICD takes in the record whose secrets are least like those of the group, so groups "
        "differ in every sensitive column and few false values must be added.",
        306,
    )
    for x, words, method in (
        (16, "MICD: the least alike join", shoal.MICD(picks="first")),
        (330, "Decomposition: any record joins", shoal.Decomposition(seed=1)),
    ):
        picture.text(x, 26, words, bold=True)
        count = draw_pairs(picture, x, several(method), 294)
        note = f"{counted(count, 'value')} added (dashed)"
        picture.text(x, 290, note, size=12, colour="faint")
    return picture.svg()
