"""(αᵢ, k)-anonymity by level: a grave value may have a smaller share."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.models._cards import card, judged, one_of_each, share_bars

LEVELS = {"HIV": 1, "ulcer": 2, "flu": 3}
ALPHAS = (0.25, 0.5, 0.75)
GROUPS = ("flu flu HIV ulcer", "flu HIV HIV ulcer")


def draw() -> str:
    """Draw the shares of two groups, each value beside the α of its level."""
    picture = Picture(
        "An α for each level, k = 4",
        "Leveled alpha-k gives each level of sensitivity its own largest share, so that a grave "
        "illness stays rarer in a group than a mild one may be.",
        196,
    )
    holds = judged(shoal.LeveledAlphaK(LEVELS, ALPHAS, 4), ill=GROUPS)
    one_of_each(holds)
    limits = {value: ALPHAS[level - 1] for value, level in LEVELS.items()}
    for side, group in enumerate(GROUPS):
        values = group.split()
        over = [value for value in limits if values.count(value) / len(values) > limits[value]]
        note = f"{', '.join(over)}: above the line" if over else "no share is above its line"
        x, y = card(
            picture, side, holds[side], "α: HIV 0.25, ulcer 0.5, flu 0.75", note, height=172
        )
        share_bars(picture, x, y + 16, values, limits, holds[side])
    return picture.svg()
