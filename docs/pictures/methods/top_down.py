"""Top-down: from one class at the roots, split as long as the parts hold."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.people import plane, released
from docs.pictures.style import class_colour

BANDS = shoal.hierarchies.Intervals(width=10)
ROLES = dict.fromkeys(plane().columns, shoal.quasi(kind="numeric", hierarchy=BANDS))
STEPS = (12, 4, 3)


def draw() -> str:
    """Draw the classes for smaller and smaller k, each below the class that it is part of."""
    picture = Picture(
        "Top-down on twelve people",
        "Top-down begins with one class at the roots of the trees and sends records down to the "
        "children of a node, as long as every part holds k.",
        330,
    )
    above: list[tuple[set[int], float, float]] = []
    for step, k in enumerate(STEPS):
        release = released(plane(), shoal.TopDown(), k, ROLES)
        labels = release.grouping.labels.tolist()
        y = 30.0 + 106 * step
        picture.text(16, y + 34, f"k = {k}", bold=True)
        kinds = sorted(set(labels))
        here = []
        for place, label in enumerate(kinds):
            rows = {row for row, own in enumerate(labels) if own == label}
            age, height = release.table.row(min(rows))
            x = 80 + (place + 0.5) * 540 / len(kinds)
            width = 166
            colour = class_colour(label) if step else "suppressed"
            picture.box(x - width / 2, y, width, 60, fill=colour, line=colour)
            picture.text(x, y + 18, f"age {age}", size=12, anchor="middle")
            picture.text(x, y + 35, f"height {height}", size=12, anchor="middle")
            picture.text(x, y + 52, f"{len(rows)} people", size=12, anchor="middle", colour="faint")
            here.append((rows, x, y))
            for parent, px, py in above:
                if rows <= parent:
                    picture.line((px, py + 60), (x, y), colour="ink", width=1.4, arrow=True)
                elif rows & parent:
                    raise ValueError("A class is no part of one above it.")
        above = here
    return picture.svg()
