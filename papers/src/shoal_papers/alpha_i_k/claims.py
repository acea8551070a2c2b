"""What the paper on (αᵢ, k)-anonymity says, claim by claim, and how each is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from shoal_papers.alpha_i_k.bound import BOUND
from shoal_papers.claims import (
    LITTLE,
    MARKEDLY,
    SLIGHTLY,
    Claim,
    between,
    course,
    flat,
    growth,
    line,
    means,
    ratio,
    steps,
)
from shoal_papers.results import Results
from shoal_papers.samples import Sample, above, below, exceeds, within
from shoal_papers.verdicts import Case, Finding, judge

__all__ = ["ALPHA", "BY_ALPHA", "FEW_KS", "GRADED_K", "WIDTH", "Grid", "claims"]

DISTANCE, SUPPRESSED, TIME = "reconstruction_distance", "suppressed", "cpu_seconds"
GRADED, SAME_LEVEL, ONE_LEVEL = "sensitivity_distance", "same_high_level", "one_level"

TOP, GCA, LEVELED = "top-down", "gca", "leveled-gca"
"""The paper's three methods."""

ALPHA, WIDTH = 0.5, 6
"""α where k or |QI| changes, and |QI| where k or α does."""

BY_ALPHA, GRADED_K, FEW_KS = 4, 5, (4, 10)
"""k of figure 2, of figure 5, and the two of figures 3 and 4."""

STRICT = (0.2, 0.3)
"""The α that the paper calls strict."""

CLEARLY = 1.1
"""A number is clearly larger, or a method clearly faster, by this factor or more."""

UNCHANGED = 0.01
"""A distance no longer changes if it differs by at most this share."""

OFTEN = 0.5
"""People are often in such classes if this share or more of them is."""

Line: TypeAlias = dict[float, Sample]


@dataclass(frozen=True)
class Grid:
    """The settings that were measured, and the paper's methods with its spelling.

    Parameters
    ----------
    methods
        Those of the paper's three methods that were measured, with their names.
    alphas
        The values of α of figures 2 and 3; figure 5 has those up to 0.5.
    """

    methods: Mapping[str, str]
    ks: Sequence[int]
    alphas: Sequence[float]
    widths: Sequence[int]

    @property
    def few_alphas(self) -> tuple[float, ...]:
        """The values of α of figure 5."""
        return tuple(alpha for alpha in self.alphas if alpha <= ALPHA)

    @property
    def bound_by_alpha(self) -> dict[str, str]:
        """The methods that know α."""
        return {name: shown for name, shown in self.methods.items() if name != LEVELED}

    @property
    def clusters(self) -> dict[str, str]:
        """The paper's own methods."""
        return {name: shown for name, shown in self.methods.items() if name != TOP}


