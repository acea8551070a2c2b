"""What paper 4 says in sections 4 and 5, claim by claim, and how each is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

import numpy as np

from shoal.measures import highly_sensitive
from shoal.papers import adult
from shoal.papers.claims import (
    MARKEDLY,
    Claim,
    between,
    course,
    falls,
    line,
    means,
    ratio,
    rises,
    steps,
    turns,
)
from shoal.papers.results import Results
from shoal.papers.samples import Comparison, Sample, above, below, exceeds, worst
from shoal.papers.verdicts import Case, Finding, judge, number, places
from shoal.table.sensitive import SensitiveColumn

__all__ = [
    "COUNT",
    "DIVERSITY",
    "PRINTED",
    "SECRETS",
    "TABLE_5",
    "Grid",
    "claims",
    "columns",
    "out_of_reach",
]

NOISE, BOUND, TIME, GROUPS = "noise_ratio", "noise_bound", "cpu_seconds", "groups"

DECOMPOSITION, PLUS = "decomposition", "decomposition-plus"
"""The paper's two baselines."""

SECRETS = ("education", "occupation", "marital-status", "race", "workclass")
"""The sensitive columns in the order of table 4; |S| = s means the first s."""

PRINTED = "education"
"""The primary column as the paper names it."""

COUNT, DIVERSITY = 3, 3
"""|S| where l changes, and l where |S| does."""

TURN = 6
"""The l at which the paper's probabilities of attack turn."""

TABLE_5: Mapping[str, tuple[str, ...]] = {
    "race": ("Amer-Indian-Eskimo", "Other"),
    "education": ("Preschool", "1st-4th", "5th-6th", "Doctorate", "12th"),
    "marital-status": ("Married-AF-spouse", "Married-spouse-absent"),
    "workclass": ("Without-pay", "Federal-gov"),
    "occupation": ("Armed-Forces", "Priv-house-serv", "Protective-serv"),
}
"""The highly sensitive values as the paper lists them."""

CLEARLY = 1.1
"""A line rises and then falls if its top is this many times both of its ends or more."""

FAR = 2
"""One number is far below another if that is this many times it or more."""

NEAR_ZERO = 0.01
"""A noise ratio is near 0 up to here: one added value in a hundred rows."""

STRAIGHT = 0.95
"""A line is straight if a straight one explains this share of its variance or more."""

SECONDS = 10
"""The largest difference of times that the paper speaks of."""

THRESHOLD = 0.7
"""A group is open to an attack if this share of its values, or more, is highly sensitive."""

WORDS = {"l": "l", "secrets": "|S|"}
"""The two settings that change, as they are written."""

Line = dict[int, Sample]


@dataclass(frozen=True)
class Grid:
    """The settings that were measured, and which of them the claims are judged by.

    Parameters
    ----------
    methods
        Those of the paper's three methods that were measured, with their names.
    ls, counts
        The values of l, and of |S|.
    primary
        The primary column.
    micd
        The series that stands for MICD.
    attacked
        The number that is the probability of an attack.
    """

    methods: Mapping[str, str]
    ls: Sequence[int]
    counts: Sequence[int]
    primary: str = PRINTED
    micd: str = "micd"
    attacked: str = "vulnerability"

    @property
    def others(self) -> dict[str, str]:
        """The two baselines."""
        return {name: shown for name, shown in self.methods.items() if name != self.micd}

    def line(self, results: Results, column: str, method: str, over: str) -> Line:
        """Give a method's line over l with |S| = 3, or over |S| with l = 3."""
        fixed = {"l": DIVERSITY} if over == "secrets" else {"secrets": COUNT}
        values = self.counts if over == "secrets" else self.ls
        return line(results, column, over, values, method=method, primary=self.primary, **fixed)

    def lines(self, results: Results, column: str, over: str) -> dict[str, Line]:
        """Give the same for all methods."""
        return {each: self.line(results, column, each, over) for each in self.methods}


