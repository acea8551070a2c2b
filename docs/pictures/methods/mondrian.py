"""Mondrian: cut where a part is widest, then the parts again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import shoal
from docs.pictures.draw import Picture
from docs.pictures.methods._plane import Plane
from docs.pictures.people import grouped, plane

Region = tuple[float, float, float, float]


def draw() -> str:
    """Draw the cuts that k = 6 allows, those that k = 3 allows, and the classes."""
    picture = Picture(
        "Mondrian on twelve people",
        "Mondrian cuts all people at the median of the widest column, then each part again, as "
        "long as every part holds k.",
        310,
    )
    table = plane()
    coarse, fine = (grouped(table, shoal.Mondrian(), k) for k in (6, 3))
    picture.text(16, 24, "Cut each part where it is widest", bold=True)
    cuts = Plane(picture, table, 16, 46, 296, 210)
    whole = (16.0, 46.0, 312.0, 256.0)
    parts = _cut(picture, cuts, whole, [*range(len(table))], coarse, "1")
    for region, rows in parts:
        _cut(picture, cuts, region, rows, fine, "2")
    cuts.dots()
    picture.text(16, 298, "k = 6 allows cut 1, k = 3 the cuts 2 as well", size=12, colour="faint")
    picture.text(328, 24, "The classes for k = 3", bold=True)
    done = Plane(picture, table, 328, 46, 296, 210)
    done.boxes(fine)
    done.dots(fine)
    picture.text(328, 298, "a class shows its ranges of age and height", size=12, colour="faint")
    return picture.svg()


def _cut(
    picture: Picture,
    cuts: Plane,
    region: Region,
    rows: Sequence[int],
    labels: Sequence[int],
    name: str,
) -> list[tuple[Region, list[int]]]:
    """Draw the cut between the two classes of some rows; gives both parts."""
    low, high = (
        [row for row in rows if labels[row] == label] for label in _two(labels[row] for row in rows)
    )
    left, top, right, bottom = region
    for axis in (0, 1):
        before, after = sorted(
            (sorted(cuts.points[row][axis] for row in part), part) for part in (low, high)
        )
        if before[0][-1] < after[0][0]:
            at = (before[0][-1] + after[0][0]) / 2
            if axis == 0:
                picture.line((at, top), (at, bottom), colour="ink", width=2)
                picture.text(at + 5, top + 14, name, bold=True)
                return [((left, top, at, bottom), before[1]), ((at, top, right, bottom), after[1])]
            picture.line((left, at), (right, at), colour="ink", width=2, dashed=True)
            picture.text(right - 14, at - 5, name, bold=True)
            return [((left, top, right, at), before[1]), ((left, at, right, bottom), after[1])]
    raise ValueError("No line lies between the two classes.")


def _two(labels: Iterable[int]) -> list[int]:
    found = sorted(set(labels))
    if len(found) != 2:
        raise ValueError(f"Rows were cut into {len(found)} parts, not two.")
    return found
