"""two-table: exact cells, and values apart from them."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.publications._before_after import draw_before, draw_linked, released


def draw() -> str:
    """Draw six people, the table of their exact cells, and that of their values."""
    picture = Picture(
        "The form two-table",
        "Two-table publishes exact quasi-identifiers in one table and the sensitive values in "
        "another, and only a class number links the two.",
        226,
    )
    release = released(("ill",), shoal.LDiversity(3), shoal.Anatomy(picks="first"))
    labels = release.grouping.labels.tolist()
    quasi, sensitive = release.tables["quasi"], release.tables["sensitive"]
    numbers = [quasi["class"][labels.index(label)] for label in range(max(labels) + 1)]
    before = draw_before(picture, labels, ("ill",))
    picture.line(
        (before.right + 16, 110), (before.right + 52, 110), colour="ink", width=2, arrow=True
    )
    x = before.right + 70
    picture.text(x, 28, "Who", bold=True)
    who = draw_linked(picture, x, quasi, "class", numbers)
    picture.text(who.right + 40, 28, "What", bold=True)
    draw_linked(picture, who.right + 40, sensitive, "class", numbers)
    note = "Who is 21 has one of the values of the class, and nothing says which."
    picture.text(16, 212, note, size=12, colour="faint")
    return picture.svg()
