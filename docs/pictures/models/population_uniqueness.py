"""Population uniqueness: unique in the sample, but hardly in the population."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.models._cards import sized

SIZES = [1] * 300 + [2] * 80 + [3] * 30 + [8] * 10
FRACTIONS = (1.0, 0.5, 0.2, 0.1, 0.01, 0.001)
SHARE = 0.2


def draw() -> str:
    """Draw the estimated share of unique people for samples of smaller and smaller fractions."""
    picture = Picture(
        "Population uniqueness of one table, by the fraction that was sampled",
        "Population uniqueness estimates how many people of the population are unlike everybody "
        "else: the smaller the sample, the more doubles a unique record has outside.",
        270,
    )
    people = sum(SIZES)
    alone = SIZES.count(1)
    picture.text(
        16, 28, f"A table of {people} records, {alone} of them unlike all others", bold=True
    )
    picture.text(16, 50, "the table holds this share of the population", size=12, colour="faint")
    picture.text(624, 50, "estimated to be unique there", size=12, anchor="end", colour="faint")
    left, length = 130, 400
    for place, fraction in enumerate(FRACTIONS):
        outcome = sized(shoal.PopulationUniqueness(SHARE, fraction), SIZES)
        estimate, y = outcome.achieved["unique in the population"], 76 + 28 * place
        picture.text(left - 34, y + 4, f"{fraction:g}", size=12, anchor="end")
        picture.mark(left - 16, y, bool(outcome.passed), size=5)
        colour = "holds" if outcome.passed else "fails"
        picture.box(left, y - 9, length * estimate / 0.6, 18, fill=colour, strength=0.5, radius=2)
        picture.text(624, y + 4, f"{estimate:.3f}", size=12, anchor="end")
    at = left + length * SHARE / 0.6
    picture.line((at, 62), (at, 76 + 28 * len(FRACTIONS) - 14), colour="ink", width=2.2)
    picture.text(at, 76 + 28 * len(FRACTIONS) + 2, "at most 0.2 is asked", size=12, anchor="middle")
    return picture.svg()
