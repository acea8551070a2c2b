"""Draw an SVG from a few primitives; words that overlap or leave the picture are refused."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from xml.sax.saxutils import escape

from docs.pictures.style import rules, value_colour, width_of

__all__ = ["Picture", "Point", "number"]

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]

SMALLEST = 11.0
"""The smallest size of words, in a picture of 640 units."""
TINT = "0.2"


@dataclass(frozen=True)
class _Words:
    words: str
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: _Words) -> bool:
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > 1 and down > 1


class Picture:
    """A picture of 640 units in width, with a title and its idea in one sentence.

    Parameters
    ----------
    title
        What is shown.
    idea
        The idea in a sentence: what somebody hears who cannot see the picture. The page shows the
        picture with these words.
    height
        How high it is.
    """

    width = 640

    def __init__(self, title: str, idea: str, height: float) -> None:
        self.title, self.idea, self.height = title, idea, height
        self._parts: list[str] = []
        self._words: list[_Words] = []
        self._used = {"f-paper", "s-line"}

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 13,
        anchor: Anchor = "start",
        bold: bool = False,
        colour: str = "ink",
    ) -> float:
        """Write words on the base line y; gives where they end at the latest."""
        if size < SMALLEST:
            raise ValueError(f"Words of {size} are too small: write them at {SMALLEST} or more.")
        wide = width_of(words, size, bold)
        left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
        placed = _Words(words, left, y - 0.75 * size, left + wide, y + 0.2 * size)
        self._place(placed)
        where = "" if anchor == "start" else f' text-anchor="{anchor}"'
        weight = ' font-weight="600"' if bold else ""
        self._add(
            f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}"{where}{weight} '
            f'class="{self._fill(colour)}">{escape(words)}</text>'
        )
        return placed.right

    def line(
        self,
        start: Point,
        end: Point,
        *,
        colour: str = "line",
        width: float = 1,
        dashed: bool = False,
        arrow: bool = False,
        gap: float = 0,
    ) -> None:
        """Draw a straight line, or an arrow, which leaves a gap at both ends if need be."""
        length = math.hypot(end[0] - start[0], end[1] - start[1])
        if gap and length > 2 * gap:
            share = gap / length
            across, down = share * (end[0] - start[0]), share * (end[1] - start[1])
            start, end = (start[0] + across, start[1] + down), (end[0] - across, end[1] - down)
        self.path([start, end], colour=colour, width=width, dashed=dashed, arrow=arrow)

    def path(
        self,
        points: Sequence[Point],
        *,
        colour: str = "line",
        width: float = 1,
        dashed: bool = False,
        arrow: bool = False,
    ) -> None:
        """Draw a line through points; the arrow is at the last one."""
        steps = " ".join(f"{number(x)} {number(y)}" for x, y in points)
        dash = ' stroke-dasharray="4 3"' if dashed else ""
        self._add(
            f'<path d="M{steps}" fill="none" class="{self._stroke(colour)}" '
            f'stroke-width="{number(width)}" stroke-linejoin="round"{dash}/>'
        )
        if arrow:
            self._head(points[-2], points[-1], colour, 5 + width)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str | None = None,
        line: str | None = None,
        tint: bool = True,
        dashed: bool = False,
        radius: float = 3,
        thick: float = 1,
        strength: float | None = None,
    ) -> None:
        """Draw a rectangle: tinted, full or empty, with a line around it or without."""
        if x < 0 or x + width > self.width or y < 0 or y + height > self.height:
            raise ValueError(f"A box leaves the picture: {x}, {y}, {width}, {height}.")
        at = (
            f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" '
            f'rx="{number(radius)}"'
        )
        if fill is not None:
            shade = number(strength) if strength is not None else TINT if tint else "1"
            self._add(f'<rect {at} class="{self._fill(fill)}" fill-opacity="{shade}"/>')
        if line is not None:
            dash = ' stroke-dasharray="4 3"' if dashed else ""
            self._add(
                f'<rect {at} fill="none" class="{self._stroke(line)}" '
                f'stroke-width="{number(thick)}"{dash}/>'
            )

    def dot(
        self,
        at: Point,
        radius: float = 6,
        *,
        fill: str | None = "ink",
        line: str | None = None,
        tint: bool = False,
        dashed: bool = False,
        thick: float = 1.5,
    ) -> None:
        """Draw a dot, or a ring."""
        where = f'cx="{number(at[0])}" cy="{number(at[1])}" r="{number(radius)}"'
        if fill is not None:
            shade = f' fill-opacity="{TINT}"' if tint else ""
            self._add(f'<circle {where} class="{self._fill(fill)}"{shade}/>')
        if line is not None:
            dash = ' stroke-dasharray="3 2"' if dashed else ""
            self._add(
                f'<circle {where} fill="none" class="{self._stroke(line)}" '
                f'stroke-width="{number(thick)}"{dash}/>'
            )

    def hull(self, points: Sequence[Point], colour: str, *, padding: float = 14) -> None:
        """Tint the least convex shape around points."""
        corners = _hull(points)
        if len(corners) == 1:
            self._add(
                f'<circle cx="{number(corners[0][0])}" cy="{number(corners[0][1])}" '
                f'r="{number(padding)}" class="{self._fill(colour)}" opacity="{TINT}"/>'
            )
            return
        steps = " ".join(f"{number(x)} {number(y)}" for x, y in corners)
        self._add(
            f'<path d="M{steps}Z" class="{self._fill(colour)} {self._stroke(colour)}" '
            f'stroke-width="{number(2 * padding)}" stroke-linejoin="round" opacity="{TINT}"/>'
        )

    def pill(
        self,
        x: float,
        y: float,
        words: str,
        *,
        colour: str | None = None,
        size: float = 12,
        dashed: bool = False,
        width: float | None = None,
    ) -> float:
        """Write a sensitive value into its coloured pill, centred on y; gives where it ends."""
        shade = value_colour(words) if colour is None else colour
        wide = width_of(words, size) + 14 if width is None else width
        self.box(x, y - 10, wide, 20, fill="paper", tint=False, radius=10)
        self.box(x, y - 10, wide, 20, fill=shade, line=shade, dashed=dashed, radius=10)
        self.text(x + wide / 2, y + 0.35 * size, words, size=size, anchor="middle")
        return x + wide

    def mark(self, x: float, y: float, holds: bool, *, size: float = 7) -> None:
        """Tick what holds, and cross what fails."""
        if holds:
            points = [(x - size, y), (x - size / 3, y + 0.7 * size), (x + size, y - 0.8 * size)]
            self.path(points, colour="holds", width=2.6)
        else:
            for sign in (1, -1):
                ends = (x - size, y - sign * size), (x + size, y + sign * size)
                self.line(*ends, colour="fails", width=2.6)

    def svg(self) -> str:
        """Give the text of the SVG."""
        frame = f'width="{self.width}" height="{number(self.height)}"'
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} '
            f'{number(self.height)}" {frame} role="img" aria-labelledby="title idea">'
        )
        return "\n".join(
            [
                head,
                f'<title id="title">{escape(self.title)}</title>',
                f'<desc id="idea">{escape(self.idea)}</desc>',
                f"<style>{rules(self._used)}</style>",
                f'<rect x="0.5" y="0.5" width="{self.width - 1}" '
                f'height="{number(self.height - 1)}" rx="6" class="f-paper s-line"/>',
                *self._parts,
                "</svg>\n",
            ]
        )

    def _place(self, placed: _Words) -> None:
        """Refuse words that would be cut off, or written over others."""
        inside = placed.left >= 2 and placed.right <= self.width - 2
        if not (inside and placed.top >= 2 and placed.bottom <= self.height - 2):
            raise ValueError(f"'{placed.words}' leaves the picture: {placed}")
        for other in self._words:
            if placed.meets(other):
                raise ValueError(f"'{placed.words}' lies over '{other.words}': {placed} {other}")
        self._words.append(placed)

    def _head(self, before: Point, end: Point, colour: str, size: float) -> None:
        angle = math.atan2(end[1] - before[1], end[0] - before[0])
        wings = [
            (end[0] - size * math.cos(angle + turn), end[1] - size * math.sin(angle + turn))
            for turn in (0.45, -0.45)
        ]
        steps = " ".join(f"{number(x)} {number(y)}" for x, y in (wings[0], end, wings[1]))
        self._add(f'<path d="M{steps}Z" class="{self._fill(colour)}"/>')

    def _fill(self, colour: str) -> str:
        self._used.add(f"f-{colour}")
        return f"f-{colour}"

    def _stroke(self, colour: str) -> str:
        self._used.add(f"s-{colour}")
        return f"s-{colour}"

    def _add(self, part: str) -> None:
        self._parts.append(part)


def number(value: float) -> str:
    """Write a number shortly, the same on every machine."""
    return f"{round(value + 0.0, 2):g}"


def _hull(points: Sequence[Point]) -> list[Point]:
    """Find the corners of the least convex shape around points, in order."""
    found = sorted(set(points))
    if len(found) < 3:
        return found
    sides: list[Point] = []
    for length in (found, found[::-1]):
        begin = len(sides)
        for point in length:
            while len(sides) - begin >= 2 and _turn(sides[-2], sides[-1], point) <= 0:
                sides.pop()
            sides.append(point)
        sides.pop()
    return sides


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
