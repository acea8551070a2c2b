"""Re-identification: how likely a person is found, before and after."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.tables import draw_table

RAW = pl.DataFrame({"age": [31, 31, 34, 38, 39, 52, 53, 58], "sex": list("ffmffmmm")})
SHOWN = pl.DataFrame({"age": ["[31, 39]"] * 5 + ["[52, 58]"] * 3, "sex": list("*****mmm")})
LABELS = (0, 0, 0, 0, 0, 1, 1, 1)


def draw() -> str:
    """Draw a raw and a published table, with the chance to find each person."""
    picture = Picture(
        "The chance to find each person, before and after",
        "Re-identification: a person is found among the rows that look alike with one over their "
        "number, so publishing larger classes lowers the risk.",
        268,
    )
    found = shoal.risk.reidentification(SHOWN, quasi=["age", "sex"], original=RAW)
    for x, words, table, labels, risk in (
        (16, "Before", RAW, None, found.before),
        (330, "After", SHOWN, LABELS, found),
    ):
        if risk is None:
            raise ValueError("The risk before needs the original.")
        rows = table.rows()
        shares = [1 / rows.count(row) for row in rows]
        if abs(max(shares) - risk.prosecutor.highest) > 1e-9:
            raise ValueError(f"The highest risk is {risk.prosecutor.highest}, not {max(shares)}.")
        picture.text(x, 26, words, bold=True)
        placed = draw_table(picture, x, 34, table.columns, rows, labels=labels, wide=52)
        for y, share in zip(placed.rows, shares, strict=True):
            picture.box(
                placed.right + 14, y - 7, 90 * share, 14, fill="fails", strength=0.6, radius=2
            )
            picture.text(placed.right + 112, y + 4, f"{share:.2f}", size=12)
        note = f"highest {risk.prosecutor.highest:.2f}, average {risk.prosecutor.average:.2f}"
        picture.text(x, placed.bottom + 24, note, size=12, bold=True)
    return picture.svg()
