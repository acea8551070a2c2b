"""sensitivity_distance: how far apart the levels in a class are."""

from __future__ import annotations

from itertools import combinations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.style import class_colour

CLASSES = ((1, 2, 3, 3), (1, 1, 2, 1), (1, 5, 4, 5))
LEVELS = 5


def draw() -> str:
    """Draw three classes on the line of levels, and how far apart their levels are."""
    picture = Picture(
        "sensitivity_distance of three classes",
        "sensitivity_distance is how far apart the levels of the sensitive values in a class are, "
        "over all pairs: mixed levels protect, levels that are alike do not.",
        246,
    )
    measure = shoal.measures.class_sensitivity_distance

    def at(level: float) -> float:
        return 110 + 90 * (level - 1)

    table = pl.DataFrame(
        [(place, str(level)) for place, levels in enumerate(CLASSES) for level in levels],
        schema=["age", "ill"],
        orient="row",
    )
    levels_of = {str(level): level for level in range(1, LEVELS + 1)}
    schema = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive(levels=levels_of)})
    whole = float(shoal.measures.sensitivity_distance(table, table.select("age"), schema))
    found = [measure(list(levels), n_levels=LEVELS) for levels in CLASSES]
    if abs(sum(found) / len(found) - whole) > 1e-9:
        raise ValueError(f"The classes are {found}, and the measure is {whole}.")
    picture.text(16, 26, "Levels of the values in each class, 1 the most sensitive", bold=True)
    for place, levels in enumerate(CLASSES):
        y = 62 + 46 * place
        picture.box(12, y - 20, 616, 40, fill=class_colour(place), radius=6)
        picture.text(20, y + 4, f"class {place + 1}", size=12, bold=True)
        for low, high in combinations(sorted(set(levels)), 2):
            if high > low:
                picture.line((at(low), y), (at(high), y), colour="faint", width=1.5)
        for level in sorted(set(levels)):
            count = levels.count(level)
            for which in range(count):
                picture.dot(
                    (at(level) + 15 * (which - (count - 1) / 2), y), 6, fill=class_colour(place)
                )
        picture.text(548, y + 4, f"{found[place]:.4f}", size=12, bold=True)
    for level in range(1, LEVELS + 1):
        picture.text(at(level), 198, f"{level}", size=12, anchor="middle", colour="faint")
    picture.text(16, 198, "level", size=12, colour="faint")
    picture.text(536, 198, "distance", size=12, colour="faint")
    end = f"sensitivity_distance, the mean of the classes = {whole:.4f}"
    picture.text(624, 230, end, anchor="end", bold=True)
    return picture.svg()
