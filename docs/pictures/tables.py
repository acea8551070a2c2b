"""Small tables: rows of cells, coloured by class, beside each other in a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from docs.pictures.draw import Picture
from docs.pictures.style import class_colour, width_of

__all__ = ["HEAD", "ROW", "Placed", "draw_table", "table_width"]

ROW = 22.0
HEAD = 22.0
SIZE = 12.0
PAD = 7.0


@dataclass(frozen=True)
class Placed:
    """Where a table lies: its edges, and the middle of each row and column."""

    left: float
    top: float
    right: float
    bottom: float
    rows: tuple[float, ...]
    columns: tuple[tuple[float, float], ...]


def table_width(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> float:
    """Say how wide a table gets."""
    return sum(_widths(columns, rows))


def draw_table(
    picture: Picture,
    x: float,
    y: float,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    labels: Sequence[int | None] | None = None,
    shades: Mapping[tuple[int, int], tuple[str, float]] | None = None,
    struck: Sequence[int] = (),
    faded: Sequence[int] = (),
    wide: float = 0,
) -> Placed:
    """Draw a table with its left upper corner at x, y.

    Parameters
    ----------
    labels
        The class of each row, which tints it; −1 is a suppressed row, None no class.
    shades
        The colour and the strength of the tint of single cells, by row and column.
    struck
        Rows that are struck out: they are not published.
    faded
        Rows in pale words: they are ruled out.
    wide
        The least width of a column.
    """
    widths = [max(each, wide) for each in _widths(columns, rows)]
    left = [x + sum(widths[:j]) for j in range(len(widths))]
    right, bottom = x + sum(widths), y + HEAD + ROW * len(rows)
    middles = []
    for i, row in enumerate(rows):
        top = y + HEAD + ROW * i
        middles.append(top + ROW / 2)
        if labels is not None and labels[i] is not None:
            picture.box(x, top, right - x, ROW, fill=class_colour(labels[i] or 0), radius=0)
        for j, cell in enumerate(row):
            if shades and (i, j) in shades:
                colour, strength = shades[i, j]
                picture.box(
                    left[j] + 1, top + 1, widths[j] - 2, ROW - 2, fill=colour, strength=strength
                )
            colour = "faint" if i in struck or i in faded else "ink"
            picture.text(
                left[j] + PAD, top + ROW / 2 + 0.35 * SIZE, _text(cell), size=SIZE, colour=colour
            )
    for j, name in enumerate(columns):
        picture.text(left[j] + PAD, y + 15, name, size=SIZE, bold=True)
    for i in range(len(rows) + 1):
        level = y + HEAD + ROW * i
        picture.line((x, level), (right, level))
    for i in struck:
        picture.line((x + 3, middles[i]), (right - 3, middles[i]), colour="fails", width=1.6)
    spans = tuple((left[j], left[j] + widths[j]) for j in range(len(widths)))
    return Placed(x, y, right, bottom, tuple(middles), spans)


def _widths(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> list[float]:
    return [
        2 * PAD
        + max(
            width_of(name, SIZE, bold=True),
            *(width_of(_text(row[j]), SIZE) for row in rows),
        )
        for j, name in enumerate(columns)
    ]


def _text(cell: object) -> str:
    return "–" if cell is None else str(cell)
