"""Figure 5 beside (α, k) methods that group by the quasi-identifiers alone, as section 5.3 says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shoal_papers.alpha_i_k.claims import (
    CLEARLY,
    GRADED,
    GRADED_K,
    LEVELED,
    OFTEN,
    SAME_LEVEL,
    WIDTH,
    Grid,
    Line,
    claims,
)
from shoal_papers.alpha_i_k.series import EXACT, QUASI_ONLY
from shoal_papers.claims import Claim, between, course, line, means, ratio
from shoal_papers.readings import OpenPoint, Quote, Reading
from shoal_papers.results import Results
from shoal_papers.samples import above, exceeds
from shoal_papers.verdicts import Case, Finding, judge

__all__ = ["beside_quasi", "compared_with"]

FIGURE, SAID = "figure 5", "section 5.3"
"""Where claims 17 and 18 stand."""

EVERY = {name: each.shown for name, each in (EXACT | QUASI_ONLY).items()}
"""Methods that hold (α, k) by the quasi-identifiers, all with the bundled tree of Age."""

TOP_DOWN = {name: each.shown for name, each in EXACT.items()}

BY_QUASI = Quote(
    SAID,
    "后者在构造等价类时,仅从 QI 的角度实现聚类分组",
    "the latter groups from the angle of the quasi-identifiers only when it builds classes",
)


def compared_with(grid: Grid) -> OpenPoint:
    """Ask which (α, k) method figure 5 sets beside (αᵢ, k)-GCA."""
    return OpenPoint(
        "Which (α, k) method is figure 5 about?",
        (
            Reading(
                "figure 5 is about (α,k)-GCA",
                (
                    Quote(
                        SAID,
                        "并没有考虑到记录敏感属性值之间的关系",
                        "without regard to how the sensitive values of records are related: of "
                        "the paper's methods (α,k)-GCA is the one that differs in this alone",
                    ),
                ),
            ),
            Reading(
                "figure 5 is about any method that groups by the quasi-identifiers",
                (BY_QUASI,),
                claims=_against(grid, EVERY),
            ),
            Reading(
                "figure 5 is about Top-Down",
                (
                    BY_QUASI,
                    Quote(
                        "section 5.1",
                        "Top-Down",
                        "the only method of the figures that groups by quasi-identifiers",
                    ),
                ),
                claims=_against(grid, TOP_DOWN),
            ),
        ),
        "The text does not name the method. (α,k)-GCA is what the paper sets beside (αᵢ,k)-GCA in "
        "figures 1 to 4, so it is the default; but it deals out sensitive values and never looks "
        "at the quasi-identifiers, so the sentence does not describe it. KACA, Mondrian, k-member "
        "and Top-Down (with exact ages, as the other three have) hold (α, k) and do what the "
        "sentence says.",
        "These readings were added after the results of the default had been seen.",
    )


def beside_quasi(grid: Grid, results: Results) -> str:
    """Say how far (αᵢ, k)-GCA is above methods that group by the quasi-identifiers."""
    found = _larger(grid, results, EVERY)
    return (
        "Beside methods that group by the quasi-identifiers alone, as section 5.3 says of the "
        f"model compared with, (αᵢ,k)-GCA's sensitivity distance at k = {GRADED_K} (figure 5c): "
        f"{found.measured}"
    )


def _against(grid: Grid, others: Mapping[str, str]) -> list[Claim]:
    """List the claims, with those about figure 5 judged against other methods."""
    larger = (
        f"at every α its mean is {CLEARLY:g} times that of each of them or more; how often it is "
        "larger at all is counted beside"
    )
    often = (
        f"at every α of figure 5, {OFTEN:.0%} of people or more are in classes of each of them "
        "with two or more records of level 1, or of level 2"
    )
    judged = {
        FIGURE: (larger, lambda results: _larger(grid, results, others)),
        SAID: (often, lambda results: _often(grid, results, others)),
    }
    made = []
    for claim in claims(grid):
        rule, judge_so = judged.get(claim.where, (claim.rule, claim.judge))
        made.append(replace(claim, rule=rule, judge=judge_so))
    return made


def _over_alpha(grid: Grid, results: Results, column: str, method: str) -> Line:
    alphas: Sequence[float] = grid.few_alphas
    return line(results, column, "alpha", alphas, method=method, k=GRADED_K, quasi=WIDTH)


def _larger(grid: Grid, results: Results, others: Mapping[str, str]) -> Finding:
    ours = _over_alpha(grid, results, GRADED, LEVELED)
    cases, more, said = [], [], []
    for method, shown in others.items():
        theirs = _over_alpha(grid, results, GRADED, method)
        both = [alpha for alpha in ours if alpha in theirs]
        more += [above(ours[alpha], theirs[alpha]).holds for alpha in both]
        cases += [
            Case(f"clearly above {shown}", {"α": a}, exceeds(ours[a], theirs[a], CLEARLY))
            for a in both
        ]
        factors = [each for alpha in both for each in ratio(ours[alpha], theirs[alpha])]
        said.append(f"It has {between(factors, ' times')} the distance of {shown}.")
    counted = f"It is larger in {sum(each is True for each in more)} of {len(more)}."
    return judge(cases, " ".join([counted, *said]) if cases else "")


def _often(grid: Grid, results: Results, others: Mapping[str, str]) -> Finding:
    cases, said = [], []
    for method, shown in others.items():
        shares = _over_alpha(grid, results, SAME_LEVEL, method)
        cases += [
            Case(f"often with {shown}", {"α": alpha}, above(share, OFTEN, or_equal=True))
            for alpha, share in shares.items()
        ]
        said.append(f"{shown} has {course(means(shares), 'α = {:g}')}.")
    return judge(cases, f"The share: {' '.join(said)}" if cases else "")
