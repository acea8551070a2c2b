"""Decomposition-plus: the noise follows the table."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.methods._noise import draw_noise


def draw() -> str:
    """Draw groups with the values that were added, and which values are added how often."""
    picture = Picture(
        "Decomposition plus, three illnesses and two pays per group",
        "Decomposition-plus makes the groups of decomposition, and draws the values that it adds "
        "by how often the table holds them, so that noise does not stand out by being rare.",
        306,
    )
    draw_noise(picture, shoal.DecompositionPlus, "Drawn by how often the table holds it.")
    return picture.svg()
