"""Two small groups side by side, one that holds a requirement and one that fails it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from docs.pictures.draw import Picture
from docs.pictures.style import value_colour
from shoal.models._cases import written
from shoal.models.base import GroupStatistics

__all__ = [
    "LEFT",
    "WIDE",
    "card",
    "crowd",
    "judged",
    "one_of_each",
    "pill_rows",
    "share_bars",
    "sized",
    "two_bars",
]

LEFT = (16.0, 328.0)
WIDE = 296.0


def judged(
    requirement: Any, private: Mapping[str, Sequence[str]] | None = None, **columns: Any
) -> list[bool]:
    """Let a requirement judge groups that are written out, a word per row."""
    holds: list[bool] = requirement.judge(written(private=private, **columns)).holds.tolist()
    return holds


def sized(requirement: Any, sizes: Sequence[int], population: Sequence[int] | None = None) -> Any:
    """Let a requirement judge groups of some sizes; gives its outcome."""
    people = None if population is None else np.array(population)
    return requirement.judge(GroupStatistics(np.array(sizes), population=people))


def one_of_each(holds: Sequence[bool]) -> None:
    """Refuse to draw two groups unless the first holds and the second fails."""
    if list(holds) != [True, False]:
        raise ValueError(f"The first group must hold and the second fail, not {holds}.")


def card(
    picture: Picture,
    side: int,
    holds: bool,
    heading: str,
    note: str,
    *,
    top: float = 12,
    height: float,
) -> tuple[float, float]:
    """Draw the frame of a group: its verdict, a heading above and a note below."""
    x = LEFT[side]
    picture.box(x, top, WIDE, height, line="holds" if holds else "fails", thick=1.6, radius=6)
    picture.mark(x + 20, top + 20, holds)
    picture.text(x + 38, top + 25, heading, bold=True)
    picture.text(x + 14, top + height - 12, note, size=12, colour="faint")
    return x + 14, top + 44


def share_bars(
    picture: Picture,
    x: float,
    y: float,
    values: Sequence[str],
    limits: Mapping[str, float],
    holds: bool,
    *,
    length: float = 170,
) -> None:
    """Draw the share of each value of a group, and the largest share that is allowed."""
    if holds != all(values.count(value) <= limits[value] * len(values) for value in limits):
        raise ValueError("The drawn limits say something else than the requirement.")
    for place, value in enumerate(sorted(limits, key=lambda each: -values.count(each))):
        share, middle = values.count(value) / len(values), y + 28 * place
        colour = value_colour(value)
        picture.text(x + 44, middle + 4, value, size=12, anchor="end")
        picture.box(x + 52, middle - 9, length, 18, fill="line", strength=0.25, radius=2)
        if share:
            picture.box(
                x + 52, middle - 9, length * share, 18, fill=colour, strength=0.65, radius=2
            )
        at = x + 52 + length * limits[value]
        picture.line((at, middle - 13), (at, middle + 13), colour="ink", width=2.2)
        picture.text(x + 58 + length, middle + 4, f"{share:.2f}", size=12)


def two_bars(
    picture: Picture,
    x: float,
    y: float,
    group: Sequence[str],
    table: Sequence[str],
    limits: Mapping[str, Sequence[float]] | None = None,
    *,
    length: float = 164,
) -> None:
    """Draw the share of each value in the table (thin) and in a group (thick), with its limits."""
    for place, value in enumerate(dict.fromkeys(sorted(table, key=lambda v: -table.count(v)))):
        middle = y + 38 * place
        colour = value_colour(value)
        own, all_of = group.count(value) / len(group), table.count(value) / len(table)
        picture.text(x + 44, middle + 4, value, size=12, anchor="end")
        picture.box(
            x + 52, middle - 14, max(length * all_of, 1), 8, fill="faint", strength=0.6, radius=1
        )
        picture.box(
            x + 52, middle - 4, max(length * own, 1), 16, fill=colour, strength=0.65, radius=2
        )
        for limit in (limits or {}).get(value, ()):
            at = x + 52 + length * min(limit, 1)
            picture.line((at, middle - 7), (at, middle + 15), colour="ink", width=2.2)
        picture.text(x + 64 + length, middle + 8, f"{own:.2f}", size=12)


def pill_rows(
    picture: Picture,
    x: float,
    y: float,
    columns: Mapping[str, Sequence[str]],
    colours: Mapping[str, str],
) -> None:
    """Draw the values of several sensitive columns, a row each, a person above the other."""
    for row, (name, values) in enumerate(columns.items()):
        middle = y + 14 + 30 * row
        picture.text(x, middle + 4, name, size=12, colour="faint")
        for place, value in enumerate(values):
            left = x + 34 + 68 * place
            picture.pill(left, middle, value, width=60, colour=colours.get(value))


def crowd(
    picture: Picture,
    x: float,
    y: float,
    count: int,
    *,
    inside: int | None = None,
    colour: str = "class-1",
    ring: bool = False,
    across: int = 10,
) -> None:
    """Draw people as dots; those beyond the ones inside are rings; the first may be ringed."""
    for place in range(count):
        at = (x + 9 + 24 * (place % across), y + 24 * (place // across))
        filled = inside is None or place < inside
        picture.dot(at, 7, fill=colour if filled else None, line=colour)
        if ring and place == 0:
            picture.dot(at, 11, fill=None, line="ink", thick=1.8)
