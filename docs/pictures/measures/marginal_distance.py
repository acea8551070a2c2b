"""marginal_distance: a column's distribution, and what readers rebuild of it."""

from __future__ import annotations

import polars as pl

import shoal
from docs.pictures.draw import Picture

TREE = shoal.Hierarchy.from_dict({"care": ["nurse", "doctor"], "cook": []})
JOBS = ("nurse", "nurse", "nurse", "cook")
SHOWN = ("care", "care", "care", "cook")


def draw() -> str:
    """Draw the jobs of four people, and the jobs that readers of the publication take them for."""
    picture = Picture(
        "marginal_distance of one column",
        "marginal_distance is the share of rows that readers put at a wrong value if they spread "
        "each published cell evenly over what it covers.",
        206,
    )
    schema = shoal.Schema({"job": shoal.quasi(hierarchy=TREE)})
    value = shoal.measures.marginal_distance(
        pl.DataFrame({"job": JOBS}), pl.DataFrame({"job": SHOWN}), schema
    )
    rebuilt = dict.fromkeys(TREE.leaves, 0.0)
    for cell in SHOWN:
        node = TREE.node(cell)
        below = TREE.leaves[int(TREE.first_leaf[node]) : int(TREE.last_leaf[node]) + 1]
        for leaf in below:
            rebuilt[leaf] += 1 / len(below)
    wrong = sum(abs(rebuilt[leaf] - JOBS.count(leaf)) for leaf in TREE.leaves) / 2
    if abs(wrong / len(JOBS) - value) > 1e-9:
        raise ValueError(f"Readers are wrong by {wrong / len(JOBS)}, not {value}.")
    picture.text(16, 26, "As it was, rows", bold=True)
    picture.text(240, 26, "As readers rebuild it", bold=True)
    for x, counts in (
        (16, {leaf: float(JOBS.count(leaf)) for leaf in TREE.leaves}),
        (240, rebuilt),
    ):
        for place, (leaf, count) in enumerate(counts.items()):
            y = 56 + 32 * place
            picture.text(x + 48, y + 4, leaf, size=12, anchor="end")
            if count:
                picture.box(x + 56, y - 10, 34 * count, 20, fill="class-1", strength=0.6)
            picture.text(x + 64 + 34 * count, y + 4, f"{count:g}", size=12)
    picture.text(470, 60, f"{wrong:g} of {len(JOBS)} rows", size=12)
    picture.text(470, 78, "at a wrong job", size=12)
    picture.text(470, 108, "marginal_distance", bold=True)
    picture.text(470, 128, f"= {value:g}", bold=True)
    picture.text(
        16,
        176,
        "Published: care three times, a nurse or a doctor for readers, and cook once.",
        size=12,
        colour="faint",
    )
    return picture.svg()
