"""sse: squared distances from the centres, over the variance."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.style import class_colour

AGES = (20, 22, 27, 38, 41, 45)


def draw() -> str:
    """Draw six people on the line of ages, the centres that are published, and the distances."""
    picture = Picture(
        "sse of six ages in two groups",
        "sse adds up the squared distances between the original numbers and the centres that are "
        "published for them, over those from the mean of the table.",
        196,
    )
    table = pl.DataFrame({"age": AGES})
    release = shoal.anonymize(table, {"age": "quasi"}, require=3, method="mdav")
    labels = release.grouping.labels.tolist()
    centres = [float(cell) for cell in release.table["age"].to_list()]

    def at(age: float) -> float:
        return 40 + 520 * (age - 18) / 30

    picture.text(16, 26, "Distances from the published centres", bold=True)
    picture.line((30, 110), (600, 110), colour="line", width=2)
    for row, (age, centre, own) in enumerate(zip(AGES, centres, labels, strict=True)):
        y = 96 - 14 * (row % 3)
        picture.line((at(age), y), (at(centre), y), colour=class_colour(own), width=2.5)
        picture.dot((at(age), 110), 6, fill=class_colour(own))
        picture.text(at(age), 136, str(age), size=12, anchor="middle")
    for centre in sorted(set(centres)):
        picture.line((at(centre), 60), (at(centre), 118), colour="ink", width=2)
        picture.text(at(centre), 52, f"centre {centre:g}", size=12, anchor="middle", bold=True)
    squares = sum((age - centre) ** 2 for age, centre in zip(AGES, centres, strict=True))
    mean = sum(AGES) / len(AGES)
    whole = sum((age - mean) ** 2 for age in AGES)
    value = release.measures["sse"]
    if abs(squares / whole - value) > 1e-9:
        raise ValueError(f"{squares} / {whole} is not {value}.")
    text = f"squares {squares:g}, those from the mean of the table {whole:.1f}:"
    end = picture.text(16, 178, text, size=12)
    picture.text(end + 8, 178, f"sse = {value:.4f}", bold=True)
    return picture.svg()
