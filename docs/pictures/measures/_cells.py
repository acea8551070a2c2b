"""Original cells, published cells, and what each of them costs by a measure."""

from __future__ import annotations

from typing import Any

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.people import patients, published_patients
from docs.pictures.tables import draw_table

__all__ = ["COLUMNS", "cell_costs", "domain", "draw_costs", "ladder", "leaves"]

COLUMNS = ("age", "sex", "zip")


def cell_costs(measure: Any, scale: float) -> list[list[float]]:
    """Give what each cell costs: the measure of a table in which it alone was generalized."""
    original, schema = patients()
    plain = original.select(pl.col(*COLUMNS).cast(pl.String))
    published = published_patients().select(COLUMNS)
    return [
        [_alone(measure, original, schema, plain, published, row, name) * scale for name in COLUMNS]
        for row in range(len(plain))
    ]


def _alone(
    measure: Any,
    original: pl.DataFrame,
    schema: shoal.Schema,
    plain: pl.DataFrame,
    published: pl.DataFrame,
    row: int,
    name: str,
) -> float:
    cells = plain[name].to_list()
    cells[row] = published[name][row]
    return float(measure(original, plain.with_columns(pl.Series(name, cells)), schema))


def draw_costs(picture: Picture, measure: Any, scale: float, ending: str) -> tuple[float, float]:
    """Draw the five patients, their published cells, and the cost of each; gives measure and sum.

    Parameters
    ----------
    scale
        By what the measure of a table with one changed cell gives the cost of that cell.
    ending
        What becomes of the sum, in words; the value of the measure is written behind it.
    """
    original, schema = patients()
    published = published_patients().select(COLUMNS)
    value = float(measure(original, published, schema))
    costs = cell_costs(measure, scale)
    total = sum(map(sum, costs))
    if abs(total / scale - value) > 1e-9:
        raise ValueError(f"Cells cost {total / scale} in sum, and the measure is {value}.")
    picture.text(16, 24, "Original", bold=True)
    draw_table(picture, 16, 32, COLUMNS, original.select(COLUMNS).rows())
    picture.text(206, 24, "Published, k = 2", bold=True)
    draw_table(picture, 206, 32, COLUMNS, published.rows())
    picture.text(446, 24, "What each cell costs", bold=True)
    shades = {
        (row, column): ("class-2", 0.85 * cost)
        for row, line in enumerate(costs)
        for column, cost in enumerate(line)
        if cost
    }
    shown = [[f"{cost:.2f}" if cost else "0" for cost in line] for line in costs]
    draw_table(picture, 446, 32, COLUMNS, shown, shades=shades, wide=58)
    picture.text(446, 184, f"sum {total:.3f}", size=12)
    picture.text(446, 202, ending, size=12)
    picture.text(446, 224, f"{measure.name} = {value:.4f}", bold=True)
    return value, total


def domain(picture: Picture, x: float, y: float, text: str) -> None:
    """Draw the range of ages of the table, and the part that the first published cell covers."""
    original, _ = patients()
    ages: list[int] = original["age"].to_list()
    low, high = min(ages), max(ages)
    begin, end = (int(each) for each in published_patients()["age"][0].strip("[]").split(","))
    width = 172.0

    def at(age: float) -> float:
        return x + width * (age - low) / (high - low)

    picture.line((x, y), (x + width, y), colour="line", width=6)
    picture.line((at(begin), y), (at(end), y), colour="class-2", width=6)
    for age in (low, end, high):
        picture.text(at(age), y + 20, str(age), size=12, anchor="middle", colour="faint")
    words = text.format(covered=end - begin + 1, all=high - low + 1)
    picture.text(x, y - 14, words, size=12)


def leaves(picture: Picture, x: float, y: float, text: str) -> None:
    """Draw the zip codes of the table, and those that the first published cell covers."""
    original, _ = patients()
    prefix = published_patients()["zip"][0].rstrip("*")
    codes = sorted(set(original["zip"].to_list()))
    covered = sum(code.startswith(prefix) for code in codes)
    picture.text(x, y - 14, text.format(covered=covered, all=len(codes)), size=12)
    for place, code in enumerate(codes):
        inside = code.startswith(prefix)
        left = x + 42 * place
        colour = "class-2" if inside else "line"
        picture.box(left, y - 5, 39, 20, fill=colour, strength=0.6 if inside else 0.3)
        picture.text(left + 19.5, y + 9, code, size=11, anchor="middle")


def ladder(picture: Picture, x: float, y: float, text: str) -> None:
    """Draw the way of a zip code to the root, and the steps that were taken."""
    code, shown = patients()[0]["zip"][0], published_patients()["zip"][0]
    path = [code] + [code[: len(code) - n] + "*" * n for n in range(1, len(code))] + ["*"]
    picture.text(x, y - 14, text, size=12)
    taken = path.index(shown)
    for step in range(len(path)):
        at = x + 6 + 36 * step
        if step:
            colour = "class-2" if step <= taken else "line"
            picture.line(
                (at - 36, y + 4), (at, y + 4), colour=colour, width=5 if step <= taken else 2
            )
        picture.dot((at, y + 4), 5, fill="class-2" if step <= taken else "faint")
    picture.text(x, y + 24, code, size=12, colour="faint")
    picture.text(x + 6 + 36 * taken, y + 24, shown, size=12, anchor="middle", colour="faint")
    picture.text(
        x + 6 + 36 * (len(path) - 1), y + 24, "*", size=12, anchor="middle", colour="faint"
    )
