"""What paper 2 says in its abstract and section 4, claim by claim, and how each is judged.

The paper describes its distance as a change of entropy, but prints another one (equation 9).
What it says of KAIM is therefore judged twice, once for each reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from shoal.papers.claims import (
    SLIGHTLY,
    Claim,
    between,
    course,
    falls,
    growth,
    line,
    means,
    ratio,
    spread,
    steps,
)
from shoal.papers.results import Results
from shoal.papers.samples import Sample, above, below, exceeds, within
from shoal.papers.verdicts import Case, Finding, judge, number

__all__ = ["WIDTH", "Grid", "K", "by_rate", "claims", "ratios"]

LOSS, GENERALIZATION, SUPPRESSION = "iloss_rate", "generalization", "suppression"

DROPS = "k-member-drop"
"""The paper's k-member: incomplete rows are dropped, and cost 1 in every column."""

K, WIDTH = 5, 8
"""The setting at which the paper lets the missing rate grow."""

STATED, NEAR = 0.438, 0.1
"""The paper's ratio, and how far, as a share of it, ours may lie from it to be about that."""

SLOWLY = 1.5
"""A loss rises slowly over the missing rates if it ends at this many times its start or less."""

SHARPLY = 2.0
"""It rises sharply if it ends at this many times its start or more."""

KEPT = 0.5
"""A loss falls slowly over n if the largest table still has this share of the smallest's."""

TOLERABLE = 0.5
"""A loss can be borne if it stays below this."""


@dataclass(frozen=True)
class Grid:
    """The settings that were measured.

    Parameters
    ----------
    rates
        Missing rates of figure 7, in per cent; 0 stands for the table's own.
    far
        The missing rate that stands for one that "grows further".
    readings
        The series that are KAIM, with a word for each reading of its distance.
    """

    rows: int
    widths: Sequence[int]
    ks: Sequence[int]
    sizes: Sequence[int]
    rates: Sequence[int]
    far: int
    readings: Mapping[str, str]

    few_ks: tuple[int, ...] = (2, 5, 10)
    """The values of k of figures 5, 6 and 8."""

    few_widths: tuple[int, ...] = (2, 5, 8)
    """The numbers of quasi-identifiers of figures 4 and 8."""


