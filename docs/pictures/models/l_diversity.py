"""l-diversity: at least l different values in every group."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.models._cards import card, judged, one_of_each

GROUPS = ("flu cold HIV flu", "flu flu HIV flu")


def draw() -> str:
    """Draw a group of three different values and one of two, with l = 3."""
    picture = Picture(
        "l-diversity, l = 3",
        "l-diversity asks that each group shows at least l different values of the sensitive "
        "column, so that finding the group does not tell the secret.",
        136,
    )
    holds = judged(shoal.LDiversity(3), ill=GROUPS)
    one_of_each(holds)
    for side, group in enumerate(GROUPS):
        values = group.split()
        note = f"{len(set(values))} different values among {len(values)} people"
        x, y = card(picture, side, holds[side], "l = 3", note, height=112)
        for place, value in enumerate(values):
            picture.pill(x + 68 * place, y + 14, value, width=60)
    return picture.svg()
