"""Six people, and what each form of publication shows of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.tables import Placed, draw_table

__all__ = ["PEOPLE", "draw_before", "draw_linked", "released"]

PEOPLE = pl.DataFrame(
    {
        "age": [21, 24, 27, 41, 45, 52],
        "job": ["nurse", "nurse", "cook", "clerk", "clerk", "cook"],
        "ill": ["flu", "HIV", "cold", "flu", "cold", "HIV"],
        "pay": ["low", "high", "low", "mid", "high", "low"],
    }
)


def released(sensitive: Sequence[str], require: Any, method: Any, **how: Any) -> Any:
    """Publish the six people with some sensitive columns; pay is left out unless it is one."""
    table = PEOPLE.select("age", "job", *sensitive)
    roles = dict.fromkeys(("age", "job"), shoal.quasi()) | dict.fromkeys(
        sensitive, shoal.sensitive()
    )
    return shoal.anonymize(
        table, shoal.Schema(roles), require=require, method=method, seed=1, **how
    )


def draw_before(picture: Picture, labels: Sequence[int], sensitive: Sequence[str]) -> Placed:
    """Draw the table as it came, its rows in the colours of their classes."""
    table = PEOPLE.select("age", "job", *sensitive)
    picture.text(16, 28, "The table", bold=True)
    return draw_table(picture, 16, 38, table.columns, table.rows(), labels=labels)


def draw_linked(
    picture: Picture, x: float, frame: pl.DataFrame, key: str, numbers: Sequence[int]
) -> Placed:
    """Draw a published table whose rows name their class."""
    own = [numbers.index(number) for number in frame[key].to_list()]
    return draw_table(picture, x, 38, frame.columns, frame.rows(), labels=own)
