"""dates: day, month, quarter, year."""

from __future__ import annotations

import polars as pl

from docs.pictures.hierarchies._built import built
from shoal.table.hierarchies import Dates

DAYS = ("2024-02-29", "2024-03-02", "2024-03-17", "2023-11-05")


def draw() -> str:
    """Draw four days in months, quarters and years."""
    return built(
        "The builder dates",
        "Dates puts days into months, quarters, years and decades, as many of these levels as are "
        "asked for.",
        [*DAYS, "levels: month,", "quarter, year"],
        Dates(levels=("month", "quarter", "year")).build(pl.Series(DAYS)),
    )
