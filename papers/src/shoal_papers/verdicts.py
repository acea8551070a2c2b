"""Verdicts: comparisons make a part of a claim, and its worst part decides a claim.

A part *holds* if every comparison does, *holds except* in the named places if at least three
of four do, is *within noise* if fewer do but none fails, and otherwise *does not hold*. Where what
is compared happens so seldom that a comparison says nothing, there are *too few to tell*.
Nothing here knows an outcome beforehand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import TypeAlias

from shoal_papers.samples import Comparison

__all__ = [
    "DOES_NOT_HOLD",
    "HOLDS",
    "HOLDS_EXCEPT",
    "MOST",
    "NOT_MEASURED",
    "TOO_FEW",
    "WITHIN_NOISE",
    "WORST_FIRST",
    "Case",
    "Finding",
    "Part",
    "Place",
    "judge",
    "number",
    "places",
]

HOLDS, HOLDS_EXCEPT, DOES_NOT_HOLD = "holds", "holds except", "does not hold"
WITHIN_NOISE, TOO_FEW, NOT_MEASURED = "within noise", "too few to tell", "not measured"

WORST_FIRST = (DOES_NOT_HOLD, TOO_FEW, WITHIN_NOISE, HOLDS_EXCEPT, HOLDS)

MOST = Fraction(3, 4)
"""The least share of cases with which a part still holds, with exceptions."""

_SHOWN = 6
"""Places named in words; all are in the tables."""

Place: TypeAlias = Mapping[str, int | float | str]


@dataclass(frozen=True)
class Case:
    """One statement at some settings: which part of the claim it belongs to, and what was found.

    Parameters
    ----------
    found
        A comparison of means, or yes or no where there is nothing that chance could change.
    few
        Whether what is compared happens too seldom to tell, whatever was found.
    """

    part: str
    place: Place
    found: Comparison | bool
    few: bool = False

    @property
    def holds(self) -> bool | None:
        """Whether it holds; ``None`` if that is within noise, or there are too few to tell."""
        if self.few:
            return None
        return self.found.holds if isinstance(self.found, Comparison) else self.found


@dataclass(frozen=True)
class Part:
    """A part of a claim: its cases, and the verdict on them."""

    name: str
    cases: tuple[Case, ...]

    @property
    def held(self) -> int:
        """How many cases hold."""
        return sum(case.holds is True for case in self.cases)

    @property
    def failed(self) -> list[Case]:
        """The cases that do not hold."""
        return [case for case in self.cases if case.holds is False]

    @property
    def noisy(self) -> list[Case]:
        """The cases that are within noise."""
        return [case for case in self.cases if case.holds is None and not case.few]

    @property
    def few(self) -> list[Case]:
        """The cases of which there are too few to tell."""
        return [case for case in self.cases if case.few]

    @property
    def verdict(self) -> str:
        """One of those in `WORST_FIRST`."""
        if self.held == len(self.cases):
            return HOLDS
        if self.held >= MOST * len(self.cases):
            return HOLDS_EXCEPT
        if self.failed:
            return DOES_NOT_HOLD
        return TOO_FEW if self.few else WITHIN_NOISE

    @property
    def counted(self) -> str:
        """How many cases hold, in words."""
        noisy = f", {len(self.noisy)} {WITHIN_NOISE}" if self.noisy else ""
        few = f", {len(self.few)} {TOO_FEW}" if self.few else ""
        return f"{self.name}: {self.held} of {len(self.cases)}{noisy}{few}"

    @property
    def exceptions(self) -> str:
        """Where it does not hold, and where that is within noise; empty if it holds."""
        texts = []
        if self.failed:
            texts.append(f"{self.name} at {places([case.place for case in self.failed])}")
        if self.noisy:
            noisy = places([case.place for case in self.noisy])
            texts.append(f"{self.name} within noise at {noisy}")
        if self.few:
            texts.append(f"{self.name} {TOO_FEW} at {places([case.place for case in self.few])}")
        return "; ".join(texts)

    @property
    def reported(self) -> str:
        """The verdict with its counts and places, and the intervals of what is within noise."""
        texts = [f"{self.name}: {self.verdict}, {self.held} of {len(self.cases)}"]
        if self.failed and len(self.failed) < len(self.cases):
            texts.append(f"not at {places([case.place for case in self.failed])}")
        if self.noisy:
            texts.append(f"within noise at {_intervals(self.noisy)}")
        if self.few and len(self.few) < len(self.cases):
            texts.append(f"{TOO_FEW} at {places([case.place for case in self.few])}")
        return "; ".join(texts)


@dataclass(frozen=True)
class Finding:
    """What was measured about a claim: the verdict is that of its worst part.

    Parameters
    ----------
    parts
        The parts of the claim, in their order.
    figures
        The figures behind it, in words.
    """

    parts: tuple[Part, ...]
    figures: str = ""

    @property
    def verdict(self) -> str:
        """The worst verdict of a part, or `NOT_MEASURED`."""
        found = [part.verdict for part in self.parts]
        return min(found, key=WORST_FIRST.index) if found else NOT_MEASURED

    @property
    def deciding(self) -> list[Part]:
        """The parts that have the verdict of the claim."""
        return [part for part in self.parts if part.verdict == self.verdict]

    @property
    def exceptions(self) -> str:
        """Where it does not hold, part by part; empty if it holds."""
        return "; ".join(part.exceptions for part in self.parts if part.exceptions)

    @property
    def sentence(self) -> str:
        """The verdict, with the exceptions, or with the parts that decide where others hold."""
        if self.verdict == HOLDS_EXCEPT:
            return f"{self.verdict}: {self.exceptions}"
        if len(self.deciding) == len(self.parts):
            return self.verdict
        return f"{self.verdict}: {', '.join(part.name for part in self.deciding)}"

    @property
    def measured(self) -> str:
        """How many cases hold, and the figures, in words."""
        counted = f"{'; '.join(part.counted for part in self.parts)}." if self.parts else ""
        return f"{counted} {self.figures}".strip()


def judge(cases: Sequence[Case], figures: str = "") -> Finding:
    """Sort cases into parts; ``figures`` adds what was measured in words.

    Examples
    --------
    >>> cases = [Case("a > b", {"k": k}, k != 5) for k in (2, 5, 10, 20)]
    >>> judge(cases).sentence
    'holds except: a > b at k = 5'
    >>> judge([*cases, Case("slightly", {"k": 2}, False)]).sentence
    'does not hold: slightly'
    >>> judge([Case("fewer", {"l": l}, True, few=True) for l in (2, 3)]).sentence
    'too few to tell'
    """
    names = dict.fromkeys(case.part for case in cases)
    parts = (Part(name, tuple(case for case in cases if case.part == name)) for name in names)
    return Finding(tuple(parts), figures)


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
    return _cut([f"{head}{_listed(values)}" for head, values in together.items()])


def number(value: float) -> str:
    """Write three figures, or all before the point.

    Examples
    --------
    >>> [number(value) for value in (0.0123456, 12.345, 12345.6)]
    ['0.0123', '12.3', '12,346']
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _intervals(cases: Sequence[Case]) -> str:
    """Write settings in words, each with the interval of its margin."""
    texts = []
    for case in cases:
        text = places([case.place])
        if isinstance(case.found, Comparison) and isfinite(case.found.low):
            text += f" ({number(case.found.low)} to {number(case.found.high)})"
        texts.append(text)
    return _cut(texts)


def _cut(texts: Sequence[str]) -> str:
    more = len(texts) - _SHOWN
    return "; ".join(texts[:_SHOWN]) + (f"; and {more} more (see the numbers)" if more > 0 else "")


def _listed(values: Sequence[str]) -> str:
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} and {values[-1]}"
