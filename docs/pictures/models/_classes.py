"""All classes of a small table as rows of dots, judged together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from docs.pictures.draw import Picture
from docs.pictures.models._cards import card, crowd, one_of_each, sized
from docs.pictures.style import class_colour

__all__ = ["draw_tables"]


def draw_tables(
    picture: Picture,
    requirement: Any,
    tables: tuple[Sequence[int], Sequence[int]],
    heading: str,
    note: Callable[[Sequence[int]], str],
    *,
    unique: bool = False,
) -> None:
    """Draw the classes of two tables by size; the first table holds, and the second fails."""
    holds = [bool(sized(requirement, sizes).passed) for sizes in tables]
    one_of_each(holds)
    most = max(map(len, tables))
    for side, sizes in enumerate(tables):
        x, y = card(picture, side, holds[side], heading, note(sizes), height=84 + 26 * most)
        for place, size in enumerate(sizes):
            crowd(
                picture,
                x + 4,
                y + 8 + 26 * place,
                size,
                colour=class_colour(place),
                ring=unique and size == 1,
            )
