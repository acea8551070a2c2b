"""What the page of Gu and Dong (2022) shows: figures, searches, and learners of the raw table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from shoal_papers.base import Cell
from shoal_papers.drawing import Drawing
from shoal_papers.figures import Figure
from shoal_papers.mi_loss.grid import (
    CLUSTERED,
    LINEAR,
    MODELS,
    OPTIMA,
    ORIGINAL,
    PUBLISHED,
    UNLIMITED,
    Grid,
)
from shoal_papers.mi_loss.measuring import AUC, INTERVALS, LEVELS, heights
from shoal_papers.results import Results
from shoal_papers.tables import PageTable

__all__ = [
    "ALL_FEATURES",
    "BOUNDS",
    "LEARNERS",
    "figures",
    "learners",
    "printed_accuracy",
    "proofs",
    "searches",
    "widths",
]

BOUNDS = {"raw": "raw", "majority": "majority"}
"""What is learnt without anonymization, and without learning."""

ALL_FEATURES = "raw-all-features"

LEARNERS = {
    ALL_FEATURES: "logistic regression, all 14 features",
    "raw-naive-bayes": "naive Bayes",
    "raw-random-forest": "random forest",
    "raw-gradient-boosting": "gradient boosting",
}
"""What else is learnt from the raw table, in one split."""

BEST = "best"
"""The series of the most accurate optimum at each setting and k."""


def widths(intervals: str) -> str:
    """Write a set of intervals.

    Examples
    --------
    >>> widths("wide")[:39]
    'wide (their widths: age 20, education-n'
    """
    listed = [
        f"{name} {' and '.join(f'{built.width * 2**level:,}' for level in range(built.levels))}"
        for name, built in INTERVALS[intervals].items()
        if built.width is not None and built.levels is not None
    ]
    return f"{intervals} (their widths: {', '.join(listed)})"


def share(limit: int) -> str:
    """Write a limit.

    Examples
    --------
    >>> share(5), share(UNLIMITED)
    ('5 %', 'none')
    """
    return "none" if limit == UNLIMITED else f"{limit} %"


def figures(grid: Grid, limits: Sequence[int], results: Results) -> list[Figure]:
    """Lay out figure 3, for both kinds of rows and other limits, and GAA-CP beside the optima."""
    every = _in_every_panel(results, grid, limits)
    models = {"raw": BOUNDS["raw"], **MODELS, "majority": BOUNDS["majority"]}
    optima = {"raw": BOUNDS["raw"], **OPTIMA, "majority": BOUNDS["majority"]}
    clustered = {"raw": BOUNDS["raw"], **CLUSTERED, BEST: "best of the optima"}

    def figure(
        number: str,
        words: str,
        column: str,
        shown: Mapping[str, str],
        at: Sequence[int] = (UNLIMITED,),
    ) -> Figure:
        panels: list[Cell] = [
            {"intervals": intervals, "limit": limit} for intervals in grid.intervals for limit in at
        ]
        named = ["intervals", "limit"] if len(at) > 1 else ["intervals"]
        drawing = Drawing(
            _with_best(every, column).only("method", tuple(shown)), dict(shown), {"k": grid.ks}
        )
        measure = (column, "accuracy")
        return drawing.figure(number, words, measure, "k", panels, named=named, zero_y=False)

    others = [limit for limit in limits if limit != UNLIMITED]
    made = [
        figure("3", "Accuracy against k, tested on published rows", PUBLISHED, optima),
        figure("3b", "Accuracy against k, tested on original rows", ORIGINAL, optima),
    ]
    if others:
        words = "Accuracy where few rows may be suppressed, tested on published rows"
        made.append(figure("3c", words, PUBLISHED, models, others))
    return [
        *made,
        figure("A", "GAA-CP (ours), tested on published rows", PUBLISHED, clustered),
        figure("B", "GAA-CP (ours), tested on original rows", ORIGINAL, clustered),
    ]


def proofs(results: Results) -> str:
    """Say which nodes are proven to be the best ones."""
    found = _searched(results)
    open_ = int((found["proven"] < 1).sum())
    if not open_:
        free = found.filter(limit=UNLIMITED)["nodes"].to_list()
        nodes = f"{min(free):,.0f} to {max(free):,.0f}"
        return (
            f"All {found.height} nodes are proven to be the best ones. Without a limit, {nodes} "
            "nodes were counted for that (table A)."
        )
    return (
        f"{open_} of {found.height} nodes are not proven to be the best ones: there, verdicts "
        "compare nodes that were found in the time, not the optima that the paper compares, and "
        "another machine may find others. They may be off by at most "
        f"{max(found['gap'].to_list()):.4f} in loss."
    )


def searches(n: int, results: Results) -> PageTable:
    """Say how each search ended."""
    rows = []
    for row in _searched(results).iter_rows(named=True):
        tops = heights(n, row["intervals"])
        levels = zip((int(row[name]) for name in LEVELS), tops, strict=True)
        rows.append(
            [
                f"{row['intervals']}, {share(row['limit'])}",
                str(row["k"]),
                OPTIMA[row["method"]],
                f"{row['loss']:.4f}",
                "yes" if row["proven"] == 1 else f"no, gap {row['gap']:.4f}",
                f"{int(row['nodes']):,}",
                f"{row['suppressed']:.2%}",
                " ".join("*" if level == top else str(level) for level, top in levels),
            ]
        )
    return PageTable(
        title="Table A (ours): searches",
        text="Loss is by the weights of the row. The gap says by how much the loss of another "
        "node could be less. Levels are in the order of the quasi-identifiers; 0 shows "
        "original values, * nothing.",
        head=(
            "intervals, limit",
            "k",
            "optimum of",
            "loss",
            "proven",
            "nodes counted",
            "suppressed",
            "levels",
        ),
        rows=rows,
    )


def learners(results: Results) -> PageTable:
    """Set other learners of the raw table beside the printed accuracy."""
    first = results.runs.filter(seed=1)

    def score(method: str, column: str) -> str:
        return f"{first.filter(method=method)[column].item():.2%}"

    linear = {"raw": "linear regression", ALL_FEATURES: "linear regression, all 14 features"}
    return PageTable(
        title="Table B (ours): the raw table by other learners",
        text="Printed is an accuracy of 89.23 %. Of linear regression, above one half is the "
        "class. The first split alone.",
        head=("learner", "accuracy", "area under the curve"),
        rows=[
            ["logistic regression", score("raw", PUBLISHED), ""],
            *([shown, score(name, PUBLISHED), ""] for name, shown in LEARNERS.items()),
            *([shown, score(name, LINEAR), score(name, AUC)] for name, shown in linear.items()),
        ],
    )


def printed_accuracy(results: Results) -> list[str]:
    """Say what the printed accuracy of the raw table may be instead."""
    first = results.runs.filter(seed=1)
    few, all_ = (first.filter(method=name)[AUC].item() for name in ("raw", ALL_FEATURES))
    best = first.filter(pl.col("method").is_in(["raw", *LEARNERS]))[PUBLISHED].to_list()
    return [
        f"The printed 89.23 % was found as an accuracy with no learner (table B; the best has "
        f"{max(best):.2%}). The area under the curve of linear regression, the learner that the "
        f"text names, is {few:.2%} with the eleven quasi-identifiers and {all_:.2%} with all 14 "
        "features: that it was printed as an accuracy is a guess of ours, and judges nothing."
    ]


def _searched(results: Results) -> pl.DataFrame:
    """Give the different nodes that searches found."""
    found = results.only("method", tuple(OPTIMA)).runs
    same = ["method", "intervals", "limit", "k", *LEVELS]
    return found.unique(same, keep="first", maintain_order=True)


def _in_every_panel(results: Results, grid: Grid, limits: Sequence[int]) -> Results:
    """Repeat what intervals, limit or k do not concern, at each of them."""
    runs = results.runs
    ks = pl.DataFrame({"k": list(grid.ks)})
    settings = [(intervals, limit) for intervals in grid.intervals for limit in limits]
    panels = pl.DataFrame(settings, schema=["intervals", "limit"], orient="row")
    names = runs.columns
    bounds = runs.filter(pl.col("method").is_in(list(BOUNDS))).drop("k").join(ks, how="cross")
    local = runs.filter(pl.col("method").is_in(list(CLUSTERED)))
    same = pl.concat([bounds.select(names), local]).drop("intervals", "limit")
    optima = runs.filter(pl.col("method").is_in(list(OPTIMA)))
    shown = pl.concat([optima, same.join(panels, how="cross").select(names)])
    return Results(shown, results.numbers)


def _with_best(results: Results, column: str) -> Results:
    """Add the optimum of the highest mean, at each setting and k, as a series of its own."""
    place = ["intervals", "limit", "k"]
    optima = results.only("method", tuple(OPTIMA)).runs
    of_each = optima.group_by(*place, "method", maintain_order=True).agg(pl.col(column).mean())
    highest = of_each.sort(column, descending=True, maintain_order=True).unique(
        place, keep="first", maintain_order=True
    )
    best = optima.join(highest.select(*place, "method"), on=[*place, "method"])
    named = best.with_columns(pl.lit(BEST).alias("method"))
    return Results(pl.concat([results.runs, named]), results.numbers)