def claims(grid: Grid) -> list[Claim]:
    """List the claims in the order of the text."""

    def claim(
        where: str,
        words: str,
        rule: str,
        judged: Callable[[Grid, Results], Finding],
        why_not: str = "",
    ) -> Claim:
        return Claim(where, words, rule, lambda results: judged(grid, results), why_not)

    return [
        claim(
            "figure 1",
            "As k grows, the reconstruction distance of all three methods grows.",
            "each step of k raises the mean distance",
            _grows_with_k,
        ),
        claim(
            "figure 1",
            "Top-Down's loss is always above that of the two GCA methods.",
            "mean distances compared at every k",
            _below_by_k,
        ),
        claim(
            "figure 1",
            "The two GCA methods' distances are about the same, except at k = 2.",
            f"at every k above 2, the mean of (αᵢ,k)-GCA is at most {SLIGHTLY:.0%} off that of "
            "(α,k)-GCA",
            _about_the_same,
        ),
        claim(
            "figure 1",
            "At k = 2, (αᵢ,k)-GCA's distance is clearly larger than (α,k)-GCA's.",
            f"its mean is {CLEARLY:g} times the other or more",
            _larger_at_two,
        ),
        claim(
            "figure 2",
            "At α = 0.2 and 0.3, more records are suppressed.",
            "the mean share of suppressed rows is above that at α = 0.5, for each of the two "
            "methods that know α",
            lambda grid, results: _strict(grid, results, SUPPRESSED, "suppresses"),
        ),
        claim(
            "figure 2",
            "At α = 0.2 and 0.3, both methods' distances are larger.",
            "the mean distance is above that at α = 0.5",
            lambda grid, results: _strict(grid, results, DISTANCE, "loses"),
        ),
        claim(
            "figure 2",
            "Above α = 0.5, α has no meaning and the distance no longer changes.",
            f"at every larger α, the mean is at most {UNCHANGED:.0%} off that at α = 0.5",
            _no_change,
        ),
        claim(
            "figure 2",
            "However α changes, GCA's distance is always below Top-Down's.",
            "mean distances compared at every α",
            _below_by_alpha,
        ),
        claim(
            "figure 3",
            "At α = 0.2, both methods take little time.",
            "the mean time is below that at α = 0.5, for each of the two methods that know α",
            _short_at_least_alpha,
        ),
        claim(
            "figure 3",
            "As α grows, Top-Down's time rises greatly.",
            f"the mean time at α = 0.5 is {MARKEDLY:g} times that at α = 0.2 or more",
            _rises_with_alpha,
        ),
        claim(
            "figure 3",
            "Once α is large enough, Top-Down's time hardly changes.",
            f"from α = 0.5 on, the slowest mean is at most {LITTLE:.0%} above the fastest",
            _flat_at_last,
        ),
        claim(
            "figure 3",
            "(αᵢ,k)-GCA takes slightly longer than (α,k)-GCA.",
            f"at every α its mean time is above the other's (slower), and less than {MARKEDLY:g} "
            "times it (slightly)",
            _slightly_slower,
        ),
        claim(
            "figures 3, 4",
            "GCA is clearly faster than Top-Down.",
            f"at every setting of the two figures, Top-Down's mean time is {CLEARLY:g} times that "
            "of either GCA or more",
            _faster,
        ),
        claim(
            "figure 4",
            "GCA's time hardly changes with |QI|.",
            f"over all |QI|, the slowest mean is at most {LITTLE:.0%} above the fastest",
            _flat_over_width,
            "Making the first table (line 21) copies every quasi-identifier, which takes longer "
            "than the grouping.",
        ),
        claim(
            "figure 4",
            "The more quasi-identifiers, the longer Top-Down takes.",
            "each step of |QI| raises the mean time",
            _rises_with_width,
        ),
        claim(
            "figure 4",
            "(αᵢ,k)-GCA takes slightly longer at k = 4 than at k = 10.",
            f"at every |QI| its mean time is above that at k = 10 (slower), and less than "
            f"{MARKEDLY:g} times it (slightly)",
            _slower_at_small_k,
            "Shoal's implementation takes about as long at both; the paper explains the difference "
            "by the αᵢ, which bind at k = 4 only.",
        ),
        claim(
            "figure 5",
            "The mean distance of sensitivity is clearly larger with (αᵢ,k)-anonymity than with "
            "(α,k)-anonymity.",
            f"at every α the mean of (αᵢ,k)-GCA is {CLEARLY:g} times that of (α,k)-GCA or more",
            _graded_larger,
            BOUND,
        ),
        claim(
            "section 5.3",
            "In classes of (α,k)-anonymity, values differ but often belong to the same high level.",
            f"at every α of figure 5, {OFTEN:.0%} of people or more are in classes of (α,k)-GCA "
            "with two or more records of level 1, or of level 2",
            _often_one_level,
        ),
        claim(
            "abstract, section 5.3",
            "(αᵢ,k)-anonymity resists the homogeneity attack.",
            "at every k of figure 1 and at figure 5's, nobody is in a class of one level with "
            "(αᵢ,k)-GCA",
            _resists,
        ),
    ]


