"""reconstruction_distance: a record, and what can be rebuilt of it."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture

TABLE = pl.DataFrame({"age": [20, 21, 22, 23], "disease": ["flu", "flu", "HIV", "cold"]})
ILLS = ("flu", "HIV", "cold")


def draw() -> str:
    """Draw one record as a point, and over which points each form of publication spreads it."""
    picture = Picture(
        "What can be rebuilt of one record",
        "reconstruction_distance asks how far a record is from what can be rebuilt of it: one "
        "table spreads it over the ages of its range, two tables over the illnesses of its group.",
        256,
    )
    schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()})
    ages = pl.DataFrame({"age": ["[20, 23]"] * 4})
    measure = shoal.measures.reconstruction_distance
    one = measure(TABLE, ages, schema)
    two = measure(TABLE, TABLE.select("age"), schema, groups=[1] * 4)
    weights = [1 / 4] * 4  # of the ages that each cell covers
    if abs(1 - 2 * weights[0] + sum(weight**2 for weight in weights) - one) > 1e-9:
        raise ValueError(f"Four ages of equal weight are not {one} away.")
    shares = {ill: TABLE["disease"].to_list().count(ill) / 4 for ill in ILLS}
    panels = (
        ("The record", {(20, "flu"): 1.0}, None),
        ("One table", {(age, "flu"): 0.25 for age in TABLE["age"].to_list()}, one),
        ("Two tables", {(20, ill): share for ill, share in shares.items()}, two),
    )
    for place, (words, spread, value) in enumerate(panels):
        x = 52 + 204 * place
        picture.text(x, 28, words, bold=True)
        for row, ill in enumerate(ILLS):
            y = 64 + 42 * row
            if place == 0:
                picture.text(x - 8, y + 4, ill, size=12, anchor="end")
            for column, age in enumerate(TABLE["age"].to_list()):
                at = (x + 20 + 38 * column, y)
                weight = spread.get((age, ill), 0.0)
                picture.dot(at, 3, fill="line")
                if weight:
                    picture.box(
                        at[0] - 16,
                        y - 14,
                        32,
                        28,
                        fill="class-1",
                        strength=0.2 + 0.6 * weight,
                        radius=14,
                    )
                    picture.text(at[0], y + 4, f"{weight:g}".lstrip("0"), size=12, anchor="middle")
        for column, age in enumerate(TABLE["age"].to_list()):
            picture.text(
                x + 20 + 38 * column, 184, str(age), size=12, anchor="middle", colour="faint"
            )
        if value is not None:
            picture.text(x, 214, f"distance {value:g}", bold=True)
            picture.text(x, 234, "mean over all four records", size=11, colour="faint")
    picture.text(52, 214, "age 20, with flu", size=12, colour="faint")
    return picture.svg()
