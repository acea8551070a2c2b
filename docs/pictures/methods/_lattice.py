"""The lattice of a tiny table: which nodes hold k = 2, and how one is chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import polars as pl

import shoal
from docs.pictures.draw import Picture, Point
from docs.pictures.people import released
from docs.pictures.tables import draw_table
from shoal.errors import InfeasibleError

__all__ = ["HEIGHTS", "ROLES", "TABLE", "Node", "chosen", "draw_lattice", "losses", "place"]

Node = tuple[int, int]

TABLE = pl.DataFrame(
    {
        "age": [32, 33, 43, 46, 49, 54, 59, 59],
        "zip": ["622", "630", "622", "630", "501", "512", "501", "510"],
    }
)
AGES = shoal.hierarchies.Intervals(cuts=[20, 30, 40, 50, 60], levels=2)
ZIPS = shoal.hierarchies.Prefixes()
ROLES = {
    "age": shoal.quasi(kind="numeric", hierarchy=AGES),
    "zip": shoal.quasi(hierarchy=ZIPS),
}
HEIGHTS = (3, 3)
K = 2


def chosen(method: Any) -> Node:
    """Let a method choose its node; nothing is suppressed."""
    levels = released(TABLE, method, K, ROLES).grouping.levels
    return levels["age"], levels["zip"]


@cache
def losses() -> dict[Node, float | None]:
    """Give the loss of each node that holds k = 2, and None for those that fail."""
    return {(a, z): _loss(a, z) for a in range(HEIGHTS[0] + 1) for z in range(HEIGHTS[1] + 1)}


def _loss(age: int, zipped: int) -> float | None:
    fixed = shoal.FullDomain(levels={"age": age, "zip": zipped}, suppression_limit=0)
    try:
        return float(released(TABLE, fixed, K, ROLES).grouping.search["score"])
    except InfeasibleError:
        return None


def place(node: Node) -> Point:
    """Give the place of a node: the higher, the coarser."""
    age, zipped = node
    return 220 + 54 * (age - zipped), 312 - 44 * (age + zipped)


def draw_lattice(
    picture: Picture,
    best: Node,
    *,
    words: Mapping[Node, str] | None = None,
    ringed: Sequence[Node] = (),
    path: Sequence[Node] = (),
    notes: Sequence[str] = (),
) -> None:
    """Draw the lattice, with the node that is chosen, and the table at that node.

    Parameters
    ----------
    words
        What stands in a node besides its levels, instead of them.
    ringed
        Nodes with a line around them.
    way
        Nodes that are passed, in order.
    notes
        Lines below the published table.
    """
    found = losses()
    picture.text(16, 24, "Levels of (age, zip), coarser upwards", bold=True)
    for age, zipped in found:
        for above in ((age + 1, zipped), (age, zipped + 1)):
            if above in found:
                picture.line(place((age, zipped)), place(above))
    for node, follows in pairwise(path):
        picture.line(place(node), place(follows), colour="ink", width=2.5)
    for node, loss in found.items():
        x, y = place(node)
        colour = "suppressed" if loss is None else "holds"
        picture.box(x - 27, y - 12, 54, 24, fill="paper", tint=False, radius=12)
        strength = 0.75 if node == best else None
        picture.box(x - 27, y - 12, 54, 24, fill=colour, radius=12, strength=strength)
        if node in ringed or node == best:
            picture.box(x - 27, y - 12, 54, 24, line="ink", radius=12, thick=2)
        text = (words or {}).get(node, f"{node[0]}, {node[1]}")
        picture.text(
            x,
            y + 4,
            text,
            size=12,
            anchor="middle",
            bold=node == best,
            colour="paper" if node == best else "faint" if loss is None else "ink",
        )
    picture.box(16, 334, 14, 14, fill="holds", radius=7)
    end = picture.text(36, 346, "holds k = 2", size=12)
    picture.box(end + 14, 334, 14, 14, fill="suppressed", radius=7)
    end = picture.text(end + 34, 346, "fails", size=12)
    picture.box(end + 14, 334, 14, 14, fill="holds", radius=7, strength=0.75)
    picture.text(end + 34, 346, "chosen", size=12)

    release = released(
        TABLE,
        shoal.FullDomain(levels=dict(zip(TABLE.columns, best, strict=True)), suppression_limit=0),
        K,
        ROLES,
    )
    picture.text(432, 24, f"The table at {best[0]}, {best[1]}", bold=True)
    labels = release.grouping.labels.tolist()
    rows = release.table.with_columns(own=pl.Series(labels)).sort("own").rows()
    placed = draw_table(
        picture,
        432,
        36,
        TABLE.columns,
        [row[:2] for row in rows],
        labels=[row[2] for row in rows],
        wide=70,
    )
    for line, note in enumerate(notes):
        picture.text(432, placed.bottom + 26 + 18 * line, note, size=12, colour="faint")
