"""(l₁ … l_d)-diversity: an l of its own for each sensitive column."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.models._cards import card, judged, one_of_each, pill_rows

ILLS = ("flu cold HIV", "flu cold flu")
PAYS = ("low high low", "low high low")
NEED = {"ill": 3, "pay": 2}


def draw() -> str:
    """Draw a group that shows enough values of both columns, and one that does not."""
    picture = Picture(
        "Three illnesses and two pays in every group",
        "Multi-l-diversity gives every sensitive column an l of its own, and each group must show "
        "that many different values of it.",
        174,
    )
    holds = judged(shoal.MultiLDiversity(NEED), ill=ILLS, pay=PAYS)
    one_of_each(holds)
    for side in (0, 1):
        columns = {"ill": ILLS[side].split(), "pay": PAYS[side].split()}
        found = ", ".join(
            f"{len(set(own))} of {NEED[name]} in {name}" for name, own in columns.items()
        )
        x, y = card(picture, side, holds[side], "l of ill = 3, l of pay = 2", found, height=150)
        pill_rows(picture, x, y, columns, {"low": "faint", "high": "value-6"})
    return picture.svg()
