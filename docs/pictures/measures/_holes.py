"""A table with missing cells and a row that is dropped: which cells a rate counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.tables import draw_table

__all__ = ["ORIGINAL", "PUBLISHED", "draw_rate"]

ORIGINAL = pl.DataFrame(
    {"age": [30, 35, 40, 40, None], "sex": ["male", "male", None, "female", "female"]}
)
PUBLISHED = pl.DataFrame(
    {"age": ["[30, 35]", "[30, 35]", "40", "40"], "sex": ["male", "male", "*", "*"]}
)
SCHEMA = shoal.Schema({"age": shoal.quasi(), "sex": shoal.quasi()})
ROWS = [0, 1, 2, 3]


def draw_rate(
    picture: Picture,
    measure: Any,
    counts: Sequence[tuple[int, int]],
    texts: Sequence[str],
    *,
    in_original: bool,
    of: float,
    weights: Sequence[float] | None = None,
) -> None:
    """Draw both tables, tint the cells that count, and write the measure.

    Parameters
    ----------
    counts
        The cells that count, by row and column.
    said
        Lines that say what is counted; ``{count}`` is its number.
    in_original
        Whether these are cells of the original, not of what is published.
    of
        By what their number, or the sum of the weights, is divided.
    weights
        How much each of them counts.
    """
    value = float(measure(ORIGINAL, PUBLISHED, SCHEMA, rows=ROWS))
    total = sum(weights) if weights else len(counts)
    if abs(total / of - value) > 1e-9:
        raise ValueError(f"Cells count {total / of}, and the measure is {value}.")
    strengths = weights or [0.7] * len(counts)
    shades = {
        cell: ("class-2", max(0.25, 0.75 * strength))
        for cell, strength in zip(counts, strengths, strict=True)
    }
    picture.text(16, 26, "Original", bold=True)
    draw_table(
        picture,
        16,
        36,
        ORIGINAL.columns,
        ORIGINAL.rows(),
        shades=shades if in_original else None,
        wide=72,
    )
    picture.text(200, 26, "Published", bold=True)
    rows = [*PUBLISHED.rows(), ("not published", "")]
    placed = draw_table(
        picture,
        200,
        36,
        PUBLISHED.columns,
        rows,
        shades=None if in_original else shades,
        wide=76,
        faded=[4],
    )
    x = placed.right + 24
    for line, words in enumerate(texts):
        picture.text(x, 66 + 20 * line, words.format(count=f"{total:g}"), size=12)
    picture.text(x, 66 + 20 * len(texts) + 10, measure.name, bold=True)
    picture.text(x, 66 + 20 * len(texts) + 30, f"= {value:.4g}", bold=True)
    picture.text(
        16,
        188,
        "– is a missing cell. The last row was dropped for its missing age.",
        size=12,
        colour="faint",
    )
