"""Rules of Gong et al. (2013) alone, the settings that they need, and a way to show results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from shoal_papers.claims import between, course, falls, growth, line, means, ratio, spread, steps
from shoal_papers.lines import Settings
from shoal_papers.readings import View
from shoal_papers.results import Results
from shoal_papers.rules import Points
from shoal_papers.samples import Sample, above, below, exceeds, within
from shoal_papers.verdicts import Case, Finding, judge, number

__all__ = ["FEW_KS", "FEW_WIDTHS", "RULES", "WIDTH", "Grid", "K", "ratios", "used"]

LOSS, GENERALIZATION, SUPPRESSION = "iloss_rate", "generalization", "suppression"

KAIM = "kaim"
DROPS, PAIRS = "k-member-drop", "k-member-drop-pairs"
"""The paper's k-member: incomplete rows are deleted, and cost 1 in every column. The second is the
pair of quasi-identifiers that loses most."""

K, WIDTH = 5, 8
"""The setting at which the paper lets the missing rate grow."""

FEW_KS, FEW_WIDTHS = (2, 5, 10), (2, 5, 8)
"""The values of k of figures 5, 6 and 8, and those of |QI| of figures 4 and 8."""


@dataclass(frozen=True)
class Grid(Settings):
    """The settings that were measured."""

    @property
    def rows(self) -> int:
        """All rows."""
        return int(self.usual["rows"])

    def points(
        self,
        results: Results,
        number: str,
        over: tuple[str, ...],
        fixed: Mapping[str, Any],
        also: Any = (),
    ) -> Points:
        """Give a line; over missing rates in per cent, with the table's own among them."""
        found = super().points(results, number, over, fixed, also)
        if over != ("vmr_target",):
            return found
        own = super().points(results, "vmr", over, fixed, also)
        return {rate or round(100 * own[rate].mean, 2): found[rate] for rate in found}

    def by_rate(self, results: Results, number: str, method: str) -> Points:
        """Give a method's line over the missing rates."""
        fixed = {**self.usual, "method": method}
        return self.points(results, number, ("vmr_target",), fixed)


def ratios(
    grid: Grid, results: Results, method: str, other: str, column: str = LOSS
) -> dict[float, float]:
    """Give a method's mean loss over another's, for each missing rate in per cent."""
    ours, theirs = (grid.by_rate(results, column, name) for name in (method, other))
    return {r: each for r in ours if r in theirs for each in ratio(ours[r], theirs[r])}


def about_as_stated(grid: Grid, results: Results, stated: float, off: float) -> Finding:
    """Compare the ratio of losses, at the table's own missing rate, with the paper's."""
    found = ratios(grid, results, KAIM, DROPS)
    if not found:
        return judge([])
    own = min(found)
    ours, theirs = (grid.by_rate(results, LOSS, name)[own] for name in (KAIM, DROPS))
    near = within(ours, (1 - off) * stated * theirs, (1 + off) * stated * theirs)
    texts = ", ".join(f"{each:.1%} at VMR = {rate:g} %" for rate, each in found.items())
    return judge([Case("about 43.8 %", {"VMR": f"{own:g} %"}, near)], f"It is {texts}.")


def falls_slowly(
    grid: Grid, results: Results, method: str, fall: float = 0, keeps: float | None = None
) -> Finding:
    """Ask whether a loss falls with n by a share of its panel's largest mean, or of its start."""
    if method not in grid.methods:
        return judge([])
    shown = grid.methods[method]
    cases, factors, shares = [], [], []
    for k in FEW_KS:
        at = {"quasi": WIDTH, "k": k, "vmr_target": 0}
        both = {
            name: line(results, LOSS, "rows", grid.values["rows"], method=name, **at)
            for name in (KAIM, DROPS)
        }
        losses = both[method]
        if len(losses) < 2:
            continue
        cases += steps(losses, f"{shown} step by step", {"k": k}, "n", falls)
        first, last, top = losses[min(losses)], losses[max(losses)], _top(*both.values())
        if keeps is None:
            slow = below(first - last, fall * top, or_equal=True)
        else:
            slow = above(last, keeps * first, or_equal=True)
        cases.append(Case(f"{shown} slowly", {"k": k}, slow))
        factors += growth(losses)
        shares += [100 * each for each in ratio(first - last, top)]
    sizes = grid.values["rows"]
    ends = f"From n = {sizes[0]:,} to {sizes[-1]:,}"
    return judge(
        cases,
        f"{ends} the loss is multiplied by {between(factors)}; it falls by "
        f"{between(shares, ' % of the largest mean of the panel')}.",
    )


def _top(*lines: Mapping[float, Sample] | Mapping[int, Sample]) -> Sample:
    """Find the largest mean of a panel."""
    return max((each for found in lines for each in found.values()), key=lambda each: each.mean)


