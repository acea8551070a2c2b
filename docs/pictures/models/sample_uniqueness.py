"""Sample uniqueness: few records are unlike all others."""

from __future__ import annotations

from collections.abc import Sequence

import shoal
from docs.pictures.draw import Picture
from docs.pictures.models._classes import draw_tables


def draw() -> str:
    """Draw two tables of ten records with one and with two unique ones, and a share of 0.1."""
    picture = Picture(
        "Sample uniqueness of 0.1",
        "Sample uniqueness asks that at most a share of the published records is unlike all "
        "others.",
        212,
    )
    draw_tables(
        picture,
        shoal.SampleUniqueness(0.1),
        ((5, 4, 1), (5, 3, 1, 1)),
        "unique: at most 0.1",
        _note,
        unique=True,
    )
    return picture.svg()


def _note(sizes: Sequence[int]) -> str:
    alone = sum(1 for size in sizes if size == 1)
    return f"{alone} of {sum(sizes)} records alone (ringed): {alone / sum(sizes):.1f}"
