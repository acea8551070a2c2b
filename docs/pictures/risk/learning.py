"""learning: all classes together show which people have which values."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.style import class_colour

PAIRS = (("f", "f"), ("f", "m"), ("m", "m"))
ILLS = (("cancer", "flu"), ("cancer", "flu"), ("flu", "cold"))
TIMES = 20


def draw() -> str:
    """Draw three kinds of classes, and how often guesses are right with and without learning."""
    picture = Picture(
        "The learning attack",
        "Learning: a class does not say who has which value, but all classes together show which "
        "people have which values, and a model of that guesses better.",
        262,
    )
    original = pl.DataFrame(
        {
            "sex": [sex for pair in PAIRS * TIMES for sex in pair],
            "ill": [ill for pair in ILLS * TIMES for ill in pair],
        }
    )
    group = pl.Series("group", [row // 2 for row in range(len(original))])
    tables = {"quasi": original.select("sex", group), "sensitive": original.select("ill", group)}
    schema = shoal.Schema({"sex": shoal.quasi(), "ill": shoal.sensitive()})
    attack = shoal.risk.learning(tables, schema, original=original)
    picture.text(16, 28, f"1. Three kinds of classes, {TIMES} of each", bold=True)
    for place, (pair, ills) in enumerate(zip(PAIRS, ILLS, strict=True)):
        y = 60 + 48 * place
        picture.box(12, y - 18, 316, 36, fill=class_colour(place), radius=6)
        for which, sex in enumerate(pair):
            picture.dot((34 + 34 * which, y), 13, fill="faint", tint=True, line="faint")
            picture.text(34 + 34 * which, y + 4, sex, size=12, anchor="middle")
        for which, ill in enumerate(sorted(ills)):
            picture.pill(130 + 80 * which, y, ill, width=66)
    picture.text(16, 208, "Cancer is only seen where a woman is. So in a class of", size=12)
    picture.text(16, 226, "a woman and a man, she has cancer and he has the flu.", size=12)
    picture.text(400, 28, "2. Guesses that are right", bold=True)
    shares = ("one class alone", attack.details["counting"]), ("learnt from all", attack.share)
    for place, (words, share) in enumerate((*shares, ("control", attack.control))):
        y = 64 + 56 * place
        picture.text(400, y, words, size=12)
        colour = "fails" if place == 1 else "faint"
        picture.box(400, y + 8, 170 * share, 18, fill=colour, strength=0.6, radius=2)
        picture.text(408 + 170 * share, y + 22, f"{share:.2f}", size=12, bold=place == 1)
    return picture.svg()