def falls_with_width(grid: Grid, results: Results) -> Finding:
    """Compare k-member's loss at the largest and the smallest |QI|."""
    cases, factors, texts = [], [], []
    for k in FEW_KS:
        losses = line(results, LOSS, "quasi", grid.values["quasi"], method=DROPS, k=k, **_own(grid))
        costliest = results.samples(LOSS, ("quasi",), method=PAIRS, k=k, **_own(grid))
        if len(losses) > 1:
            last = losses[max(losses)]
            cases.append(Case("k-member", {"k": k}, falls(losses[min(losses)], last)))
            factors += growth(losses)
            pairs = [number(pair.mean) for pair in costliest.values()]
            texts += [f"{pair} at k = {k} ({WIDTH} columns: {number(last.mean)})" for pair in pairs]
    pairs_text = f" The costliest pair of columns loses {', '.join(texts)}." if texts else ""
    figures = f"{_widths(grid)} the loss is multiplied by {between(factors)}."
    return judge(cases, figures + pairs_text)


def rises_sharply(grid: Grid, results: Results, by: float) -> Finding:
    """Ask whether the suppression part and the whole of k-member's loss rise."""
    part = grid.by_rate(results, SUPPRESSION, DROPS)
    whole = grid.by_rate(results, LOSS, DROPS)
    cases = [*steps(part, "suppression", {}, "VMR"), *steps(whole, "loss", {}, "VMR")]
    if whole:
        first, last = whole[min(whole)], whole[max(whole)]
        sharply = exceeds(last, first, by)
        cases.append(Case("sharply", _from_to(whole), sharply))
    return judge(cases, f"The suppression part is {_course(part)}; the loss {_course(whole)}.")


def rises_slowly(grid: Grid, results: Results, rise: float = 0, by: float | None = None) -> Finding:
    """Ask whether KAIM's loss rises by a share of the panel's largest mean, or of its start."""
    losses = grid.by_rate(results, LOSS, KAIM)
    theirs = grid.by_rate(results, LOSS, DROPS)
    if not losses or not theirs:
        return judge([])
    start, end = min(losses), max(losses)
    texts = f"The loss is {_course(losses)}."
    if by is not None:
        found = below(losses[end], by * losses[start], or_equal=True)
    else:
        slow, sharp = ({r: of[r] - of[start] for r in of} for of in (losses, theirs))
        found = below(slow[end], rise * _top(losses, theirs), or_equal=True)
        shares = [
            f"{share:.1%} up to VMR = {rate:g} %"
            for rate in slow
            for share in ratio(slow[rate], sharp[rate])
        ]
        texts += f" Its rise, as a share of k-member's, is {', '.join(shares)}."
    case = Case("slowly", _from_to(losses), found)
    return judge([*steps(losses, "step by step", {}, "VMR"), case], texts)


def ratio_falls(grid: Grid, results: Results) -> Finding:
    """Each step of the missing rate lowers the ratio of losses, seed by seed."""
    ours, theirs = (grid.by_rate(results, LOSS, name) for name in (KAIM, DROPS))
    by_seed = {r: ours[r] / theirs[r] for r in ours if r in theirs and theirs[r].mean}
    found = ratios(grid, results, KAIM, DROPS)
    texts = course(found, "{:g} %")
    return judge(steps(by_seed, "ratio", {}, "VMR", falls), f"It is {texts}.")


def stable(grid: Grid, results: Results, panel: str, share: float) -> Finding:
    """Ask whether KAIM's repetitions spread little: by the scale of a panel, or their own mean."""
    found = results.of(LOSS, method=KAIM, **_own(grid)).sort("k", "quasi")
    rows = [
        row
        for row in found.iter_rows(named=True)
        if row["quasi"] in FEW_WIDTHS and row["k"] in FEW_KS
    ]
    if len(rows) < len(FEW_WIDTHS) * len(FEW_KS):
        return judge([])  # a panel that is not whole has another scale
    cases, of_panel, of_mean = [], [], []
    for row in rows:
        of_mean.append(spread(row))
        shown = [r for r in rows if r[panel] == row[panel]] if panel else [row]
        most = max(each["mean"] for each in shown)
        of_panel.append((row["max"] - row["min"]) / most if most else 0.0)
        cases.append(Case("KAIM", {"k": row["k"], "|QI|": row["quasi"]}, of_panel[-1] <= share))
    shares = between([100 * each for each in of_mean], " % of the mean of its setting")
    if panel:
        panels = between([100 * each for each in of_panel], " % of the panel's largest mean")
        shares = f"{panels}, and {shares}"
    return judge(cases, f"The spread is {shares}.")


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
    return "From |QI| = {} to {}".format(min(grid.values["quasi"]), max(grid.values["quasi"]))


RULES = {
    "about as stated": about_as_stated,
    "falls slowly": falls_slowly,
    "falls with width": falls_with_width,
    "ratio falls": ratio_falls,
    "rises sharply": rises_sharply,
    "rises slowly": rises_slowly,
    "stable": stable,
}


def used(given: Any) -> View:
    """Show, below eight quasi-identifiers, the runs that delete by those in use."""

    def view(results: Results) -> Results:
        method, narrow = pl.col("method"), pl.col("quasi") < WIDTH
        runs = results.runs.filter(~((method == "k-member-drop") & narrow))
        shown = method.replace({"k-member-drop-used": "k-member-drop"})
        return Results(runs.with_columns(shown), results.numbers)

    return view
