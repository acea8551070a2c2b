"""downcoding: cells that are as fine as can be say what stood in the class."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.risk._attack import draw_attack, follows

ORIGINAL = pl.DataFrame({"age": [20, 25, 29], "sex": ["f", "m", "m"]})
PUBLISHED = pl.DataFrame({"age": ["[20, 29]"] * 3, "sex": ["*"] * 3})


def draw() -> str:
    """Draw which exact cells follow from the published ones."""
    picture = Picture(
        "The downcoding attack",
        "Downcoding: where a class is generalized no further than it must, the ends of a range and "
        "the children of a node tell which values stood in it.",
        216,
    )
    draw_attack(
        picture,
        ["the published table", "the hierarchies", "that cells are as fine", "as they can be"],
        PUBLISHED.columns,
        PUBLISHED.rows(),
        [0, 0, 0],
        [0, 1, 2],
        middle="2. A class",
    )
    ends = PUBLISHED["age"][0].strip("[]").split(", ")
    lines = [f"One is {ends[0]}, one is {ends[1]};", "one is f, one is m."]
    schema = shoal.Schema({"age": shoal.quasi(), "sex": shoal.quasi()})
    attack = shoal.risk.downcoding(PUBLISHED, schema, original=ORIGINAL)
    follows(picture, lines, attack, y=120, text="exact again:")
    held = {name: ", ".join(map(str, ORIGINAL[name].to_list())) for name in ORIGINAL.columns}
    note = f"The class held the ages {held['age']} and the sexes {held['sex']}."
    picture.text(16, 200, note, size=12, colour="faint")
    return picture.svg()
