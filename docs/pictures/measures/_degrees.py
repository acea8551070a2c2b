"""Groups and their sensitive values on the line of degrees: rare values lie far to the right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import polars as pl

import shoal
from docs.pictures.draw import Picture

__all__ = ["GROUPS", "degree", "draw_axis", "measured"]

GROUPS = (("flu", "cold"), ("flu", "flu", "HIV"), ("cold", "HIV"), ("flu", "flu", "cold", "ulcer"))
SCHEMA = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()})


def frame(groups: Sequence[Sequence[str]] = GROUPS) -> pl.DataFrame:
    """Give the rows of the groups; each group has an age of its own."""
    rows = [(20 + 10 * place, ill) for place, group in enumerate(groups) for ill in group]
    return pl.DataFrame(rows, schema=["age", "ill"], orient="row")


def degree(value: str, groups: Sequence[Sequence[str]] = GROUPS) -> float:
    """Give the degree of a value: ln(rows / rows that hold it)."""
    values = [each for group in groups for each in group]
    return math.log(len(values) / values.count(value))


def measured(measure: Any, groups: Sequence[Sequence[str]] = GROUPS) -> float:
    """Measure the groups."""
    table = frame(groups)
    return float(measure(table, table.select("age"), SCHEMA))


def draw_axis(picture: Picture, x: float, y: float, width: float) -> None:
    """Draw the line of degrees."""
    picture.line((x, y), (x + width, y), colour="ink", arrow=True)
    picture.text(x + width, y + 20, "rare: of a high degree", size=12, anchor="end", colour="faint")
    picture.text(x, y + 20, "frequent", size=12, colour="faint")
