"""Leveled GCA: a record of the most sensitive level beside those of other levels."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.methods._buckets import ILLS, draw_buckets, draw_groups, groups_of

LEVELS = {"HIV": 1, "ulcer": 2, "cold": 3, "flu": 3}


def draw() -> str:
    """Draw the buckets by level, and the classes that mix levels."""
    picture = Picture(
        "Leveled GCA with three levels, k = 3",
        "Leveled GCA takes a record of the most sensitive level and then one of each other level, "
        "so that a grave illness stands beside mild ones.",
        214,
    )
    table = pl.DataFrame({"age": range(20, 20 + len(ILLS)), "ill": ILLS})
    roles = {"age": shoal.quasi(), "ill": shoal.sensitive(levels=LEVELS)}
    release = shoal.anonymize(
        table,
        shoal.Schema(roles),
        require=shoal.LeveledAlphaK(None, ["1/3", "1/2", "2/3"], 3),
        method=shoal.LeveledGCA(),
    )
    groups = [
        sorted(group, key=LEVELS.__getitem__)
        for group in groups_of(release.grouping.labels.tolist(), ILLS)
    ]
    picture.text(16, 26, "Buckets by level", bold=True)
    draw_buckets(picture, 14, 40, ILLS, levels=LEVELS)
    picture.text(270, 26, "Classes that mix levels", bold=True)
    draw_groups(picture, 270, 40, groups, word="class", pill=42)
    picture.text(
        270, 170, "Level 1 is the most sensitive. Its values have a", size=12, colour="faint"
    )
    picture.text(
        270, 188, "share of at most 1/3, those of level 2 of 1/2.", size=12, colour="faint"
    )
    return picture.svg()
