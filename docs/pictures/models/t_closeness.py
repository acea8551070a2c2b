"""t-closeness: shares like those of the whole table."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.models._compared import TABLE, draw_compared


def draw() -> str:
    """Draw the shares of two groups beside those of the table."""
    picture = Picture(
        "t-closeness, t = 0.25",
        "t-closeness asks that the sensitive values of each group are spread as those of the whole "
        "table, up to a distance of t.",
        244,
    )
    draw_compared(picture, shoal.TCloseness("0.25"), "t = 0.25", _note)
    return picture.svg()


def _note(group: list[str]) -> str:
    far = [
        abs(group.count(v) / len(group) - TABLE.count(v) / len(TABLE)) for v in sorted(set(TABLE))
    ]
    return f"distance: half of all differences, {sum(far) / 2:.2f}"
