"""Two classes that share one person: who remains when both are known."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from docs.pictures.draw import Picture

__all__ = ["draw_overlap"]


def draw_overlap(
    picture: Picture,
    x: float,
    y: float,
    classes: Mapping[str, Collection[str]],
    who: Sequence[str],
) -> list[str]:
    """Draw two overlapping classes with the people in them; gives those in both."""
    (first, left), (second, right) = classes.items()
    both = [each for each in who if each in left and each in right]
    picture.box(x, y, 150, 110, fill="class-1", line="class-1", radius=55)
    picture.box(x + 86, y, 150, 110, fill="class-2", line="class-2", radius=55)
    picture.text(x + 46, y - 10, first, size=12, anchor="middle")
    picture.text(x + 190, y - 10, second, size=12, anchor="middle")
    parts = (
        ([each for each in who if each in left and each not in both], x + 44),
        (both, x + 118),
        ([each for each in who if each in right and each not in both], x + 192),
    )
    for members, at in parts:
        for place, name in enumerate(members):
            middle = y + 55 + 36 * (place - (len(members) - 1) / 2)
            picture.dot((at, middle), 17, fill="paper", line="ink" if name in both else "faint")
            picture.text(at, middle + 4, name, size=12, anchor="middle", bold=name in both)
    return both
