"""What Zhang et al. (2014) say of time, figures 5 and 6: claims 19 to 24."""

from __future__ import annotations

from shoal_papers.claims import MARKEDLY, Claim, between, falls, ratio
from shoal_papers.micd.grid import DECOMPOSITION, MICD, PLUS, WORDS, Grid
from shoal_papers.micd.rules import claim, grows
from shoal_papers.results import Results
from shoal_papers.samples import above, below, worst
from shoal_papers.verdicts import Case, Finding, judge, number

__all__ = ["claims"]

TIME = "cpu_seconds"

SECONDS = 10
"""The largest difference of times that the paper speaks of."""


def claims(grid: Grid) -> list[Claim]:
    """List the claims in the order of the text."""
    return [
        claim(
            grid,
            "figure 5",
            "All three methods' time falls with l.",
            "each step of l lowers the mean time",
            lambda grid, results: grows(grid, results, TIME, "l", falls),
            "The paper's reason is that fewer groups are compared as l grows. Ours finds them "
            "through an index, and takes a few hundredths of a second at every l.",
        ),
        claim(
            grid,
            "figures 5, 6",
            "Decomposition+ takes less time than Decomposition.",
            "mean times compared at every setting of the two figures",
            _plus_faster,
            "What it saves, the set of candidate values, takes ours no time that could be "
            "measured.",
        ),
        claim(
            grid,
            "figures 5, 6",
            "MICD takes more time than the other two.",
            "mean times compared at every setting of the two figures",
            _slower,
        ),
        claim(
            grid,
            "figures 5, 6",
            f"The three methods' times differ by less than {SECONDS} s.",
            "the slowest mean less the fastest, at every setting of the two figures",
            _within_seconds,
        ),
        claim(
            grid,
            "figure 6",
            "All three methods' time grows with |S|.",
            "each step of |S| raises the mean time",
            lambda grid, results: grows(grid, results, TIME, "secrets"),
        ),
        claim(
            grid,
            "figure 6",
            "MICD takes slightly longer than the other two.",
            f"at every |S| its mean time is above that of the slower of the two (slower), and less "
            f"than {MARKEDLY:g} times it (slightly)",
            _slightly_slower,
            "MICD's time grows faster with |S| than that of the others, which search no partners.",
        ),
    ]


def _plus_faster(grid: Grid, results: Results) -> Finding:
    cases, factors = [], []
    for place, plus, plain in grid.pairs(results, (TIME, PLUS), (TIME, DECOMPOSITION)):
        cases.append(Case("faster", place, below(plus, plain)))
        factors += ratio(plus, plain)
    return judge(cases, f"It takes {between(factors, ' times')} as long.")


def _slower(grid: Grid, results: Results) -> Finding:
    cases, said = [], []
    for method, shown in grid.others.items():
        factors = []
        for place, ours, theirs in grid.pairs(results, (TIME, MICD), (TIME, method)):
            cases.append(Case(f"MICD > {shown}", place, above(ours, theirs)))
            factors += ratio(ours, theirs)
        said.append(f"MICD takes {between(factors, ' times')} as long as {shown}.")
    return judge(cases, " ".join(said) if cases else "")


def _within_seconds(grid: Grid, results: Results) -> Finding:
    cases, apart = [], []
    for over, word in WORDS.items():
        lines = grid.lines(results, TIME, over)
        if len(lines) < 2:
            break
        for x in grid.ls if over == "l" else grid.counts:
            times = sorted((each[x] for each in lines.values()), key=lambda each: each.mean)
            between_ends = times[-1] - times[0]
            apart.append(between_ends.mean)
            cases.append(Case("within", {word: x}, below(between_ends, SECONDS)))
    slowest = max(apart, default=0)
    return judge(cases, f"They differ by {number(slowest)} s at most." if apart else "")


def _slightly_slower(grid: Grid, results: Results) -> Finding:
    lines = grid.lines(results, TIME, "secrets")
    ours = lines.pop(MICD, {})
    cases, factors = [], []
    for count, mine in ours.items() if lines else ():
        others = [each[count] for each in lines.values()]
        factors.append(mine.mean / max(other.mean for other in others))
        slower = worst(*(above(mine, other) for other in others))
        slowest = max(others, key=lambda other: other.mean)
        place = {"|S|": count}
        cases += [
            Case("slower", place, slower),
            Case("slightly", place, below(mine, MARKEDLY * slowest)),
        ]
    return judge(cases, f"It takes {between(factors, ' times')} as long.")
