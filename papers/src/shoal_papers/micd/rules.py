"""Rules of Zhang et al. (2014) alone, and a way to show their results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from shoal.measures import highly_sensitive
from shoal_papers.claims import between, course, means, ratio
from shoal_papers.micd.grid import DECOMPOSITION, HIGHEST, MICD, PRINTED, TABLE_5, Grid, columns
from shoal_papers.micd.series import SHUFFLED
from shoal_papers.readings import View
from shoal_papers.results import Results
from shoal_papers.rules import NAMES, Points
from shoal_papers.samples import Sample, above, below, exceeds, worst
from shoal_papers.verdicts import Case, Finding, judge, number as in_words, places

__all__ = ["RULES", "shuffled"]

TIME, GROUPS, NOISE = "cpu_seconds", "groups", "noise_ratio"


def more_groups(grid: Grid, results: Results) -> Finding:
    """Compare how many groups an even and an uneven attribute open."""
    printed, even = (
        grid.at(primary=primary, every=True).line(results, GROUPS, DECOMPOSITION, "l")
        for primary in (PRINTED, HIGHEST)
    )
    both = [x for x in printed if x in even]
    cases = [Case("more groups", {"l": x}, above(even[x], printed[x])) for x in both]
    factors = {x: even[x].mean / printed[x].mean for x in both}
    return judge(cases, f"Occupation makes so many times as many: {course(factors, 'l = {}')}.")


def within_the_bound(grid: Grid, results: Results) -> Finding:
    """Compare the noise of each method with its bound."""
    cases, texts = [], []
    for method, shown in grid.methods.items():
        shares = []
        for place, noise, most in grid.pairs(results, (NOISE, method), ("noise_bound", method)):
            cases.append(Case(shown, place, below(noise, most, or_equal=True)))
            shares += ratio(noise, most)
        texts.append(f"{shown} has {between(shares, ' times')} the bound.")
    return judge(cases, " ".join(texts))


def highest_entropy(grid: Grid, results: Results) -> Finding:
    """Ask whether the attribute that the paper names has the highest entropy."""
    found = {name: column.entropy for name, column in columns().items()}
    highest = max(found, key=lambda name: found[name])
    ranked = sorted(found.items(), key=lambda each: -each[1])
    texts = ", ".join(f"{name} {entropy:.3f}" for name, entropy in ranked)
    return judge([Case("highest", {"column": PRINTED}, highest == PRINTED)], f"In nats: {texts}.")


def table_5(grid: Grid, results: Results) -> Finding:
    """Compare the paper's highly sensitive values with the rarest ones."""
    cases, texts = [], []
    for name, printed in TABLE_5.items():
        column = columns()[name]
        high = highly_sensitive(column)
        rarest = {str(label) for label, is_high in zip(column.labels, high, strict=True) if is_high}
        cases.append(Case("same values", {"column": name}, rarest == set(printed)))
        beside = [*(f"{value} besides" for value in sorted(rarest - set(printed)))]
        beside += [f"{value} not" for value in sorted(set(printed) - rarest)]
        if beside:
            texts.append(f"{name}: {', '.join(beside)}.")
    return judge(cases, f"Among the rarest: {' '.join(texts)}" if texts else "")


def below_both(
    grid: Grid,
    results: Results,
    number: str,
    overs: Sequence[str],
    by: float = 1,
    few: float | None = None,
) -> Finding:
    """Compare MICD with each of the others, by at least a factor.

    Parameters
    ----------
    few
        The number is a share of groups; where fewer than so many of them are concerned with
        either method, there are too few to tell.
    """
    cases, texts = [], []
    for method, shown in grid.others.items():
        ratios: list[float] = []
        zeros: list[dict[str, int]] = []
        both, groups = (
            list(grid.pairs(results, (name, MICD), (name, method), overs))
            for name in (number, GROUPS)
        )
        counts = [
            max((ours * mine).mean, (theirs * other).mean)
            for (_, ours, theirs), (_, mine, other) in zip(both, groups, strict=True)
        ]
        for (place, ours, theirs), count in zip(both, counts, strict=True):
            too_few = few is not None and count < few
            cases.append(Case(f"MICD < {shown}", place, exceeds(theirs, ours, by), too_few))
            ratios += ratio(ours, theirs)
            if not theirs.mean and not ours.mean:
                zeros.append(place)
        texts += [f"MICD has {between(ratios, ' times')} the mean of {shown}."] if ratios else []
        if few is not None and counts:
            texts.append(f"The more open of these two has {between(counts)} open groups.")
        texts += [f"Both it and {shown} have 0 at {places(zeros)}."] if zeros else []
    return judge(cases, " ".join(texts))


