"""Samarati: the least height at which some node holds."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.methods._lattice import HEIGHTS, chosen, draw_lattice, losses, place


def draw() -> str:
    """Draw the lattice, and the line of least height."""
    picture = Picture(
        "The least height of a lattice that holds",
        "Samarati looks for the least height, the sum of the levels, at which a node holds, and "
        "takes the best node of that height.",
        360,
    )
    best = chosen(shoal.Samarati(suppression_limit=0))
    least = min(sum(node) for node, loss in losses().items() if loss is not None)
    for height in range(sum(HEIGHTS) + 1):
        y = place((min(height, HEIGHTS[0]), height - min(height, HEIGHTS[0])))[1]
        if height == least:
            picture.box(8, y - 18, 408, 36, fill="class-1", line="class-1")
        picture.text(
            16,
            y + 4,
            str(height),
            size=12,
            bold=height == least,
            colour="ink" if height == least else "faint",
        )
    notes = [
        f"Below height {least} every node fails.",
        f"At height {least} the node of",
        "least loss is chosen.",
    ]
    draw_lattice(picture, best, notes=notes)
    return picture.svg()
