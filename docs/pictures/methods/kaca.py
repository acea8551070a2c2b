"""KACA: begin with classes of equal records, and merge what is too small."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.people import AGES_AND_ZIPS, released
from docs.pictures.style import class_colour
from docs.pictures.tables import draw_table
from shoal.publications.groups.grouping import number_by_first

TABLE = pl.DataFrame(
    {
        "age": [21, 21, 24, 27, 34, 38, 52, 58],
        "zip": ["501", "501", "501", "502", "511", "511", "622", "622"],
    }
)
K = 2


def draw() -> str:
    """Draw the first classes, and what they are merged into."""
    picture = Picture(
        "KACA on eight people, k = 2",
        "KACA starts from classes of equal records and merges each class of fewer than k with the "
        "one that is cheapest to join, up the trees of their cells.",
        270,
    )
    release = released(TABLE, shoal.KACA(picks="first"), K, AGES_AND_ZIPS)
    labels = release.grouping.labels.tolist()
    equal = number_by_first(
        TABLE.with_row_index().select(pl.struct("age", "zip").rank("dense")).to_series().to_numpy()
    ).tolist()
    picture.text(24, 26, "Classes of equal records", bold=True)
    start = draw_table(picture, 24, 38, TABLE.columns, TABLE.rows(), wide=64)
    picture.text(420, 26, "Merged until each holds 2", bold=True)
    end = draw_table(picture, 420, 38, TABLE.columns, release.table.rows(), labels=labels, wide=80)
    for small in sorted(set(equal)):
        rows = [row for row, own in enumerate(equal) if own == small]
        top, bottom = start.rows[rows[0]] - 9, start.rows[rows[-1]] + 9
        size = len(rows)
        colour = "holds" if size >= K else "fails"
        picture.box(
            start.left - 5, top, start.right - start.left + 10, bottom - top, line=colour, thick=1.6
        )
        middle = (top + bottom) / 2
        picture.text(start.right + 14, middle + 4, str(size), size=12, bold=True, colour=colour)
        members = [end.rows[row] for row, own in enumerate(labels) if own == labels[rows[0]]]
        target = (min(members) + max(members)) / 2
        picture.line(
            (start.right + 34, middle),
            (end.left - 26, target),
            colour=class_colour(labels[rows[0]]),
            width=1.6,
        )
    for label in sorted(set(labels)):
        members = [end.rows[row] for row, own in enumerate(labels) if own == label]
        target = (min(members) + max(members)) / 2
        picture.text(
            end.left - 20, target + 4, str(len(members)), size=12, bold=True, colour="holds"
        )
    picture.text(
        24,
        258,
        "The number of people of each class stands beside it: red is fewer than k.",
        size=12,
        colour="faint",
    )
    return picture.svg()