def _over_k(grid: Grid, results: Results, column: str, method: str, *more: int) -> Line:
    """Give a method's line over k, as in figure 1, and at more k."""
    ks: Sequence[float] = (*grid.ks, *more)
    return line(results, column, "k", ks, method=method, alpha=ALPHA, quasi=WIDTH)


def _over_alpha(grid: Grid, results: Results, column: str, method: str, k: int = BY_ALPHA) -> Line:
    """Give a method's line over α, as in figure 2."""
    return line(results, column, "alpha", grid.alphas, method=method, k=k, quasi=WIDTH)


def _over_width(grid: Grid, results: Results, method: str, k: int) -> Line:
    """Give a method's times over |QI|, as in figure 4."""
    widths: Sequence[float] = grid.widths
    return line(results, TIME, "quasi", widths, method=method, alpha=ALPHA, k=k)


def _grows_with_k(grid: Grid, results: Results) -> Finding:
    cases, said = [], []
    for method, shown in grid.methods.items():
        distances = _over_k(grid, results, DISTANCE, method)
        cases += steps(distances, shown, {}, "k")
        said.append(f"{shown} has {course(means(distances), 'k = {}')}.")
    return judge(cases, " ".join(said))


def _below_by_k(grid: Grid, results: Results) -> Finding:
    lines = {each: _over_k(grid, results, DISTANCE, each) for each in grid.methods}
    return _below(grid, lines, "k")


def _below_by_alpha(grid: Grid, results: Results) -> Finding:
    lines = {each: _over_alpha(grid, results, DISTANCE, each) for each in grid.methods}
    return _below(grid, lines, "α")


def _below(grid: Grid, lines: Mapping[str, Line], over: str) -> Finding:
    """Compare each GCA's distances with Top-Down's."""
    top, cases, said = lines.get(TOP, {}), [], []
    for method, shown in grid.clusters.items():
        factors = []
        for x, distances in lines[method].items():
            if x in top:
                cases.append(Case(f"{shown} < Top-Down", {over: x}, below(distances, top[x])))
                factors += ratio(distances, top[x])
        said.append(f"{shown} has {between(factors, ' times')} Top-Down's distance.")
    return judge(cases, " ".join(said) if cases else "")


def _both_by_k(grid: Grid, results: Results) -> tuple[Line, Line, dict[float, float]]:
    """Give the distances of both GCA by k, (αᵢ,k)-GCA's first, and the ratios of their means."""
    ours, theirs = (_over_k(grid, results, DISTANCE, each) for each in (LEVELED, GCA))
    return ours, theirs, _ratios(ours, theirs)


def _ratios(ours: Line, theirs: Line) -> dict[float, float]:
    return {x: each for x in ours if x in theirs for each in ratio(ours[x], theirs[x])}


def _about_the_same(grid: Grid, results: Results) -> Finding:
    ours, theirs, found = _both_by_k(grid, results)
    cases = [
        Case(
            "same",
            {"k": k},
            within(ours[k], (1 - SLIGHTLY) * theirs[k], (1 + SLIGHTLY) * theirs[k]),
        )
        for k in found
        if k > 2
    ]
    said = course({k: each for k, each in found.items() if k > 2}, "k = {}")
    return judge(cases, f"The ratio is {said}." if cases else "")


def _larger_at_two(grid: Grid, results: Results) -> Finding:
    ours, theirs, found = _both_by_k(grid, results)
    cases = [
        Case("larger", {"k": k}, exceeds(ours[k], theirs[k], CLEARLY)) for k in found if k == 2
    ]
    said = course({k: each for k, each in found.items() if k == 2}, "k = {}")
    return judge(cases, f"The ratio is {said}." if cases else "")


