"""starred_rate: cells that were known and are stars."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.measures._holes import ORIGINAL, PUBLISHED, draw_rate


def draw() -> str:
    """Draw a table with missing cells and a dropped row, and what counts of it."""
    picture = Picture(
        "starred_rate of five rows",
        "starred_rate is the share of all cells that were known and are published as a star.",
        204,
    )
    cells = [
        (row, column)
        for row in range(4)
        for column, name in enumerate(PUBLISHED.columns)
        if PUBLISHED[name][row] == "*" and ORIGINAL[name][row] is not None
    ]
    draw_rate(
        picture,
        shoal.measures.starred_rate,
        cells,
        ("{count} of 10 cells was", "known and is *"),
        in_original=False,
        of=10,
    )
    return picture.svg()
