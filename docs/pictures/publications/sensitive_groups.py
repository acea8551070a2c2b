"""sensitive-groups: a table of its own for each sensitive column."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.publications._before_after import draw_linked, released


def draw() -> str:
    """Draw the table of exact cells, and one per sensitive column."""
    picture = Picture(
        "The form sensitive-groups",
        "Sensitive-groups publishes exact quasi-identifiers and one table per sensitive column, "
        "linked by a group number alone, so not even the values of one person are told together.",
        226,
    )
    need = shoal.MultiLDiversity({"ill": 3, "pay": 2})
    release = released(("ill", "pay"), need, shoal.MICD(picks="first"))
    labels = release.grouping.labels.tolist()
    quasi, sensitive = release.tables["quasi"], release.tables["sensitive"]
    numbers = [quasi["group"][labels.index(label)] for label in range(max(labels) + 1)]
    picture.text(16, 28, "Who", bold=True)
    placed = draw_linked(picture, 16, quasi, "group", numbers)
    for name in ("ill", "pay"):
        x = placed.right + 50
        picture.text(x, 28, f"What {name}", bold=True)
        placed = draw_linked(picture, x, sensitive[name], "group", numbers)
    note = "Each value of a group stands once. Which illness goes with which pay is not said."
    picture.text(16, 212, note, size=12, colour="faint")
    return picture.svg()
