"""generalization_loss_rate: what published cells lost."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.measures._holes import draw_rate


def draw() -> str:
    """Draw a table with missing cells and a dropped row, and what counts of it."""
    picture = Picture(
        "generalization_loss_rate of five rows",
        "generalization_loss_rate is the share of their domains that published cells cover now, "
        "while records that are not published cost nothing.",
        204,
    )
    cells = [(0, 0), (1, 0), (3, 1)]
    draw_rate(
        picture,
        shoal.measures.generalization_loss_rate,
        cells,
        ("[30, 35]: 6 of 11 ages,", "twice; * for a known", "cell: 1. Over 10 cells."),
        in_original=False,
        of=10,
        weights=[6 / 11, 6 / 11, 1],
    )
    return picture.svg()
