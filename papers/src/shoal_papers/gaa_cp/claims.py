"""What section 4 of Jiang, Zeng and Ma (2017) says, claim by claim, and how each is judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from shoal_papers.claims import (
    LITTLE,
    MARKEDLY,
    SLIGHTLY,
    Claim,
    between,
    flat,
    growth,
    line,
    ratio,
    spread,
    steps,
    turns,
)
from shoal_papers.results import Results
from shoal_papers.samples import Sample, above, exceeds, within
from shoal_papers.verdicts import Case, Finding, judge

__all__ = ["Grid", "claims"]

LOSS, TIME = "iloss", "cpu_seconds"

VASTLY = 2.0
"""Times differ vastly if one is this many times the other or more."""

DOUBLES = (1.5, 2.5)
"""Between these a time has about doubled."""


@dataclass(frozen=True)
class Grid:
    """The settings that were measured, and the methods with the paper's spelling."""

    rows: int
    widths: Sequence[int]
    ks: Sequence[int]
    sizes: Sequence[int]
    methods: Mapping[str, str]

    def by_width(self) -> Iterator[tuple[str, str, int]]:
        """Walk the lines over |QI|: method, its name, k."""
        return ((m, shown, k) for m, shown in self.methods.items() for k in (5, 10))

    def by_k(self) -> Iterator[tuple[str, str, int]]:
        """Walk the lines over k: method, its name, |QI|."""
        return ((m, shown, q) for m, shown in self.methods.items() for q in (2, 5, 8))

    def by_size(self) -> Iterator[tuple[str, str, int]]:
        """Walk the lines over n: method, its name, |QI|."""
        return ((m, shown, q) for m, shown in self.methods.items() for q in (3, 6))


def claims(grid: Grid) -> list[Claim]:
    """List the claims in the order of the text."""
    return [
        Claim(
            "section 4",
            "The random choice of start records makes results differ slightly.",
            f"the largest loss of a setting is at most {SLIGHTLY:.0%} of the mean above the least",
            lambda results: _repetitions(grid, results),
            why_not=(
                "It fails for KACA at |QI| ≤ 4, where few rows have to be merged and the "
                "whole loss is small; from |QI| = 5 on its repetitions differ slightly, too."
            ),
        ),
        Claim(
            "figure 2",
            "At equal k, the information loss keeps growing with |QI|.",
            "each step of |QI| raises the mean loss",
            lambda results: _loss_by_width(grid, results),
        ),
        Claim(
            "figure 2",
            "It grows not quite in proportion: slightly faster at first, then slower.",
            "a column added from |QI| = 2 to 5 adds more loss, on average, than one from 5 to 8",
            lambda results: _slowing(grid, results),
            why_not=(
                "With the bundled hierarchies the columns that come last cost most. The "
                "paper's are not printed."
            ),
        ),
        Claim(
            "figures 2, 3",
            "At equal k and |QI|, always KACA > EBKC > GAA-CP in loss.",
            "mean losses compared at every setting",
            lambda results: _order(results, LOSS, ("kaca", "ebkc", "gaa-cp"), "loses", grid),
            why_not=(
                "EBKC loses more than KACA at few quasi-identifiers, and less than GAA-CP at "
                "|QI| ≥ 7 with k ≥ 10. In between the order is the paper's, so at |QI| = 8, k "
                "= 5."
            ),
        ),
        Claim(
            "figure 3",
            "At equal |QI|, the information loss grows somewhat with k.",
            "each step of k raises the mean loss",
            lambda results: _loss_by_k(grid, results),
        ),
        Claim(
            "figure 4",
            "At equal k, the time of all three grows markedly with |QI|.",
            "each step of |QI| raises the mean time (step by step), and it ends at "
            f"{MARKEDLY:g} times its start or more (markedly)",
            lambda results: _time_by_width(grid, results),
        ),
        Claim(
            "figures 4–6",
            "EBKC takes longest, then KACA, and GAA-CP is fastest; this is always kept.",
            "mean times compared at every setting",
            lambda results: _order(results, TIME, ("ebkc", "kaca", "gaa-cp"), "takes", grid),
            why_not=(
                "EBKC takes longest at every setting. KACA and GAA-CP find the nearest class "
                "through indexes here, which the paper's programs did not have, and take "
                "about as long."
            ),
        ),
        Claim(
            "figure 5",
            "With growing k the time of all three changes only a little.",
            f"over all k, the slowest mean is at most {LITTLE:.0%} above the fastest",
            lambda results: _little(grid, results),
            why_not="The paper's programs had no index; what ours save depends on k.",
        ),
        Claim(
            "figure 5",
            "With growing k, EBKC's time falls slightly.",
            "the mean time at the largest k is below that at the smallest (the direction alone; "
            "how much is claim 8)",
            lambda results: _ends(grid, results, "ebkc", falls=True),
        ),
        Claim(
            "figure 5",
            "With growing k, KACA's time rises slightly.",
            "the mean time at the largest k is above that at the smallest (the direction alone; "
            "how much is claim 8)",
            lambda results: _ends(grid, results, "kaca", falls=False),
            why_not="At |QI| = 2 its times differ by less than the repetitions do.",
        ),
        Claim(
            "figure 5",
            "With growing k, GAA-CP's time first rises slightly, then falls (around k = 9–11).",
            "the largest mean time between the smallest and the largest k is above those at both",
            lambda results: _turns(grid, results, "gaa-cp"),
            why_not=(
                "Its time has no top in between: it is slowest at the smallest or the largest k. "
                "The paper's programs had no index; ours have."
            ),
        ),
        Claim(
            "figure 6",
            "As the table doubles, the time about doubles.",
            f"each doubling of n multiplies the mean time by {DOUBLES[0]:g} to {DOUBLES[1]:g}",
            lambda results: _doubling(grid, results),
            why_not=(
                "An indexed search of a small table takes hundredths of a second, of which a "
                "part does not grow with the table."
            ),
        ),
        Claim(
            "figure 6",
            "At equal k and n, the times for |QI| = 3 and 6 differ vastly.",
            f"|QI| = 6 takes at least {VASTLY:g} times as long as |QI| = 3",
            lambda results: _wide_and_narrow(grid, results),
        ),
    ]


