"""What we ask beside Zhang et al. (2014): noise chosen one value at a time, which is ours."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from shoal_papers.claims import Claim, course, means
from shoal_papers.micd.attacks import ATTACKS
from shoal_papers.micd.grid import HIGHEST, MICD, PRINTED, Grid
from shoal_papers.micd.noise import NOISE
from shoal_papers.results import Results
from shoal_papers.samples import above, below
from shoal_papers.verdicts import Case, Finding, judge

__all__ = ["questions"]

OURS = "micd-one-by-one"

EVERYWHERE = "means compared at every l and |S| that was measured, with either primary attribute"


def questions(grid: Grid) -> list[Claim]:
    """Ask what it makes of attacks, of the number of values, and of their degrees."""
    asked = (
        ("leaves no more groups open to an attack", ATTACKS, "lower"),
        ("needs no more values", NOISE, "lower"),
        ("lets the degrees of a group differ no less", "degree_spread", "higher"),
    )
    return [
        Claim(
            'noise = "one-by-one"',
            f"Noise chosen one value at a time, the centre moving with each, {words}.",
            f"{EVERYWHERE}; equal is enough",
            partial(_compared, grid, column=column, better=better),
        )
        for words, column, better in asked
    ]


def _compared(grid: Grid, results: Results, column: str, better: str) -> Finding:
    compare = below if better == "lower" else above
    cases = []
    for primary in (HIGHEST, PRINTED):
        wide = replace(grid, primary=primary, ls=grid.every)
        cases += [
            Case(primary, place, compare(ours, printed, or_equal=True))
            for place, ours, printed in wide.pairs(results, (column, OURS), (column, MICD))
        ]
    wide = replace(grid, ls=grid.every)
    said = [
        f"{shown} has {course(means(found), 'l = {}')}."
        for name, shown in ((OURS, "One by one MICD"), (MICD, "As printed it"))
        if (found := wide.line(results, column, name, "l"))
    ]
    return judge(cases, f"{' '.join(said)} (Primary: {wide.primary}.)" if cases else "")
