"""Rules of the paper on (αᵢ, k)-anonymity alone, and a way to show its results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from shoal_papers.alpha_i_k.grid import ALPHA, FEW_KS, GRADED_K, WIDTH
from shoal_papers.alpha_i_k.numbers import NUMBERS, SECONDS
from shoal_papers.alpha_i_k.series import EXACT, QUASI_ONLY, SERIES
from shoal_papers.claims import between, course, means, ratio
from shoal_papers.lines import Settings
from shoal_papers.readings import View
from shoal_papers.results import Results
from shoal_papers.rules import Points
from shoal_papers.samples import Sample, above, exceeds
from shoal_papers.verdicts import Case, Finding, judge

__all__ = ["RULES", "beside_quasi", "standing_in"]

TIME, TOP, LEVELED = "cpu_seconds", "top-down", "leveled-gca"


def clearly_faster(settings: Settings, results: Results, by: float) -> Finding:
    """Compare each GCA's times with Top-Down's at each setting of figures 3 and 4, once."""
    cases, texts = [], []
    for method, shown in settings.methods.items():
        if method == TOP:
            continue
        factors = []
        for place, ours, top in _times(settings, results, method):
            factors += ratio(top, ours)
            cases.append(Case(shown, place, exceeds(top, ours, by)))
        texts.append(f"Top-Down takes {between(factors, ' times')} as long as {shown}.")
    return judge(cases, " ".join(texts) if cases else "")


def _times(
    settings: Settings, results: Results, method: str
) -> Iterator[tuple[dict[str, float], Sample, Sample]]:
    for k in FEW_KS:
        ours, top = (_line(settings, results, TIME, "alpha", each, k) for each in (method, TOP))
        for alpha in sorted(ours.keys() & top.keys()):
            yield {"|QI|": WIDTH, "k": k, "α": alpha}, ours[alpha], top[alpha]
        mine, other = (_line(settings, results, TIME, "quasi", each, k) for each in (method, TOP))
        for q in sorted((mine.keys() & other.keys()) - {WIDTH}):
            yield {"α": ALPHA, "k": k, "|QI|": q}, mine[q], other[q]


def _line(
    settings: Settings, results: Results, number: str, over: str, method: str, k: int = GRADED_K
) -> Points:
    fixed = {**settings.usual, "k": k, "method": method}
    return settings.points(results, number, (over,), fixed)


def clearly_above_each(
    settings: Settings, results: Results, others: Sequence[str], by: float
) -> Finding:
    """Compare (αᵢ, k)-GCA's sensitivity distance with that of other methods; figure 5."""
    number = "sensitivity_distance"
    ours = _line(settings, results, number, "alpha", LEVELED)
    cases, more, texts = [], [], []
    for method in others:
        shown, theirs = SERIES[method].shown, _line(settings, results, number, "alpha", method)
        both = [alpha for alpha in ours if alpha in theirs]
        more += [above(ours[alpha], theirs[alpha]).holds for alpha in both]
        cases += [
            Case(f"clearly above {shown}", {"α": a}, exceeds(ours[a], theirs[a], by)) for a in both
        ]
        factors = [each for alpha in both for each in ratio(ours[alpha], theirs[alpha])]
        texts.append(f"It has {between(factors, ' times')} the distance of {shown}.")
    counted = f"It is larger in {sum(each is True for each in more)} of {len(more)}."
    return judge(cases, " ".join([counted, *texts]) if cases else "")


def often_with_each(
    settings: Settings, results: Results, others: Sequence[str], limit: float
) -> Finding:
    """Ask how many people are in classes with several records of a high level."""
    cases, texts = [], []
    for method in others:
        shown = SERIES[method].shown
        shares = _line(settings, results, "same_high_level", "alpha", method)
        cases += [
            Case(f"often with {shown}", {"α": alpha}, above(share, limit, or_equal=True))
            for alpha, share in shares.items()
        ]
        texts.append(f"{shown} has {course(means(shares), 'α = {:g}')}.")
    return judge(cases, f"The share: {' '.join(texts)}" if cases else "")


def no_larger_class(settings: Settings, results: Results, start: int) -> Finding:
    """Ask whether the largest class has at most k + 1 records, from a k on."""
    fixed = {**settings.usual, "method": "leveled-gca-even"}
    found = settings.points(results, "largest_class", ("k",), fixed, [GRADED_K])
    cases = [
        Case("at most k + 1", {"k": k}, max(sizes.values.values()) <= k + 1)
        for k, sizes in found.items()
        if k >= start
    ]
    return judge(cases, f"On average it has {course(means(found), 'k = {}')}." if cases else "")


RULES = {
    "clearly above each": clearly_above_each,
    "clearly faster": clearly_faster,
    "no larger class": no_larger_class,
    "often with each": often_with_each,
}


def beside_quasi(settings: Settings, results: Results) -> str:
    """Report how far (αᵢ, k)-GCA is above methods that group by the quasi-identifiers."""
    found = clearly_above_each(settings, results, list(EXACT | QUASI_ONLY), 1.1)
    return (
        "Beside methods that group by the quasi-identifiers alone, as section 5.3 says of the "
        f"model compared with, (αᵢ,k)-GCA's sensitivity distance at k = {GRADED_K} (figure 5c): "
        f"{found.measured}"
    )


def standing_in(others: Mapping[str, str]) -> View:
    """Show other series in the place of some methods; times stay, for they are as long.

    Examples
    --------
    >>> runs = pl.DataFrame({"method": ["gca", "gca-stop"], "k": [4, 4], "seed": [1, 1],
    ...                      **{name: [1.0, 2.0] for name in NUMBERS}})
    >>> shown = standing_in({"gca": "gca-stop"})(Results(runs, NUMBERS)).runs
    >>> shown.select("method", "classes", "cpu_seconds").rows()
    [('gca', 2.0, 1.0), ('gca-stop', 2.0, 2.0)]
    """
    names = [name for name in NUMBERS if name not in SECONDS]

    def view(results: Results) -> Results:
        keys = [name for name in results.runs.columns if name not in NUMBERS]
        found = results.runs.filter(pl.col("method").is_in(list(others.values())))
        new = {other: method for method, other in others.items()}
        found = found.with_columns(pl.col("method").replace(new)).select(*keys, *names)
        runs = results.runs.join(
            found, on=keys, how="left", suffix=" read so", maintain_order="left"
        )
        read = [pl.coalesce(f"{name} read so", name).alias(name) for name in names]
        return Results(runs.with_columns(read).select(results.runs.columns), results.numbers)

    return view
