"""Full-domain generalization: of all nodes that hold, the one of least loss."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.methods._lattice import chosen, draw_lattice, losses


def draw() -> str:
    """Draw the lattice with the loss of every node that holds."""
    picture = Picture(
        "The lattice of a table with two columns",
        "Full-domain generalization gives each column one level for the whole table: of all nodes "
        "of the lattice that hold, the one of least loss is chosen.",
        360,
    )
    found = losses()
    words = {node: f"{loss:.2f}" for node, loss in found.items() if loss is not None}
    best = chosen(shoal.FullDomain(suppression_limit=0))
    notes = [
        "In green nodes: their loss.",
        f"The least, {words[best]}, is proven",
        "the best of all.",
    ]
    draw_lattice(picture, best, words=words, notes=notes)
    return picture.svg()
