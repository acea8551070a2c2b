"""A paper's claims, and what their rules are made of: lines of samples, steps, growth, words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

from shoal_papers.results import Results
from shoal_papers.samples import Comparison, Sample, above, exceeds, worst
from shoal_papers.verdicts import Case, Finding, Place, number

__all__ = [
    "Claim",
    "between",
    "course",
    "falls",
    "flat",
    "growth",
    "line",
    "means",
    "ratio",
    "rises",
    "spread",
    "steps",
    "turns",
]

X = TypeVar("X", int, float)


@dataclass(frozen=True)
class Claim:
    """What a paper says.

    Parameters
    ----------
    where
        The figures it is about.
    words
        The paper's words, in English.
    rule
        How it is judged, in words.
    judge
        Judges the results.
    why_not
        Why it cannot hold, or what keeps it from holding; shown where it holds under no reading.
    """

    where: str
    words: str
    rule: str
    judge: Callable[[Results], Finding]
    why_not: str = ""


def line(
    results: Results, number: str, over: str, values: Sequence[X], **fixed: int | float | str
) -> dict[X, Sample]:
    """Give the repetitions of a number over a setting, at those of its values that were run."""
    found = {x: sample for (x,), sample in results.samples(number, (over,), **fixed).items()}
    return {x: found[x] for x in sorted(values) if x in found}


def means(line: Mapping[X, Sample]) -> dict[X, float]:
    """Give the means of a line."""
    return {x: sample.mean for x, sample in line.items()}


def rises(before: Sample, after: Sample) -> Comparison:
    """Compare the ends of a step that should go up, for `steps`."""
    return above(after, before)


def falls(before: Sample, after: Sample) -> Comparison:
    """Compare the ends of a step that should go down, for `steps`."""
    return above(before, after)


def steps(
    line: Mapping[X, Sample],
    part: str,
    place: Place,
    over: str,
    compare: Callable[[Sample, Sample], Comparison] = rises,
) -> list[Case]:
    """Compare each point of a line with the next.

    Examples
    --------
    >>> line = {k: Sample({1: mean, 2: mean}) for k, mean in ((2, 1.0), (5, 3.0), (10, 2.0))}
    >>> [case.holds for case in steps(line, "rises", {}, "k")]
    [True, False]
    """
    return [
        Case(part, {**place, over: f"{low:,}→{high:,}"}, compare(line[low], line[high]))
        for low, high in pairwise(line)
    ]


def flat(line: Mapping[X, Sample], by: float) -> tuple[Comparison, float]:
    """Ask whether the largest mean is little above the least; also give their ratio."""
    slowest, fastest = (pick(line.values(), key=lambda each: each.mean) for pick in (max, min))
    return above((1 + by) * fastest, slowest, or_equal=True), slowest.mean / fastest.mean


def turns(line: Mapping[X, Sample], by: float = 1.0) -> Comparison:
    """Ask whether a line's top between its ends is above both, by a factor if need be.

    Examples
    --------
    >>> line = {k: Sample({1: mean, 2: mean}) for k, mean in ((2, 1.0), (5, 3.0), (10, 2.0))}
    >>> turns(line).holds, turns(line, 2).holds
    (True, False)
    """
    first, *inner, last = line.values()
    top = max(inner, key=lambda each: each.mean)
    return worst(*(exceeds(top, end, by) for end in (first, last)))


def ratio(more: Sample, less: Sample) -> list[float]:
    """Divide means, where the second is above zero."""
    return [more.mean / less.mean] if less.mean else []


def growth(line: Mapping[X, Sample]) -> list[float]:
    """Give last over first mean, where there is a line and it starts above zero.

    Examples
    --------
    >>> growth({2: Sample({1: 4.0}), 5: Sample({1: 5.0}), 8: Sample({1: 6.0})}), growth({})
    ([1.5], [])
    """
    return ratio(line[max(line)], line[min(line)]) if line else []


def spread(row: Mapping[str, Any]) -> float:
    """Give the largest less the least repetition of a summary's row, as a share of the mean.

    Examples
    --------
    >>> spread({"mean": 2.0, "min": 1.5, "max": 2.5})
    0.5
    """
    return float((row["max"] - row["min"]) / row["mean"]) if row["mean"] else 0.0


def between(values: Sequence[float], unit: str = "") -> str:
    """Write the least and the largest of some values.

    Examples
    --------
    >>> between([1.234, 20.0, 3.0], " times")
    '1.23 to 20 times'
    """
    if not values:
        return "nothing"
    ends = [number(end) for end in (min(values), max(values))]
    return f"{' to '.join(dict.fromkeys(ends))}{unit}"


def course(line: Mapping[X, float], place: str) -> str:
    """Write a line in words: its values, then where its points are, in the format ``place``.

    Examples
    --------
    >>> course({2: 0.5, 5: 0.75}, "k = {:g}"), course({2: 0, 5: 0}, "{} %")
    ('0.5, 0.75 at k = 2, 5', '0 at 2 %, 5 %')
    """
    values = [number(value) for value in line.values()]
    if len(set(values)) == 1:
        values = values[:1]
    head = place.partition("{")[0]
    places = ", ".join(place.format(x).removeprefix(head) for x in line)
    return f"{', '.join(values)} at {head}{places}"
