"""Rules of Gu and Dong (2022) alone, and ways to show their results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any, TypeAlias

import polars as pl

from shoal.measures._weighing import WeightKind
from shoal_papers.claims import course, means, steps
from shoal_papers.mi_loss.grid import (
    GAIN_RATIO,
    MODELS,
    OPTIMA,
    ORIGINAL,
    PUBLISHED,
    RIVALS,
    STARRED,
    UNLIMITED,
    Grid,
)
from shoal_papers.mi_loss.weights import judge_weights
from shoal_papers.readings import View, counting
from shoal_papers.results import SEED, Results
from shoal_papers.samples import Comparison, Sample, above, below, within, worst
from shoal_papers.verdicts import WITHIN_NOISE, Case, Finding, judge

__all__ = ["FEWER_SPLITS", "RULES", "limited", "starred"]

FEWER_SPLITS = 3
"""Splits of readings that are not the default."""

Leads: TypeAlias = Mapping[tuple[str, str], Mapping[int, Sample]]
"""Per set of intervals and rival, by how many points the accuracy is above at each k."""


def points(values: Sequence[float]) -> str:
    """Write the least and the largest of some differences.

    Examples
    --------
    >>> points([-0.004, 2.5])
    '-0.004 to 2.500 points'
    """
    return f"{min(values):.3f} to {max(values):.3f} points" if values else "nothing"


def weights(grid: Grid, results: Results, kind: WeightKind, near: float) -> Finding:
    """Compare weights with the printed ones."""
    return judge_weights(kind, near)


def raw_accuracy(grid: Grid, results: Results, printed: float, off: float) -> Finding:
    """Compare the raw table's accuracy with the printed one, off by some points at most."""
    raw, most = _accuracy_of_raw(results, PUBLISHED), off / 100
    near = within(raw, printed - most, printed + most)
    ends = [f"{end(raw.values.values()):.2%}" for end in (min, max)]
    case = Case("near", {"accuracy": f"{raw.mean:.2%}"}, near)
    return judge([case], f"{raw.mean:.2%} ({' to '.join(ends)}).")


def _accuracy_of_raw(results: Results, number: str) -> Sample:
    (found,) = results.samples(number, ("k",), method="raw").values()
    return found


def _on_both(judged: Callable[..., Finding]) -> Callable[..., Finding]:
    """Judge by published rows, as the paper does, and report how it stands on original ones."""

    @wraps(judged)
    def judge_both(grid: Grid, results: Results, **given: Any) -> Finding:
        found, other = (judged(grid, results, number, **given) for number in (PUBLISHED, ORIGINAL))
        is_ = "is " if other.verdict == WITHIN_NOISE else ""
        texts = f"{found.figures} On original rows it {is_}{other.verdict}: {other.measured}"
        return replace(found, figures=texts)

    return judge_both


@_on_both
def bounded_by_raw(grid: Grid, results: Results, number: str) -> Finding:
    """Compare every optimum with the raw table."""
    raw = _accuracy_of_raw(results, number)
    cases, less = [], []
    for method, shown in MODELS.items():
        for intervals in grid.intervals:
            for k, accuracy in grid.line(results, number, method, intervals).items():
                less.append(100 * (raw - accuracy).mean)
                place = {"intervals": intervals, "optimum": shown, "k": k}
                cases.append(Case("not above", place, below(accuracy, raw, or_equal=True)))
    return judge(cases, f"They are below it by {points(less)}.")


def _leads(grid: Grid, results: Results, number: str) -> Leads:
    made = {}
    for intervals in grid.intervals:
        mine = grid.line(results, number, GAIN_RATIO, intervals)
        for rival, shown in RIVALS.items():
            theirs = grid.line(results, number, rival, intervals)
            made[intervals, shown] = {k: 100 * (mine[k] - theirs[k]) for k in mine}
    return made


@_on_both
def best(grid: Grid, results: Results, number: str) -> Finding:
    """Ask whether the gain-ratio loss is above its rivals."""
    return _each(_leads(grid, results, number), "above", lambda lead: above(lead, 0))


@_on_both
def leads_by(grid: Grid, results: Results, number: str, least: float, largest: float) -> Finding:
    """Ask whether it leads by some points."""
    leads = _leads(grid, results, number)
    return _each(leads, "over", lambda lead: within(lead, least, largest))


