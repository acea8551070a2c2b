"""Auto: a good start, refined, with a bound that says how near the best it is."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.methods._plane import Plane
from docs.pictures.people import plane, released


def draw() -> str:
    """Draw the start, the refined classes, and their losses beside the lower bound."""
    picture = Picture(
        "Auto on twelve people, k = 3",
        "Auto starts with classes that suit the table, moves people between them while that loses "
        "less, and proves a lower bound that says how near the best the result is.",
        372,
    )
    table = plane()
    refined = released(table, shoal.Auto(seed=0), 3)
    start = released(table, shoal.GAACP(seed=0), 3)
    if refined.refined.before != start.measures["iloss"]:
        raise ValueError("Auto did not start from these classes.")
    for x, words, release in ((16, "1. A start (GAA-CP)", start), (328, "2. Refined", refined)):
        labels = release.grouping.labels.tolist()
        picture.text(x, 24, words, bold=True)
        part = Plane(picture, table, x, 46, 296, 200)
        part.boxes(labels)
        part.dots(labels)
    cells = len(table) * table.width
    marks = (
        ("bound", refined.bound.least * cells, "class-1"),
        ("refined", refined.measures["iloss"], "holds"),
        ("start", start.measures["iloss"], "faint"),
    )
    low, high = 4.0, 12.0
    picture.text(16, 334, "3. iloss", bold=True)
    left, right, y = 110, 610, 330
    picture.line((left, y), (right, y), colour="line", width=2)
    picture.text(left, y + 22, f"{low:g}", size=12, anchor="middle", colour="faint")
    for name, value, colour in marks:
        x = left + (right - left) * (value - low) / (high - low)
        picture.dot((x, y), 6, fill=colour)
        picture.text(x, y - 14, name, size=12, anchor="middle", bold=True)
        picture.text(x, y + 22, f"{value:.2f}", size=12, anchor="middle")
    picture.box(left, y - 4, (right - left) * (marks[0][1] - low) / (high - low), 8, fill="class-1")
    picture.text(left, y - 32, "nothing can lie here", size=12, colour="faint")
    return picture.svg()
