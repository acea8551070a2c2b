"""Decomposition: groups of different primary values, and noise for other columns."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.methods._noise import draw_noise


def draw() -> str:
    """Draw groups with the values that were added, and which values are added how often."""
    picture = Picture(
        "Decomposition, three illnesses and two pays per group",
        "Decomposition makes groups of l different primary values from random records, and adds "
        "to a group that is short of other values any that it lacks, each as likely.",
        306,
    )
    draw_noise(picture, shoal.Decomposition, "Drawn from what the group lacks, all as likely.")
    return picture.svg()
