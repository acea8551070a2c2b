"""What Zhang et al. (2014) say of the data and of their definitions: claims 1 to 4."""

from __future__ import annotations

from dataclasses import replace

from shoal.measures import highly_sensitive
from shoal_papers.claims import Claim, between, course, ratio
from shoal_papers.micd.grid import DECOMPOSITION, HIGHEST, PRINTED, TABLE_5, Grid, columns
from shoal_papers.micd.rules import claim
from shoal_papers.results import Results
from shoal_papers.samples import above, below
from shoal_papers.verdicts import Case, Finding, judge

__all__ = ["claims"]

GROUPS, NOISE, BOUND = "groups", "noise_ratio", "noise_bound"


def claims(grid: Grid) -> list[Claim]:
    """List the claims in the order of the text."""
    return [
        claim(
            grid,
            "definition 8",
            "The more evenly an attribute's values are spread, the more groups it opens.",
            "at every l that was measured, Decomposition, which merges no groups, makes more of "
            "them from occupation, of higher entropy, than from education",
            _more_groups,
        ),
        claim(
            grid,
            "section 4.3",
            "The noise ratio is at most (Σ lᵢ − d) / l of the primary attribute.",
            "at every setting of figures 3 and 4, the mean of each method is not above it",
            _within_bound,
        ),
        claim(
            grid,
            "section 5.1",
            "Education has the highest entropy, and so is primary.",
            "entropies of the five columns, from all rows",
            _highest_entropy,
            "A sum over the rows that the paper names, which no reading changes.",
        ),
        claim(
            grid,
            "table 5",
            "The highly sensitive values: the 30 % of highest sensitivity of each attribute, and "
            "those that differ most from the others.",
            "table 5 has the 30 % rarest values of the column, their number rounded, and no others",
            _table_5,
        ),
    ]


def _more_groups(grid: Grid, results: Results) -> Finding:
    printed, even = (
        replace(grid, primary=primary, ls=grid.every).line(results, GROUPS, DECOMPOSITION, "l")
        for primary in (PRINTED, HIGHEST)
    )
    both = [x for x in printed if x in even]
    cases = [Case("more groups", {"l": x}, above(even[x], printed[x])) for x in both]
    factors = {x: even[x].mean / printed[x].mean for x in both}
    return judge(cases, f"Occupation makes so many times as many: {course(factors, 'l = {}')}.")


def _within_bound(grid: Grid, results: Results) -> Finding:
    cases, said = [], []
    for method, shown in grid.methods.items():
        shares = []
        for place, noise, most in grid.pairs(results, (NOISE, method), (BOUND, method)):
            cases.append(Case(shown, place, below(noise, most, or_equal=True)))
            shares += ratio(noise, most)
        said.append(f"{shown} has {between(shares, ' times')} the bound.")
    return judge(cases, " ".join(said))


def _highest_entropy(grid: Grid, results: Results) -> Finding:
    found = {name: column.entropy for name, column in columns().items()}
    highest = max(found, key=lambda name: found[name])
    ranked = sorted(found.items(), key=lambda each: -each[1])
    said = ", ".join(f"{name} {entropy:.3f}" for name, entropy in ranked)
    return judge([Case("highest", {"column": PRINTED}, highest == PRINTED)], f"In nats: {said}.")


def _table_5(grid: Grid, results: Results) -> Finding:
    cases, said = [], []
    for name, printed in TABLE_5.items():
        column = columns()[name]
        high = highly_sensitive(column)
        rarest = {str(label) for label, is_high in zip(column.labels, high, strict=True) if is_high}
        cases.append(Case("same values", {"column": name}, rarest == set(printed)))
        beside = [*(f"{value} besides" for value in sorted(rarest - set(printed)))]
        beside += [f"{value} not" for value in sorted(set(printed) - rarest)]
        if beside:
            said.append(f"{name}: {', '.join(beside)}.")
    return judge(cases, f"Among the rarest: {' '.join(said)}" if said else "")
