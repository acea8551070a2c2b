"""What Zhang et al. (2014) say of noise, figures 3 and 4: claims 11 to 18."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from shoal_papers import adult
from shoal_papers.claims import Claim, course, falls, means, steps
from shoal_papers.micd.grid import COUNT, DIVERSITY, MICD, SECRETS, Grid, Line, columns, least_noise
from shoal_papers.micd.rules import TURNS, below, claim, grows, turned
from shoal_papers.results import Results
from shoal_papers.samples import Sample, above, below as lower
from shoal_papers.verdicts import Case, Finding, judge

__all__ = ["NOISE", "claims"]

NOISE = "noise_ratio"

FAR = 2
"""One number is far below another if that is this many times it or more."""

NEAR_ZERO = 0.01
"""A noise ratio is near 0 up to here: one added value in a hundred rows."""

STRAIGHT = 0.95
"""A line is straight if a straight one explains this share of its variance or more."""

_FALLS = (
    "MICD's noise falls from |S| = 4 to 5: groups that merge for workclass, which has more entropy "
    "than race and so is treated before it, show more values of race, too. In a trial in the order "
    "of table 4, with workclass last, it fell as well, from 0.290 to 0.208 (one seed): a value "
    "that a row of a merged group holds is no noise any more."
)


def claims(grid: Grid) -> list[Claim]:
    """List the claims in the order of the text."""
    return [
        claim(
            grid,
            "figure 3",
            "As l grows, MICD's noise ratio first rises, then falls.",
            TURNS,
            lambda grid, results: turned(
                grid, results, NOISE, tuple(name for name in grid.methods if name == MICD)
            ),
        ),
        claim(
            grid,
            "figure 3",
            "The noise ratios of the other two rise with l.",
            "each step of l raises the mean",
            lambda grid, results: grows(grid, results, NOISE, "l", methods=tuple(grid.others)),
        ),
        claim(
            grid,
            "figure 3",
            "They rise ever more slowly.",
            "each step of l adds less to the mean than the step before",
            _ever_more_slowly,
        ),
        claim(
            grid,
            "figure 3",
            "MICD's noise ratio is far below that of the other two.",
            f"at every l, the other's mean is {FAR} times MICD's or more",
            lambda grid, results: below(grid, results, NOISE, ("l",), times=FAR),
        ),
        claim(
            grid,
            "figures 3, 4",
            "MICD's noise ratio is below that of the other two.",
            "means compared at every setting of the two figures",
            lambda grid, results: below(grid, results, NOISE, ("l", "secrets")),
        ),
        claim(
            grid,
            "figure 4",
            "All three noise ratios grow with |S|.",
            "each step of |S| raises the mean",
            lambda grid, results: grows(grid, results, NOISE, "secrets"),
            _FALLS,
        ),
        claim(
            grid,
            "figure 4",
            "For |S| below 4, all three noise ratios are near 0.",
            f"the mean is at most {NEAR_ZERO:g}",
            _near_zero,
            _proof(),
        ),
        claim(
            grid,
            "figure 4",
            "With each further attribute the noise grows linearly.",
            f"a straight line explains {STRAIGHT:.0%} of the variance of the means over |S| or "
            "more (straight), and rises (rises)",
            _linear,
            _FALLS,
        ),
    ]


def _proof() -> str:
    """Prove that noise alone is not near 0 where |S| = 3."""
    name = SECRETS[COUNT - 1]
    rows, most = adult.TRAIN_COMPLETE, columns()[name].counts.max()
    groups, least = rows // DIVERSITY, least_noise(name)
    return (
        f"It is impossible at |S| = {COUNT} where noise alone makes groups diverse. "
        f"{rows:,} rows in groups of {DIVERSITY} are {groups:,} groups; the most frequent value "
        f"of {name} has {most:,} rows, so that at least {most:,} − {groups:,} = {least:,} of them "
        f"join a group that shows it already, and each leaves a place that only an added value "
        f"fills: {least:,} / {rows:,} = {least / rows:.3f} values per row or more."
    )


def _ever_more_slowly(grid: Grid, results: Results) -> Finding:
    cases, said = [], []
    for method, shown in grid.others.items():
        found = grid.line(results, NOISE, method, "l")
        added = {high: (found[high] - found[low]) / (high - low) for low, high in pairwise(found)}
        cases += steps(added, shown, {}, "step to l", falls)
        said.append(f"{shown} adds {course(means(added), 'the step to {}')}.")
    return judge(cases, " ".join(said))


def _near_zero(grid: Grid, results: Results) -> Finding:
    cases, said = [], []
    for method, found in grid.lines(results, NOISE, "secrets").items():
        few = {count: noise for count, noise in found.items() if count < 4}
        shown = grid.methods[method]
        cases += [
            Case(shown, {"|S|": count}, lower(noise, NEAR_ZERO, or_equal=True))
            for count, noise in few.items()
        ]
        said.append(f"{shown} has {course(means(few), '|S| = {}')}.")
    return judge(cases, " ".join(said))


def _linear(grid: Grid, results: Results) -> Finding:
    cases, said = [], []
    for method, found in grid.lines(results, NOISE, "secrets").items():
        if len(found) < 3:
            continue
        xs = np.array(list(found), dtype=np.float64)
        ys = np.array(list(means(found).values()), dtype=np.float64)
        slope, start = np.polyfit(xs, ys, 1)
        varies = float(((ys - ys.mean()) ** 2).sum())
        left = float(((ys - slope * xs - start) ** 2).sum())
        explained = 1 - left / varies if varies else 0.0
        shown = grid.methods[method]
        cases += [
            Case("straight", {"method": shown}, explained >= STRAIGHT),
            Case("rises", {"method": shown}, above(_slope(found), 0)),
        ]
        said.append(f"{shown} by {slope:.3f} per attribute ({explained:.1%} explained).")
    return judge(cases, " ".join(said))


def _slope(found: Line) -> Sample:
    """Fit a straight line to each repetition."""
    xs = list(found)
    seeds = set.intersection(*(set(sample.values) for sample in found.values()))
    return Sample(
        {
            seed: float(np.polyfit(xs, [found[x].values[seed] for x in xs], 1)[0])
            for seed in sorted(seeds)
        }
    )
