"""Personalised k-anonymity: as many people as each member wants."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.models._cards import card, judged, one_of_each

WISHES = ("4 2 3 2", "2 4 2")


def draw() -> str:
    """Draw two groups of people with the number that each wants to be hidden among."""
    picture = Picture(
        "Everybody says among how many to be hidden",
        "Personalised k-anonymity asks that each group has as many people as each of its members "
        "wants to be hidden among.",
        148,
    )
    holds = judged(shoal.PersonalK("wanted"), private={"wanted": WISHES})
    one_of_each(holds)
    for side, group in enumerate(WISHES):
        wishes = [int(word) for word in group.split()]
        met = "all wishes are met" if max(wishes) <= len(wishes) else f"{max(wishes)} is not met"
        x, y = card(
            picture,
            side,
            holds[side],
            "each k is a person's own",
            f"{len(wishes)} people: {met}",
            height=124,
        )
        for place, wish in enumerate(wishes):
            at = (x + 18 + 44 * place, y + 20)
            colour = f"class-{side + 1}" if wish <= len(wishes) else "fails"
            picture.dot(at, 15, fill=colour, line=colour, tint=True)
            picture.text(at[0], at[1] + 5, str(wish), anchor="middle", bold=True)
    return picture.svg()
