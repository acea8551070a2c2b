"""probability: one value is so frequent that guessing it is mostly right."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.risk._attack import CLASSES, SCHEMA, TABLE, class_of, draw_attack, follows


def draw() -> str:
    """Draw how a person of 55 is guessed to have the most frequent disease of the class."""
    picture = Picture(
        "The probability attack",
        "Probability: who guesses the most frequent value of a person's class is right as often as "
        "its share says.",
        278,
    )
    draw_attack(
        picture,
        ["Cid is 55", "Cid is in the table"],
        TABLE.columns,
        TABLE.rows(),
        CLASSES,
        [row for row, own in enumerate(CLASSES) if own == 2],
    )
    values = class_of(2)
    most = max(sorted(set(values)), key=values.count)
    share = f"{values.count(most)} of {len(values)}"
    lines = [
        f"{share} have {most}: the guess",
        f"is right with {values.count(most) / len(values):.2f}.",
    ]
    attack = shoal.risk.probability(TABLE, SCHEMA)
    follows(picture, lines, attack, y=150, text="a share above ½:")
    return picture.svg()