def claims(grid: Grid) -> list[Claim]:
    """List the claims in the order of the text."""

    def claim(
        where: str, words: str, rule: str, judged: Callable[[Grid, Results], Finding]
    ) -> Claim:
        return Claim(where, words, rule, lambda results: judged(grid, results))

    top = f"the largest mean between both ends is {CLEARLY:g} times the means there or more"
    return [
        claim(
            "definition 8",
            "The more evenly an attribute's values are spread, the more groups it opens.",
            "at every l, Decomposition, which merges no groups, makes more of them from "
            "occupation, of higher entropy, than from education",
            _more_groups,
        ),
        claim(
            "section 4.3",
            "The noise ratio is at most (Σ lᵢ − d) / l of the primary attribute.",
            "at every setting of figures 3 and 4, the mean of each method is not above it",
            _within_bound,
        ),
        claim(
            "section 5.1",
            "Education has the highest entropy, and so is primary.",
            "entropies of the five columns, from all rows",
            _highest_entropy,
        ),
        claim(
            "table 5",
            "The highly sensitive values: the 30 % of highest sensitivity of each attribute, and "
            "those that differ most from the others.",
            "table 5 has the 30 % rarest values of the column, their number rounded, and no others",
            _table_5,
        ),
        claim(
            "figure 1",
            "As l grows, all three methods' probability of attack first rises, then falls.",
            top,
            lambda grid, results: _turns(grid, results, grid.attacked, tuple(grid.methods)),
        ),
        claim(
            "figure 1",
            "Below l = 6, all three probabilities rise with l.",
            "each step of l raises the mean; 5→6 is not said to belong to either side",
            lambda grid, results: _side(grid, results, [x for x in grid.ls if x < TURN]),
        ),
        claim(
            "figure 1",
            "From l = 6 on, all three probabilities fall with l.",
            "each step of l lowers the mean",
            lambda grid, results: _side(
                grid, results, [x for x in grid.ls if x >= TURN], compare=falls
            ),
        ),
        claim(
            "figure 1",
            "MICD's probability of attack is below that of the other two.",
            "means compared at every l",
            lambda grid, results: _below(grid, results, grid.attacked, ("l",)),
        ),
        claim(
            "figure 2",
            "All three probabilities of attack rise with |S|.",
            "each step of |S| raises the mean",
            lambda grid, results: _grows(grid, results, grid.attacked, "secrets"),
        ),
        claim(
            "figure 2",
            "MICD's probability of attack is below that of the other two.",
            "means compared at every |S|",
            lambda grid, results: _below(grid, results, grid.attacked, ("secrets",)),
        ),
        claim(
            "figure 3",
            "As l grows, MICD's noise ratio first rises, then falls.",
            top,
            lambda grid, results: _turns(grid, results, NOISE, (grid.micd,)),
        ),
        claim(
            "figure 3",
            "The noise ratios of the other two rise with l.",
            "each step of l raises the mean",
            lambda grid, results: _others_grow(grid, results),
        ),
        claim(
            "figure 3",
            "They rise ever more slowly.",
            "each step of l adds less to the mean than the step before",
            _ever_more_slowly,
        ),
        claim(
            "figure 3",
            "MICD's noise ratio is far below that of the other two.",
            f"at every l, the other's mean is {FAR} times MICD's or more",
            lambda grid, results: _below(grid, results, NOISE, ("l",), times=FAR),
        ),
        claim(
            "figures 3, 4",
            "MICD's noise ratio is below that of the other two.",
            "means compared at every setting of the two figures",
            lambda grid, results: _below(grid, results, NOISE, ("l", "secrets")),
        ),
        claim(
            "figure 4",
            "All three noise ratios grow with |S|.",
            "each step of |S| raises the mean",
            lambda grid, results: _grows(grid, results, NOISE, "secrets"),
        ),
        claim(
            "figure 4",
            "For |S| below 4, all three noise ratios are near 0.",
            f"the mean is at most {NEAR_ZERO:g}",
            _near_zero,
        ),
        claim(
            "figure 4",
            "With each further attribute the noise grows linearly.",
            f"a straight line explains {STRAIGHT:.0%} of the variance of the means over |S| or "
            "more (straight), and rises (rises)",
            _linear,
        ),
        claim(
            "figure 5",
            "All three methods' time falls with l.",
            "each step of l lowers the mean time",
            lambda grid, results: _grows(grid, results, TIME, "l", falls),
        ),
        claim(
            "figures 5, 6",
            "Decomposition+ takes less time than Decomposition.",
            "mean times compared at every setting of the two figures",
            _plus_faster,
        ),
        claim(
            "figures 5, 6",
            "MICD takes more time than the other two.",
            "mean times compared at every setting of the two figures",
            _slower,
        ),
        claim(
            "figures 5, 6",
            f"The three methods' times differ by less than {SECONDS} s.",
            "the slowest mean less the fastest, at every setting of the two figures",
            _within_seconds,
        ),
        claim(
            "figure 6",
            "All three methods' time grows with |S|.",
            "each step of |S| raises the mean time",
            lambda grid, results: _grows(grid, results, TIME, "secrets"),
        ),
        claim(
            "figure 6",
            "MICD takes slightly longer than the other two.",
            f"at every |S| its mean time is above that of the slower of the two (slower), and less "
            f"than {MARKEDLY:g} times it (slightly)",
            _slightly_slower,
        ),
    ]


