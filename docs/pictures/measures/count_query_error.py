"""count_query_error: how far off answers to COUNT queries are."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture

AGES = (20, 20, 20, 21, 23, 24)
SHOWN = ("[20, 21]",) * 4 + ("[23, 24]",) * 2


def draw() -> str:
    """Draw the true counts of single ages, and those that the publication answers."""
    picture = Picture(
        "Answers to COUNT queries",
        "count_query_error asks how many rows lie in random sets, and compares the true count with "
        "the answer that published ranges give, each spread evenly over what it covers.",
        222,
    )
    schema = shoal.Schema({"age": shoal.quasi()})
    table, shown = pl.DataFrame({"age": AGES}), pl.DataFrame({"age": SHOWN})
    both = shoal.measures.pair(table, shown, schema)
    picture.text(16, 26, "How many people are of this age?", bold=True)
    base = 150.0
    for place, age in enumerate(sorted(set(AGES))):
        query = shoal.measures.CountQuery({"age": (age, age)})
        true, answer = query.true(both.table), query.estimate(both.table, both.recoded)
        x = 40 + 92 * place
        picture.box(x, base - 30 * true, 28, 30 * true, fill="faint", strength=0.6, radius=1)
        picture.box(
            x + 32,
            base - 30 * answer,
            28,
            max(30 * answer, 1),
            fill="class-1",
            strength=0.65,
            radius=1,
        )
        picture.text(x + 14, base - 30 * true - 6, f"{true:g}", size=12, anchor="middle")
        picture.text(x + 46, base - 30 * answer - 6, f"{answer:g}", size=12, anchor="middle")
        picture.text(x + 30, base + 18, f"age {age}", size=12, anchor="middle")
    picture.line((24, base), (410, base), colour="ink")
    picture.box(440, 52, 20, 14, fill="faint", strength=0.6)
    picture.text(468, 64, "true count", size=12)
    picture.box(440, 78, 20, 14, fill="class-1", strength=0.65)
    picture.text(468, 90, "answer", size=12)
    value = float(shoal.measures.count_query_error(table, shown, schema))
    picture.text(440, 122, "100 random queries:", size=12)
    picture.text(440, 146, "count_query_error", bold=True)
    picture.text(440, 166, f"= {value:.3f}", bold=True)
    picture.text(
        16, 206, "Published: [20, 21] four times and [23, 24] twice.", size=12, colour="faint"
    )
    return picture.svg()