def claims(grid: Grid) -> list[Claim]:
    """List the claims in the order of the text; those about KAIM once for each reading."""
    of_kaim = _OfKaim(grid)
    of_kmember = {"k-member": DROPS}
    return [
        *of_kaim(
            "abstract, figure 7(b)",
            "KAIM's loss is about 43.8 % of k-member's.",
            f"at k = {K}, |QI| = {WIDTH} and the table's own missing rate, the ratio of mean "
            f"losses is {STATED:.1%} give or take a tenth of it (the text does not say at which "
            "rate)",
            _about_stated,
        ),
        *of_kaim(
            "figures 4–7",
            "Under the same conditions, KAIM always loses less than k-member.",
            "mean losses compared at every setting of figures 4 to 7; k-member drops incomplete "
            "rows and pays for them",
            _below,
        ),
        *of_kaim(
            "figure 4",
            "KAIM's loss grows with k.",
            "each step of k raises the mean loss",
            lambda grid, results, method: _by_k(grid, results, {"KAIM": method}),
        ),
        Claim(
            "figure 4",
            "k-member's loss grows with k.",
            "each step of k raises the mean loss",
            lambda results: _by_k(grid, results, of_kmember),
        ),
        *of_kaim(
            "figure 5",
            "As the table grows, KAIM's loss falls slowly.",
            f"each step of n lowers the mean loss (step by step), and the largest table has "
            f"{KEPT:.0%} of the smallest one's or more (slowly)",
            lambda grid, results, method: _by_size(grid, results, {"KAIM": method}),
        ),
        Claim(
            "figure 5",
            "As the table grows, k-member's loss falls slowly.",
            f"each step of n lowers the mean loss (step by step), and the largest table has "
            f"{KEPT:.0%} of the smallest one's or more (slowly)",
            lambda results: _by_size(grid, results, of_kmember),
        ),
        *of_kaim(
            "figure 6",
            "KAIM's loss rises with |QI|.",
            "each step of |QI| raises the mean loss",
            _rises_with_width,
        ),
        Claim(
            "figure 6",
            "k-member's loss tends to fall with |QI|.",
            "the mean loss at the largest |QI| is below that at the smallest",
            lambda results: _falls_with_width(grid, results),
        ),
        Claim(
            "figure 7(a)",
            "As the missing rate grows, the generalization part of k-member's loss falls.",
            "each step of VMR lowers its mean",
            lambda results: _parts(grid, results, falling=True),
        ),
        Claim(
            "figure 7(a)",
            "The suppression part and k-member's whole loss rise sharply.",
            "each step of VMR raises their means (suppression, loss), and the loss ends at "
            f"{SHARPLY:g} times its start or more (sharply)",
            lambda results: _parts(grid, results, falling=False),
        ),
        *of_kaim(
            "figure 7(b)",
            "KAIM's loss rises slowly with the missing rate.",
            f"each step of VMR raises the mean loss (step by step), and it ends at {SLOWLY:g} "
            "times its start or less (slowly)",
            _rises_slowly,
        ),
        *of_kaim(
            "figure 7(b)",
            "The ratio (43.8 %) falls as the missing rate grows.",
            "each step of VMR lowers the ratio of losses, KAIM's to k-member's, taken seed by seed",
            _ratio_falls,
        ),
        Claim(
            "section 4.2",
            "As the missing rate grows further, k-member loses everything.",
            f"at VMR = {grid.far} %, our choice, it publishes no row",
            lambda results: _loses_all(grid, results),
        ),
        *of_kaim(
            "section 4.2",
            "As the missing rate grows further, KAIM's loss can still be borne.",
            f"at VMR = {grid.far} %, our choice, its mean loss is below {TOLERABLE:g}",
            _can_be_borne,
        ),
        *of_kaim(
            "figure 8",
            "Over 20 repetitions KAIM's results are rather stable.",
            f"the largest loss of a setting is at most {SLIGHTLY:.0%} of the mean above the least",
            _stable,
        ),
    ]


@dataclass(frozen=True)
class _OfKaim:
    """Makes one claim per reading of KAIM's distance."""

    grid: Grid

    def __call__(
        self, where: str, words: str, rule: str, judged: Callable[[Grid, Results, str], Finding]
    ) -> Iterable[Claim]:
        for method, reading in self.grid.readings.items():
            yield Claim(f"{where}; {reading}", words, rule, self._bound(judged, method))

    def _bound(
        self, judged: Callable[[Grid, Results, str], Finding], method: str
    ) -> Callable[[Results], Finding]:
        return lambda results: judged(self.grid, results, method)


def by_rate(
    grid: Grid, results: Results, column: str, method: str, far: bool = False
) -> dict[float, Sample]:
    """Give a method's line over the missing rates in per cent, the table's own among them."""
    rates = [*grid.rates, *([grid.far] if far else [])]
    at = {"rows": grid.rows, "quasi": WIDTH, "k": K}
    found = line(results, column, "vmr_target", rates, method=method, **at)
    own = line(results, "vmr", "vmr_target", rates, method=method, **at)
    return {rate or round(100 * own[rate].mean, 2): found[rate] for rate in found}


def ratios(
    grid: Grid, results: Results, method: str, other: str, column: str = LOSS
) -> dict[float, float]:
    """Give a method's mean loss over another's, for each missing rate in per cent."""
    ours, theirs = (by_rate(grid, results, column, name) for name in (method, other))
    return {r: each for r in ours if r in theirs for each in ratio(ours[r], theirs[r])}