@lru_cache(maxsize=1)
def columns() -> dict[str, SensitiveColumn]:
    """Encode the sensitive columns of all rows."""
    frame = adult.rows_of(complete=True, train=True)
    return {name: SensitiveColumn.encode(frame[name], ()) for name in SECRETS}


def out_of_reach() -> dict[str, int]:
    """Find, for each column, the least l from which no group can be open to an attack."""
    found = {}
    for name, column in columns().items():
        high = int(highly_sensitive(column).sum())
        found[name] = next(
            least for least in range(2, column.size + 2) if high < Fraction(str(THRESHOLD)) * least
        )
    return found


def _more_groups(grid: Grid, results: Results) -> Finding:
    printed, even = (
        replace(grid, primary=primary).line(results, GROUPS, DECOMPOSITION, "l")
        for primary in (PRINTED, "occupation")
    )
    both = [x for x in printed if x in even]
    cases = [Case("more groups", {"l": x}, above(even[x], printed[x])) for x in both]
    factors = {x: even[x].mean / printed[x].mean for x in both}
    return judge(cases, f"Occupation makes so many times as many: {course(factors, 'l = {}')}.")


def _within_bound(grid: Grid, results: Results) -> Finding:
    cases, said = [], []
    for method, shown in grid.methods.items():
        shares = []
        for place, noise, most in _both(grid, results, (NOISE, method), (BOUND, method)):
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


def _turns(grid: Grid, results: Results, column: str, methods: Sequence[str]) -> Finding:
    cases, said = [], []
    for method in methods:
        if not (found := grid.line(results, column, method, "l")):
            continue
        top = max(found, key=lambda x: found[x].mean)
        cases.append(Case(f"{grid.methods[method]}, top", {"l": top}, turns(found, CLEARLY)))
        said.append(f"{grid.methods[method]} has {course(means(found), 'l = {}')}.")
    return judge(cases, " ".join(said))


def _side(
    grid: Grid,
    results: Results,
    ls: Sequence[int],
    compare: Callable[[Sample, Sample], Comparison] = rises,
) -> Finding:
    """Judge the steps of some l only."""
    cases = []
    for method, shown in grid.methods.items():
        found = grid.line(results, grid.attacked, method, "l")
        some = {x: sample for x, sample in found.items() if x in ls}
        cases += steps(some, shown, {}, "l", compare)
    return judge(cases)


