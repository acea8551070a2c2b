"""prefixes: characters are hidden from the right."""

from __future__ import annotations

import polars as pl

from docs.pictures.hierarchies._built import built
from shoal.table.hierarchies import Prefixes

CODES = ("23085", "23200", "23208", "23220")


def draw() -> str:
    """Draw four zip codes that lose a character per level."""
    return built(
        "The builder prefixes",
        "Prefixes hides the characters of a code from the right, one per level, so that codes "
        "which begin alike come together.",
        [*CODES, "keep = 2"],
        Prefixes(keep=2).build(pl.Series(CODES)),
    )
