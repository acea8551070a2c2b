"""generalized: one table with coarse cells."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.publications._before_after import draw_before, released
from docs.pictures.tables import draw_table


def draw() -> str:
    """Draw six people, and their coarse cells beside their own values."""
    picture = Picture(
        "The form generalized",
        "Generalized publishes one table: the quasi-identifiers of a class are coarse and alike, "
        "and each row keeps its sensitive value.",
        226,
    )
    release = released(("ill",), 3, shoal.GAACP(picks="first"), bounds="observed")
    labels = release.grouping.labels.tolist()
    before = draw_before(picture, labels, ("ill",))
    picture.line(
        (before.right + 24, 110), (before.right + 84, 110), colour="ink", width=2, arrow=True
    )
    x = before.right + 120
    picture.text(x, 28, "One table", bold=True)
    draw_table(picture, x, 38, release.table.columns, release.table.rows(), labels=labels)
    picture.text(16, 212, "Rows of a class look alike in age and job.", size=12, colour="faint")
    return picture.svg()