def _strict(grid: Grid, results: Results, column: str, verb: str) -> Finding:
    cases, said = [], []
    for method, shown in grid.bound_by_alpha.items():
        found = _over_alpha(grid, results, column, method)
        cases += [
            Case(f"{shown} {verb} more", {"α": alpha}, above(found[alpha], found[ALPHA]))
            for alpha in STRICT
            if {alpha, ALPHA} <= set(found)
        ]
        said.append(f"{shown} has {course(means(found), 'α = {:g}')}.")
    return judge(cases, " ".join(said))


def _no_change(grid: Grid, results: Results) -> Finding:
    cases, offs = [], []
    for method, shown in grid.bound_by_alpha.items():
        found = _over_alpha(grid, results, DISTANCE, method)
        for alpha, distances in found.items():
            if alpha > ALPHA and ALPHA in found:
                half = found[ALPHA]
                offs += [100 * abs(each - 1) for each in ratio(distances, half)]
                same = within(distances, (1 - UNCHANGED) * half, (1 + UNCHANGED) * half)
                cases.append(Case(shown, {"α": alpha}, same))
    return judge(cases, f"It is {between(offs, ' %')} off.")


def _short_at_least_alpha(grid: Grid, results: Results) -> Finding:
    cases, said = [], []
    for method, shown in grid.bound_by_alpha.items():
        ends = _least_and_half(grid, results, method)
        cases += [Case(shown, {"k": k}, below(least, half)) for k, (least, half) in ends.items()]
        said.append(f"{shown} takes {_factors(ends)} as long at α = {ALPHA:g}.")
    return judge(cases, " ".join(said))


def _rises_with_alpha(grid: Grid, results: Results) -> Finding:
    ends = _least_and_half(grid, results, TOP)
    cases = [
        Case("greatly", {"k": k}, exceeds(half, least, MARKEDLY))
        for k, (least, half) in ends.items()
    ]
    return judge(cases, f"It takes {_factors(ends)} as long.")


def _least_and_half(grid: Grid, results: Results, method: str) -> dict[int, tuple[Sample, Sample]]:
    """Give the times at the least α and at α = 0.5, for each k."""
    found = {}
    for k in FEW_KS:
        times = _over_alpha(grid, results, TIME, method, k)
        if ALPHA in times:
            found[k] = times[min(times)], times[ALPHA]
    return found


def _factors(ends: Mapping[int, tuple[Sample, Sample]]) -> str:
    factors = [each for first, last in ends.values() for each in ratio(last, first)]
    return between(factors, " times")


def _flat_at_last(grid: Grid, results: Results) -> Finding:
    lines = {}
    for k in FEW_KS:
        times = _over_alpha(grid, results, TIME, TOP, k)
        lines["Top-Down", k] = {a: sample for a, sample in times.items() if a >= ALPHA}
    return _flat(lines, "α")


def _flat_over_width(grid: Grid, results: Results) -> Finding:
    return _flat(
        {
            (shown, k): _over_width(grid, results, method, k)
            for method, shown in grid.clusters.items()
            for k in FEW_KS
        },
        "|QI|",
    )


def _flat(lines: Mapping[tuple[str, int], Line], over: str) -> Finding:
    """Compare the slowest with the fastest of each line."""
    cases, factors = [], []
    for (shown, k), times in lines.items():
        if len(times) > 1:
            compared, factor = flat(times)
            factors.append(factor)
            cases.append(Case(shown, {"k": k}, compared))
    return judge(cases, f"The slowest {over} takes {between(factors, ' times')} the fastest.")


def _slightly_slower(grid: Grid, results: Results) -> Finding:
    cases, factors = [], []
    for k in FEW_KS:
        ours, theirs = (_over_alpha(grid, results, TIME, each, k) for each in (LEVELED, GCA))
        for alpha in sorted(ours.keys() & theirs.keys()):
            factors += ratio(ours[alpha], theirs[alpha])
            cases += _slightly(ours[alpha], theirs[alpha], {"k": k, "α": alpha})
    return judge(cases, f"It takes {between(factors, ' times')} as long.")


