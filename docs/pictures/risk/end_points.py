"""end_points: the end of a range is one person's exact number."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.risk._attack import draw_attack, follows

ORIGINAL = pl.DataFrame({"age": [20, 25, 29, 40, 40]})
PUBLISHED = pl.DataFrame({"age": ["[20, 29]"] * 3 + ["40"] * 2})


def draw() -> str:
    """Draw how the oldest of a class is known to the year."""
    picture = Picture(
        "The end points of a range",
        "End points: a range from the least to the largest number shows the exact number of "
        "whoever is the youngest or the oldest of the class.",
        222,
    )
    draw_attack(
        picture,
        ["Eva is the oldest", "of her class"],
        PUBLISHED.columns,
        PUBLISHED.rows(),
        [0, 0, 0, 1, 1],
        [0, 1, 2],
        middle="2. Her class",
    )
    end = PUBLISHED["age"][0].strip("[]").split(", ")[1]
    schema = shoal.Schema({"age": shoal.quasi()})
    attack = shoal.risk.end_points(PUBLISHED, schema, original=ORIGINAL)
    follows(
        picture,
        [f"The range ends at {end}:", f"Eva is {end}."],
        attack,
        y=110,
        text="alone at an end:",
    )
    picture.text(
        16,
        206,
        f"The ages were {', '.join(map(str, ORIGINAL['age'].to_list()))}.",
        size=12,
        colour="faint",
    )
    return picture.svg()
