"""Groups to which values were added, and how often which value is."""

from __future__ import annotations

from typing import Any

from docs.pictures.draw import Picture
from docs.pictures.methods._buckets import (
    ILLS,
    PAYS,
    added,
    draw_bars,
    groups_of,
    often_added,
    several,
)
from docs.pictures.style import class_colour

__all__ = ["draw_noise"]

COLOURS = {"low": "faint", "mid": "value-5", "high": "value-6", "top": "value-6"}


def draw_noise(picture: Picture, method: Any, how: str) -> None:
    """Draw one run of a method, then what it adds in a hundred runs beside what the table holds."""
    release = several(method(seed=1))
    labels = release.grouping.labels.tolist()
    extra = added(release)
    picture.text(16, 26, "Groups, and a value added to one", bold=True)
    for place, (own, paid) in enumerate(
        zip(groups_of(labels, ILLS), groups_of(labels, PAYS), strict=True)
    ):
        y = 58 + 54 * place
        picture.box(16, y - 20, 266, 48, fill=class_colour(place), radius=6)
        for which, (ill, pay) in enumerate(zip(own, paid, strict=True)):
            picture.pill(22 + 64 * which, y - 7, ill, width=58)
            picture.pill(22 + 64 * which, y + 15, pay, width=58, colour=COLOURS[pay])
        for which, pay in enumerate(extra.get(place, ())):
            picture.pill(214 + 64 * which, y + 15, pay, width=58, colour=COLOURS[pay], dashed=True)
    picture.text(16, 290, "Dashed: nobody in the group has it.", size=12, colour="faint")

    picture.text(322, 26, "Pay in the table, rows", bold=True)
    counts = {
        pay: PAYS.count(pay) for pay in sorted(set(PAYS), key=lambda pay: (-PAYS.count(pay), pay))
    }
    draw_bars(picture, 322, 46, counts, 180)
    picture.text(322, 168, "Added in 100 runs, values", bold=True)
    found = often_added(method)
    draw_bars(picture, 322, 188, {pay: found[pay] for pay in counts}, 180)
    picture.text(322, 290, how, size=12, colour="faint")
