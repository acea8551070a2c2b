"""homogeneity: the class holds one value only."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.risk._attack import CLASSES, SCHEMA, TABLE, class_of, draw_attack, follows


def draw() -> str:
    """Draw how a person of 34 is found in a class with one disease."""
    picture = Picture(
        "The homogeneity attack",
        "Homogeneity: who finds a person's class in which everybody has the same value knows the "
        "person's value for certain.",
        278,
    )
    draw_attack(
        picture,
        ["Ann is 34", "Ann is in the table"],
        TABLE.columns,
        TABLE.rows(),
        CLASSES,
        [row for row, own in enumerate(CLASSES) if own == 0],
    )
    values = sorted(set(class_of(0)))
    lines = [f"All {len(class_of(0))} have {values[0]},", f"so Ann has {values[0]}."]
    follows(
        picture, lines, shoal.risk.homogeneity(TABLE, SCHEMA), y=150, text="certain, in the table:"
    )
    return picture.svg()
