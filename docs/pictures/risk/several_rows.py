"""several_rows: few people have a row in all the classes of a person."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.risk._attack import follows
from docs.pictures.risk._overlap import draw_overlap

WARDS = ("A", "A", "B", "B")
PATIENTS = (1, 2, 1, 3)


def draw() -> str:
    """Draw two wards with two patients each, of whom one was in both."""
    picture = Picture(
        "The attack on people with several rows",
        "Several rows: each class holds k people, but few of them have a row in all the classes "
        "that a person has rows in.",
        224,
    )
    schema = shoal.Schema({"ward": shoal.quasi(), "patient": shoal.identifier()}, entity="patient")
    attack = shoal.risk.several_rows(pl.DataFrame({"ward": WARDS}), schema, people=list(PATIENTS))
    picture.text(16, 28, "1. The adversary knows", bold=True)
    for line, words in enumerate(("a person was in ward A,", "and in ward B, too")):
        picture.text(16, 56 + 20 * line, words, size=12)
    picture.text(212, 28, "2. Who was in both wards?", bold=True)
    classes = {
        f"ward {ward}": {str(who) for who, own in zip(PATIENTS, WARDS, strict=True) if own == ward}
        for ward in sorted(set(WARDS))
    }
    both = draw_overlap(picture, 196, 76, classes, sorted({str(who) for who in PATIENTS}))
    follows(picture, [f"Only patient {both[0]}."], attack, y=110, text="fewer than k remain:")
    picture.text(16, 208, "Each ward holds two people: k = 2 holds.", size=12, colour="faint")
    return picture.svg()
