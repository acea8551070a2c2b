"""similarity: all values of the class are of one level."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.risk._attack import CLASSES, TABLE, class_of, draw_attack, follows

LEVELS = {"HIV": 1, "cancer": 1, "flu": 2}
LEVELED = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive(levels=LEVELS)})


def draw() -> str:
    """Draw how a person of 44 stands among values of one level."""
    picture = Picture(
        "The similarity attack",
        "Similarity: where all values of a class are of one level, the level of a person's value "
        "is known, though the value is not.",
        278,
    )
    rows = [(age, ill, LEVELS[ill]) for age, ill in TABLE.rows()]
    draw_attack(
        picture,
        ["Bob is 44", "Bob is in the table", "how sensitive values are"],
        (*TABLE.columns, "level"),
        rows,
        CLASSES,
        [row for row, own in enumerate(CLASSES) if own == 1],
    )
    [level] = {LEVELS[ill] for ill in class_of(1)}
    lines = [f"Every value is of level {level}:", "Bob is gravely ill."]
    attack = shoal.risk.similarity(TABLE, LEVELED)
    follows(picture, lines, attack, y=150, text="the level is certain:")
    return picture.svg()
