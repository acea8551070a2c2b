"""People as points in a plane of two quasi-identifiers, and classes as shapes around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from docs.pictures.draw import Picture, Point
from docs.pictures.style import class_colour

__all__ = ["Plane"]


class Plane:
    """A plane with its left upper corner at x, y; columns of the table are its axes."""

    def __init__(
        self,
        picture: Picture,
        table: pl.DataFrame,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        axes: bool = True,
        margin: float = 24,
    ) -> None:
        self.picture, self.table = picture, table
        self.x, self.y, self.width, self.height = x, y, width, height
        across, up = table.columns[:2]
        self._across = _ends(table[across].to_list())
        self._up = _ends(table[up].to_list())
        self.margin = margin
        picture.box(x, y, width, height, line="line")
        if axes:
            picture.text(
                x + width / 2,
                y + height + 16,
                f"{across} →",
                size=12,
                anchor="middle",
                colour="faint",
            )
            picture.text(x + 2, y - 5, f"{up} ↑", size=12, colour="faint")

    def at(self, age: float, height: float) -> Point:
        """Give the place of two numbers."""
        (low, high), (short, tall) = self._across, self._up
        inner, deep = self.width - 2 * self.margin, self.height - 2 * self.margin
        return (
            self.x + self.margin + inner * (age - low) / (high - low),
            self.y + self.height - self.margin - deep * (height - short) / (tall - short),
        )

    @property
    def points(self) -> list[Point]:
        """The place of each row."""
        return [self.at(*row) for row in self.table.select(self.table.columns[:2]).rows()]

    def hulls(self, labels: Sequence[int], *, padding: float = 14) -> None:
        """Tint each class."""
        for label in sorted(set(labels)):
            if label >= 0:
                members = [p for p, own in zip(self.points, labels, strict=True) if own == label]
                self.picture.hull(members, class_colour(label), padding=padding)

    def boxes(self, labels: Sequence[int], *, padding: float = 11, line: bool = True) -> None:
        """Tint the published ranges of each class: the least box around it."""
        for label in sorted(set(labels)):
            if label < 0:
                continue
            members = [p for p, own in zip(self.points, labels, strict=True) if own == label]
            xs, ys = [p[0] for p in members], [p[1] for p in members]
            colour = class_colour(label)
            self.picture.box(
                min(xs) - padding,
                min(ys) - padding,
                max(xs) - min(xs) + 2 * padding,
                max(ys) - min(ys) + 2 * padding,
                fill=colour,
                line=colour if line else None,
            )

    def dots(
        self, labels: Sequence[int] | None = None, numbers: Mapping[int, str] | None = None
    ) -> None:
        """Draw each person in the colour of the class, and some with a number on them."""
        for row, point in enumerate(self.points):
            colour = "ink" if labels is None else class_colour(labels[row])
            if numbers and row in numbers:
                self.picture.dot(point, 9, fill=colour)
                self.picture.text(
                    point[0],
                    point[1] + 4,
                    numbers[row],
                    size=12,
                    anchor="middle",
                    bold=True,
                    colour="paper",
                )
            else:
                self.picture.dot(point, 5, fill=colour)

    def cross(self, point: Point, size: float = 6) -> None:
        """Mark a place where nobody is, such as a mean."""
        x, y = point
        self.picture.line((x - size, y), (x + size, y), colour="ink", width=2)
        self.picture.line((x, y - size), (x, y + size), colour="ink", width=2)


def _ends(numbers: Sequence[float]) -> tuple[float, float]:
    return min(numbers), max(numbers)