def _grows(
    grid: Grid,
    results: Results,
    column: str,
    over: str,
    compare: Callable[[Sample, Sample], Comparison] = rises,
) -> Finding:
    cases, said = [], []
    for method, found in grid.lines(results, column, over).items():
        cases += steps(found, grid.methods[method], {}, WORDS[over], compare)
        said.append(f"{grid.methods[method]} has {course(means(found), f'{WORDS[over]} = {{}}')}.")
    return judge(cases, " ".join(said))


def _others_grow(grid: Grid, results: Results) -> Finding:
    cases, said = [], []
    for method, shown in grid.others.items():
        found = grid.line(results, NOISE, method, "l")
        cases += steps(found, shown, {}, "l")
        said.append(f"{shown} has {course(means(found), 'l = {}')}.")
    return judge(cases, " ".join(said))


def _ever_more_slowly(grid: Grid, results: Results) -> Finding:
    cases, said = [], []
    for method, shown in grid.others.items():
        found = grid.line(results, NOISE, method, "l")
        added = {high: (found[high] - found[low]) / (high - low) for low, high in pairwise(found)}
        cases += steps(added, shown, {}, "step to l", falls)
        said.append(f"{shown} adds {course(means(added), 'the step to {}')}.")
    return judge(cases, " ".join(said))


def _below(
    grid: Grid, results: Results, column: str, overs: Sequence[str], *, times: float = 1
) -> Finding:
    """Compare MICD with each of the others; with ``times``, by at least that factor."""
    cases, said = [], []
    for method, shown in grid.others.items():
        ratios: list[float] = []
        zeros: list[dict[str, int]] = []
        for place, ours, theirs in _both(
            grid, results, (column, grid.micd), (column, method), overs
        ):
            cases.append(Case(f"MICD < {shown}", place, exceeds(theirs, ours, times)))
            ratios += ratio(ours, theirs)
            if not theirs.mean and not ours.mean:
                zeros.append(place)
        said += [f"MICD has {between(ratios, ' times')} the mean of {shown}."] if ratios else []
        said += [f"Both it and {shown} have 0 at {places(zeros)}."] if zeros else []
    return judge(cases, " ".join(said))


def _near_zero(grid: Grid, results: Results) -> Finding:
    cases, said = [], []
    for method, found in grid.lines(results, NOISE, "secrets").items():
        few = {count: noise for count, noise in found.items() if count < 4}
        shown = grid.methods[method]
        cases += [
            Case(shown, {"|S|": count}, below(noise, NEAR_ZERO, or_equal=True))
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


def _plus_faster(grid: Grid, results: Results) -> Finding:
    cases, factors = [], []
    for place, plus, plain in _both(grid, results, (TIME, PLUS), (TIME, DECOMPOSITION)):
        cases.append(Case("faster", place, below(plus, plain)))
        factors += ratio(plus, plain)
    return judge(cases, f"It takes {between(factors, ' times')} as long.")


def _slower(grid: Grid, results: Results) -> Finding:
    cases, said = [], []
    for method, shown in grid.others.items():
        factors = []
        for place, ours, theirs in _both(grid, results, (TIME, grid.micd), (TIME, method)):
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
    ours = lines.pop(grid.micd, {})
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


def _both(
    grid: Grid,
    results: Results,
    first: tuple[str, str],
    second: tuple[str, str],
    overs: Sequence[str] = ("l", "secrets"),
) -> Iterator[tuple[dict[str, int], Sample, Sample]]:
    """Give two samples (a column and a method each) at each setting of some figures, once."""
    for over in overs:
        one, other = (
            grid.line(results, column, method, over) for column, method in (first, second)
        )
        for x in sorted(one.keys() & other.keys()):
            if over == "l" or len(overs) == 1 or x != COUNT:
                yield {WORDS[over]: x}, one[x], other[x]
