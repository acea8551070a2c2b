"""average_class_size: published rows over classes."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.measures._sizes import SIZES, draw_squares, measured


def draw() -> str:
    """Draw three classes, and their mean size."""
    picture = Picture(
        "average_class_size of three classes",
        "average_class_size is the number of published rows over the number of classes, the mean "
        "height of these columns.",
        190,
    )
    value = measured(shoal.measures.average_class_size)
    base = 150.0
    for label, size in enumerate(SIZES):
        draw_squares(picture, label, 60 + 70 * label, base, 1, size)
        picture.text(70 + 70 * label, base + 20, f"{size}", size=12, anchor="middle")
    picture.line(
        (40, base - 23 * value), (270, base - 23 * value), colour="ink", width=2, dashed=True
    )
    picture.text(278, base - 23 * value + 4, f"mean {value:.2f}", size=12, bold=True)
    picture.text(390, 70, f"{sum(SIZES)} rows in {len(SIZES)} classes", size=13)
    picture.text(390, 96, f"average_class_size = {value:.3f}", bold=True)
    picture.text(16, 24, "Classes by their number of rows", bold=True)
    return picture.svg()
