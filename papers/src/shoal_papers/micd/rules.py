"""Rules that several claims share: a line that turns or grows, a method below the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shoal_papers.claims import Claim, between, course, means, ratio, rises, steps, turns
from shoal_papers.micd.grid import MICD, WORDS, Grid
from shoal_papers.results import Results
from shoal_papers.samples import Comparison, Sample, exceeds
from shoal_papers.verdicts import Case, Finding, judge, places

__all__ = ["TURNS", "Judge", "below", "claim", "grows", "turned"]

CLEARLY = 1.1
"""A line rises and then falls if its top is this many times both of its ends or more."""

TURNS = f"the largest mean between both ends is {CLEARLY:g} times the means there or more"

GROUPS = "groups"

FEW = 10
"""Shares of groups are compared if this many groups or more are concerned, on average."""

Judge = Callable[[Grid, Results], Finding]


def claim(grid: Grid, where: str, words: str, rule: str, judged: Judge, why_not: str = "") -> Claim:
    """Make a claim that is judged at the settings of a grid."""
    return Claim(where, words, rule, lambda results: judged(grid, results), why_not)


def turned(grid: Grid, results: Results, column: str, methods: Sequence[str]) -> Finding:
    """Ask whether lines over l rise, then fall."""
    cases, said = [], []
    for method in methods:
        if not (found := grid.line(results, column, method, "l")):
            continue
        top = max(found, key=lambda x: found[x].mean)
        cases.append(Case(f"{grid.methods[method]}, top", {"l": top}, turns(found, CLEARLY)))
        said.append(f"{grid.methods[method]} has {course(means(found), 'l = {}')}.")
    return judge(cases, " ".join(said))


def grows(
    grid: Grid,
    results: Results,
    column: str,
    over: str,
    compare: Callable[[Sample, Sample], Comparison] = rises,
    *,
    methods: Sequence[str] | None = None,
) -> Finding:
    """Ask whether lines rise, or fall, step by step; of all methods, unless some are named."""
    cases, said = [], []
    for method in grid.methods if methods is None else methods:
        found, shown = grid.line(results, column, method, over), grid.methods[method]
        cases += steps(found, shown, {}, WORDS[over], compare)
        said.append(f"{shown} has {course(means(found), f'{WORDS[over]} = {{}}')}.")
    return judge(cases, " ".join(said))


def below(
    grid: Grid,
    results: Results,
    column: str,
    overs: Sequence[str],
    *,
    times: float = 1,
    of_groups: bool = False,
) -> Finding:
    """Compare MICD with each of the others; with ``times``, by at least that factor.

    Parameters
    ----------
    of_groups
        The number is a share of groups; where fewer than `FEW` of them are concerned with either
        method, there are too few to tell.
    """
    cases, said = [], []
    for method, shown in grid.others.items():
        ratios: list[float] = []
        zeros: list[dict[str, int]] = []
        both, groups = (
            list(grid.pairs(results, (name, MICD), (name, method), overs))
            for name in (column, GROUPS)
        )
        counts = [
            max((ours * mine).mean, (theirs * other).mean)
            for (_, ours, theirs), (_, mine, other) in zip(both, groups, strict=True)
        ]
        for (place, ours, theirs), count in zip(both, counts, strict=True):
            few = of_groups and count < FEW
            cases.append(Case(f"MICD < {shown}", place, exceeds(theirs, ours, times), few))
            ratios += ratio(ours, theirs)
            if not theirs.mean and not ours.mean:
                zeros.append(place)
        said += [f"MICD has {between(ratios, ' times')} the mean of {shown}."] if ratios else []
        if of_groups and counts:
            said.append(f"The more open of these two has {between(counts)} open groups.")
        said += [f"Both it and {shown} have 0 at {places(zeros)}."] if zeros else []
    return judge(cases, " ".join(said))
