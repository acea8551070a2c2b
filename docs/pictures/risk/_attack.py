"""What the adversary knows, which rows remain, what follows: three parts from left to right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.tables import Placed, draw_table

__all__ = ["CLASSES", "SCHEMA", "TABLE", "class_of", "draw_attack", "follows"]

TABLE = pl.DataFrame(
    {
        "age": ["[30, 39]"] * 3 + ["[40, 49]"] * 2 + ["[50, 59]"] * 4,
        "disease": ["flu"] * 3 + ["HIV", "cancer"] + ["flu", "flu", "flu", "HIV"],
    }
)
SCHEMA = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()})
CLASSES = [place for place, size in enumerate((3, 2, 4)) for _ in range(size)]


def class_of(place: int) -> list[str]:
    """Give the diseases of a class of the table."""
    rows = TABLE["disease"].to_list()
    return [ill for ill, own in zip(rows, CLASSES, strict=True) if own == place]


def draw_attack(
    picture: Picture,
    knows: Sequence[str],
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    labels: Sequence[int | None],
    remain: Sequence[int],
    *,
    middle: str = "2. Which rows remain",
) -> Placed:
    """Draw what is known on the left and the published rows in the middle; others are faded.

    The table stands in the middle third; `follows` fills the right one.
    """
    picture.text(16, 28, "1. The adversary knows", bold=True)
    for line, words in enumerate(knows):
        picture.text(16, 56 + 20 * line, words, size=12)
    picture.text(232, 28, middle, bold=True)
    faded = [row for row in range(len(rows)) if row not in remain]
    shown = [label if row in remain else None for row, label in enumerate(labels)]
    placed = draw_table(picture, 232, 40, columns, rows, labels=shown, faded=faded, wide=60)
    if remain:
        top, bottom = placed.rows[min(remain)] - 12, placed.rows[max(remain)] + 12
        left, width = placed.left - 4, placed.right - placed.left + 8
        picture.box(left, top, width, bottom - top, line="ink", thick=2)
        middle_of = (top + bottom) / 2
        picture.line((186, middle_of), (left - 6, middle_of), colour="ink", width=2, arrow=True)
    return placed


def follows(
    picture: Picture,
    lines: Sequence[str],
    attack: Any,
    *,
    y: float,
    text: str,
    control: bool = True,
) -> None:
    """Draw what follows for one person, and what the attack counts over all people."""
    picture.text(450, 28, "3. What follows", bold=True)
    for line, words in enumerate(lines):
        picture.text(450, 56 + 20 * line, words, size=12)
    picture.box(442, y, 186, 62, fill="fails", line="fails", radius=6)
    picture.text(452, y + 20, text, size=12)
    found = f"{attack.people} of {attack.total} {attack.unit}"
    picture.text(452, y + 38, found, size=12, bold=True)
    if control:
        picture.text(452, y + 55, f"control: {attack.control * 100:.0f} %", size=12, colour="faint")
