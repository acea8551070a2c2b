"""Rules by which claims are judged, by name: of a line, of two lines beside each other, of a value.

A paper's data file says which rule judges a claim, on which lines, and with which figures. A rule
gives what it found place by place, and the figures that the claim's sentence may name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeAlias

from shoal_papers.claims import course, falls, flat, growth, means, ratio, rises, steps, turns
from shoal_papers.samples import Comparison, Sample, above, below, exceeds, within

__all__ = [
    "LINE_RULES",
    "NAMES",
    "PAIR_RULES",
    "POINT_RULES",
    "Judged",
    "Points",
    "judge_line",
    "judge_pair",
    "place_of",
]

NAMES = {"alpha": "α", "quasi": "|QI|", "rows": "n", "secrets": "|S|", "vmr_target": "VMR"}
"""Settings whose name in words is not that of the column."""

Points: TypeAlias = Mapping[Any, Sample]
"""A line: the repetitions at each value of a setting."""


@dataclass(frozen=True)
class Judged:
    """What a rule found.

    Parameters
    ----------
    found
        A comparison, or yes or no, per place: a place is what is added to that of the line.
    figures
        Figures and words that a sentence may name.
    """

    found: Sequence[tuple[Mapping[str, Any], Comparison | bool]]
    figures: Mapping[str, Sequence[float | str]] = field(default_factory=dict)


def _rises(points: Points, over: str) -> Judged:
    """Each step raises the mean."""
    return _steps(points, over, rises)


def _falls(points: Points, over: str) -> Judged:
    """Each step lowers the mean."""
    return _steps(points, over, falls)


def _steps(points: Points, over: str, compare: Callable[[Sample, Sample], Comparison]) -> Judged:
    cases = steps(points, "", {}, over, compare)
    return Judged([(case.place, case.found) for case in cases], {"growth": growth(points)})


def _each_step_multiplies(points: Points, over: str, low: float, high: float) -> Judged:
    """Each step multiplies the mean by a factor between two others."""
    made = _steps(points, over, lambda a, b: within(b, low * a, high * a))
    return Judged(
        made.found,
        {"step": [each for a, b in pairwise(points) for each in ratio(points[b], points[a])]},
    )


def _rises_in_all(points: Points, over: str, to: Any = None) -> Judged:
    """The last mean, or that at a place, is above the first."""
    return _at_ends(points, above, to)


def _falls_in_all(points: Points, over: str) -> Judged:
    """The last mean is below the first."""
    return _at_ends(points, below)


def _multiplied(points: Points, over: str, by: float, to: Any = None) -> Judged:
    """The last mean, or that at a place, is the first times a factor, or more."""
    return _at_ends(points, lambda last, first: exceeds(last, first, by), to)


def _at_ends(
    points: Points, compare: Callable[[Sample, Sample], Comparison], to: Any = None
) -> Judged:
    last = max(points) if to is None else to
    if last not in points:
        return Judged([])
    ends = points[last], points[min(points)]
    return Judged([({}, compare(*ends))], {"growth": ratio(*ends)})


def _more_at(points: Points, over: str, at: Sequence[Any], than_at: Any) -> Judged:
    """The means at some places are above that at another."""
    found = [
        ({over: x}, above(points[x], points[than_at])) for x in at if {x, than_at} <= set(points)
    ]
    return Judged(found)


def _stays(points: Points, over: str, after: Any, off: float) -> Judged:
    """After a place, every mean is off that there by at most a share of it."""
    if after not in points:
        return Judged([])
    later, base = {x: each for x, each in points.items() if x > after}, points[after]
    off_by = [100 * abs(each - 1) for sample in later.values() for each in ratio(sample, base)]
    return Judged(
        [({over: x}, _about(each, base, off)) for x, each in later.items()], {"off_by": off_by}
    )


def _flat(points: Points, over: str, by: float) -> Judged:
    """The largest mean is above the least by at most a share of it."""
    if len(points) < 2:
        return Judged([])
    compared, factor = flat(points, by)
    return Judged([({}, compared)], {"slowest": [factor]})


def _turns(points: Points, over: str, by: float = 1, name_top: bool = False) -> Judged:
    """A mean between the ends is above both, by a factor if need be."""
    top = max(points, key=lambda x: points[x].mean)
    return Judged(
        [({over: top} if name_top else {}, turns(points, by))], {"top": [f"{over} = {top}"]}
    )


def _slows(points: Points, over: str, at: Sequence[float], unit: float = 1) -> Judged:
    """What a unit adds up to the second of three places is more than what it adds after."""
    if not set(at) <= set(points):
        return Judged([])
    first, second = ((points[high] - points[low]) / (high - low) for low, high in pairwise(at))
    added = {"early": [first.mean / unit], "late": [second.mean / unit]}
    return Judged([({}, above(first, second))], added)


def _ever_more_slowly(points: Points, over: str) -> Judged:
    """Each step adds less to the mean than the step before."""
    added = {high: (points[high] - points[low]) / (high - low) for low, high in pairwise(points)}
    made = _steps(added, f"step to {over}", falls)
    return Judged(made.found, {"added": [course(means(added), "the step to {:g}")]})


def _above(more: Sample, less: Sample) -> Comparison:
    return above(more, less)


def _below(less: Sample, more: Sample) -> Comparison:
    return below(less, more)


def _not_above(less: Sample, more: Sample) -> Comparison:
    return below(less, more, or_equal=True)


def _times(more: Sample, less: Sample, by: float) -> Comparison:
    """The first mean is the second times a factor, or more."""
    return exceeds(more, less, by)


def _less_than_times(less: Sample, more: Sample, by: float) -> Comparison:
    """The first mean is less than the second times a factor."""
    return below(less, by * more)


def _about(one: Sample, other: Sample, off: float) -> Comparison:
    """The first mean is off the second by at most a share of that."""
    return within(one, (1 - off) * other, (1 + off) * other)


def _at_most(value: Sample, limit: float) -> Comparison:
    return below(value, limit, or_equal=True)


def _at_least(value: Sample, limit: float) -> Comparison:
    return above(value, limit, or_equal=True)


def _less_than(value: Sample, limit: float) -> Comparison:
    return below(value, limit)


def _is(value: Sample, exactly: float) -> bool:
    return value.mean == exactly


def _spreads_at_most(value: Sample, share: float) -> bool:
    """The repetitions spread over at most a share of their mean."""
    return _spread(value) <= share


def _spread(value: Sample) -> float:
    every = value.values.values()
    return (max(every) - min(every)) / value.mean if value.mean else 0.0


LINE_RULES: Mapping[str, Callable[..., Judged]] = {
    "rises": _rises,
    "falls": _falls,
    "each step multiplies": _each_step_multiplies,
    "rises in all": _rises_in_all,
    "falls in all": _falls_in_all,
    "is multiplied": _multiplied,
    "more at": _more_at,
    "stays": _stays,
    "flat": _flat,
    "turns": _turns,
    "slows": _slows,
    "ever more slowly": _ever_more_slowly,
}
"""Rules of a line; each is given the line and the name of its setting."""

PAIR_RULES: Mapping[str, Callable[..., Comparison]] = {
    "above": _above,
    "below": _below,
    "times": _times,
    "less than times": _less_than_times,
    "about": _about,
    "not above": _not_above,
}
"""Rules of two lines, which compare them at each place that both have."""

POINT_RULES: Mapping[str, Callable[..., Comparison | bool]] = {
    "at most": _at_most,
    "at least": _at_least,
    "is": _is,
    "less than": _less_than,
    "spreads at most": _spreads_at_most,
}
"""Rules of single numbers, at each place of a line."""


def judge_line(rule: str, points: Points, over: Sequence[str], **given: Any) -> Judged:
    """Judge a line by a rule, at its places or as a whole.

    Examples
    --------
    >>> line = {k: Sample({1: mean, 2: mean}) for k, mean in ((2, 1.0), (5, 3.0), (10, 2.0))}
    >>> [(place, found.holds) for place, found in judge_line("rises", line, ["k"]).found]
    [({'k': '2→5'}, True), ({'k': '5→10'}, False)]
    >>> [found.holds for _, found in judge_line("at most", line, ["k"], limit=2).found]
    [True, False, True]
    """
    if rule in LINE_RULES:
        return LINE_RULES[rule](points, NAMES.get(over[0], over[0]), **given)
    compare = POINT_RULES[rule]
    found = [(place_of(over, x), compare(value, **given)) for x, value in points.items()]
    figures: dict[str, list[float] | list[str]] = {
        "mean": [value.mean for value in points.values()],
        "percent": [f"{value.mean:.2%}" for value in points.values()],
        "spread": [100 * _spread(value) for value in points.values()],
    }
    return Judged(found, figures)


def judge_pair(
    rule: str, first: Points, second: Points, over: Sequence[str], **given: Any
) -> Judged:
    """Compare two lines by a rule at each place that both have, and give the ratios of means.

    Examples
    --------
    >>> one, two = ({k: Sample({1: mean, 2: mean}) for k in (2, 5)} for mean in (1.0, 2.0))
    >>> made = judge_pair("below", one, two, ["k"])
    >>> [found.holds for _, found in made.found], made.figures["ratios"]
    ([True, True], ['0.5 at k = 2, 5'])
    """
    both = [x for x in first if x in second]
    found = [(place_of(over, x), PAIR_RULES[rule](first[x], second[x], **given)) for x in both]
    ratios = {x: each for x in both for each in ratio(first[x], second[x])}
    by_place = [course(ratios, f"{NAMES.get(over[0], over[0])} = {{}}")] if ratios else []
    return Judged(found, {"ratio": list(ratios.values()), "ratios": by_place})


def place_of(names: Sequence[str], values: Any) -> dict[str, Any]:
    """Name settings as pages do.

    Examples
    --------
    >>> place_of(["rows", "k"], (45222, 5))
    {'n': '45,222', 'k': 5}
    """
    every = values if isinstance(values, tuple) else (values,)
    written = {"rows": "{:,}", "vmr_target": "{:g} %"}
    return {
        NAMES.get(name, name): written[name].format(value) if name in written else value
        for name, value in zip(names, every, strict=True)
    }
