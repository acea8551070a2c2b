"""Groups to which values were added, and how often which value is."""

from __future__ import annotations

from typing import Any

from docs.pictures.draw import Picture
from docs.pictures.methods._buckets import PAYS, draw_bars, draw_pairs, often_added, several
from shoal.base.plural import counted

__all__ = ["draw_noise"]


def draw_noise(picture: Picture, method: Any, how: str) -> None:
    """Draw one run of a method, then what it adds in a hundred runs beside what the table holds."""
    count = draw_pairs(picture, 16, several(method(seed=1)), 266)
    picture.text(16, 26, f"Groups, with {counted(count, 'value')} added", bold=True)
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
