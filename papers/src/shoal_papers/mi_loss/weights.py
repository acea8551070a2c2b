"""Table 2 of Gu and Dong (2022): the printed weights of eleven columns, beside ours."""

from __future__ import annotations

from functools import lru_cache

from shoal.measures._weighing import INFORMED, WeightKind, weights
from shoal_papers import adult
from shoal_papers.claims import between
from shoal_papers.tables import PageTable
from shoal_papers.verdicts import Case, Finding, judge

__all__ = ["LABEL", "QUASI", "TABLE_2", "judge_weights", "label_of", "ours", "table_2"]

LABEL = "salary-class"

TABLE_2 = {
    "age": (0.2294, 0.0355),
    "education-num": (0.1183, 0.0683),
    "capital-gain": (0.0350, 0.2976),
    "hours-per-week": (0.1405, 0.0375),
    "race": (0.0322, 0.0225),
    "relationship": (0.0869, 0.1643),
    "workclass": (0.0665, 0.0281),
    "native-country": (0.0381, 0.0197),
    "marital-status": (0.0740, 0.1828),
    "occupation": (0.1419, 0.0565),
    "sex": (0.0370, 0.0870),
}
"""The printed weights: of Entropy Loss, and of MI Loss (gain ratios, as we found)."""

QUASI = tuple(TABLE_2)

COLUMN = {"entropy": 0, "mutual-information": 1, "gain-ratio": 1}
"""Which of the two printed weights each kind of ours stands beside."""


def label_of(kind: str) -> str | None:
    """Name the label, for the kinds of weights that need one."""
    return LABEL if kind in INFORMED else None


@lru_cache
def ours(kind: WeightKind) -> dict[str, float]:
    """Weigh the columns of all train rows."""
    return weights(adult.rows_of(train=True), QUASI, kind, label_of(kind))


def apart(kind: WeightKind) -> dict[str, float]:
    """Say how far each of our weights is above the printed one."""
    return {name: ours(kind)[name] - TABLE_2[name][COLUMN[kind]] for name in QUASI}


def judge_weights(kind: WeightKind, near: float) -> Finding:
    """Compare a kind of weights with its printed column."""
    found = {name: abs(difference) for name, difference in apart(kind).items()}
    cases = [Case("near", {"column": name}, each <= near) for name, each in found.items()]
    return judge(cases, f"Differences are {between(list(found.values()))}.")


def table_2() -> PageTable:
    """Set our weights beside the printed ones."""
    rows = []
    for name in QUASI:
        entropy, mutual = TABLE_2[name]
        row = [name, f"{entropy:.4f}", *_beside("entropy", name), f"{mutual:.4f}"]
        rows.append([*row, *_beside("gain-ratio", name), *_beside("mutual-information", name)])
    return PageTable(
        title="Table 2: weights of the columns",
        text=f"Ours are from all {adult.TRAIN:,} rows, a missing cell as a value of its own. Each "
        "difference is ours less printed. Loss weighs every column 1/11. The paper defines MI "
        "Loss's weights by equation 4, but what it prints is the gain ratio.",
        head=(
            "column",
            "Entropy Loss, printed",
            "ours",
            "difference",
            "MI Loss, printed",
            "ours, gain ratio",
            "difference",
            "ours, equation 4",
            "difference",
        ),
        rows=rows,
    )


def _beside(kind: WeightKind, name: str) -> tuple[str, str]:
    return f"{ours(kind)[name]:.4f}", f"{round(apart(kind)[name], 4) + 0.0:+.4f}"
