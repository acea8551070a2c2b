"""What a builder is given, and the tree that it makes."""

from __future__ import annotations

from collections.abc import Sequence

from docs.pictures.draw import Picture
from docs.pictures.trees import draw_tree, tree_width
from shoal.table.hierarchies import Hierarchy

__all__ = ["built"]

LEFT = 200.0


def built(
    title: str,
    idea: str,
    given: Sequence[str],
    tree: Hierarchy,
    *,
    head: str = "Given",
    step: float = 42,
    notes: Sequence[str] = (),
) -> str:
    """Draw what is given on the left, and the tree on the right.

    Parameters
    ----------
    given
        Lines: values of the column, or what the plan says.
    notes
        Lines below them, in pale words.
    """
    deep = 52 + step * tree.height + 34
    height = max(deep, 62 + 20 * (len(given) + len(notes)) + 14)
    picture = Picture(title, idea, height)
    picture.text(16, 28, head, bold=True)
    for line, words in enumerate(given):
        picture.text(16, 54 + 20 * line, words, size=12)
    for line, words in enumerate(notes):
        picture.text(16, 62 + 20 * (len(given) + line), words, size=12, colour="faint")
    picture.text(LEFT + 14, 28, "The tree", bold=True)
    room = picture.width - LEFT - 40
    width = max(tree_width(tree), min(room, 110.0 * tree.n_leaves))
    draw_tree(picture, tree, LEFT + 14 + max(0.0, (room - width) / 2), 44, width=width, step=step)
    return picture.svg()
