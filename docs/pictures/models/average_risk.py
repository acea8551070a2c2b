"""Average risk: classes over records."""

from __future__ import annotations

from collections.abc import Sequence

import shoal
from docs.pictures.draw import Picture
from docs.pictures.models._classes import draw_tables


def draw() -> str:
    """Draw two tables of ten records in three and in four classes, with a risk of 0.3."""
    picture = Picture(
        "Average risk of 0.3",
        "Average risk asks for few classes among all records: the mean chance to find the right "
        "record is the number of classes over the number of records.",
        212,
    )
    draw_tables(
        picture,
        shoal.AverageRisk(0.3),
        ((5, 4, 1), (5, 3, 1, 1)),
        "average risk at most 0.3",
        _note,
    )
    return picture.svg()


def _note(sizes: Sequence[int]) -> str:
    return f"{len(sizes)} classes, {sum(sizes)} records: {len(sizes) / sum(sizes):.1f}"
