"""Local recoding: fine levels for usual rows, coarse ones for unusual rows alone."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.people import AGES_AND_ZIPS, released
from docs.pictures.tables import draw_table

TABLE = pl.DataFrame(
    {
        "age": [31, 31, 33, 33, 36, 36, 58, 72],
        "zip": ["501", "501", "501", "501", "502", "502", "511", "622"],
    }
)


def draw() -> str:
    """Draw a table, its best single node, and what local recoding makes of it."""
    picture = Picture(
        "Local recoding beside full-domain, k = 2",
        "Local recoding takes the cheapest levels for the rows that hold there, then coarser ones "
        "for the rows that are left, so a few unusual rows do not make all others coarse.",
        268,
    )
    local = released(TABLE, shoal.LocalRecoding(share=0), 2, AGES_AND_ZIPS)
    whole = released(TABLE, shoal.FullDomain(suppression_limit=0), 2, AGES_AND_ZIPS)
    picture.text(16, 26, "The table", bold=True)
    draw_table(picture, 16, 38, TABLE.columns, TABLE.rows(), wide=56)
    picture.text(190, 26, "One level for all rows", bold=True)
    draw_table(
        picture,
        190,
        38,
        TABLE.columns,
        whole.table.rows(),
        labels=whole.grouping.labels.tolist(),
        wide=76,
    )
    picture.text(420, 26, "Local recoding", bold=True)
    draw_table(
        picture,
        420,
        38,
        TABLE.columns,
        local.table.rows(),
        labels=local.grouping.labels.tolist(),
        wide=84,
    )
    picture.text(190, 256, f"loss {whole.measures['loss']:.2f}", size=12, bold=True)
    picture.text(420, 256, f"loss {local.measures['loss']:.2f}", size=12, bold=True)
    return picture.svg()
