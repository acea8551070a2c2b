"""suppression_loss_rate: records that are not published."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.measures._holes import draw_rate


def draw() -> str:
    """Draw a table with missing cells and a dropped row, and what counts of it."""
    picture = Picture(
        "suppression_loss_rate of five rows",
        "suppression_loss_rate is the share of records that are not published, which lose all "
        "their cells.",
        204,
    )
    cells = [(4, 0), (4, 1)]
    draw_rate(
        picture,
        shoal.measures.suppression_loss_rate,
        cells,
        ("{count} of 5 records", "is not published"),
        in_original=True,
        of=5,
        weights=[0.5, 0.5],
    )
    return picture.svg()
