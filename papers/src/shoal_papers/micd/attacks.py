"""What Zhang et al. (2014) say of attacks, figures 1 and 2: claims 5 to 10."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shoal_papers.claims import Claim, falls, rises, steps
from shoal_papers.micd.grid import COUNT, DIVERSITY, SECRETS, Grid, highly, out_of_reach
from shoal_papers.micd.rules import FEW, TURNS, below, claim, grows, turned
from shoal_papers.results import Results
from shoal_papers.samples import Comparison, Sample
from shoal_papers.verdicts import Finding, judge

__all__ = ["ATTACKS", "claims"]

ATTACKS = "vulnerability"

MANY = f", where {FEW} groups or more are open on average with one of the two"

TURN = 6
"""The l at which the paper's probabilities of attack turn."""


def claims(grid: Grid) -> list[Claim]:
    """List the claims in the order of the text."""
    return [
        claim(
            grid,
            "figure 1",
            "As l grows, all three methods' probability of attack first rises, then falls.",
            TURNS,
            lambda grid, results: turned(grid, results, ATTACKS, tuple(grid.methods)),
            _few_are_rare(),
        ),
        claim(
            grid,
            "figure 1",
            "Below l = 6, all three probabilities rise with l.",
            "each step of l raises the mean; 5→6 is not said to belong to either side",
            lambda grid, results: _side(grid, results, [x for x in grid.ls if x < TURN]),
            "70 % are 2 of 2, 3 of 3, 3 of 4 and 4 of 5 values at l = 2, 3, 4 and 5: a further "
            "value must be rare at l = 3 and at l = 5, and none at l = 4.",
        ),
        claim(
            grid,
            "figure 1",
            "From l = 6 on, all three probabilities fall with l.",
            "each step of l lowers the mean",
            lambda grid, results: _side(
                grid, results, [x for x in grid.ls if x >= TURN], compare=falls
            ),
            "There is nothing to fall from: at l = 6 and 7 only a group with all "
            f"{highly('education')} rare values of education is open, and from l = 8 on none can "
            "be (claim 5).",
        ),
        claim(
            grid,
            "figure 1",
            "MICD's probability of attack is below that of the other two.",
            f"means compared at every l{MANY}",
            lambda grid, results: below(grid, results, ATTACKS, ("l",), of_groups=True),
            "With the default readings it is below at l = 2 and 4, where enough groups are open to "
            "tell. At l = 7 the others have none, or hardly any, and the values that MICD adds are "
            "rare ones: see our questions for noise one by one.",
        ),
        claim(
            grid,
            "figure 2",
            "All three probabilities of attack rise with |S|.",
            "each step of |S| raises the mean",
            lambda grid, results: grows(grid, results, ATTACKS, "secrets"),
            f"A further attribute opens no group at l = {DIVERSITY}: {_further()} have "
            f"{highly(SECRETS[COUNT])} rare values each, two of three, which is below 70 %. The "
            "groups of the two Decompositions are the same whatever |S| is.",
        ),
        claim(
            grid,
            "figure 2",
            "MICD's probability of attack is below that of the other two.",
            f"means compared at every |S|{MANY}",
            lambda grid, results: below(grid, results, ATTACKS, ("secrets",), of_groups=True),
            f"At l = {DIVERSITY} hardly any group is open with any method: the few are the last "
            "ones, made of what is left, and depend on which of equally large buckets goes first.",
        ),
    ]


def _few_are_rare() -> str:
    """Say from which l on no attack can succeed."""
    said = ", ".join(
        f"l = {least} in {name} (h = {highly(name)})"
        for name, least in list(out_of_reach().items())[:COUNT]
    )
    return (
        "A group that shows l or more different values of a column, h of all of which are highly "
        f"sensitive, has a share of h / l of them at most. That is below 70 % from {said} on. "
        "Fewer values are more easily most of them rare: at l = 2, two suffice."
    )


def _further() -> str:
    """Name the columns that can open no group to an attack where |S| changes."""
    *first, last = (name for name in SECRETS[COUNT - 1 :] if out_of_reach()[name] <= DIVERSITY)
    return f"{', '.join(first)} and {last}"


def _side(
    grid: Grid,
    results: Results,
    ls: Sequence[int],
    compare: Callable[[Sample, Sample], Comparison] = rises,
) -> Finding:
    """Judge the steps of some l only."""
    cases = []
    for method, shown in grid.methods.items():
        found = grid.line(results, ATTACKS, method, "l")
        some = {x: sample for x, sample in found.items() if x in ls}
        cases += steps(some, shown, {}, "l", compare)
    return judge(cases)
