"""value_missing_rate: missing cells of the original."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.measures._holes import ORIGINAL, draw_rate


def draw() -> str:
    """Draw a table with missing cells and a dropped row, and what counts of it."""
    picture = Picture(
        "value_missing_rate of five rows",
        "value_missing_rate is the share of the quasi-identifiers' cells that are missing.",
        204,
    )
    cells = [
        (row, column)
        for row in range(5)
        for column in range(2)
        if ORIGINAL.row(row)[column] is None
    ]
    draw_rate(
        picture,
        shoal.measures.value_missing_rate,
        cells,
        ("{count} of 10 cells", "were missing"),
        in_original=True,
        of=10,
    )
    return picture.svg()
