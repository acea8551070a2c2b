"""A paper's claims beside what was measured: holds, does not hold, or holds except.

A claim is split into cases, such as "at |QI| = 5 and k = 10, KACA loses more than EBKC".
It *holds* if every case does, *holds except* in the named places if at least three of four
do, and otherwise *does not hold*. Nothing here knows an outcome beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeVar

from shoal.papers.results import Results

__all__ = [
    "DOES_NOT_HOLD",
    "HOLDS",
    "HOLDS_EXCEPT",
    "LITTLE",
    "MARKEDLY",
    "MOST",
    "NOT_MEASURED",
    "SLIGHTLY",
    "Case",
    "Claim",
    "Finding",
    "between",
    "course",
    "falling",
    "growth",
    "judge",
    "means",
    "number",
    "places",
    "spread",
    "steps",
]

HOLDS, HOLDS_EXCEPT, DOES_NOT_HOLD = "holds", "holds except", "does not hold"
NOT_MEASURED = "not measured"

MOST = Fraction(3, 4)
"""The least share of cases with which a claim still holds, with exceptions."""

SLIGHTLY = 0.05
"""Repetitions differ slightly if the largest is at most this share of the mean above the least."""

LITTLE = 0.25
"""A time changes little if the slowest takes at most this much longer than the fastest."""

MARKEDLY = 1.5
"""A time grows markedly if it ends at this many times its start or more."""

_SHOWN = 6
"""Places named in words; all are in the tables."""

Place = Mapping[str, int | float | str]
X = TypeVar("X", int, float)


@dataclass(frozen=True)
class Case:
    """One comparison: which part of the claim, at which settings, and whether it holds."""

    part: str
    place: Place
    holds: bool


@dataclass(frozen=True)
class Finding:
    """What was measured about a claim.

    Parameters
    ----------
    verdict
        One of `HOLDS`, `HOLDS_EXCEPT`, `DOES_NOT_HOLD`, `NOT_MEASURED`.
    exceptions
        Where it does not hold, in words; empty if it holds.
    measured
        How many cases hold, and the figures, in words.
    """

    verdict: str
    exceptions: str
    measured: str

    @property
    def sentence(self) -> str:
        """The verdict in words, with the exceptions where it holds except for them."""
        if self.verdict == HOLDS_EXCEPT:
            return f"{self.verdict}: {self.exceptions}"
        return self.verdict


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
        How it is judged.
    judge
        Judges the results.
    """

    where: str
    words: str
    rule: str
    judge: Callable[[Results], Finding]


def judge(cases: Sequence[Case], detail: str = "") -> Finding:
    """Sum up cases; ``detail`` adds figures in words.

    Examples
    --------
    >>> cases = [Case("a > b", {"k": k}, k != 5) for k in (2, 5, 10, 20)]
    >>> judge(cases).sentence
    'holds except: a > b at k = 5'
    >>> judge(cases).measured
    'a > b: 3 of 4.'
    """
    if not cases:
        return Finding(NOT_MEASURED, "", detail)
    held = sum(case.holds for case in cases)
    if held == len(cases):
        verdict = HOLDS
    else:
        verdict = HOLDS_EXCEPT if held >= MOST * len(cases) else DOES_NOT_HOLD
    counted, failing = [], []
    for part in dict.fromkeys(case.part for case in cases):
        mine = [case for case in cases if case.part == part]
        failed = [case.place for case in mine if not case.holds]
        counted.append(f"{part}: {len(mine) - len(failed)} of {len(mine)}")
        if failed:
            failing.append(f"{part} at {places(failed)}")
    measured = f"{'; '.join(counted)}."
    return Finding(verdict, "; ".join(failing), f"{measured} {detail}".strip())


def places(found: Sequence[Place]) -> str:
    """Write settings in words, those that differ only in the last one together.

    Examples
    --------
    >>> places([{"|QI|": 2, "k": 2}, {"|QI|": 2, "k": 5}, {"|QI|": 5, "k": 2}])
    '|QI| = 2, k = 2 and 5; |QI| = 5, k = 2'
    """
    together: dict[str, list[str]] = {}
    for place in found:
        *outer, (last, value) = place.items()
        head = ", ".join([*(f"{name} = {each}" for name, each in outer), f"{last} = "])
        together.setdefault(head, []).append(str(value))
    texts = [f"{head}{_listed(values)}" for head, values in together.items()]
    more = len(texts) - _SHOWN
    return "; ".join(texts[:_SHOWN]) + (f"; and {more} more (see the numbers)" if more > 0 else "")


def steps(
    line: Mapping[X, float],
    part: str,
    place: Place,
    over: str,
    grows: Callable[[float, float], bool] = lambda before, after: after > before,
) -> list[Case]:
    """Compare each point of a line with the next.

    Examples
    --------
    >>> [case.holds for case in steps({2: 1.0, 5: 3.0, 10: 2.0}, "grows", {}, "k")]
    [True, False]
    """
    return [
        Case(part, {**place, over: f"{low:,}→{high:,}"}, grows(line[low], line[high]))
        for low, high in pairwise(line)
    ]


def means(
    results: Results, number: str, over: str, values: Sequence[X], **fixed: int | float | str
) -> dict[X, float]:
    """Give the means of a number over a setting, at those of its values that were measured."""
    found = results.line(number, over, **fixed)
    return {x: found[x] for x in sorted(values) if x in found}


def falling(before: float, after: float) -> bool:
    """Say whether a step goes down, for `steps`."""
    return after < before


def growth(line: Mapping[X, float]) -> list[float]:
    """Give last over first, where there is a line and it starts above zero.

    Examples
    --------
    >>> growth({2: 4.0, 5: 5.0, 8: 6.0}), growth({})
    ([1.5], [])
    """
    if not line or not line[min(line)]:
        return []
    return [line[max(line)] / line[min(line)]]


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
    """Write a line in words; ``place`` is the format of where its points are.

    Examples
    --------
    >>> course({2: 0.5, 5: 0.75}, "k = {:g}")
    '0.5 at k = 2, 0.75 at k = 5'
    """
    return ", ".join(f"{number(value)} at {place.format(x)}" for x, value in line.items())


def number(value: float) -> str:
    """Write three figures, or all before the point.

    Examples
    --------
    >>> [number(value) for value in (0.0123456, 12.345, 12345.6)]
    ['0.0123', '12.3', '12,346']
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _listed(values: Sequence[str]) -> str:
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} and {values[-1]}"
