"""sensitivity: most values of the class are grave."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.risk._attack import CLASSES, SCHEMA, TABLE, class_of, draw_attack, follows

GRAVE = ("HIV", "cancer")


def draw() -> str:
    """Draw how a person of 44 stands among grave diseases only."""
    picture = Picture(
        "The sensitivity attack",
        "Sensitivity: where most of the different values of a class are grave, a person's value is "
        "grave, whichever it is.",
        278,
    )
    draw_attack(
        picture,
        ["Bob is 44", "Bob is in the table", "grave: HIV and cancer"],
        TABLE.columns,
        TABLE.rows(),
        CLASSES,
        [row for row, own in enumerate(CLASSES) if own == 1],
    )
    values = set(class_of(1))
    share = len(values & set(GRAVE)) / len(values)
    lines = [f"{share:.0%} of them are grave,".replace("%", " %"), "so Bob is gravely ill."]
    attack = shoal.risk.sensitivity(TABLE, SCHEMA, values=list(GRAVE))
    follows(picture, lines, attack, y=150, text="70 % or more grave:")
    return picture.svg()
