"""negation: rule out one value, and the last is certain."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.risk._attack import CLASSES, SCHEMA, TABLE, class_of, draw_attack, follows


def draw() -> str:
    """Draw how a person of 44 without HIV is left with one disease."""
    picture = Picture(
        "The negation attack",
        "Negation: who can rule out some values of a person's class is certain of the last one "
        "that is left.",
        278,
    )
    draw_attack(
        picture,
        ["Bob is 44", "Bob is in the table", "Bob does not have HIV"],
        TABLE.columns,
        TABLE.rows(),
        CLASSES,
        [row for row, own in enumerate(CLASSES) if own == 1],
    )
    left = sorted({*class_of(1)} - {"HIV"})
    lines = [f"Without HIV, {left[0]} is left:", f"Bob has {left[0]}."]
    attack = shoal.risk.negation(TABLE, SCHEMA, known=1)
    follows(picture, lines, attack, y=150, text="certain, one ruled out:")
    return picture.svg()
