"""minimality: a class was not split, so a part of it would have failed."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.risk._attack import draw_attack, follows

PEOPLE = pl.DataFrame(
    {"sex": ["f"] * 4 + ["m"] * 4, "disease": ["HIV"] * 4 + ["flu", "TB", "flu", "TB"]}
)


def draw() -> str:
    """Draw a class that k would have split by sex, and why it was not."""
    picture = Picture(
        "The minimality attack",
        "Minimality: a class that k would have let be split was not split, so the values of one of "
        "its parts must fail the requirement.",
        256,
    )
    schema = shoal.Schema({"sex": shoal.quasi(), "disease": shoal.sensitive()})
    release = shoal.anonymize(
        PEOPLE, schema, require=shoal.AlphaK(0.5, 2), method="full-domain", seed=1
    )
    attack = shoal.risk.minimality(release)
    rows = release.table.sort("disease").rows()
    draw_attack(
        picture,
        [
            "everybody's sex",
            "that α = ½ and k = 2",
            "are asked, and that no",
            "more is hidden than",
            "needed",
        ],
        PEOPLE.columns,
        rows,
        [0] * len(rows),
        range(len(rows)),
        middle="2. One class, not split",
    )
    counts = PEOPLE["sex"].value_counts().sort("sex").rows()
    text = " and ".join(f"{count} {sex}" for sex, count in counts)
    lines = [
        f"k = 2 lets {text} part,",
        "so one part breaks α:",
        "a sex in which one",
        "disease is too frequent.",
    ]
    # Its control is one random deal, which says nothing of a single class.
    follows(picture, lines, attack, y=150, text="in such classes:", control=False)
    return picture.svg()
