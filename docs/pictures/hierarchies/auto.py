"""auto: parts of about equal frequency."""

from __future__ import annotations

import polars as pl

from docs.pictures.hierarchies._built import built
from shoal.table.hierarchies import Auto

LETTERS = "aaaaabcddee"


def draw() -> str:
    """Draw letters, split where about as many rows lie on both sides."""
    counts = [f"{letter}: {LETTERS.count(letter)} rows" for letter in sorted(set(LETTERS))]
    return built(
        "The builder auto",
        "Auto splits the ordered values into parts of about equal frequency, and these again, "
        "where nothing is known of their meaning.",
        [*counts, "fan_out = 2, max_height = 2"],
        Auto(fan_out=2, max_height=2).build(pl.Series(list(LETTERS))),
    )
