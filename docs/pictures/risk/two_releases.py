"""two_releases: who is in both classes of a person?"""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.risk._attack import follows
from docs.pictures.risk._overlap import draw_overlap

PEOPLE = pl.DataFrame({"age": [20, 21, 40, 41], "sex": ["f", "m", "f", "m"]})
NAMES = ("Ann", "Bob", "Cat", "Dan")


def draw() -> str:
    """Draw the class of one person in two releases, and who is in both."""
    picture = Picture(
        "Two releases of one table",
        "Two releases: each holds k people per class, but only those in a person's classes of both "
        "remain.",
        224,
    )
    roles = (
        shoal.Schema({"age": shoal.quasi(), "sex": shoal.identifier()}),
        shoal.Schema({"age": shoal.identifier(), "sex": shoal.quasi()}),
    )
    releases = [shoal.anonymize(PEOPLE, each, require=2, seed=1) for each in roles]
    [attack] = shoal.risk.two_releases(*releases)
    picture.text(16, 28, "1. The adversary knows", bold=True)
    for line, words in enumerate(("Ann is 20,", "a woman, and in", "both releases")):
        picture.text(16, 56 + 20 * line, words, size=12)
    picture.text(212, 28, "2. Her class in both releases", bold=True)
    classes = {}
    for words, release in zip(("one by age", "one by sex"), releases, strict=True):
        labels = release.grouping.labels.tolist()
        classes[words] = {name for name, own in zip(NAMES, labels, strict=True) if own == labels[0]}
    both = draw_overlap(picture, 196, 76, classes, NAMES)
    follows(picture, [f"Only {both[0]} is in both."], attack, y=110, text="fewer than k remain:")
    picture.text(16, 208, "Each release alone holds k = 2.", size=12, colour="faint")
    return picture.svg()
