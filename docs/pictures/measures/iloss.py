"""iloss: widths of intervals and steps up the tree, summed over all cells."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.measures._cells import domain, draw_costs, ladder


def draw() -> str:
    """Draw what each published cell of five patients costs."""
    picture = Picture(
        "iloss of five patients, cell by cell",
        "iloss adds up, over all cells, the width of an interval over the range of its column and "
        "the steps up a tree over the steps to its root.",
        248,
    )
    draw_costs(picture, shoal.measures.iloss, 1, "of all cells")
    domain(picture, 24, 212, "age: width over range")
    ladder(picture, 226, 208, "zip: steps up over all steps")
    return picture.svg()
