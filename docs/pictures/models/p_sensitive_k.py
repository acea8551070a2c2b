"""p-sensitive k-anonymity: k rows, and p values of every sensitive column."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.models._cards import card, judged, one_of_each, pill_rows

ILLS = ("flu HIV flu", "flu HIV cold")
JOBS = ("cook clerk cook", "cook cook cook")


def draw() -> str:
    """Draw a group with two values in both columns, and one with a single job."""
    picture = Picture(
        "p-sensitive k-anonymity, p = 2 and k = 3",
        "p-sensitive k-anonymity asks for groups of at least k that show at least p different "
        "values in every sensitive column.",
        174,
    )
    holds = judged(shoal.PSensitiveK(2, 3), ill=ILLS, job=JOBS)
    one_of_each(holds)
    for side in (0, 1):
        ills, jobs = ILLS[side].split(), JOBS[side].split()
        note = f"{len(ills)} people, {len(set(ills))} illnesses, " + (
            f"{len(set(jobs))} jobs" if len(set(jobs)) > 1 else "one job only"
        )
        x, y = card(picture, side, holds[side], "p = 2, k = 3", note, height=150)
        columns = {"ill": ills, "job": jobs}
        pill_rows(picture, x, y, columns, {"cook": "value-5", "clerk": "value-6"})
    return picture.svg()
