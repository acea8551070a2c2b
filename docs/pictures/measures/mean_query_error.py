"""mean_query_error: how far off answers to queries for a mean are."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture

TABLE = pl.DataFrame({"age": [20, 23, 30, 40], "sex": ["F", "F", "M", "M"]})
SHOWN = TABLE.with_columns(age=pl.Series(["[20, 30)"] * 2 + ["[30, 40]"] * 2))


def draw() -> str:
    """Draw the ages of women and men, the published ranges, and both means."""
    picture = Picture(
        "Answers to queries for a mean",
        "mean_query_error asks for means among random rows, and compares them with the means of "
        "the middles of the published ranges.",
        226,
    )
    schema = shoal.Schema({"age": shoal.quasi(), "sex": shoal.quasi()})
    both = shoal.measures.pair(TABLE, SHOWN, schema)

    def at(age: float) -> float:
        return 90 + 330 * (age - 18) / 24

    picture.text(16, 26, "What is the mean age of women, and of men?", bold=True)
    for row, (sex, word) in enumerate((("F", "women"), ("M", "men"))):
        y = 84 + 70 * row
        query = shoal.measures.MeanQuery("age", shoal.measures.CountQuery({"sex": {row}}))
        true, answer = query.true(both.table), query.estimate(both.table, both.recoded)
        if true is None:
            raise ValueError("The query selects nobody.")
        own = TABLE.filter(pl.col("sex") == sex)["age"].to_list()
        picture.text(16, y + 4, word, size=12, bold=True)
        picture.line((80, y), (430, y), colour="line", width=2)
        for age in own:
            picture.dot((at(age), y), 6, fill=f"class-{row + 1}")
            picture.text(at(age), y + 22, str(age), size=12, anchor="middle", colour="faint")
        picture.line((at(true), y - 16), (at(true), y + 8), colour="ink", width=2.4)
        picture.line(
            (at(answer), y - 16), (at(answer), y + 8), colour="fails", width=2.4, dashed=True
        )
        off = abs(answer - true) / true
        picture.text(446, y - 4, f"mean {true:g}, answer {answer:g}", size=12)
        picture.text(446, y + 14, f"off by {off:.2f} of the mean", size=12)
    value = float(shoal.measures.mean_query_error(TABLE, SHOWN, schema))
    end = picture.text(16, 206, "line: the mean, dashed: the answer", size=12, colour="faint")
    picture.text(max(end + 20, 380), 206, f"mean_query_error = {value:.4f}", bold=True)
    return picture.svg()
