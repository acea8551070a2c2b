"""intervals: numbers in ranges, and these in wider ones."""

from __future__ import annotations

import polars as pl

from docs.pictures.hierarchies._built import built
from shoal.table.hierarchies import Intervals

AGES = ("23", "31", "37", "45")


def draw() -> str:
    """Draw four ages in tens, twenties and forties."""
    return built(
        "The builder intervals",
        "Intervals puts numbers into ranges of equal width and joins neighbours into wider ranges, "
        "level by level, up to the root.",
        [f"ages {', '.join(AGES)}", "width = 10"],
        Intervals(width=10).build(pl.Series(AGES)),
        notes=["or your own cuts,", "or a number of bins"],
    )
