"""MICD: groups whose secrets are as unlike as possible."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.methods._buckets import ILLS, PAYS, added, groups_of, several
from docs.pictures.style import class_colour
from shoal.plural import counted


def draw() -> str:
    """Draw the groups of MICD beside those of decomposition, and what each had to add."""
    picture = Picture(
        "MICD beside decomposition, three illnesses and two pays per group",
        "MICD takes in the record whose secrets are least like those of the group, so groups "
        "differ in every sensitive column and few false values must be added.",
        306,
    )
    for x, words, method in (
        (16, "MICD: the least alike join", shoal.MICD(picks="first")),
        (330, "Decomposition: any record joins", shoal.Decomposition(seed=1)),
    ):
        release = several(method)
        labels = release.grouping.labels.tolist()
        picture.text(x, 26, words, bold=True)
        ills, pays, extra = groups_of(labels, ILLS), groups_of(labels, PAYS), added(release)
        for place, (own, paid) in enumerate(zip(ills, pays, strict=True)):
            y = 58 + 54 * place
            picture.box(x, y - 20, 294, 48, fill=class_colour(place), radius=6)
            for which, (ill, pay) in enumerate(zip(own, paid, strict=True)):
                picture.pill(x + 6 + 64 * which, y - 7, ill, width=58)
                picture.pill(x + 6 + 64 * which, y + 15, pay, width=58, colour=_pay(pay))
            for which, pay in enumerate(extra.get(place, ())):
                at = x + 6 + 64 * (3 + which)
                picture.pill(at, y + 15, pay, width=58, colour=_pay(pay), dashed=True)
        count = sum(map(len, extra.values()))
        note = f"{counted(count, 'value')} added (dashed)"
        picture.text(x, 290, note, size=12, colour="faint")
    return picture.svg()


def _pay(pay: str) -> str:
    return {"low": "faint", "mid": "value-5", "high": "value-6", "top": "value-6"}[pay]
