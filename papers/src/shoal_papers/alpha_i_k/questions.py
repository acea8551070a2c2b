"""Our questions about (αᵢ, k)-anonymity: what dealing the records evenly is worth."""

from __future__ import annotations

from collections.abc import Callable

from shoal_papers.alpha_i_k.claims import ALPHA, GCA, GRADED_K, LEVELED, WIDTH, Grid, Line
from shoal_papers.claims import Claim, course, line, means
from shoal_papers.results import Results
from shoal_papers.samples import Comparison, Sample, above, below
from shoal_papers.verdicts import Case, Finding, judge

__all__ = ["questions"]

EVENLY = "leveled-gca-even"

SPARED = 5
"""From this k on the αᵢ of table 10 ask for no more than k: one record of five is 0.2."""


def questions(grid: Grid) -> list[Claim]:
    """List them."""

    def against(
        words: str,
        rule: str,
        number: str,
        other: str,
        compare: Callable[[Sample, Sample], Comparison],
    ) -> Claim:
        def judged(results: Results) -> Finding:
            ours, theirs = (_over_k(grid, results, number, each) for each in (EVENLY, other))
            both = [k for k in ours if k in theirs]
            cases = [Case("at every k", {"k": k}, compare(ours[k], theirs[k])) for k in both]
            said = (course(means(each), "k = {}") for each in (ours, theirs))
            return judge(cases, f"Even has {'; the other has '.join(said)}." if cases else "")

        return Claim("ours", words, rule, judged)

    return [
        against(
            "(αᵢ,k)-GCA's mean sensitivity distance is larger if records are dealt evenly.",
            "equation 7 (L1 or L2), means compared at every k",
            "sensitivity_distance",
            LEVELED,
            above,
        ),
        against(
            "It is then larger than (α,k)-GCA's.",
            "equation 7 (L1 or L2), means compared at every k",
            "sensitivity_distance",
            GCA,
            above,
        ),
        against(
            "The worst class is better, too.",
            "the least distance of a class with level 1 or 2, means compared at every k",
            "least_sensitivity_distance",
            LEVELED,
            above,
        ),
        against(
            "No more is lost.",
            "the mean reconstruction distance is at most that of the greedy one, at every k",
            "reconstruction_distance",
            LEVELED,
            lambda ours, theirs: below(ours, theirs, or_equal=True),
        ),
        Claim(
            "ours",
            "No class has more than k + 1 records.",
            f"the largest class in every repetition, from k = {SPARED} on, where the αᵢ of table "
            "10 ask for no larger ones",
            lambda results: _sizes(grid, results),
        ),
    ]


def _over_k(grid: Grid, results: Results, number: str, method: str) -> Line:
    ks: list[float] = [*grid.ks, GRADED_K]
    return line(results, number, "k", ks, method=method, alpha=ALPHA, quasi=WIDTH)


def _sizes(grid: Grid, results: Results) -> Finding:
    found = _over_k(grid, results, "largest_class", EVENLY)
    cases = [
        Case("at most k + 1", {"k": k}, max(sizes.values.values()) <= k + 1)
        for k, sizes in found.items()
        if k >= SPARED
    ]
    return judge(cases, f"On average it has {course(means(found), 'k = {}')}." if cases else "")
