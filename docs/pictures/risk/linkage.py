"""linkage: one secret tells another, where values stand beside each other."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.tables import draw_table

ILLS, PAYS = ("HIV", "flu", "TB", "flu"), ("low", "high", "low", "high")
GROUPS = (1, 1, 2, 2)


def draw() -> str:
    """Draw one table in which illness tells pay, and two tables in which it does not."""
    picture = Picture(
        "The linkage attack",
        "Linkage: who knows one secret of a person reads another in the same row, unless each "
        "sensitive column is published in a table of its own.",
        250,
    )
    quasi = pl.DataFrame({"age": [30, 30, 50, 50], "group": GROUPS})
    tables = {
        "quasi": quasi,
        "sensitive": {
            "ill": pl.DataFrame({"group": GROUPS, "ill": ILLS}),
            "pay": pl.DataFrame({"group": GROUPS, "pay": PAYS}),
        },
    }
    schema = shoal.Schema(
        {"age": shoal.quasi(), "ill": shoal.sensitive(), "pay": shoal.sensitive()}
    )
    original = pl.DataFrame({"ill": ILLS, "pay": PAYS})
    link = next(
        each
        for each in shoal.risk.linkage(tables, schema, original=original)
        if each.known == "ill"
    )
    picture.text(16, 28, "1. The adversary knows: Ann is 30 and has HIV", bold=True)
    picture.text(16, 58, "2. In one table", bold=True)
    rows = list(zip(quasi["age"].to_list(), ILLS, PAYS, strict=True))
    own = [row for row, (age, ill, _) in enumerate(rows) if (age, ill) == (30, "HIV")]
    labels = [0 if row in own else None for row in range(len(rows))]
    faded = [row for row in range(len(rows)) if row not in own]
    placed = draw_table(
        picture, 16, 66, ("age", "ill", "pay"), rows, labels=labels, faded=faded, wide=58
    )
    picture.text(
        16, 212, f"pay is guessed right: {link.linked:.2f}", size=13, bold=True, colour="fails"
    )
    x = placed.right + 60
    picture.text(x, 58, "2. Each column in a table of its own", bold=True)
    for column, (name, values) in enumerate((("ill", ILLS), ("pay", PAYS))):
        draw_table(
            picture,
            x + 160 * column,
            66,
            ("group", name),
            list(zip(GROUPS, values, strict=True)),
            labels=[0 if group == 1 else None for group in GROUPS],
            faded=[2, 3],
            wide=58,
        )
    picture.text(x, 212, f"pay is guessed right: {link.value:.2f}", bold=True, colour="holds")
    note = f"Without knowing the illness it is {link.cells:.2f}. Means over all four people."
    picture.text(16, 236, note, size=12, colour="faint")
    return picture.svg()
