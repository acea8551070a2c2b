"""membership: who fits no class is not in the table."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.risk._attack import follows

INSIDE = (20, 25, 40, 45)
OUTSIDE = (22, 30, 35, 44)
PUBLISHED = ("[20, 25]", "[20, 25]", "[40, 45]", "[40, 45]")


def draw() -> str:
    """Draw four people outside on the line of ages, and which of them fit a class."""
    picture = Picture(
        "The membership attack",
        "Membership: who fits no class of the published table is plainly not in it, and who fits "
        "one may be.",
        232,
    )
    ages = shoal.Schema({"age": shoal.quasi()})
    attack = shoal.risk.membership(
        pl.DataFrame({"age": PUBLISHED}),
        ages,
        original=pl.DataFrame({"age": INSIDE}),
        outside=pl.DataFrame({"age": OUTSIDE}),
    )

    def at(age: float) -> float:
        return 40 + 360 * (age - 18) / 29

    picture.text(16, 28, "1. The adversary knows four ages", bold=True)
    picture.text(16, 128, "2. Which classes do they fit?", bold=True)
    ranges = [tuple(map(int, text.strip("[]").split(", "))) for text in sorted(set(PUBLISHED))]
    alone = 0
    picture.line((24, 176), (420, 176), colour="line", width=2)
    for place, (low, high) in enumerate(ranges):
        picture.box(
            at(low) - 8,
            162,
            at(high) - at(low) + 16,
            28,
            fill=f"class-{place + 1}",
            line=f"class-{place + 1}",
        )
        picture.text(at((low + high) / 2), 210, f"[{low}, {high}]", size=12, anchor="middle")
    for age in OUTSIDE:
        fits = any(low <= age <= high for low, high in ranges)
        alone += not fits
        picture.dot((at(age), 60), 14, fill="faint", tint=True, line="faint")
        picture.text(at(age), 64, str(age), size=12, anchor="middle")
        colour = "faint" if fits else "fails"
        picture.line((at(age), 78), (at(age), 112), colour=colour, width=1.5, dashed=True)
        picture.line(
            (at(age), 138), (at(age), 166), colour=colour, width=1.5, dashed=True, arrow=True
        )
        if not fits:
            picture.mark(at(age), 176, False, size=6)
    if alone != attack.people:
        raise ValueError(f"{alone} fit no class, and the attack finds {attack.people}.")
    follows(
        picture,
        [f"{alone} of {len(OUTSIDE)} fit no class:", "they are not in the table."],
        attack,
        y=120,
        text="plainly not in it:",
    )
    return picture.svg()
