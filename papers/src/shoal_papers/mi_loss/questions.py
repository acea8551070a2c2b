"""What we ask beyond Gu and Dong (2022): GAA-CP with their weights, beside the optima."""

from __future__ import annotations

from collections.abc import Callable

from shoal_papers.claims import Claim, course, means
from shoal_papers.mi_loss.claims import (
    OPTIMA,
    ORIGINAL,
    PUBLISHED,
    Grid,
    points,
)
from shoal_papers.results import Results
from shoal_papers.samples import above, worst
from shoal_papers.verdicts import Case, Finding, judge

__all__ = ["CLUSTERED", "questions"]

EQUAL = "gaa-cp"

CLUSTERED = {
    EQUAL: "GAA-CP (equal weights)",
    "gaa-cp-mutual-information": "GAA-CP (mutual information)",
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
                "with each set of intervals and k its mean is above all four, without a limit",
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
        cases = [Case("above", {"k": k}, above(lead, 0)) for k, lead in leads.items()]
        pairs = [each for lead in leads.values() for each in lead.values.values()]
        return judge(
            cases,
            f"Leads in points: {course(means(leads), 'k = {:g}')}. With the same split and seed "
            f"it is above in {sum(each > 0 for each in pairs)} of {len(pairs)} pairs.",
        )

    return judged


def _leads_all(grid: Grid, column: str, method: str) -> Callable[[Results], Finding]:
    def judged(results: Results) -> Finding:
        mine = grid.line(results, column, method)
        cases, leads = [], []
        for intervals in grid.intervals:
            lines = [grid.line(results, column, optimum, intervals) for optimum in OPTIMA]
            for k in mine:
                leads.append(100 * (mine[k].mean - max(line[k].mean for line in lines)))
                compared = worst(*(above(mine[k], line[k]) for line in lines))
                cases.append(Case("above all four", {"intervals": intervals, "k": k}, compared))
        return judge(cases, f"Leads over the best of them are {points(leads)}.")

    return judged
