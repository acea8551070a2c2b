"""Guarding nodes: at most a share of the group below the node that a person names."""

from __future__ import annotations

import shoal
from docs.pictures.draw import Picture
from docs.pictures.models._cards import card, judged, one_of_each
from docs.pictures.trees import draw_tree

PARENTS = {
    "flu": "infection",
    "HIV": "infection",
    "ulcer": "stomach",
    "infection": "*",
    "stomach": "*",
}
GROUPS = ("flu ulcer ulcer ulcer", "flu HIV HIV ulcer")
GUARDS = ("infection * * *", "infection * * *")


def draw() -> str:
    """Draw the tree with a guarded node, and two groups of the person who guards it."""
    picture = Picture(
        "A guarded node, and a share of 0.5",
        "Guarding nodes let each person name a node in the tree of the sensitive values, and at "
        "most a share of their group may hold a value below it.",
        288,
    )
    need = shoal.GuardingNode("1/2", "guard", parents=PARENTS)
    holds = judged(need, ill=GROUPS, private={"guard": GUARDS})
    one_of_each(holds)
    tree = shoal.Hierarchy.from_parents({**PARENTS, "*": None})
    picture.text(16, 28, "The first person of each group guards “infection”", bold=True)
    below = dict.fromkeys(("infection", "flu", "HIV"), "sensitive")
    draw_tree(picture, tree, 60, 40, width=480, step=40, marked=below)
    for side, group in enumerate(GROUPS):
        values = group.split()
        count = sum(PARENTS[value] == "infection" for value in values)
        note = f"{count} of {len(values)} have an infection: {count / len(values):.2f}"
        x, y = card(picture, side, holds[side], "share at most 0.5", note, top=160, height=116)
        for place, value in enumerate(values):
            picture.pill(x + 68 * place, y + 14, value, width=60)
        picture.box(x - 4, y, 68, 28, line="ink", thick=1.6, radius=14)
    return picture.svg()