def _about_stated(grid: Grid, results: Results, method: str) -> Finding:
    found = ratios(grid, results, method, DROPS)
    if not found:
        return judge([])
    own = min(found)
    ours, theirs = (by_rate(grid, results, LOSS, name)[own] for name in (method, DROPS))
    near = within(ours, (1 - NEAR) * STATED * theirs, (1 + NEAR) * STATED * theirs)
    said = ", ".join(f"{each:.1%} at VMR = {rate:g} %" for rate, each in found.items())
    return judge([Case("about 43.8 %", {"VMR": f"{own:g} %"}, near)], f"It is {said}.")


def _below(grid: Grid, results: Results, method: str) -> Finding:
    ours, theirs = (_by_setting(grid, results, name) for name in (method, DROPS))
    cases, factors = [], []
    for setting in sorted(ours.keys() & theirs.keys()):
        n, rate, q, k = setting
        place: dict[str, int | str] = {} if n == grid.rows else {"n": f"{n:,}"}
        place |= {"VMR": f"{rate} %"} if rate else {}
        place |= {"|QI|": q, "k": k}
        cases.append(Case("KAIM < k-member", place, below(ours[setting], theirs[setting])))
        factors += ratio(ours[setting], theirs[setting])
    return judge(cases, f"KAIM loses {between(factors, ' times')} what k-member loses.")


def _by_k(grid: Grid, results: Results, methods: Mapping[str, str]) -> Finding:
    cases, factors = [], []
    for shown, method in methods.items():
        for q in grid.few_widths:
            losses = line(results, LOSS, "k", grid.ks, method=method, quasi=q, **_own(grid))
            cases += steps(losses, shown, {"|QI|": q}, "k")
            factors += growth(losses)
    ends = f"From k = {grid.ks[0]} to {grid.ks[-1]}"
    return judge(cases, f"{ends} the loss is multiplied by {between(factors)}.")


def _by_size(grid: Grid, results: Results, methods: Mapping[str, str]) -> Finding:
    cases, factors = [], []
    for shown, method in methods.items():
        for k in grid.few_ks:
            at = {"quasi": WIDTH, "k": k, "vmr_target": 0}
            losses = line(results, LOSS, "rows", grid.sizes, method=method, **at)
            if not losses:
                continue
            cases += steps(losses, f"{shown} step by step", {"k": k}, "n", falls)
            first, last = losses[min(losses)], losses[max(losses)]
            slowly = above(last, KEPT * first, or_equal=True)
            cases.append(Case(f"{shown} slowly", {"k": k}, slowly))
            factors += growth(losses)
    ends = f"From n = {grid.sizes[0]:,} to {grid.sizes[-1]:,}"
    return judge(cases, f"{ends} the loss is multiplied by {between(factors)}.")


def _rises_with_width(grid: Grid, results: Results, method: str) -> Finding:
    cases, factors = [], []
    for k in grid.few_ks:
        losses = line(results, LOSS, "quasi", grid.widths, method=method, k=k, **_own(grid))
        cases += steps(losses, "KAIM", {"k": k}, "|QI|")
        factors += growth(losses)
    return judge(cases, f"{_widths(grid)} the loss is multiplied by {between(factors)}.")


def _falls_with_width(grid: Grid, results: Results) -> Finding:
    cases, factors = [], []
    for k in grid.few_ks:
        losses = line(results, LOSS, "quasi", grid.widths, method=DROPS, k=k, **_own(grid))
        if losses:
            compared = falls(losses[min(losses)], losses[max(losses)])
            cases.append(Case("k-member", {"k": k}, compared))
            factors += growth(losses)
    return judge(cases, f"{_widths(grid)} the loss is multiplied by {between(factors)}.")


