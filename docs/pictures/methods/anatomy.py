"""Anatomy: one record of each of the l largest buckets."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.methods._buckets import ILLS, draw_buckets, draw_groups, groups_of


def draw() -> str:
    """Draw the buckets, and the groups of three different values."""
    picture = Picture(
        "Anatomy with l = 3",
        "Anatomy makes groups of l different sensitive values, each time one record of each of "
        "the l largest buckets that are left.",
        200,
    )
    table = pl.DataFrame({"age": range(20, 20 + len(ILLS)), "ill": ILLS})
    release = shoal.anonymize(
        table,
        {"age": "quasi", "ill": "sensitive"},
        require=shoal.LDiversity(3),
        method=shoal.Anatomy(picks="first"),
    )
    picture.text(16, 26, "A bucket per value", bold=True)
    draw_buckets(picture, 20, 48, ILLS)
    picture.line((284, 106), (320, 106), colour="ink", width=2, arrow=True)
    picture.text(340, 26, "Groups of 3 different values", bold=True)
    draw_groups(picture, 340, 40, groups_of(release.grouping.labels.tolist(), ILLS))
    return picture.svg()
