"""Classes of a published table by size."""

from __future__ import annotations

from typing import Any

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.style import class_colour

__all__ = ["SIZES", "draw_squares", "measured"]

SIZES = (2, 3, 5)
TABLE = pl.DataFrame(
    {"age": [age for age, size in zip((30, 40, 50), SIZES, strict=True) for _ in range(size)]}
)


def measured(measure: Any) -> float:
    """Measure a table with classes of these sizes."""
    return float(measure(TABLE, TABLE, shoal.Schema({"age": shoal.quasi()})))


def draw_squares(
    picture: Picture, label: int, x: float, base: float, across: int, up: int, *, side: float = 20
) -> None:
    """Draw squares beside and above each other, standing on a base line."""
    for i in range(across):
        for j in range(up):
            picture.box(
                x + (side + 3) * i,
                base - (side + 3) * (j + 1),
                side,
                side,
                fill=class_colour(label),
                strength=0.6,
            )
