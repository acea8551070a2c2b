"""What we ask beyond paper 5: GAA-CP with its weights, alone and beside the optima."""

from __future__ import annotations

from collections.abc import Callable

from shoal.papers.claims import Case, Claim, Finding, course, judge
from shoal.papers.mi_loss_claims import (
    OPTIMA,
    ORIGINAL,
    PUBLISHED,
    Grid,
    place_of,
    points,
)
from shoal.papers.results import SEED, Results

__all__ = ["CLUSTERED", "questions"]

EQUAL = "gaa-cp"

CLUSTERED = {
    EQUAL: "GAA-CP (equal weights)",
    "gaa-cp-mi": "GAA-CP (equation 4)",
    "gaa-cp-gain-ratio": "GAA-CP (gain ratio)",
}
"""GAA-CP with each kind of weights, with their names."""

BASES = {PUBLISHED: "figure A, published rows", ORIGINAL: "figure B, original rows"}
"""What models are tested on, with the figure that shows it."""


def questions(grid: Grid) -> list[Claim]:
    """List the statements, each for both kinds of rows that models are tested on."""
    return [
        *(
            Claim(
                where,
                f"{shown} is more accurate than {CLUSTERED[EQUAL]}.",
                "means compared at every k",
                _helps(grid, column, method),
            )
            for method, shown in CLUSTERED.items()
            if method != EQUAL
            for column, where in BASES.items()
        ),
        *(
            Claim(
                where,
                f"{shown} is more accurate than every full-domain optimum.",
                "at each setting and k its mean is above those of all four",
                _leads_all(grid, column, method),
            )
            for method, shown in CLUSTERED.items()
            for column, where in BASES.items()
        ),
    ]


def _helps(grid: Grid, column: str, method: str) -> Callable[[Results], Finding]:
    def judged(results: Results) -> Finding:
        mine, plain = (grid.line(results, column, each) for each in (method, EQUAL))
        leads = {k: 100 * (mine[k] - plain[k]) for k in mine}
        cases = [Case("above", {"k": k}, lead > 0) for k, lead in leads.items()]
        above, pairs = _pairs(results, column, method)
        return judge(
            cases,
            f"Leads in points: {course(leads, 'k = {:g}')}. With the same split and seed it is "
            f"above in {above} of {pairs} pairs.",
        )

    return judged


def _pairs(results: Results, column: str, method: str) -> tuple[int, int]:
    """Count the single runs that are above the one of equal weights."""
    mine, plain = (
        results.runs.filter(method=each).select("k", SEED, column) for each in (method, EQUAL)
    )
    both = mine.join(plain, on=["k", SEED], suffix="_plain")
    return int((both[column] > both[f"{column}_plain"]).sum()), both.height


def _leads_all(grid: Grid, column: str, method: str) -> Callable[[Results], Finding]:
    def judged(results: Results) -> Finding:
        mine = grid.line(results, column, method)
        cases, leads = [], []
        for setting in grid.settings:
            lines = [grid.line(results, column, optimum, setting) for optimum in OPTIMA]
            for k in mine:
                lead = 100 * (mine[k] - max(line[k] for line in lines))
                leads.append(lead)
                cases.append(Case("above all four", {**place_of(setting), "k": k}, lead > 0))
        return judge(cases, f"Leads over the best of them are {points(leads)}.")

    return judged
