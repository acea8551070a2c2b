"""iloss_rate: the mean share of its domain that a cell covers, its ends included."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.measures._cells import domain, draw_costs, leaves


def draw() -> str:
    """Draw what each published cell of five patients costs."""
    picture = Picture(
        "iloss_rate of five patients, cell by cell",
        "iloss_rate is the mean share of its domain that a changed cell covers: the numbers of an "
        "interval over all numbers, and the leaves of a node over all leaves.",
        248,
    )
    draw_costs(picture, shoal.measures.iloss_rate, 15, "over 15 cells")
    domain(picture, 24, 212, "age: {covered} of {all} numbers")
    leaves(picture, 226, 208, "zip: {covered} of {all} leaves")
    return picture.svg()
