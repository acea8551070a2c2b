"""KAIM: records that miss the same cells share a class."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.people import AGES_AND_ZIPS, released
from docs.pictures.tables import draw_table

TABLE = pl.DataFrame(
    {
        "age": [23, 25, None, None, 31, 36, 52, 55, None],
        "zip": ["501", "502", "501", "502", None, None, "622", "621", "622"],
    }
)


def draw() -> str:
    """Draw a table with holes, and its classes."""
    picture = Picture(
        "KAIM on nine people with missing cells, k = 2",
        "KAIM keeps every record: the one joins a class that raises the entropy of its cells "
        "least, so records that miss the same cells go together.",
        292,
    )
    release = released(TABLE, shoal.KAIM(picks="first"), 2, AGES_AND_ZIPS)
    labels = release.grouping.labels.tolist()
    order = sorted(range(len(labels)), key=lambda row: (labels[row], row))
    missing = {
        (place, column): ("missing", 0.45)
        for place, row in enumerate(order)
        for column in range(2)
        if TABLE.row(row)[column] is None
    }
    own = [labels[row] for row in order]
    picture.text(40, 26, "Rows with holes, by class", bold=True)
    before = draw_table(
        picture,
        40,
        38,
        TABLE.columns,
        [TABLE.row(row) for row in order],
        labels=own,
        shades=missing,
        wide=84,
    )
    picture.text(380, 26, "As they are published", bold=True)
    after = draw_table(
        picture,
        380,
        38,
        TABLE.columns,
        [release.table.row(row) for row in order],
        labels=own,
        wide=100,
    )
    for y in (before.rows[1], before.rows[4], before.rows[7]):
        picture.line((before.right + 20, y), (after.left - 20, y), colour="faint", arrow=True)
    picture.box(40, 266, 14, 14, fill="missing", strength=0.45)
    picture.text(
        60,
        278,
        "missing: it stands at the root, and a class that holds one shows *",
        size=12,
        colour="faint",
    )
    return picture.svg()