def _slower_at_small_k(grid: Grid, results: Results) -> Finding:
    small, large = (_over_width(grid, results, LEVELED, k) for k in FEW_KS)
    both = sorted(small.keys() & large.keys())
    if len(both) < 2:  # one |QI| is no figure 4
        return judge([])
    cases = [case for q in both for case in _slightly(small[q], large[q], {"|QI|": q})]
    factors = list(_ratios(small, large).values())
    return judge(cases, f"It takes {between(factors, ' times')} as long.")


def _slightly(slow: Sample, fast: Sample, place: Mapping[str, float]) -> list[Case]:
    return [
        Case("slower", place, above(slow, fast)),
        Case("slightly", place, below(slow, MARKEDLY * fast)),
    ]


def _faster(grid: Grid, results: Results) -> Finding:
    cases, said = [], []
    for method, shown in grid.clusters.items():
        factors = []
        for place, ours, top in _times(grid, results, method):
            factors += ratio(top, ours)
            cases.append(Case(shown, place, exceeds(top, ours, CLEARLY)))
        said.append(f"Top-Down takes {between(factors, ' times')} as long as {shown}.")
    return judge(cases, " ".join(said) if cases else "")


def _times(
    grid: Grid, results: Results, method: str
) -> Iterator[tuple[dict[str, float], Sample, Sample]]:
    """Give a method's times and Top-Down's at each setting of figures 3 and 4, once."""
    for k in FEW_KS:
        ours, top = (_over_alpha(grid, results, TIME, each, k) for each in (method, TOP))
        for alpha in sorted(ours.keys() & top.keys()):
            yield {"|QI|": WIDTH, "k": k, "α": alpha}, ours[alpha], top[alpha]
        mine, other = (_over_width(grid, results, each, k) for each in (method, TOP))
        for q in sorted((mine.keys() & other.keys()) - {WIDTH}):
            yield {"α": ALPHA, "k": k, "|QI|": q}, mine[q], other[q]


def _rises_with_width(grid: Grid, results: Results) -> Finding:
    cases, factors = [], []
    for k in FEW_KS:
        times = _over_width(grid, results, TOP, k)
        cases += steps(times, "Top-Down", {"k": k}, "|QI|")
        factors += growth(times)
    ends = f"From |QI| = {min(grid.widths)} to {max(grid.widths)}"
    return judge(cases, f"{ends} the time is multiplied by {between(factors)}.")


def _graded_larger(grid: Grid, results: Results) -> Finding:
    lines = {m: _over_alpha(grid, results, GRADED, m, GRADED_K) for m in grid.methods}
    ours, theirs = lines.get(LEVELED, {}), lines.get(GCA, {})
    cases = [
        Case("larger", {"α": a}, exceeds(ours[a], theirs[a], CLEARLY)) for a in ours if a in theirs
    ]
    return judge(cases, _courses(grid, lines, "α = {:g}"))


def _often_one_level(grid: Grid, results: Results) -> Finding:
    lines = {m: _over_alpha(grid, results, SAME_LEVEL, m, GRADED_K) for m in grid.methods}
    cases = [
        Case("often", {"α": alpha}, above(share, OFTEN, or_equal=True))
        for alpha, share in lines.get(GCA, {}).items()
    ]
    return judge(cases, f"The share: {_courses(grid, lines, 'α = {:g}')}" if cases else "")


def _resists(grid: Grid, results: Results) -> Finding:
    lines = {each: _over_k(grid, results, ONE_LEVEL, each, GRADED_K) for each in grid.methods}
    ours = lines.get(LEVELED, {})
    cases = [Case("nobody", {"k": k}, share.mean == 0) for k, share in ours.items()]
    return judge(cases, f"The share: {_courses(grid, lines, 'k = {}')}")


def _courses(grid: Grid, lines: Mapping[str, Line], place: str) -> str:
    """Write the lines of the methods in words."""
    return " ".join(
        f"{grid.methods[each]} has {course(means(found), place)}." for each, found in lines.items()
    )
