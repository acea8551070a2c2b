"""skewness: a value is much more frequent in the class than in the table."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.risk._attack import SCHEMA, draw_attack, follows

SKEWED = pl.DataFrame({"age": ["young"] * 4 + ["old"] * 6, "disease": ["HIV"] * 2 + ["flu"] * 8})


def draw() -> str:
    """Draw how a rare disease is frequent in one class."""
    picture = Picture(
        "The skewness attack",
        "Skewness: where a value is much more frequent in a class than in the whole table, "
        "everybody there is suspected, though nothing is certain.",
        300,
    )
    ages, ills = SKEWED["age"].to_list(), SKEWED["disease"].to_list()
    own = [row for row, age in enumerate(ages) if age == "young"]
    labels = [0 if age == "young" else 1 for age in ages]
    draw_attack(
        picture, ["Ann is young", "Ann is in the table"], SKEWED.columns, SKEWED.rows(), labels, own
    )
    inside, outside = (
        sum(ills[row] == "HIV" for row in own) / len(own),
        ills.count("HIV") / len(ills),
    )
    lines = [
        f"HIV: {inside:.0%} of the young,".replace("%", " %"),
        f"{outside:.0%} of the table.".replace("%", " %"),
    ]
    attack = shoal.risk.skewness(SKEWED, SCHEMA)
    follows(picture, lines, attack, y=170, text="more than 25 points:")
    return picture.svg()
