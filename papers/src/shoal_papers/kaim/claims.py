"""What Gong et al. (2013) say in abstract and section 4, claim by claim, and how each is judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from shoal_papers.claims import (
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
from shoal_papers.results import Results
from shoal_papers.samples import Sample, above, below, exceeds, within
from shoal_papers.verdicts import Case, Finding, judge, number

__all__ = ["WIDTH", "Grid", "K", "Slowly", "Stable", "by_rate", "claims", "ratios"]

LOSS, GENERALIZATION, SUPPRESSION = "iloss_rate", "generalization", "suppression"

KAIM = "kaim"
DROPS, PAIRS = "k-member-drop", "k-member-drop-pairs"
"""The paper's k-member: incomplete rows are deleted, and cost 1 in every column. The second is the
pair of quasi-identifiers that loses most."""

Slowly: TypeAlias = Literal["panel", "alone"]
"""What a slow change is measured by: the largest mean of its panel, or where the loss began."""

Stable: TypeAlias = Literal["k", "quasi", "mean"]
"""What a spread of repetitions is measured by: the largest mean of a panel, with a panel per k or
per |QI|, or the mean of the same setting."""

K, WIDTH = 5, 8
"""The setting at which the paper lets the missing rate grow."""

STATED, NEAR = 0.438, 0.1
"""The paper's ratio, and how far, as a share of it, ours may lie from it to be about that."""

FALL, RISE = 0.5, 0.1
"""A loss falls, or rises, slowly if it does so by at most this share of the largest mean."""

SLOWLY = 1.5
"""A loss, taken alone, rises slowly if it ends at this many times its start or less."""

SHARPLY = 2.0
"""It rises sharply if it ends at this many times its start or more."""

KEPT = 0.5
"""A loss, taken alone, falls slowly if it ends at this share of its start or more."""

