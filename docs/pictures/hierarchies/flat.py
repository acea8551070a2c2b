"""flat: the value, or nothing."""

from __future__ import annotations

import polars as pl

from docs.pictures.hierarchies._built import built
from shoal.table.hierarchies import Flat

VALUES = ("f", "m", "other")


def draw() -> str:
    """Draw three values right below the root."""
    return built(
        "The builder flat",
        "Flat has two levels: the value as it is, or nothing.",
        VALUES,
        Flat().build(pl.Series(VALUES)),
        step=56,
    )
