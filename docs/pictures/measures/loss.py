"""loss: how much of its domain a cell covers, as a mean over columns."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.measures._cells import domain, draw_costs, leaves


def draw() -> str:
    """Draw what each published cell of five patients costs."""
    picture = Picture(
        "loss of five patients, cell by cell",
        "loss is the mean share of its domain that a cell covers: the width of an interval over "
        "the range, and the leaves of a node less one over all leaves less one.",
        248,
    )
    draw_costs(picture, shoal.measures.loss, 15, "over 15 cells of equal weight")
    domain(picture, 24, 212, "age: width over range")
    leaves(picture, 226, 208, "zip: {covered} − 1 over {all} − 1 leaves")
    return picture.svg()
