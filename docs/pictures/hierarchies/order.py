"""order: neighbours are joined."""

from __future__ import annotations

import polars as pl

from docs.pictures.hierarchies._built import built
from shoal.table.hierarchies import Order

GRADES = ("none", "school", "college", "degree")


def draw() -> str:
    """Draw four grades, joined in pairs."""
    return built(
        "The builder order",
        "Order joins values that follow each other into groups that are named by their first and "
        "last value.",
        [*GRADES, "fan_out = 2"],
        Order(fan_out=2, order=GRADES).build(pl.Series(GRADES[:1])),
        head="In this order",
    )
