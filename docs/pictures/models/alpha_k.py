"""(α, k)-anonymity: no value has a share above α."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.models._cards import card, judged, one_of_each, share_bars

GROUPS = ("flu flu cold HIV", "flu flu flu HIV")


def draw() -> str:
    """Draw the shares of two groups of four beside α = 1/2."""
    picture = Picture(
        "(α, k)-anonymity, α = 0.5 and k = 4",
        "Alpha-k asks for groups of at least k in which no sensitive value has a share above α, so "
        "that a guess is right with probability α at most.",
        196,
    )
    holds = judged(shoal.AlphaK("1/2", 4), ill=GROUPS)
    one_of_each(holds)
    for side, group in enumerate(GROUPS):
        values = group.split()
        largest = max(map(values.count, values)) / len(values)
        note = f"the largest share is {largest:.2f}; the line is α"
        x, y = card(picture, side, holds[side], "α = 0.5, k = 4", note, height=172)
        share_bars(
            picture, x, y + 16, values, dict.fromkeys(("flu", "cold", "HIV"), 0.5), holds[side]
        )
    return picture.svg()