def _each(leads: Leads, part: str, compare: Callable[[Sample], Comparison]) -> Finding:
    cases = [
        Case(f"{part} {rival}", {"intervals": intervals, "k": k}, compare(lead))
        for (intervals, rival), over_k in leads.items()
        for k, lead in over_k.items()
    ]
    every = [lead.mean for over_k in leads.values() for lead in over_k.values()]
    return judge(cases, f"Leads are {points(every)}.")


@_on_both
def lead_grows(grid: Grid, results: Results, number: str) -> Finding:
    """Compare the lead at the largest k with that at the smallest."""
    cases, texts = [], []
    for (intervals, rival), over_k in _leads(grid, results, number).items():
        first, last = over_k[min(over_k)], over_k[max(over_k)]
        cases.append(Case(f"over {rival}", {"intervals": intervals}, above(last, first)))
        texts.append(f"{intervals}, over {rival} {first.mean:.3f} to {last.mean:.3f}")
    return judge(cases, f"In points, from the smallest k to the largest: {'; '.join(texts)}.")


@_on_both
def accuracy_falls(grid: Grid, results: Results, number: str, no_rise: bool = False) -> Finding:
    """Compare the accuracy at the largest k with that at the smallest, and maybe each step."""
    cases, less = [], []
    for intervals in grid.intervals:
        for method, shown in MODELS.items():
            over_k = grid.line(results, number, method, intervals)
            place = {"intervals": intervals, "optimum": shown}
            if no_rise:
                cases += steps(over_k, "no rise", place, "k", _no_rise)
            first, last = over_k[min(over_k)], over_k[max(over_k)]
            cases.append(Case("falls in all", place, below(last, first)))
            less.append(100 * (first - last).mean)
    return judge(cases, f"From the smallest k to the largest they fall by {points(less)}.")


def _no_rise(before: Sample, after: Sample) -> Comparison:
    return below(after, before, or_equal=True)


def more_accurate_than_equal_weights(
    grid: Grid, results: Results, method: str, number: str
) -> Finding:
    """Compare GAA-CP with weights and without."""
    mine, plain = (grid.line(results, number, each) for each in (method, "gaa-cp"))
    leads = {k: 100 * (mine[k] - plain[k]) for k in mine}
    cases = [Case("above", {"k": k}, above(lead, 0)) for k, lead in leads.items()]
    pairs = [each for lead in leads.values() for each in lead.values.values()]
    return judge(
        cases,
        f"Leads in points: {course(means(leads), 'k = {:g}')}. With the same split and seed "
        f"it is above in {sum(each > 0 for each in pairs)} of {len(pairs)} pairs.",
    )


def more_accurate_than_optima(grid: Grid, results: Results, method: str, number: str) -> Finding:
    """Compare GAA-CP with every optimum."""
    mine = grid.line(results, number, method)
    cases, leads = [], []
    for intervals in grid.intervals:
        lines = [grid.line(results, number, optimum, intervals) for optimum in OPTIMA]
        for k in mine:
            leads.append(100 * (mine[k].mean - max(line[k].mean for line in lines)))
            compared = worst(*(above(mine[k], line[k]) for line in lines))
            cases.append(Case("above all four", {"intervals": intervals, "k": k}, compared))
    return judge(cases, f"Leads over the best of them are {points(leads)}.")


RULES = {
    "best": best,
    "bounded by raw": bounded_by_raw,
    "accuracy falls": accuracy_falls,
    "lead grows": lead_grows,
    "leads by": leads_by,
    "more accurate than equal weights": more_accurate_than_equal_weights,
    "more accurate than optima": more_accurate_than_optima,
    "raw accuracy": raw_accuracy,
    "weights": weights,
}


def starred(given: Any) -> View:
    """Show the accuracy with rows of ``*``, at the repetitions that have it."""
    shown = counting({PUBLISHED: STARRED})

    def view(results: Results) -> Results:
        return shown(Results(results.runs.filter(pl.col(SEED) <= FEWER_SPLITS), results.numbers))

    return view


def limited(limit: int) -> View:
    """Show the optima of a limit, in per cent, in the place of those without one."""

    def view(results: Results) -> Results:
        optimum = pl.col("method").is_in(list(MODELS))
        runs = results.runs.filter(
            pl.col(SEED) <= FEWER_SPLITS, ~optimum | (pl.col("limit") == limit)
        )
        shown = pl.when(optimum).then(pl.lit(UNLIMITED)).otherwise("limit")
        return Results(runs.with_columns(limit=shown.cast(runs.schema["limit"])), results.numbers)

    return view
