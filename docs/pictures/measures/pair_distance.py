"""pair_distance: which values go together, and what readers rebuild of it."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture

ROWS = (("F", "flu"), ("M", "HIV"), ("F", "flu"), ("M", "HIV"))
GROUPS = (1, 1, 2, 2)


def draw() -> str:
    """Draw the crossed counts of sex and illness, before and after."""
    picture = Picture(
        "pair_distance of two columns",
        "pair_distance is the share of rows that readers put at a wrong pair of values, because "
        "the publication does not say which values belong together.",
        196,
    )
    frame = pl.DataFrame(ROWS, schema=["sex", "ill"], orient="row")
    schema = shoal.Schema({"sex": shoal.quasi(), "ill": shoal.sensitive()})
    value = shoal.measures.pair_distance(frame, frame, schema, groups=list(GROUPS))
    before, after = _crossed(False), _crossed(True)
    wrong = sum(abs(before[pair] - after[pair]) for pair in before) / 2
    if abs(wrong / len(ROWS) - value) > 1e-9:
        raise ValueError(f"Readers are wrong by {wrong / len(ROWS)}, not {value}.")
    picture.text(16, 26, "As it was, rows", bold=True)
    picture.text(226, 26, "As readers rebuild it", bold=True)
    for x, counts in ((60, before), (270, after)):
        for row, ill in enumerate(("flu", "HIV")):
            picture.text(x - 10, 92 + 44 * row, ill, size=12, anchor="end")
            for column, sex in enumerate("FM"):
                left, top = x + 60 * column, 66 + 44 * row
                count = counts[sex, ill]
                picture.box(left, top, 56, 40, fill="class-1", line="line", strength=0.3 * count)
                picture.text(left + 28, top + 25, f"{count:g}", anchor="middle")
        for column, word in enumerate(("F", "M")):
            picture.text(x + 28 + 60 * column, 56, word, size=12, anchor="middle")
    picture.text(444, 80, f"{wrong:g} of {len(ROWS)} rows at a wrong pair", size=12)
    picture.text(444, 110, f"pair_distance = {value:g}", bold=True)
    picture.text(
        16,
        182,
        "Published in two tables: a group shows a woman and a man, flu and HIV.",
        size=12,
        colour="faint",
    )
    return picture.svg()


def _crossed(rebuilt: bool) -> dict[tuple[str, str], float]:
    """Count pairs of values; if rebuilt, each row holds any value of its group."""
    counts = {(sex, ill): 0.0 for sex in "FM" for ill in ("flu", "HIV")}
    for row, (sex, ill) in enumerate(ROWS):
        others = [each for each, group in zip(ROWS, GROUPS, strict=True) if group == GROUPS[row]]
        for held in [own for _, own in others] if rebuilt else [ill]:
            counts[sex, held] += 1 / len(others) if rebuilt else 1
    return counts
