"""GCA: the most frequent values first, until a class holds."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.methods._buckets import draw_buckets, draw_groups, groups_of

VALUES = ("flu", "cold", "flu", "flu", "HIV", "cold", "flu", "ulcer", "flu", "cold", "flu", "ulcer")


def draw() -> str:
    """Draw the buckets, and the classes in which no value has more than half."""
    picture = Picture(
        "GCA with alpha = 1/2 and k = 3",
        "GCA takes one record of each value, the most frequent first, until the class holds the "
        "requirement; left-over records join a class that stays valid.",
        238,
    )
    table = pl.DataFrame({"age": range(20, 20 + len(VALUES)), "ill": VALUES})
    release = shoal.anonymize(
        table,
        {"age": "quasi", "ill": "sensitive"},
        require=shoal.AlphaK("1/2", 3),
        method=shoal.GCA(),
    )
    groups = groups_of(release.grouping.labels.tolist(), VALUES)
    largest = max(max(map(group.count, group)) / len(group) for group in groups)
    picture.text(16, 26, "A bucket per value", bold=True)
    draw_buckets(picture, 20, 38, VALUES)
    picture.line((278, 110), (304, 110), colour="ink", width=2, arrow=True)
    picture.text(318, 26, "Classes of 3 or more", bold=True)
    draw_groups(picture, 318, 40, groups, word="class", pill=50)
    picture.text(
        318,
        200,
        f"The largest share of a value in a class is {largest:.2f}.",
        size=12,
        colour="faint",
    )
    return picture.svg()