STEADY = 0.015
"""Repetitions are stable if they spread over at most this share of a panel's largest mean."""

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
    """

    rows: int
    widths: Sequence[int]
    ks: Sequence[int]
    sizes: Sequence[int]
    rates: Sequence[int]
    far: int

    few_ks: tuple[int, ...] = (2, 5, 10)
    """The values of k of figures 5, 6 and 8."""

    few_widths: tuple[int, ...] = (2, 5, 8)
    """The numbers of quasi-identifiers of figures 4 and 8."""


WHY_NOT = (
    "Equation 7 divides by |QI|: a loss is a mean over columns, and what deleted rows pay is the "
    "same for every |QI|. Groups of eight columns are groups of every two of them, too, and "
    "their loss is the mean of what the pairs lose in them; so the best groups of two columns "
    "lose, in the mean over pairs, no more than the best of eight. k-member comes nowhere near "
    "an exception, whatever the order of columns: the dearest of the 28 pairs, Age and Native "
    "Country, loses 0.0758, 0.0793 and 0.0837 at k = 2, 5 and 10, all eight columns 0.101, 0.143 "
    "and 0.188."
)


def claims(grid: Grid, slowly: Slowly = "panel", stable: Stable = "k") -> list[Claim]:
    """List the claims in the order of the text, with two rules as they are read."""
    falling = "each step of n lowers the mean loss (step by step), and " + (
        f"from the smallest table to the largest it falls by {FALL:.0%} or less of the largest "
        "mean of its panel, a panel for each k (slowly)"
        if slowly == "panel"
        else f"the largest table has {KEPT:.0%} of the smallest one's or more (slowly)"
    )
    return [
        Claim(
            "abstract, figure 7(b)",
            "KAIM's loss is about 43.8 % of k-member's.",
            f"at k = {K}, |QI| = {WIDTH} and the table's own missing rate, the ratio of mean "
            f"losses is {STATED:.1%} give or take a tenth of it (the text says only that the ratio "
            "falls as the rate grows)",
            lambda results: _about_stated(grid, results),
        ),
        Claim(
            "figures 4–7",
            "Under the same conditions, KAIM always loses less than k-member.",
            "mean losses compared at every setting of figures 4 to 7; k-member deletes incomplete "
            "rows and pays for them",
            lambda results: _below(grid, results),
        ),
        Claim(
            "figure 4",
            "KAIM's loss grows with k.",
            "each step of k raises the mean loss",
            lambda results: _by_k(grid, results, "KAIM", KAIM),
        ),
        Claim(
            "figure 4",
            "k-member's loss grows with k.",
            "each step of k raises the mean loss",
            lambda results: _by_k(grid, results, "k-member", DROPS),
        ),
        Claim(
            "figure 5",
            "As the table grows, KAIM's loss falls slowly.",
            falling,
            lambda results: _by_size(grid, results, "KAIM", KAIM, slowly),
        ),
        Claim(
            "figure 5",
            "As the table grows, k-member's loss falls slowly.",
            falling,
            lambda results: _by_size(grid, results, "k-member", DROPS, slowly),
        ),
        Claim(
            "figure 6",
            "KAIM's loss rises with |QI|.",
            "each step of |QI| raises the mean loss",
            lambda results: _rises_with_width(grid, results),
        ),
        Claim(
            "figure 6",
            "k-member's loss tends to fall with |QI|.",
            "the mean loss at the largest |QI| is below that at the smallest",
            lambda results: _falls_with_width(grid, results),
            WHY_NOT,
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
        Claim(
            "figure 7(b)",
            "KAIM's loss rises slowly with the missing rate.",
            "each step of VMR raises the mean loss (step by step), and "
            + (
                f"from the first to the last it rises by {RISE:.0%} or less of the largest mean of "
                "its panel"
                if slowly == "panel"
                else f"it ends at {SLOWLY:g} times its start or less"
            )
            + " (slowly)",
            lambda results: _rises_slowly(grid, results, slowly),
        ),
        Claim(
            "figure 7(b)",
            "The ratio (43.8 %) falls as the missing rate grows.",
            "each step of VMR lowers the ratio of losses, KAIM's to k-member's, taken seed by seed",
            lambda results: _ratio_falls(grid, results),
        ),
        Claim(
            "section 4.2",
            "As the missing rate grows further, k-member loses everything.",
            f"at VMR = {grid.far} %, our choice, it publishes no row",
            lambda results: _loses_all(grid, results),
        ),
        Claim(
            "section 4.2",
            "As the missing rate grows further, KAIM's loss can still be borne.",
            f"at VMR = {grid.far} %, our choice, its mean loss is below {TOLERABLE:g}",
            lambda results: _can_be_borne(grid, results),
        ),
        Claim(
            "figure 8",
            "Over 20 repetitions KAIM's results are rather stable.",
            "the largest loss of a setting is above the least by at most "
            + (
                f"{SLIGHTLY:.0%} of its mean"
                if stable == "mean"
                else f"{STEADY:.1%} of the largest mean of its panel, a panel for each "
                + ("k" if stable == "k" else "|QI|")
            ),
            lambda results: _stable(grid, results, stable),
        ),
    ]


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


def _about_stated(grid: Grid, results: Results) -> Finding:
    found = ratios(grid, results, KAIM, DROPS)
    if not found:
        return judge([])
    own = min(found)
    ours, theirs = (by_rate(grid, results, LOSS, name)[own] for name in (KAIM, DROPS))
    near = within(ours, (1 - NEAR) * STATED * theirs, (1 + NEAR) * STATED * theirs)
    said = ", ".join(f"{each:.1%} at VMR = {rate:g} %" for rate, each in found.items())
    return judge([Case("about 43.8 %", {"VMR": f"{own:g} %"}, near)], f"It is {said}.")


def _below(grid: Grid, results: Results) -> Finding:
    ours, theirs = (_by_setting(grid, results, name) for name in (KAIM, DROPS))
    cases, factors = [], []
    for setting in sorted(ours.keys() & theirs.keys()):
        n, rate, q, k = setting
        place: dict[str, int | str] = {} if n == grid.rows else {"n": f"{n:,}"}
        place |= {"VMR": f"{rate} %"} if rate else {}
        place |= {"|QI|": q, "k": k}
        cases.append(Case("KAIM < k-member", place, below(ours[setting], theirs[setting])))
        factors += ratio(ours[setting], theirs[setting])
    return judge(cases, f"KAIM loses {between(factors, ' times')} what k-member loses.")


def _by_k(grid: Grid, results: Results, shown: str, method: str) -> Finding:
    cases, factors = [], []
    for q in grid.few_widths:
        losses = line(results, LOSS, "k", grid.ks, method=method, quasi=q, **_own(grid))
        cases += steps(losses, shown, {"|QI|": q}, "k")
        factors += growth(losses)
    ends = f"From k = {grid.ks[0]} to {grid.ks[-1]}"
    return judge(cases, f"{ends} the loss is multiplied by {between(factors)}.")


def _by_size(grid: Grid, results: Results, shown: str, method: str, slowly: Slowly) -> Finding:
    cases, factors, shares = [], [], []
    for k in grid.few_ks:
        at = {"quasi": WIDTH, "k": k, "vmr_target": 0}
        both = {
            name: line(results, LOSS, "rows", grid.sizes, method=name, **at)
            for name in (KAIM, DROPS)
        }
        losses = both[method]
        if len(losses) < 2:
            continue
        cases += steps(losses, f"{shown} step by step", {"k": k}, "n", falls)
        first, last, top = losses[min(losses)], losses[max(losses)], _top(*both.values())
        if slowly == "panel":
            slow = below(first - last, FALL * top, or_equal=True)
        else:
            slow = above(last, KEPT * first, or_equal=True)
        cases.append(Case(f"{shown} slowly", {"k": k}, slow))
        factors += growth(losses)
        shares += [100 * each for each in ratio(first - last, top)]
    ends = f"From n = {grid.sizes[0]:,} to {grid.sizes[-1]:,}"
    return judge(
        cases,
        f"{ends} the loss is multiplied by {between(factors)}; it falls by "
        f"{between(shares, ' % of the largest mean of the panel')}.",
    )


def _top(*lines: Mapping[float, Sample] | Mapping[int, Sample]) -> Sample:
    """Find the largest mean of a panel."""
    return max((each for found in lines for each in found.values()), key=lambda each: each.mean)


def _rises_with_width(grid: Grid, results: Results) -> Finding:
    cases, factors = [], []
    for k in grid.few_ks:
        losses = line(results, LOSS, "quasi", grid.widths, method=KAIM, k=k, **_own(grid))
        cases += steps(losses, "KAIM", {"k": k}, "|QI|")
        factors += growth(losses)
    return judge(cases, f"{_widths(grid)} the loss is multiplied by {between(factors)}.")


def _falls_with_width(grid: Grid, results: Results) -> Finding:
    cases, factors, said = [], [], []
    for k in grid.few_ks:
        losses = line(results, LOSS, "quasi", grid.widths, method=DROPS, k=k, **_own(grid))
        dearest = results.samples(LOSS, ("quasi",), method=PAIRS, k=k, **_own(grid))
        if len(losses) > 1:
            last = losses[max(losses)]
            cases.append(Case("k-member", {"k": k}, falls(losses[min(losses)], last)))
            factors += growth(losses)
            pairs = [number(pair.mean) for pair in dearest.values()]
            said += [f"{pair} at k = {k} ({WIDTH} columns: {number(last.mean)})" for pair in pairs]
    pairs_said = f" The dearest pair of columns loses {', '.join(said)}." if said else ""
    figures = f"{_widths(grid)} the loss is multiplied by {between(factors)}."
    return judge(cases, figures + pairs_said)


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


def _rises_slowly(grid: Grid, results: Results, slowly: Slowly) -> Finding:
    losses = by_rate(grid, results, LOSS, KAIM)
    theirs = by_rate(grid, results, LOSS, DROPS)
    if not losses or not theirs:
        return judge([])
    start, end = min(losses), max(losses)
    said = f"The loss is {_course(losses)}."
    if slowly == "alone":
        found = below(losses[end], SLOWLY * losses[start], or_equal=True)
    else:
        rise, sharp = ({r: of[r] - of[start] for r in of} for of in (losses, theirs))
        found = below(rise[end], RISE * _top(losses, theirs), or_equal=True)
        shares = [
            f"{share:.1%} up to VMR = {rate:g} %"
            for rate in rise
            for share in ratio(rise[rate], sharp[rate])
        ]
        said += f" Its rise, as a share of k-member's, is {', '.join(shares)}."
    slow = Case("slowly", _from_to(losses), found)
    return judge([*steps(losses, "step by step", {}, "VMR"), slow], said)


def _ratio_falls(grid: Grid, results: Results) -> Finding:
    ours, theirs = (by_rate(grid, results, LOSS, name) for name in (KAIM, DROPS))
    by_seed = {r: ours[r] / theirs[r] for r in ours if r in theirs and theirs[r].mean}
    found = ratios(grid, results, KAIM, DROPS)
    said = course(found, "{:g} %")
    return judge(steps(by_seed, "ratio", {}, "VMR", falls), f"It is {said}.")


def _loses_all(grid: Grid, results: Results) -> Finding:
    lost = by_rate(grid, results, SUPPRESSION, DROPS, far=True).get(grid.far)
    if lost is None:
        return judge([])
    case = Case("k-member", {"VMR": f"{grid.far} %"}, lost.mean == 1)
    return judge([case], f"It deletes {lost.mean:.2%} of all rows there.")


def _can_be_borne(grid: Grid, results: Results) -> Finding:
    lost = by_rate(grid, results, LOSS, KAIM, far=True).get(grid.far)
    if lost is None:
        return judge([])
    case = Case("KAIM", {"VMR": f"{grid.far} %"}, below(lost, TOLERABLE))
    most = 1 - grid.far / 100
    return judge(
        [case],
        f"It is {number(lost.mean)}; a missing cell costs nothing, so it cannot be above "
        f"{most:.1f}.",
    )


def _stable(grid: Grid, results: Results, stable: Stable) -> Finding:
    found = results.of(LOSS, method=KAIM, **_own(grid)).sort("k", "quasi")
    rows = [
        row
        for row in found.iter_rows(named=True)
        if row["quasi"] in grid.few_widths and row["k"] in grid.few_ks
    ]
    if len(rows) < len(grid.few_widths) * len(grid.few_ks):
        return judge([])  # a panel that is not whole has another scale
    cases, of_panel, of_mean = [], [], []
    for row in rows:
        of_mean.append(spread(row))
        panel = [row] if stable == "mean" else [r for r in rows if r[stable] == row[stable]]
        most = max(each["mean"] for each in panel)
        of_panel.append((row["max"] - row["min"]) / most if most else 0.0)
        allowed = SLIGHTLY if stable == "mean" else STEADY
        cases.append(Case("KAIM", {"k": row["k"], "|QI|": row["quasi"]}, of_panel[-1] <= allowed))
    shares = between([100 * each for each in of_mean], " % of the mean of its setting")
    if stable != "mean":
        panels = between([100 * each for each in of_panel], " % of the panel's largest mean")
        shares = f"{panels}, and {shares}"
    return judge(cases, f"The spread is {shares}.")


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