def linear(grid: Grid, results: Results, number: str, explained: float) -> Finding:
    """Fit straight lines over |S|."""
    cases, texts = [], []
    for method, shown in grid.methods.items():
        found = grid.line(results, number, method, "secrets")
        if len(found) < 3:
            continue
        xs = np.array(list(found), dtype=np.float64)
        ys = np.array(list(means(found).values()), dtype=np.float64)
        slope, start = np.polyfit(xs, ys, 1)
        varies = float(((ys - ys.mean()) ** 2).sum())
        left = float(((ys - slope * xs - start) ** 2).sum())
        share = 1 - left / varies if varies else 0.0
        cases += [
            Case("straight", {"method": shown}, share >= explained),
            Case("rises", {"method": shown}, above(_slope(found), 0)),
        ]
        texts.append(f"{shown} by {slope:.3f} per attribute ({share:.1%} explained).")
    return judge(cases, " ".join(texts))


def _slope(found: Points) -> Sample:
    """Fit a straight line to each repetition."""
    xs = list(found)
    seeds = set.intersection(*(set(sample.values) for sample in found.values()))
    return Sample(
        {
            seed: float(np.polyfit(xs, [found[x].values[seed] for x in xs], 1)[0])
            for seed in sorted(seeds)
        }
    )


def within_seconds(grid: Grid, results: Results, limit: float) -> Finding:
    """Compare the slowest with the fastest at each setting of the two figures."""
    cases, apart = [], []
    for over in ("l", "secrets"):
        every = (grid.line(results, TIME, each, over) for each in grid.methods)
        lines = [found for found in every if found]
        if len(grid.methods) < 2:
            break
        for x in grid.values[over]:
            times = sorted((each[x] for each in lines), key=lambda each: each.mean)
            between_ends = times[-1] - times[0]
            apart.append(between_ends.mean)
            cases.append(Case("within", {NAMES.get(over, over): x}, below(between_ends, limit)))
    slowest = max(apart, default=0)
    return judge(cases, f"They differ by {in_words(slowest)} s at most." if apart else "")


def slightly_slower_than_both(grid: Grid, results: Results, by: float) -> Finding:
    """Compare MICD's time with that of the slower of the others, over |S|."""
    lines = {each: grid.line(results, TIME, each, "secrets") for each in grid.methods}
    ours = lines.pop(MICD, {})
    cases, factors = [], []
    for count, mine in ours.items() if lines else ():
        others = [each[count] for each in lines.values()]
        factors.append(mine.mean / max(other.mean for other in others))
        slower = worst(*(above(mine, other) for other in others))
        slowest = max(others, key=lambda other: other.mean)
        place = {"|S|": count}
        cases += [
            Case("slower", place, slower),
            Case("slightly", place, below(mine, by * slowest)),
        ]
    return judge(cases, f"It takes {between(factors, ' times')} as long.")


def no_worse_than_printed(grid: Grid, results: Results, number: str, better: str) -> Finding:
    """Compare noise one by one with noise as printed, with either primary attribute."""
    compare = below if better == "lower" else above
    ours, printed = (number, "micd-one-by-one"), (number, MICD)
    cases = [
        Case(primary, place, compare(one, other, or_equal=True))
        for primary in (HIGHEST, PRINTED)
        for place, one, other in grid.at(primary, every=True).pairs(results, ours, printed)
    ]
    texts = [
        f"{shown} has {course(means(found), 'l = {}')}."
        for (_, name), shown in ((ours, "One by one MICD"), (printed, "As printed it"))
        if (found := grid.at(every=True).line(results, number, name, "l"))
    ]
    return judge(cases, f"{' '.join(texts)} (Primary: {grid.usual['primary']}.)" if cases else "")


RULES = {
    "below both": below_both,
    "highest entropy": highest_entropy,
    "linear": linear,
    "more groups": more_groups,
    "no worse than printed": no_worse_than_printed,
    "slightly slower than both": slightly_slower_than_both,
    "table 5": table_5,
    "within seconds": within_seconds,
    "within the bound": within_the_bound,
}


def shuffled(given: Any) -> View:
    """Show the runs on shuffled rows, where there are any: with the default primary attribute."""

    def view(results: Results) -> Results:
        method, here = pl.col("method"), pl.col("primary") == HIGHEST
        runs = results.runs.filter(~(method.is_in(list(SHUFFLED)) & here))
        shown = method.replace({other: name for name, other in SHUFFLED.items()})
        return Results(runs.with_columns(shown), results.numbers)

    return view
