"""Figures 1 to 5 of the paper on (αᵢ, k)-anonymity, and ours."""

from __future__ import annotations

from collections.abc import Sequence

from shoal_papers.alpha_i_k.grid import ALPHA, BY_ALPHA, FEW_KS, GRADED_K, WIDTH, Grid
from shoal_papers.alpha_i_k.series import (
    EVEN,
    EXACT,
    LEVELS,
    OTHER,
    PAPER,
    QUASI_ONLY,
    READ_SO,
    SERIES,
)
from shoal_papers.drawing import Drawing
from shoal_papers.figures import Figure
from shoal_papers.results import Results

__all__ = ["figures"]

DISTANCE = ("reconstruction_distance", "reconstruction distance")
GRADED = ("sensitivity_distance", "sensitivity distance")
SECONDS = ("cpu_seconds", "CPU seconds")


def figures(grid: Grid, results: Results) -> list[Figure]:
    """Lay out all figures."""
    shown = {name: series.shown for name, series in SERIES.items()}
    over = {"k": grid.ks, "alpha": grid.alphas, "quasi": grid.widths}

    def of(*names: str, ks: Sequence[int] = grid.ks) -> Drawing:
        return Drawing(results.only("method", names), shown, {**over, "k": ks})

    gca = ("gca", "leveled-gca")
    paper, forms = of(*PAPER).figure, of(*PAPER, *OTHER).figure
    read, ours = of(*gca, *READ_SO).figure, of(*gca, *EVEN, ks=(*grid.ks, GRADED_K)).figure
    ages, levels = of(*PAPER, *EXACT).figure, of(*PAPER, *LEVELS).figure
    by_quasi = of("leveled-gca", *EXACT, *QUASI_ONLY).figure
    by_k = [{"quasi": WIDTH, "alpha": ALPHA}]
    by_alpha, graded = ([{"quasi": WIDTH, "k": k}] for k in (BY_ALPHA, GRADED_K))
    few = [{"quasi": WIDTH, "k": k} for k in FEW_KS]
    by_width = [{"alpha": ALPHA, "k": k} for k in FEW_KS]
    at, held, of_width = ["alpha", "quasi"], ["k", "quasi"], ["alpha", "k"]
    distance = "Reconstruction distance"
    return [
        paper("1", f"{distance} against k", DISTANCE, "k", by_k, named=at),
        paper("2", f"{distance} against α", DISTANCE, "alpha", by_alpha, named=held),
        paper("3", "Time against α", SECONDS, "alpha", few, named=held, log_y=True),
        paper("4", "Time against |QI|", SECONDS, "quasi", by_width, named=of_width, log_y=True),
        paper(
            "5",
            "Sensitivity distance (L1 or L2) against α; higher is better",
            GRADED,
            "alpha",
            graded,
            named=held,
        ),
        paper(
            "5b",
            "Sensitivity distance of classes with L1 and L2 against α; higher is better",
            ("sensitivity_distance_and", "sensitivity distance"),
            "alpha",
            graded,
            named=held,
        ),
        by_quasi(
            "5c",
            "Sensitivity distance beside methods by quasi-identifiers; higher is better",
            GRADED,
            "alpha",
            graded,
            named=held,
        ),
        ages("A", f"{distance} with Age by decades and by years", DISTANCE, "k", by_k, named=at),
        levels(
            "B",
            f"{distance} where α bounds values and where it bounds levels",
            DISTANCE,
            "alpha",
            by_alpha,
            named=held,
        ),
        read("C", f"{distance}, the algorithm read in other ways", DISTANCE, "k", by_k, named=at),
        read(
            "D",
            "Rows of the largest class, the algorithm read in other ways",
            ("largest_class", "rows"),
            "k",
            by_k,
            named=at,
            log_y=True,
        ),
        forms(
            "E", f"{distance} of both forms of publication (ours)", DISTANCE, "k", by_k, named=at
        ),
        forms(
            "F",
            "Error of COUNT queries, both forms of publication (ours)",
            ("count_query_error", "count query error"),
            "k",
            by_k,
            named=at,
        ),
        ours(
            "G",
            "Sensitivity distance, greedy and even (ours); higher is better",
            GRADED,
            "k",
            by_k,
            named=at,
        ),
        ours(
            "H",
            "The least sensitivity distance of a class, greedy and even (ours); higher is better",
            ("least_sensitivity_distance", "least sensitivity distance"),
            "k",
            by_k,
            named=at,
        ),
    ]