def _repetitions(grid: Grid, results: Results) -> Finding:
    cases, spreads = [], []
    for method, shown in grid.methods.items():
        found = results.of(LOSS, method=method).sort("quasi", "rows", "k")
        for row in found.iter_rows(named=True):
            width = spread(row)
            spreads.append(100 * width)
            place = {"|QI|": row["quasi"], "n": f"{row['rows']:,}", "k": row["k"]}
            cases.append(Case(shown, place, width <= SLIGHTLY))
    return judge(cases, f"The spread is {between(spreads, ' %')} of the mean.")


def _loss_by_width(grid: Grid, results: Results) -> Finding:
    cases, factors = [], []
    for method, shown, k in grid.by_width():
        losses = line(results, LOSS, "quasi", grid.widths, method=method, rows=grid.rows, k=k)
        cases += steps(losses, shown, {"k": k}, "|QI|")
        factors += growth(losses)
    return judge(cases, f"From |QI| = 2 to 8 the loss is multiplied by {between(factors)}.")


def _slowing(grid: Grid, results: Results) -> Finding:
    cases, early, late = [], [], []
    for method, shown, k in grid.by_width():
        losses = line(results, LOSS, "quasi", grid.widths, method=method, rows=grid.rows, k=k)
        if not {2, 5, 8} <= set(losses):
            continue
        first, second = (losses[5] - losses[2]) / 3, (losses[8] - losses[5]) / 3
        cases.append(Case(shown, {"k": k}, above(first, second)))
        early.append(first.mean / 1000)
        late.append(second.mean / 1000)
    detail = (
        f"A column adds {between(early, ' thousand')} up to |QI| = 5, "
        f"and {between(late, ' thousand')} after."
    )
    return judge(cases, detail)


def _loss_by_k(grid: Grid, results: Results) -> Finding:
    cases, factors = [], []
    for method, shown, q in grid.by_k():
        losses = line(results, LOSS, "k", grid.ks, method=method, rows=grid.rows, quasi=q)
        cases += steps(losses, shown, {"|QI|": q}, "k")
        factors += growth(losses)
    ends = f"From k = {grid.ks[0]} to {grid.ks[-1]}"
    return judge(cases, f"{ends} the loss is multiplied by {between(factors)}.")


