"""degree_spread: how far apart the degrees of a group's values are."""

from __future__ import annotations

import statistics

import shoal
from docs.pictures.draw import Picture
from docs.pictures.measures._degrees import GROUPS, degree, draw_axis, measured
from docs.pictures.style import class_colour, value_colour


def draw() -> str:
    """Draw each group's values on the line of degrees, and how far they spread."""
    picture = Picture(
        "degree_spread of four groups",
        "degree_spread is how far apart, on average over groups, the degrees of a group's "
        "different values are: the further, the less a group tells.",
        252,
    )
    value = measured(shoal.measures.degree_spread)
    spreads = []
    picture.text(16, 26, "A value is the more sensitive, the rarer it is", bold=True)
    for place, group in enumerate(GROUPS):
        y = 58 + 40 * place
        found = sorted(dict.fromkeys(group), key=degree)
        spreads.append(statistics.pstdev([degree(ill) for ill in found]))
        picture.box(12, y - 17, 616, 34, fill=class_colour(place), radius=6)
        picture.text(20, y + 4, f"group {place + 1}", size=12, bold=True)
        places = [100 + 160 * degree(ill) for ill in found]
        picture.line((places[0], y), (places[-1], y), colour="ink", width=2)
        for ill, at in zip(found, places, strict=True):
            picture.dot((at, y), 6, fill=value_colour(ill))
            picture.text(at + 10, y - 4, ill, size=11)
        picture.text(540, y + 4, f"spread {spreads[-1]:.2f}", size=12)
    if abs(sum(spreads) / len(spreads) - value) > 1e-9:
        raise ValueError(f"The groups spread by {spreads}, and the measure is {value}.")
    draw_axis(picture, 100, 216, 420)
    picture.text(540, 226, f"mean {value:.3f}", bold=True)
    return picture.svg()
