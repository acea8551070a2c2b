"""record_missing_rate: rows of the original with a missing cell."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.measures._holes import ORIGINAL, draw_rate


def draw() -> str:
    """Draw a table with missing cells and a dropped row, and what counts of it."""
    picture = Picture(
        "record_missing_rate of five rows",
        "record_missing_rate is the share of the original's records in which a cell is missing.",
        204,
    )
    rows = [row for row in range(5) if None in ORIGINAL.row(row)]
    cells = [(row, column) for row in rows for column in range(2)]
    draw_rate(
        picture,
        shoal.measures.record_missing_rate,
        cells,
        ("{count} of 5 records had", "a missing cell"),
        in_original=True,
        of=5,
        weights=[0.5] * len(cells),
    )
    return picture.svg()
