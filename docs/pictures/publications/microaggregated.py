"""microaggregated: one record stands for each class."""

from __future__ import annotations

from docs.pictures.draw import Picture
from docs.pictures.publications._before_after import draw_before, released
from docs.pictures.tables import draw_table


def draw() -> str:
    """Draw six people, and the centre of each class in place of their cells."""
    picture = Picture(
        "The form microaggregated",
        "Microaggregated publishes one table in which a mean age and a typical job stand for every "
        "row of a class.",
        226,
    )
    release = released(("ill",), 3, "mdav")
    labels = release.grouping.labels.tolist()
    before = draw_before(picture, labels, ("ill",))
    picture.line(
        (before.right + 24, 110), (before.right + 84, 110), colour="ink", width=2, arrow=True
    )
    x = before.right + 120
    picture.text(x, 28, "One table of centres", bold=True)
    draw_table(picture, x, 38, release.table.columns, release.table.rows(), labels=labels, wide=60)
    note = "Ages are means of their class, jobs its medoids."
    picture.text(16, 212, note, size=12, colour="faint")
    return picture.svg()
