"""Trees of values: the root above, leaves below, each node above its leaves."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from docs.pictures.draw import Picture, Point
from docs.pictures.style import width_of
from shoal.table.hierarchies import Hierarchy

__all__ = ["draw_tree", "tree_width"]

GAP = 10.0
SIZE = 12.0


def tree_width(tree: Hierarchy) -> float:
    """Say how much room the leaves of a tree take beside each other."""
    return sum(width_of(leaf, SIZE) + 12 + GAP for leaf in tree.leaves) - GAP


def draw_tree(
    picture: Picture,
    tree: Hierarchy,
    x: float,
    y: float,
    *,
    width: float | None = None,
    step: float = 46,
    marked: Mapping[str, str] | None = None,
    counts: Collection[str] = (),
) -> dict[str, Point]:
    """Draw a tree with its left upper corner at x, y; gives the place of each label.

    Parameters
    ----------
    width
        The room to fill; else as little as the leaves take.
    step
        From one depth to the next.
    marked
        The colour of some nodes.
    counts
        Nodes beside which the number of their leaves is written.
    """
    room = tree_width(tree)
    spare = 0.0 if width is None else (width - room) / max(len(tree.leaves), 1)
    left, middle = x, {}
    for code, leaf in enumerate(tree.leaves):
        wide = width_of(leaf, SIZE) + 12 + spare
        middle[code] = left + wide / 2
        left += wide + GAP
    places: list[Point] = []
    for node in range(tree.n_nodes):
        first, last = int(tree.first_leaf[node]), int(tree.last_leaf[node])
        at = (middle[first] + middle[last]) / 2
        places.append((at, y + 12 + step * int(tree.depth[node])))
    for node in range(1, tree.n_nodes):
        (px, py), (cx, cy) = places[int(tree.parent[node])], places[node]
        picture.line((px, py + 11), (cx, cy - 11), colour="faint")
    for node, label in enumerate(tree.labels):
        cx, cy = places[node]
        wide = width_of(label, SIZE) + 12
        lowest = node in tree.leaf_nodes
        colour = (marked or {}).get(label, "line" if lowest else "class-1")
        strength = 0.35 if lowest and label not in (marked or {}) else 0.2
        picture.box(cx - wide / 2, cy - 11, wide, 22, fill=colour, line=colour, strength=strength)
        picture.text(cx, cy + 4, label, size=SIZE, anchor="middle")
        if label in counts:
            picture.text(
                cx + wide / 2 + 5,
                cy + 4,
                str(int(tree.leaf_counts[node])),
                size=SIZE,
                colour="faint",
            )
    return dict(zip(tree.labels, places, strict=True))
