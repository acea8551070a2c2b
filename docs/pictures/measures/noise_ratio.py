"""noise_ratio: values that a method added, over the rows."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.style import class_colour

HELD = (("flu", "flu"), ("HIV", "flu"), ("cold", "flu"))
SHOWN = (("flu", "HIV"), ("flu", "HIV"), ("cold", "flu"))


def draw() -> str:
    """Draw what people of each group have, and what the group shows."""
    picture = Picture(
        "noise_ratio of three groups",
        "noise_ratio is the number of values that groups show though nobody in them has them, over "
        "the number of rows.",
        176,
    )
    frame = pl.DataFrame(
        {"age": range(20, 26), "ill": [value for group in HELD for value in group]}
    )
    groups = [group for group in range(1, 4) for _ in range(2)]
    shown = pl.DataFrame({"group": groups, "ill": [value for group in SHOWN for value in group]})
    schema = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()})
    value = shoal.measures.noise_ratio(
        frame, frame.select("age"), schema, groups=groups, values={"ill": shown}
    )
    extra = 0
    picture.text(90, 26, "Its people have", bold=True)
    picture.text(266, 26, "It shows", bold=True)
    for place, (own, text) in enumerate(zip(HELD, SHOWN, strict=True)):
        y = 58 + 42 * place
        picture.box(12, y - 17, 400, 34, fill=class_colour(place), radius=6)
        picture.text(20, y + 4, f"group {place + 1}", size=12, bold=True)
        for which, ill in enumerate(own):
            picture.pill(90 + 66 * which, y, ill, width=58)
        for which, ill in enumerate(text):
            picture.pill(266 + 66 * which, y, ill, width=58, dashed=ill not in own)
            extra += ill not in own
    if abs(extra / len(frame) - value) > 1e-9:
        raise ValueError(f"{extra} values of {len(frame)} rows are not {value}.")
    picture.text(436, 70, f"{extra} added (dashed), {len(frame)} rows", size=12)
    picture.text(436, 100, f"noise_ratio = {value:.4f}", bold=True)
    return picture.svg()