def _parts(grid: Grid, results: Results, *, falling: bool) -> Finding:
    """Judge the parts of k-member's loss over the missing rates."""
    if falling:
        part = by_rate(grid, results, GENERALIZATION, DROPS)
        return judge(steps(part, "generalization", {}, "VMR", falls), f"It is {_course(part)}.")
    part = by_rate(grid, results, SUPPRESSION, DROPS)
    whole = by_rate(grid, results, LOSS, DROPS)
    cases = [*steps(part, "suppression", {}, "VMR"), *steps(whole, "loss", {}, "VMR")]
    if whole:
        first, last = whole[min(whole)], whole[max(whole)]
        sharply = exceeds(last, first, SHARPLY)
        cases.append(Case("sharply", _from_to(whole), sharply))
    return judge(cases, f"The suppression part is {_course(part)}; the loss {_course(whole)}.")


def _rises_slowly(grid: Grid, results: Results, method: str) -> Finding:
    losses = by_rate(grid, results, LOSS, method)
    cases = steps(losses, "step by step", {}, "VMR")
    if losses:
        first, last = losses[min(losses)], losses[max(losses)]
        cases.append(Case("slowly", _from_to(losses), below(last, SLOWLY * first, or_equal=True)))
    return judge(cases, f"The loss is {_course(losses)}.")


def _ratio_falls(grid: Grid, results: Results, method: str) -> Finding:
    ours, theirs = (by_rate(grid, results, LOSS, name) for name in (method, DROPS))
    by_seed = {r: ours[r] / theirs[r] for r in ours if r in theirs and theirs[r].mean}
    found = ratios(grid, results, method, DROPS)
    said = course(found, "{:g} %")
    return judge(steps(by_seed, "ratio", {}, "VMR", falls), f"It is {said}.")


def _loses_all(grid: Grid, results: Results) -> Finding:
    lost = by_rate(grid, results, SUPPRESSION, DROPS, far=True).get(grid.far)
    if lost is None:
        return judge([])
    case = Case("k-member", {"VMR": f"{grid.far} %"}, lost.mean == 1)
    return judge([case], f"It drops {lost.mean:.2%} of all rows there.")


def _can_be_borne(grid: Grid, results: Results, method: str) -> Finding:
    lost = by_rate(grid, results, LOSS, method, far=True).get(grid.far)
    if lost is None:
        return judge([])
    case = Case("KAIM", {"VMR": f"{grid.far} %"}, below(lost, TOLERABLE))
    most = 1 - grid.far / 100
    return judge(
        [case],
        f"It is {number(lost.mean)}; a missing cell costs nothing, so it cannot be above "
        f"{most:.1f}.",
    )


def _stable(grid: Grid, results: Results, method: str) -> Finding:
    cases, spreads = [], []
    found = results.of(LOSS, method=method, **_own(grid)).sort("quasi", "k")
    for row in found.iter_rows(named=True):
        if row["quasi"] in grid.few_widths and row["k"] in grid.few_ks:
            spreads.append(100 * spread(row))
            place = {"|QI|": row["quasi"], "k": row["k"]}
            cases.append(Case("KAIM", place, spread(row) <= SLIGHTLY))
    return judge(cases, f"The spread is {between(spreads, ' %')} of the mean.")


def _by_setting(
    grid: Grid, results: Results, method: str
) -> dict[tuple[int, int, int, int], Sample]:
    """Give the losses at every setting of figures 4 to 7."""
    at = ("rows", "vmr_target", "quasi", "k")
    found = results.samples(LOSS, at, method=method)
    return {(n, r, q, k): sample for (n, r, q, k), sample in found.items() if r != grid.far}


def _own(grid: Grid) -> dict[str, int]:
    """All rows, with the cells missing that are missing in the data."""
    return {"rows": grid.rows, "vmr_target": 0}


def _course(over: Mapping[float, Sample]) -> str:
    """Write a line over the missing rates in words."""
    return course(means(over), "{:g} %")


def _from_to(over: Mapping[float, Sample]) -> dict[str, str]:
    """Name both ends of a line over the missing rates."""
    return {"VMR": f"{min(over):g}→{max(over):g}"}


def _widths(grid: Grid) -> str:
    return f"From |QI| = {min(grid.widths)} to {max(grid.widths)}"