def _order(results: Results, number: str, methods: Sequence[str], verb: str, grid: Grid) -> Finding:
    """Compare neighbours of an order, largest first, at every setting they share."""
    cases, said = [], []
    for more, less in pairwise(methods):
        if more not in grid.methods or less not in grid.methods:
            continue
        larger, smaller = grid.methods[more], grid.methods[less]
        factors = []
        found, others = (
            results.samples(number, ("rows", "quasi", "k"), method=each) for each in (more, less)
        )
        for setting in sorted(found.keys() & others.keys()):
            n, q, k = setting
            if number == LOSS and n != grid.rows:
                continue  # figures 2 and 3 show all rows
            size = {} if number == LOSS else {"n": f"{n:,}"}
            place: dict[str, int | str] = {"|QI|": q, **size, "k": k}
            compared = above(found[setting], others[setting])
            cases.append(Case(f"{larger} > {smaller}", place, compared))
            factors += ratio(found[setting], others[setting])
        said.append(f"{larger} {verb} {between(factors, ' times')} what {smaller} {verb}.")
    return judge(cases, " ".join(said))


def _time_by_width(grid: Grid, results: Results) -> Finding:
    cases, factors = [], []
    for method, shown, k in grid.by_width():
        times = line(results, TIME, "quasi", grid.widths, method=method, rows=grid.rows, k=k)
        if not times:
            continue
        cases += steps(times, f"{shown} step by step", {"k": k}, "|QI|")
        ends = exceeds(times[max(times)], times[min(times)], MARKEDLY)
        cases.append(Case(f"{shown} markedly", {"k": k}, ends))
        factors += growth(times)
    return judge(cases, f"From |QI| = 2 to 8 the time is multiplied by {between(factors)}.")


def _little(grid: Grid, results: Results) -> Finding:
    cases, said = [], []
    for method, shown in grid.methods.items():
        factors = []
        for times, q in _over_k(grid, results, method):
            compared, factor = flat(times)
            factors.append(factor)
            cases.append(Case(shown, {"|QI|": q}, compared))
        said.append(f"{shown}'s slowest k takes {between(factors, ' times')} its fastest.")
    return judge(cases, " ".join(said))


def _ends(grid: Grid, results: Results, method: str, *, falls: bool) -> Finding:
    cases, factors = [], []
    for times, q in _over_k(grid, results, method):
        first, last = times[min(times)], times[max(times)]
        factors += ratio(last, first)
        compared = above(first, last) if falls else above(last, first)
        cases.append(Case(grid.methods[method], {"|QI|": q}, compared))
    ends = f"k = {grid.ks[-1]} takes {between(factors, ' times')} as long as k = {grid.ks[0]}."
    return judge(cases, ends if cases else "")


def _turns(grid: Grid, results: Results, method: str) -> Finding:
    cases, peaks = [], []
    for times, q in _over_k(grid, results, method):
        slowest = max(times, key=lambda k: times[k].mean)
        peaks.append(f"k = {slowest} (|QI| = {q})")
        cases.append(Case(grid.methods[method], {"|QI|": q}, turns(times)))
    return judge(cases, f"It is slowest at {', '.join(peaks)}." if peaks else "")


def _doubling(grid: Grid, results: Results) -> Finding:
    low, high = DOUBLES
    cases, said = [], []
    for method, shown in grid.methods.items():
        factors: list[float] = []
        for q in (3, 6):
            times = line(results, TIME, "rows", grid.sizes, method=method, k=8, quasi=q)
            cases += steps(
                times, shown, {"|QI|": q}, "n", lambda a, b: within(b, low * a, high * a)
            )
            factors += [each for a, b in pairwise(times) for each in ratio(times[b], times[a])]
        said.append(f"{shown}: {between(factors, ' times')} per doubling.")
    return judge(cases, " ".join(said))


def _wide_and_narrow(grid: Grid, results: Results) -> Finding:
    cases, factors = [], []
    for method, shown in grid.methods.items():
        narrow, wide = (
            line(results, TIME, "rows", grid.sizes, method=method, k=8, quasi=q) for q in (3, 6)
        )
        for n in sorted(narrow.keys() & wide.keys()):
            factors += ratio(wide[n], narrow[n])
            compared = exceeds(wide[n], narrow[n], VASTLY)
            cases.append(Case(shown, {"n": f"{n:,}"}, compared))
    return judge(cases, f"|QI| = 6 takes {between(factors, ' times')} as long as |QI| = 3.")


def _over_k(grid: Grid, results: Results, method: str) -> Iterator[tuple[dict[int, Sample], int]]:
    """Walk a method's times over k, with their |QI|; nothing if it was not measured."""
    for q in (2, 5, 8):
        times = line(results, TIME, "k", grid.ks, method=method, rows=grid.rows, quasi=q)
        if times:
            yield times, q
